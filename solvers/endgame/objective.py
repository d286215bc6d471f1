"""What a seat wants: the utility of a finished round (interface, section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from solvers.errors import UsageError
from solvers.game.position import Position
from solvers.game.rules import Rules

OBJECTIVES = ("margin", "win", "points")
DEFAULT_PUDDING_VALUE = 1.5
"""Assumed worth, in points, of a pudding at the end of round 1 or 2; the user's ``--pudding-value`` replaces it."""

Number = int | float | Fraction


def check_objective(objective: str, round_number: int) -> None:
    """Raise :class:`UsageError` for an unknown objective, or one that cannot be computed in this round."""
    if objective not in OBJECTIVES:
        raise UsageError(f"unknown objective {objective!r}: it is {', '.join(OBJECTIVES)}")
    if objective == "win" and round_number != 3:
        raise UsageError(
            f"objective win in round {round_number} needs the equity table, which is not there yet: "
            "use margin or points"
        )


def utilities(position: Position, objective: str, rules: Rules, pudding_value: Number = 0) -> tuple[Number, ...]:
    """Each seat's utility when the round ends with these tables.

    ``margin``: own total less the best other total; ``points``: own total; ``win``: the seat's share of the win. In
    rounds 1 and 2 a total is the points so far plus ``pudding_value`` for each pudding (interface, section 3). The
    numbers are exact when ``pudding_value`` is an int or a Fraction.
    """
    if objective == "win":
        winners = position.winners(rules) or ()
        return tuple(Fraction(seat in winners, len(winners)) for seat in range(position.seats))
    totals: Sequence[Number] = position.totals(rules)
    if position.round != 3:
        counts = position.pudding_counts()
        totals = tuple(total + pudding_value * count for total, count in zip(totals, counts, strict=True))
    totals = totals[: position.seats]  # a dummy's table takes prizes from the seats, but its points are nobody's
    if objective == "points":
        return tuple(totals)
    return tuple(
        own - max(other for rival, other in enumerate(totals) if rival != seat) for seat, own in enumerate(totals)
    )
