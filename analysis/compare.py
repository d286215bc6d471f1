"""One position under every assumption about the other seats: which pick is best under which belief, and what a wrong
belief costs.

A *belief* is one of the ways of playing of ``solve`` (``against=``). The cost of acting on one belief while another is
true is the loss, under the true one, of the first pick chosen under the false one; all later turns follow the solution
of the true belief. So it is the price of the mistake made now, not of repeating it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solvers import Limits, Position, Rules, Solution, UsageError, solve
from solvers.endgame.objective import DEFAULT_PUDDING_VALUE
from solvers.endgame.solve import Progress
from solvers.game.cards import letters
from solvers.game.picks import Pick

BELIEFS = ("equilibrium", "paranoid", "uniform", "greedy", "quantal:1")
"""The assumptions compared unless others are named."""


@dataclass(frozen=True)
class Belief:
    """A seat's answer under one assumption: its value, and for each of its picks (in card order) chance and value."""

    against: str
    value: float
    probabilities: tuple[float, ...]
    pick_values: tuple[float, ...]
    proven: bool

    @property
    def best(self) -> int:
        """The place of the likeliest pick (ties: card order)."""
        most = max(self.probabilities)
        return next(place for place, chance in enumerate(self.probabilities) if chance >= most - 1e-9)

    def loss_of(self, probabilities: Sequence[float]) -> float:
        """What the seat loses now by mixing its picks like this, if this belief is true."""
        followed = sum(chance * value for chance, value in zip(probabilities, self.pick_values, strict=True))
        return max(0.0, self.value - followed)


@dataclass(frozen=True)
class Comparison:
    """A position solved under several beliefs, for one seat.

    ``left_out`` gives the reason for each belief that has no answer to this question.
    """

    position: Position
    rules: Rules
    objective: str
    seat: int
    picks: tuple[Pick, ...]
    beliefs: tuple[Belief, ...]
    solutions: tuple[Solution, ...]
    left_out: Mapping[str, str]

    @property
    def costs(self) -> tuple[tuple[float, ...], ...]:
        """The cost of each belief acted on (rows) under each true one (columns), in units of the objective."""
        return tuple(tuple(true.loss_of(acted_on.probabilities) for true in self.beliefs) for acted_on in self.beliefs)

    @property
    def safest(self) -> Belief:
        """The belief whose largest cost under any other is smallest (ties: the one named first)."""
        worst = [max(row) for row in self.costs]
        return self.beliefs[worst.index(min(worst))]

    def table(self) -> list[dict[str, Any]]:
        """One row a pick: the pick, and under each belief its chance, value and loss."""
        rows = []
        for place, pick in enumerate(self.picks):
            row: dict[str, Any] = {"pick": letters(pick)}
            for belief in self.beliefs:
                row[belief.against] = {
                    "probability": belief.probabilities[place],
                    "value": belief.pick_values[place],
                    "loss": max(0.0, belief.value - belief.pick_values[place]),
                }
            rows.append(row)
        return rows

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "position": str(self.position),
            "rules": self.rules.as_dict(),
            "objective": self.objective,
            "seat": self.seat,
            "beliefs": [
                {
                    "against": belief.against,
                    "value": belief.value,
                    "best": letters(self.picks[belief.best]),
                    "proven": belief.proven,
                    "stats": dict(solution.stats),
                }
                for belief, solution in zip(self.beliefs, self.solutions, strict=True)
            ],
            "picks": self.table(),
            "costs": [list(row) for row in self.costs],
            "safest": self.safest.against,
            "left_out": dict(self.left_out),
        }


def compare(
    position: Position,
    objective: str = "margin",
    seat: int = 0,
    rules: Rules | None = None,
    pudding_value: float = DEFAULT_PUDDING_VALUE,
    beliefs: Sequence[str] = BELIEFS,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Solve one position for one seat under each belief.

    A belief without an answer to the question (such as ``equilibrium`` for ``points`` between two seats) is left out,
    with the reason, as long as one is left. Raises :class:`UsageError` when none is, and
    :class:`solvers.errors.LimitReached` when ``limits``, which hold for each solve, stop one.
    """
    rules = rules or Rules()
    solutions: list[Solution] = []
    left_out: dict[str, str] = {}
    for against in beliefs:
        try:
            solutions.append(
                solve(
                    position,
                    objective,
                    against,
                    rules=rules,
                    seat=seat,
                    pudding_value=pudding_value,
                    limits=limits,
                    progress=progress,
                )
            )
        except UsageError as error:
            left_out[against] = str(error)
    if not solutions:
        raise UsageError(next(iter(left_out.values()), "nothing to compare: name at least one belief"))
    picks = position.picks(seat, rules)
    return Comparison(
        position=position,
        rules=rules,
        objective=objective,
        seat=seat,
        picks=picks,
        beliefs=tuple(_belief(solution, seat, picks) for solution in solutions),
        solutions=tuple(solutions),
        left_out=left_out,
    )


def _belief(solution: Solution, seat: int, picks: Sequence[Pick]) -> Belief:
    answer = solution.seat(seat)
    known = {row.pick: row for row in answer.picks}
    return Belief(
        against=solution.against,
        value=answer.value,
        probabilities=tuple(known[pick].probability for pick in picks),
        pick_values=tuple(known[pick].value for pick in picks),
        proven=solution.proven,
    )
