"""The question a command puts to the solver: its options, and asking it of a position."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli_common import announce_compiling
from analysis.cli_progress import progress_line
from solvers.endgame.limits import Limits
from solvers.errors import UsageError
from solvers.game.position import Position
from solvers.game.rules import Rules

if TYPE_CHECKING:
    from solvers.endgame.exact import ExactSolution
    from solvers.endgame.solution import Solution

ObjectiveOption = Annotated[str, typer.Option(metavar="NAME", help="margin, win or points.")]
AgainstOption = Annotated[
    str, typer.Option(metavar="NAME", help="How the others play: equilibrium, paranoid, uniform, greedy, quantal:L.")
]
SeatOption = Annotated[int, typer.Option(metavar="S", help="Whose view, where the answer is one seat's.")]
PuddingOption = Annotated[
    float, typer.Option("--pudding-value", metavar="V", help="Points a pudding is worth at the end of round 1 or 2.")
]
EngineOption = Annotated[str, typer.Option(metavar="NAME", help="fast, or plain (the reference search).")]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of each position of a command."""

    objective: str
    against: str
    rules: Rules
    seat: int
    pudding_value: float
    engine: str
    limits: Limits
    progress: bool = True

    def position(self, text: str) -> Position:
        """The position a text describes; raises :class:`UsageError` when nothing is left to pick in it."""
        position = Position.parse(text, self.rules)
        if not position.cards_left:
            raise UsageError("the hands are empty, so there is nothing to pick: sushigo score counts the points")
        return position

    def solve(self, position: Position) -> Solution:
        """The answer by the engine asked for; a line on standard error when that has to be compiled first."""
        announce_compiling()
        from solvers.endgame.solve import solve

        with progress_line(self.progress) as progress:
            return solve(
                position,
                objective=self.objective,
                against=self.against,
                rules=self.rules,
                seat=self.seat,
                pudding_value=self.pudding_value,
                engine=self.engine,
                limits=self.limits,
                progress=progress,
            )

    def solve_exactly(self, position: Position) -> ExactSolution:
        """The answer in fractions."""
        from solvers.endgame.exact import solve_exact

        return solve_exact(
            position,
            objective=self.objective,
            rules=self.rules,
            pudding_value=self.pudding_value,
            limits=self.limits,
            against=self.against,
            seat=self.seat,
        )


def read_question(
    objective: str, against: str, rules: Rules, seat: int, pudding_value: float, engine: str, limits: Limits
) -> Question:
    """The options as a question; raises :class:`UsageError` for a pudding value that is no number."""
    if not math.isfinite(pudding_value):
        raise UsageError(f"--pudding-value {pudding_value}: write a number of points, for example 1.5")
    return Question(objective, against, rules, seat, pudding_value, engine, limits)
