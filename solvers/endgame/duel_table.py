"""The table of the fast two-seat engine: what is proven of every state met so far.

Open addressing with linear probing over rows of eight 64-bit words (one cache line). Contract: the number of rows is a
power of two and some rows are always empty; a row is empty when its first word is ``EMPTY``; words 0-2 are the key
(:mod:`solvers.endgame.duel_state`), words 3 and 4 the bits of the float64 lower and upper bound of the state's value,
word 5 the column tried first next time plus one (0: none), words 6 and 7 are spare. Rows are never deleted, so the row
of a state stays where it is until the table grows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.jit import lean_kernel

EMPTY = -1
ROW_WORDS = 8
LOWER, UPPER, HINT = 3, 4, 5
ROW_BYTES = 8 * ROW_WORDS
LOAD = 0.7
"""The share of rows that may be taken before the table must grow."""


def new_table(rows: int) -> np.ndarray:
    """An empty table; ``rows`` must be a power of two."""
    table = np.zeros((rows, ROW_WORDS), dtype=np.int64)
    table[:, 0] = EMPTY
    return table


@lean_kernel("i8(i8[:, ::1], i8, i8, i8)", inner=True)
def find_row(table: Any, hand0: Any, hand1: Any, features: Any) -> Any:
    """The row that holds this state, or the empty row where it belongs."""
    mixed = np.uint64(hand0) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(hand1) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= np.uint64(features) * np.uint64(0x165667B19E3779F9)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    mask = table.shape[0] - 1
    row = np.int64(mixed & np.uint64(mask))
    while True:
        if table[row, 0] == EMPTY:
            return row
        if table[row, 0] == hand0 and table[row, 1] == hand1 and table[row, 2] == features:
            return row
        row = (row + 1) & mask


@lean_kernel("void(i8[:, ::1], i8[:, ::1])")
def copy_rows(old: Any, new: Any) -> Any:
    """Put every row of a table into a larger, empty one."""
    for place in range(old.shape[0]):
        if old[place, 0] != EMPTY:
            row = find_row(new, old[place, 0], old[place, 1], old[place, 2])
            for column in range(ROW_WORDS):
                new[row, column] = old[place, column]
