"""What one seat can guarantee: all others as one coalition that mixes over joint picks (``--against paranoid``).

At every board that is a zero-sum matrix game: the seat's picks are the rows, the joint picks of the others the columns.
There are many more columns than rows, so columns join a restricted game one by one, each the coalition's best reply to
the restricted game's row mix, until no reply is better (the column half of the double oracle).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.matrix import make_workspace, solve_game
from solvers.endgame.packing import F8, FLOATS, I8, OWN, ROW, SEATS, Frame
from solvers.endgame.seats_levels import BATCHES, Batch
from solvers.endgame.seats_moves import MAX_PICKS

MATRIX = numba.float64[:, ::1]
BETTER = 1e-11


@lean_kernel("f8(f8[::1], i8, i8, i8[::1], f8[::1], f8[::1], f8[:, ::1], f8[:, ::1])")
def solve_wide(wide: Any, rows: Any, columns: Any, chosen: Any, x: Any, y: Any, game: Any, work: Any) -> Any:
    """The value of a game of few rows and any number of columns, given row by row in ``wide``.

    On return ``x`` is the row mix and ``y`` the weights of the columns listed in ``chosen``, whose last place tells how
    many they are. Columns without weight make room when the restricted game is full.
    """
    many = 0
    reply = 0
    while True:
        if many == MAX_PICKS:
            many = 0
            for place in range(MAX_PICKS):
                if y[place] > 0.0:
                    chosen[many] = chosen[place]
                    many += 1
        chosen[many] = reply
        many += 1
        for row in range(rows):
            for place in range(many):
                game[row, place] = wide[row * columns + chosen[place]]
        value = solve_game(game, rows, many, x, y, work)
        least = value - BETTER
        reply = -1
        for column in range(columns):
            total = 0.0
            for row in range(rows):
                total += x[row] * wide[row * columns + column]
            if total < least:
                least, reply = total, column
        if reply < 0:
            chosen[MAX_PICKS] = many
            return value


class Space(NamedTuple):
    """A worker's arrays: a game's utilities row by row, the columns chosen of it, both mixes, the restricted game, and
    what its solver needs."""

    wide: np.ndarray
    chosen: np.ndarray
    row_mix: np.ndarray
    column_mix: np.ndarray
    game: np.ndarray
    matrix_work: np.ndarray


def new_space(cells: int) -> Space:
    """Room for games of ``cells`` joint picks."""
    return Space(
        wide=np.empty(cells),
        chosen=np.zeros(MAX_PICKS + 1, dtype=np.int64),
        row_mix=np.zeros(MAX_PICKS),
        column_mix=np.zeros(MAX_PICKS),
        game=np.zeros((MAX_PICKS, MAX_PICKS)),
        matrix_work=make_workspace(),
    )


SPACE = numba.typeof(new_space(1))


@lean_kernel(F8(ROW, FLOATS, ROW, SPACE))
def solve_against_all(frame: Any, tensor: Any, sizes: Any, space: Any) -> Any:
    """The value of a stage game to ``OWN``: its picks are the rows, the others' joint picks, in order, the columns."""
    wide, chosen, row_mix, column_mix, restricted, matrix_work = space
    own, total, inner = frame[OWN], 1, 1
    for seat in range(frame[SEATS]):
        total *= sizes[seat]
        inner *= sizes[seat] if seat > own else 1
    many, place = sizes[own], 0
    for pick in range(many):
        for outer in range(pick * inner, total, inner * many):
            for cell in range(outer, outer + inner):
                wide[place] = tensor[cell]
                place += 1
    return solve_wide(wide, many, total // many, chosen, row_mix, column_mix, restricted, matrix_work)


@lean_kernel((ROW, BATCHES, I8, MATRIX, SPACE))
def _value_games(frame: Any, batch: Any, games: Any, values: Any, space: Any) -> Any:
    """The value of each game of a batch."""
    for game in range(games):
        values[game, 0] = solve_against_all(frame, batch.tensor[batch.starts[game] :], batch.sizes[game], space)


def column_search(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An optimal row mix of a game of few rows, and the columns that :func:`solve_wide` ended with, in order."""
    space = new_space(matrix.size)
    space.wide[:] = matrix.ravel()
    solve_wide(space.wide, *matrix.shape, space.chosen, space.row_mix, space.column_mix, space.game, space.matrix_work)
    return space.row_mix[: len(matrix)].copy(), np.unique(space.chosen[: space.chosen[MAX_PICKS]])


class Workspace:
    """What one worker needs to itself; its arrays grow with the games."""

    def __init__(self) -> None:
        self.space = new_space(1 << 12)

    def fit(self, cells: int) -> Space:
        """Arrays with room for ``cells`` joint picks."""
        if len(self.space.wide) < cells:
            self.space = new_space(cells)
        return self.space


class Paranoid:
    """The stage rule: the value of the game against the coalition."""

    def workspace(self) -> Workspace:
        """What one worker needs to itself."""
        return Workspace()

    def value(self, frame: Frame, batch: Batch, games: int, values: np.ndarray, workspace: Workspace) -> None:
        """Write the values of the games."""
        _value_games(frame.ints, batch, games, values, workspace.fit(len(batch.tensor)))
