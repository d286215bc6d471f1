"""Hypothesis strategies that several test files share: rules, hands, tables and whole positions."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from solvers.game.cards import HAND_SIZES, KINDS, Card
from solvers.game.position import Position
from solvers.game.rules import ALLOWED, Rules


def rules_options(dummy: bool = False) -> st.SearchStrategy[Rules]:
    """Any combination of rules options; without ``dummy`` the two-player variant stays off."""
    choices = dict(ALLOWED) if dummy else {**ALLOWED, "two_player_variant": ("none",)}
    return st.builds(Rules, **{name: st.sampled_from(values) for name, values in choices.items()})


def piles(max_size: int, min_size: int = 0) -> st.SearchStrategy[tuple[Card, ...]]:
    """Cards in any order, without regard to the deck."""
    return st.lists(st.sampled_from(KINDS), min_size=min_size, max_size=max_size).map(tuple)


@st.composite
def positions(
    draw: st.DrawFn,
    seats: tuple[int, int] = (2, 5),
    cards_left: tuple[int, int] = (0, 10),
    rounds: tuple[int, ...] = (1, 2, 3),
    rules: Rules | None = None,
) -> Position:
    """Possible positions: equal hands, tables no longer than the turns played, never more cards than the deck has.

    ``seats`` and ``cards_left`` are ranges. The cards are dealt from a shuffled deck by a drawn seed, which is much
    faster than drawing each card and still shrinks to few cards and small tables.
    """
    count = draw(st.integers(*seats))
    size = HAND_SIZES[count]
    left = draw(st.integers(min(cards_left[0], size), min(cards_left[1], size)))
    played = draw(st.integers(0, size - left))
    deck = [card for card, number in (rules or Rules()).deck().items() for _ in range(number)]
    Random(draw(st.integers(0, 2**32))).shuffle(deck)
    return Position(
        hands=tuple(tuple(deck.pop() for _ in range(left)) for _ in range(count)),
        tables=tuple(tuple(deck.pop() for _ in range(played)) for _ in range(count)),
        puddings=tuple([deck.pop() for _ in range(draw(st.integers(0, 9)))].count(Card.PUDDING) for _ in range(count)),
        scores=tuple(draw(st.lists(st.integers(-6, 60), min_size=count, max_size=count))),
        round=draw(st.sampled_from(rounds)),
        out=tuple(deck.pop() for _ in range(draw(st.integers(0, min(3, len(deck)))))),
        direction=draw(st.sampled_from(("left", "right"))),
    )
