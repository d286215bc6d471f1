"""What a seat may take: the one home of legality.

A *pick* is a tuple of one card, or of two in the order laid when chopsticks are used. Many spellings of a pair lead
to the same table; :func:`distinct_picks` lists each different pick once, in the spelling answers are printed with.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

from solvers.errors import IllegalPick, NotationError, shown
from solvers.game.cards import Card, count_cards, letters
from solvers.game.names import cards_from_text
from solvers.game.rules import Rules
from solvers.game.scoring import open_wasabi

Pick = tuple[Card, ...]


def pick_sort_key(pick: Pick) -> tuple[int, Pick]:
    """Card order of picks: single cards first, then pairs, each by the order of its cards."""
    return len(pick), pick


def check_pick(hand: Sequence[Card], table: Sequence[Card], pick: Sequence[Card]) -> None:
    """Raise :class:`IllegalPick` with the reason when ``pick`` cannot be taken from ``hand`` (rules.md, Turn 1-5)."""
    if not pick:
        raise IllegalPick("a pick takes at least one card")
    if len(pick) > 2:
        raise IllegalPick(f"{letters(pick)} takes {len(pick)} cards: one chopsticks a turn, so at most two")
    held = count_cards(hand)
    for card, wanted in count_cards(pick).items():
        if held[card] < wanted:
            have = f"only {held[card]} {card.letter}" if held[card] else f"no {card.letter}"
            raise IllegalPick(f"{letters(pick)} needs {wanted} {card.letter}: the hand {letters(hand)} has {have}")
    if len(pick) == 2 and Card.CHOPSTICKS not in table:
        raise IllegalPick(f"{letters(pick)} takes two cards: that needs chopsticks in front since an earlier turn")


def can_pick(hand: Sequence[Card], table: Sequence[Card], pick: Sequence[Card]) -> bool:
    """Whether :func:`check_pick` would accept the pick."""
    try:
        check_pick(hand, table, pick)
    except IllegalPick:
        return False
    return True


def order_matters(table: Sequence[Card], first: Card, second: Card, rules: Rules) -> bool:
    """Whether laying two cards in the other order gives another table in play."""
    waiting = open_wasabi(table)
    if first.is_nigiri and second.is_nigiri:
        return first is not second and waiting == 1
    one_wasabi_one_nigiri = {first, second} & {Card.WASABI} and (first.is_nigiri or second.is_nigiri)
    return bool(one_wasabi_one_nigiri) and waiting == 0 and rules.chopsticks_order == "sequenced"


def laid_order(table: Sequence[Card], pick: Sequence[Card], rules: Rules) -> Pick:
    """The distinct pick that ``pick`` amounts to, in the spelling of :func:`distinct_picks`.

    With ``strict_prior`` a wasabi taken in the same turn does not count for the nigiri beside it, so the nigiri is
    laid first. A pair with chopsticks among the two is the single pick of the other card.
    """
    if len(pick) != 2:
        return tuple(pick)
    first, second = pick
    if Card.CHOPSTICKS in pick:
        return (second,) if first is Card.CHOPSTICKS else (first,)
    if order_matters(table, first, second, rules):
        return (first, second)
    return (min(pick), max(pick))


def distinct_picks(hand: Sequence[Card], table: Sequence[Card], rules: Rules) -> tuple[Pick, ...]:
    """Every distinct legal pick, in card order (see :func:`pick_sort_key`)."""
    kinds = sorted(set(hand))
    picks: set[Pick] = {(kind,) for kind in kinds}
    if Card.CHOPSTICKS in table and len(hand) >= 2:
        held = count_cards(hand)
        for first, second in combinations_with_replacement([k for k in kinds if k is not Card.CHOPSTICKS], 2):
            if first is second and held[first] < 2:
                continue
            picks.add(laid_order(table, (first, second), rules))
            picks.add(laid_order(table, (second, first), rules))
    return tuple(sorted(picks, key=pick_sort_key))


def parse_pick(text: str) -> Pick:
    """A pick from its letters or names (``"Q"``, ``"WQ"``, ``"wasabi,squid"``); raises :class:`NotationError`."""
    pick = cards_from_text(text.strip())
    if not 1 <= len(pick) <= 2:
        raise NotationError(f"{shown(text)} is not a pick: write one card, or two in the order laid (for example WQ)")
    return pick
