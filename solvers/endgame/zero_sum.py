"""Two seats, margin or win: the zero-sum equilibrium read off any engine that values positions.

Simultaneous picks make every turn a matrix game: seat 0's picks are the rows, seat 1's the columns, and each entry is
the value of the position the two picks lead to. Engines only compute values; which of several optimal mixes is shown
is decided here, once, by :func:`solvers.endgame.mixes.canonical_mixes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from solvers.endgame.mixes import canonical_mixes
from solvers.endgame.solution import SeatStage, Stage
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules


class ValueEngine(Protocol):
    """Values two-seat positions to seat 0, utilities of seat 1 being the opposite (for ``win``, the rest of 1)."""

    def stage_matrix(self, position: Position, rows: Sequence[Pick], columns: Sequence[Pick]) -> np.ndarray:
        """Seat 0's utility after each pair of picks, shape ``(len(rows), len(columns))``, float64."""

    def stats(self) -> Mapping[str, Any]:
        """Counters of the search so far."""


class ZeroSumSolver:
    """The equilibrium of a two-seat position; seat 1's utility is ``total`` less seat 0's (0 for margin, 1 for win)."""

    def __init__(self, engine: ValueEngine, objective: str, rules: Rules) -> None:
        self.engine = engine
        self.rules = rules
        self.total = 1.0 if objective == "win" else 0.0

    def stage(self, position: Position) -> Stage:
        """Both seats' picks, canonical mixes and pick values at ``position``."""
        rows, columns = position.picks(0, self.rules), position.picks(1, self.rules)
        matrix = self.engine.stage_matrix(position, rows, columns)
        value, row_mix, column_mix = canonical_mixes(matrix)
        row_values = matrix @ column_mix
        column_values = row_mix @ matrix
        return Stage(
            (
                SeatStage(0, float(value), rows, _plain(row_mix), _plain(row_values)),
                SeatStage(
                    1, float(self.total - value), columns, _plain(column_mix), _plain(self.total - column_values)
                ),
            )
        )

    def bounds(self, position: Position) -> tuple[float | None, float | None]:
        """What the engine has proven of a position's value by now; the plain engine tells nothing before the end."""
        ask = getattr(self.engine, "bounds", None)
        return ask(position) if ask is not None else (None, None)

    def stats(self) -> Mapping[str, Any]:
        """Counters of the engine's search."""
        return self.engine.stats()


def _plain(numbers: np.ndarray) -> tuple[float, ...]:
    return tuple(float(number) for number in numbers)
