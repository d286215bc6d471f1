"""How far a solved game falls short of the ceiling: the likeliest line of a solution beside the cooperative best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from solvers.ceilings.answers import DraftAnswer, Line, Number, plain_number, spelled_line
from solvers.ceilings.draft import Question, play_line
from solvers.ceilings.goals import exact_pudding_value
from solvers.endgame.limits import Limits
from solvers.errors import UsageError


@dataclass(frozen=True)
class Shortfall:
    """The ceiling, what the solution's likeliest line makes of the same goal, and the difference.

    ``shortfall`` is never negative: for ``least`` it is how far the line stays above the minimum. ``objective`` and
    ``against`` say what was solved; the line is one line of the solution, not its expected value.
    """

    ceiling: Number
    line_value: Number
    objective: str
    against: str
    line: Line

    @property
    def shortfall(self) -> Number:
        """How far the line is from the ceiling."""
        return abs(self.ceiling - self.line_value)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "ceiling": self.ceiling,
            "line_value": self.line_value,
            "shortfall": self.shortfall,
            "objective": self.objective,
            "against": self.against,
            "line": spelled_line(self.line),
        }


def against_solution(
    ceiling: DraftAnswer,
    objective: str = "margin",
    against: str = "equilibrium",
    limits: Limits | None = None,
    options: Mapping[str, Any] | None = None,
) -> Shortfall:
    """Solve the position of a proven draft and measure the likeliest line of the solution by the draft's goal.

    ``options`` are further arguments of :func:`solvers.solve`. Raises :class:`UsageError` where the ceiling is not
    proven, and whatever :func:`solvers.solve` raises (:class:`LimitReached` when ``limits`` stop it).
    """
    from solvers.endgame.solve import solve

    if ceiling.value is None or not ceiling.proven:
        raise UsageError("the ceiling is not proven, so nothing can be held against it: give it more --timeout")
    pudding_value = exact_pudding_value(0 if ceiling.pudding_value is None else ceiling.pudding_value)
    solution = solve(
        ceiling.position,
        objective=objective,
        against=against,
        rules=ceiling.rules,
        seat=ceiling.seat,
        pudding_value=float(pudding_value),
        limits=limits,
        **(options or {}),
    )
    end = play_line(ceiling.position, solution.line, ceiling.rules)
    question = Question(ceiling.position, ceiling.seat, ceiling.goal, ceiling.rules, pudding_value, Limits())
    reached: Fraction = question.measure(end)
    return Shortfall(ceiling.value, plain_number(reached), objective, against, solution.line)
