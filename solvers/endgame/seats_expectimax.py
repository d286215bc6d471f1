"""One seat's best replies to seats whose play is given: expectimax over boards.

The other seats take each pick considered (:func:`solvers.endgame.seats_levels.list_considered`) with equal chance and
independently of each other: all their distinct picks for ``uniform``, the one greedy pick for ``greedy``.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import I8, OWN, ROW, SEATS, Frame
from solvers.endgame.seats_levels import BATCHES, Batch

VALUES = numba.float64[:, ::1]


@lean_kernel((ROW, BATCHES, I8, VALUES))
def _value_games(frame: Any, batch: Any, games: Any, values: Any) -> Any:
    """For each game the greatest average utility of a pick of ``OWN``."""
    seats, own = frame[SEATS], frame[OWN]
    tensor, starts, sizes, _ = batch
    for game in range(games):
        inner = 1
        for seat in range(own + 1, seats):
            inner *= sizes[game, seat]
        many, start, total = sizes[game, own], starts[game], starts[game + 1] - starts[game]
        best = -np.inf
        for pick in range(many):
            sum_of_pick = 0.0
            for outer in range(pick * inner, total, inner * many):
                for place in range(outer, outer + inner):
                    sum_of_pick += tensor[start + place]
            best = max(best, sum_of_pick * many / total)
        values[game, 0] = best


class Expectimax:
    """The stage rule: the best average."""

    def workspace(self) -> None:
        """Nothing is needed."""

    def value(self, frame: Frame, batch: Batch, games: int, values: np.ndarray, workspace: None) -> None:
        """Write the values of the games."""
        _value_games(frame.ints, batch, games, values)
