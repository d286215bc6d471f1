"""One seat's best replies to seats whose play is given: expectimax over boards.

The other seats take each pick considered (:func:`list_considered`) with equal chance and independently of each other:
all their distinct picks for ``uniform``, the one greedy pick for ``greedy``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.jit import kernel
from solvers.endgame.packing import FLOATS, I8, OWN, ROW, SEATS, Frame, unpack
from solvers.endgame.seats_levels import LEVEL, WORK, Level, Work, fill_values, list_considered, new_work
from solvers.endgame.seats_moves import MANY, MAX_PICKS, MOVES, count_choices


@kernel((ROW, MOVES, FLOATS, FLOATS))
def average_replies(frame: Any, moves: Any, tensor: Any, out: Any) -> Any:
    """Average the utilities of all joint picks by the pick of ``OWN``, into ``out``."""
    own = frame[OWN]
    inner = 1
    for seat in range(own + 1, frame[SEATS]):
        inner *= moves[MANY, seat, 0]
    many = moves[MANY, own, 0]
    total = count_choices(frame, moves)
    out[:many] = 0.0
    for place in range(total):
        out[place // inner % many] += tensor[place]
    for pick in range(many):
        out[pick] *= many / total


@kernel(I8(ROW, FLOATS, LEVEL, I8, I8, I8, LEVEL, WORK, FLOATS))
def _value_level(
    frame: Any, reals: Any, level: Any, start: Any, stop: Any, cards: Any, below: Any, work: Any, tensor: Any
) -> Any:
    """Value boards ``start`` to ``stop``; returns the board that needs a larger ``tensor``, or ``stop``."""
    seats, own = frame[SEATS], frame[OWN]
    board, moves = work.board, work.moves
    rows, values = level.rows, level.values
    average = np.empty(MAX_PICKS)
    for row in range(start, stop):
        unpack(rows, row, seats, board)
        list_considered(frame, reals, board, cards, moves)
        if count_choices(frame, moves) > tensor.shape[0]:
            return row
        fill_values(frame, reals, cards, below, work, tensor)
        average_replies(frame, moves, tensor, average)
        values[row, 2 * seats] = average[: moves[MANY, own, 0]].max()
    return stop


class Space:
    """A worker's arrays; ``tensor`` grows when a board has more joint picks than it holds."""

    def __init__(self) -> None:
        self.work: Work = new_work()
        self.tensor = np.empty(1 << 12)

    def grow(self) -> None:
        """Twice the room."""
        self.tensor = np.empty(2 * self.tensor.shape[0])


class Expectimax:
    """The stage rule: the best average."""

    def workspace(self) -> Space:
        """What one worker needs to itself."""
        return Space()

    def value(
        self, frame: Frame, level: Level, start: int, stop: int, cards: int, below: Level, workspace: Space
    ) -> None:
        """Write the values of boards ``start`` to ``stop``."""
        while start < stop:
            start = _value_level(*frame, level, start, stop, cards, below, workspace.work, workspace.tensor)
            if start < stop:
                workspace.grow()
