"""The twelve kinds of card, the deck, and the letters positions are written with.

Source: the component list of the 2014 booklet (p. 2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import IntEnum

from solvers.errors import NotationError


class Card(IntEnum):
    """A kind of card. The integer value is the *card order* every list in this project follows."""

    TEMPURA = 0
    SASHIMI = 1
    DUMPLING = 2
    MAKI1 = 3
    MAKI2 = 4
    MAKI3 = 5
    EGG_NIGIRI = 6
    SALMON_NIGIRI = 7
    SQUID_NIGIRI = 8
    PUDDING = 9
    WASABI = 10
    CHOPSTICKS = 11
    UNSEEN = 12

    @property
    def letter(self) -> str:
        """The letter of the position notation."""
        return LETTERS[self]

    @property
    def icons(self) -> int:
        """Maki icons on the card (0 for any other kind)."""
        return MAKI_ICONS.get(self, 0)

    @property
    def is_nigiri(self) -> bool:
        """Whether the card can be laid on a wasabi."""
        return self in NIGIRI_POINTS

    def __repr__(self) -> str:
        return f"Card.{self.name}"


LETTERS = "TSD123ELQPWC?"
KINDS: tuple[Card, ...] = tuple(Card)[:12]
MAKI_ICONS: Mapping[Card, int] = {Card.MAKI1: 1, Card.MAKI2: 2, Card.MAKI3: 3}
NIGIRI_POINTS: Mapping[Card, int] = {Card.EGG_NIGIRI: 1, Card.SALMON_NIGIRI: 2, Card.SQUID_NIGIRI: 3}

DECK: Mapping[Card, int] = {
    Card.TEMPURA: 14,
    Card.SASHIMI: 14,
    Card.DUMPLING: 14,
    Card.MAKI1: 6,
    Card.MAKI2: 12,
    Card.MAKI3: 8,
    Card.EGG_NIGIRI: 5,
    Card.SALMON_NIGIRI: 10,
    Card.SQUID_NIGIRI: 5,
    Card.PUDDING: 10,
    Card.WASABI: 6,
    Card.CHOPSTICKS: 4,
}
HAND_SIZES: Mapping[int, int] = {2: 10, 3: 9, 4: 8, 5: 7}
"""Cards dealt to each seat, by number of seats."""

_BY_LETTER = {letter: card for letter, card in zip(LETTERS, Card, strict=True)}


def card_from_letter(letter: str) -> Card:
    """The card written as ``letter``; raises :class:`NotationError` for any other character."""
    try:
        return _BY_LETTER[letter]
    except KeyError:
        raise NotationError(f"{letter!r} is not a card; the letters are {LETTERS}") from None


def cards_from_letters(text: str) -> tuple[Card, ...]:
    """The cards of a run of letters, in the order written (``"WQ"`` is wasabi, then squid)."""
    return tuple(card_from_letter(letter) for letter in text)


def letters(cards: Iterable[Card]) -> str:
    """The letters of ``cards``, in the order given."""
    return "".join(LETTERS[card] for card in cards)


def sorted_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """``cards`` in card order."""
    return tuple(sorted(cards))


def count_cards(cards: Iterable[Card]) -> Counter[Card]:
    """How many of each kind."""
    return Counter(cards)
