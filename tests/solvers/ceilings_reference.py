"""The slow, obvious way to every best-possible score: play everything out and look."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from hypothesis import strategies as st

from solvers.errors import IllegalPick
from solvers.game.cards import HAND_SIZES, Card
from solvers.game.position import Position
from solvers.game.rules import Rules

GOALS = ("seat", "margin", "table", "least")


def ends(position: Position, rules: Rules) -> set[Position]:
    """Every position at the end of the round that any picks lead to."""
    reached = {position}
    for _ in range(position.cards_left):
        reached = {place.play(picks, rules) for place in reached for picks in product(*place.joint_picks(rules))}
    return reached


def measure(end: Position, goal: str, seat: int, rules: Rules, pudding_value: Fraction) -> Fraction:
    """What a goal makes of a finished round."""
    points = [Fraction(total) for total in end.totals(rules)]
    if end.round != 3:
        points = [own + pudding_value * kept for own, kept in zip(points, end.pudding_counts(), strict=True)]
    others = [points[other] for other in range(end.seats) if other != seat]
    return {
        "seat": points[seat],
        "least": points[seat],
        "table": sum(points, Fraction(0)),
        "margin": points[seat] - max(others),
    }[goal]


def best_of(values: list[Fraction], goal: str) -> Fraction:
    return min(values) if goal == "least" else max(values)


def best_against(position: Position, line: list, seat: int, rules: Rules, pudding_value: Fraction) -> Fraction | None:
    """The seat's most with the others' picks of ``line`` fixed up to the forced last cards; ``None``: cannot be."""
    if position.cards_left == 1:
        return measure(position.play(position.hands, rules), "seat", seat, rules, pudding_value)
    values = []
    for own in position.picks(seat, rules):
        picks = [*line[0][:seat], own, *line[0][seat + 1 :]]
        try:
            value = best_against(position.play(picks, rules), line[1:], seat, rules, pudding_value)
        except IllegalPick:
            continue
        values += [] if value is None else [value]
    return max(values, default=None)


@st.composite
def short_rounds(
    draw: st.DrawFn, rules: Rules, seats: tuple[int, int] = (2, 4), most_cards: int = 3, crowded: bool = False
) -> Position:
    """A position of one to three cards a hand, from one deck.

    ``crowded`` deals from a deck with far more chopsticks, wasabi and nigiri, so that pairs and their order matter in
    most positions; such a position is not possible with the real deck.
    """
    count = draw(st.integers(*seats))
    size = draw(st.integers(1, min(most_cards, 2 if crowded and count > 2 else 3)))
    deck = [card for card, number in rules.deck().items() for _ in range(number)]
    if crowded:
        deck += [Card.CHOPSTICKS, Card.WASABI] * 14 + [Card.EGG_NIGIRI, Card.SQUID_NIGIRI] * 7
    Random(draw(st.integers(0, 2**32))).shuffle(deck)
    laid = draw(st.integers(0, HAND_SIZES[count] - size))
    return Position(
        hands=tuple(tuple(deck.pop() for _ in range(size)) for _ in range(count)),
        tables=tuple(tuple(deck.pop() for _ in range(laid)) for _ in range(count)),
        puddings=tuple(draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))),
        scores=tuple(draw(st.lists(st.integers(-6, 30), min_size=count, max_size=count))),
        round=draw(st.sampled_from((3, 3, 1, 2))),
        direction=draw(st.sampled_from(("left", "right"))),
    )
