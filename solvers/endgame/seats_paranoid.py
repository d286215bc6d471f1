"""What one seat can guarantee: all others as one coalition that mixes over joint picks (``--against paranoid``).

At every board that is a zero-sum matrix game: the seat's picks are the rows, the joint picks of the others the columns.
There are many more columns than rows, so columns join a restricted game one by one, each the coalition's best reply to
the restricted game's row mix, until no reply is better (the column half of the double oracle).
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from solvers.endgame.jit import kernel
from solvers.endgame.matrix import make_workspace, solve_game
from solvers.endgame.packing import FLOATS, I8, OWN, ROW, SEATS, Frame, unpack
from solvers.endgame.seats_levels import LEVEL, WORK, Level, Work, fill_values, list_considered, new_work
from solvers.endgame.seats_moves import MANY, MAX_PICKS, MOVES, count_choices

MATRIX = numba.float64[:, ::1]
_BETTER = 1e-11


@kernel("f8(f8[::1], i8, i8, i8[::1], f8[::1], f8[::1], f8[:, ::1], f8[:, ::1])")
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
        least = value - _BETTER
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


@kernel((ROW, MOVES, FLOATS, FLOATS))
def widen(frame: Any, moves: Any, tensor: Any, wide: Any) -> Any:
    """Order utilities of joint picks by the pick of ``OWN``: row by row, the others' joint picks in their own order."""
    own = frame[OWN]
    inner = 1
    for seat in range(own + 1, frame[SEATS]):
        inner *= moves[MANY, seat, 0]
    many = moves[MANY, own, 0]
    total = count_choices(frame, moves)
    columns = total // many
    for place in range(total):
        row = place // inner % many
        column = place // (inner * many) * inner + place % inner
        wide[row * columns + column] = tensor[place]


@kernel(I8(ROW, FLOATS, LEVEL, I8, I8, I8, LEVEL, WORK, MATRIX, ROW, MATRIX, MATRIX))
def _value_level(
    frame: Any,
    reals: Any,
    level: Any,
    start: Any,
    stop: Any,
    cards: Any,
    below: Any,
    work: Any,
    tensors: Any,
    chosen: Any,
    game: Any,
    matrix_work: Any,
) -> Any:
    """Value boards ``start`` to ``stop``; returns the board that needs larger ``tensors``, or ``stop``.

    ``tensors`` has two rows for the joint utilities in both orders; the last two rows of ``game`` take the mixes.
    """
    seats = frame[SEATS]
    for row in range(start, stop):
        unpack(level.rows, row, seats, work.board)
        list_considered(frame, reals, work.board, cards, work.moves)
        total = count_choices(frame, work.moves)
        if total > tensors.shape[1]:
            return row
        fill_values(frame, reals, cards, below, work, tensors[0])
        widen(frame, work.moves, tensors[0], tensors[1])
        many = work.moves[MANY, frame[OWN], 0]
        level.values[row, 2 * seats] = solve_wide(
            tensors[1], many, total // many, chosen, game[MAX_PICKS], game[MAX_PICKS + 1], game, matrix_work
        )
    return stop


class Space:
    """A worker's arrays; ``tensors`` grow when a board has more joint picks than they hold."""

    def __init__(self) -> None:
        self.work: Work = new_work()
        self.tensors = np.empty((2, 1 << 12))
        self.chosen = np.zeros(MAX_PICKS + 1, dtype=np.int64)
        self.game = np.zeros((MAX_PICKS + 2, MAX_PICKS))
        self.matrix_work = make_workspace()

    def grow(self) -> None:
        """Twice the room."""
        self.tensors = np.empty((2, 2 * self.tensors.shape[1]))


class Paranoid:
    """The stage rule: the value of the game against the coalition."""

    def workspace(self) -> Space:
        """What one worker needs to itself."""
        return Space()

    def value(
        self, frame: Frame, level: Level, start: int, stop: int, cards: int, below: Level, workspace: Space
    ) -> None:
        """Write the values of boards ``start`` to ``stop``."""
        space = workspace
        while start < stop:
            start = _value_level(
                *frame,
                level,
                start,
                stop,
                cards,
                below,
                space.work,
                space.tensors,
                space.chosen,
                space.game,
                space.matrix_work,
            )
            if start < stop:
                space.grow()
