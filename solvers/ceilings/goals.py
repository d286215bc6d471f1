"""What a draft is asked for: the totals of the seats and the four goals, as expressions over a draft model."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from ortools.sat.python import cp_model

from solvers.ceilings import card_points, contests
from solvers.ceilings.draft_model import DraftModel, Expression
from solvers.errors import UsageError
from solvers.game.cards import MAKI_ICONS, Card
from solvers.game.scoring import dumpling_points, maki_icons, sashimi_points, tempura_points

GOALS = {
    "seat": "the most points of the seat",
    "margin": "the seat's largest lead over the best other",
    "table": "the most points of all seats together",
    "least": "the fewest points of the seat",
}
"""The goals of a draft and what each asks for."""

FINEST = 1000
"""Largest denominator of a pudding's worth: finer fractions would blow up the whole numbers CP-SAT works with."""

BEST_ROUND = 100
"""More points than a table can make in a round, puddings included: ten cards and no rivals give 45."""


def exact_pudding_value(value: Fraction | float | str) -> Fraction:
    """A pudding's worth as an exact fraction; raises :class:`UsageError` where whole numbers cannot express it."""
    try:
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError
        exact = Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"pudding value {value}: write a number of points, for example 1.5") from None
    if exact.denominator > FINEST or abs(exact) > FINEST:
        raise UsageError(
            f"pudding value {value}: the models count in whole parts of a point, so write a number between "
            f"-{FINEST} and {FINEST} with at most three decimals, for example 1.5"
        )
    return exact


def counted_seats(position_seats: int, seat: int, goal: str) -> tuple[int, ...]:
    """The seats whose own cards a goal looks at; of the others only maki and puddings matter."""
    return tuple(range(position_seats)) if goal in ("margin", "table") else (seat,)


@dataclass(frozen=True, slots=True)
class Scores:
    """Expressions for the counted seats: final totals in units of one point divided by :func:`scale`, nigiri points."""

    points: dict[int, Expression]
    nigiri: dict[int, Expression]


def totals(draft: DraftModel, pudding_value: Fraction) -> Scores:
    """The final totals of the counted seats.

    In round 3 with the pudding bonus and penalty, before that with ``pudding_value`` a pudding (interface, section 3).
    """
    position, unit = draft.position, scale(draft, pudding_value)
    icons = [draft.model.new_int_var(0, _most_icons(draft), f"icons_{seat}") for seat in draft.seats]
    for seat in draft.seats:
        draft.model.add(icons[seat] == sum(card.icons * draft.final_count(seat, card) for card in MAKI_ICONS))
    kept = [position.puddings[seat] + draft.final_count(seat, Card.PUDDING) for seat in draft.seats]
    all_icons = sum(card.icons * pile[card] for pile in (*draft.hands, *draft.tables) for card in MAKI_ICONS)
    maki = contests.maki(draft.model, icons, _most_icons(draft), draft.rules, all_icons)
    if position.round == 3:
        most = max(position.puddings[seat] + draft.most(seat, Card.PUDDING) for seat in draft.seats)
        total = sum(position.puddings) + sum(pile[Card.PUDDING] for pile in (*draft.hands, *draft.tables))
        pudding = contests.puddings(draft.model, kept, most, draft.rules, total)
    else:
        pudding = [pudding_value.numerator * count for count in kept]
    nigiri = {seat: card_points.nigiri(draft, seat) for seat in sorted(draft.counted)}
    sets = _set_points(draft)
    # not by +: where a constant cancels another, OR-Tools 9.15 hands out the sum inside, and a further + changes that
    round_points = {
        seat: cp_model.LinearExpr.sum([position.scores[seat], nigiri[seat], sets[seat], maki[seat]]) for seat in nigiri
    }
    points: dict[int, Expression] = {seat: unit * round_points[seat] + pudding[seat] for seat in nigiri}
    return Scores(points, nigiri)


def scale(draft: DraftModel, pudding_value: Fraction) -> int:
    """The units to a point in which the model counts."""
    return 1 if draft.position.round == 3 else pudding_value.denominator


def set_objective(
    draft: DraftModel, goal: str, seat: int, points: dict[int, Expression], pudding_value: Fraction
) -> Expression:
    """Make the goal the model's objective and return it."""
    model = draft.model
    if goal == "least":
        model.minimize(points[seat])
        return points[seat]
    if goal == "margin":
        furthest = _largest_total(draft, pudding_value)
        best_other = model.new_int_var(-furthest, furthest, "best_other")
        for other in draft.seats:
            if other != seat:
                model.add(best_other >= points[other])
        objective: Expression = points[seat] - best_other
    elif goal == "table":
        objective = sum(points[each] for each in draft.seats)
    else:
        objective = points[seat]
    model.maximize(objective)
    return objective


def _set_points(draft: DraftModel) -> dict[int, Expression]:
    """Every counted seat's points for tempura, sashimi and dumplings."""
    points: dict[int, Expression] = dict.fromkeys(sorted(draft.counted), 0)
    rules: tuple[tuple[Card, Callable[..., Expression], Callable[[int], int]], ...] = (
        (Card.TEMPURA, card_points.tempura, tempura_points),
        (Card.SASHIMI, card_points.sashimi, sashimi_points),
        (Card.DUMPLING, card_points.dumplings, dumpling_points),
    )
    for card, model_points, scored in rules:
        parts = {
            seat: model_points(draft.model, draft.final_count(seat, card), draft.most(seat, card), str(seat))
            for seat in points
        }
        if len(parts) == len(draft.seats):
            cards = sum(hand[card] for hand in draft.hands) + sum(table[card] for table in draft.tables)
            draft.model.add(sum(parts.values()) <= most_together(scored, cards, len(parts)))
        for seat, part in parts.items():
            points[seat] = points[seat] + part
    return points


def most_together(scored: Callable[[int], int], cards: int, seats: int) -> int:
    """The most points that ``seats`` seats can make together of ``cards`` cards of one kind.

    Rounding makes this less than what the relaxation allows (three tempura are one pair, not one and a half), and as
    every card is laid by someone it is a valid cut.
    """

    @cache
    def best(left: int, sharing: int) -> int:
        if sharing == 1:
            return scored(left)
        return max(scored(own) + best(left - own, sharing - 1) for own in range(left + 1))

    return best(cards, seats)


def _largest_total(draft: DraftModel, pudding_value: Fraction) -> int:
    """A number no total is further from 0 than, in the model's units."""
    position = draft.position
    points = scale(draft, pudding_value) * (max(map(abs, position.scores)) + BEST_ROUND)
    puddings = sum(position.puddings) + sum(pile[Card.PUDDING] for pile in (*draft.hands, *draft.tables))
    return points + (0 if position.round == 3 else abs(pudding_value.numerator) * puddings)


def _most_icons(draft: DraftModel) -> int:
    in_hands = sum(card.icons * hand[card] for hand in draft.hands for card in MAKI_ICONS)
    return in_hands + max(map(maki_icons, draft.position.tables))
