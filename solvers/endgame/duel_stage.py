"""The entries of one turn's matrix game that its canonical answer rests on, asked for one by one.

:func:`solvers.endgame.mixes.canonical_mixes` looks at a whole matrix, but most entries of it cannot change the answer.
:func:`settle_entries` asks an engine for the others only, and fills the rest with numbers that give the same answer.

*If both seats have an optimal pure pick*: let ``i`` and ``j`` be the first such row and column. Row ``i`` and column
``j`` are exact, and each earlier row (column) has an entry proven below (above) the value, so it is not optimal. In the
filled matrix the same holds, whatever the rest, so the same ``i`` and ``j`` come out with the same pick values.

*Otherwise* let ``x0, y0`` be any optimal mixes. A row that is no best reply to ``y0`` has probability zero in every
optimal row mix (its share would lose against ``y0``), likewise for columns. So the optimal row mixes are the mixes over
the best-reply rows that hold the value against every column: they depend on the entries of those rows only, and the
optimal column mixes on those of the best-reply columns. These are exact, and so are the entries under the supports of
``x0, y0``, which prove both optimal in the filled matrix too. Whatever stands elsewhere changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from solvers.endgame.matrix import solve_matrix

AskEntry = Callable[[int, int, float, float], tuple[float, float]]
"""Search entry ``(row, column)`` within a window; returns the lower and upper bound proven of it by then."""

SAME = 5e-10
"""Entries this close to the value count as equal to it: half the grid that the canonical mix snaps payoffs to."""
_BETTER = 1e-11
_EVERYTHING = 1e4


class Entries:
    """Bounds of a matrix game's entries, tightened by asking; ``low`` and ``high`` have shape ``(rows, columns)``."""

    def __init__(self, rows: int, columns: int, ask: AskEntry) -> None:
        self.low = np.full((rows, columns), -_EVERYTHING)
        self.high = np.full((rows, columns), _EVERYTHING)
        self._ask = ask

    def ask(self, row: int, column: int, low: float, high: float) -> None:
        """Tighten one entry until it is exact, or proven at or below ``low`` or at or above ``high``."""
        if self.high[row, column] > low and self.low[row, column] < high and not self.exact(row, column):
            self.low[row, column], self.high[row, column] = self._ask(row, column, low, high)

    def exact(self, row: int, column: int) -> bool:
        """Whether the entry is known."""
        return bool(self.high[row, column] - self.low[row, column] <= _BETTER)

    def know(self, rows: Iterable[int], columns: Iterable[int]) -> np.ndarray:
        """The exact entries where these rows and columns meet."""
        places = np.ix_(list(rows), list(columns))
        for row in places[0].flat:
            for column in places[1].flat:
                self.ask(int(row), int(column), -_EVERYTHING, _EVERYTHING)
        known: np.ndarray = self.low[places]
        return known

    def filled(self, value: float) -> np.ndarray:
        """Exact entries as they are; an open one as near to ``value`` as its bounds allow."""
        matrix: np.ndarray = np.clip(value, self.low, self.high)
        return matrix


def settle_entries(entries: Entries, value: float) -> np.ndarray:
    """The matrix of the game worth ``value``, filled as the module's text says."""
    rows, columns = entries.low.shape
    row = _first_pure_row(entries, value)
    column = _first_pure_column(entries, value)
    if row is not None and column is not None:
        entries.know([row], range(columns))
        entries.know(range(rows), [column])
        return entries.filled(value)
    value, x, y = _double_oracle(entries)
    used_rows, used_columns = np.flatnonzero(x), np.flatnonzero(y)
    entries.know(used_rows, range(columns))
    entries.know(range(rows), used_columns)
    filled = entries.filled(value)
    entries.know(np.flatnonzero(filled @ y >= value - SAME), range(columns))
    entries.know(range(rows), np.flatnonzero(x @ filled <= value + SAME))
    return entries.filled(value)


def _first_pure_row(entries: Entries, value: float) -> int | None:
    """The first row that holds the value against every column. The column that beat the last row is tried first."""
    rows, columns = entries.low.shape
    order = list(range(columns))
    for row in range(rows):
        for place, column in enumerate(order):
            entries.ask(row, column, value - 2 * SAME, value - SAME)
            if entries.low[row, column] < value - SAME:
                order.insert(0, order.pop(place))
                break
        else:
            return row
    return None


def _first_pure_column(entries: Entries, value: float) -> int | None:
    """The first column that holds the value against every row."""
    rows, columns = entries.low.shape
    order = list(range(rows))
    for column in range(columns):
        for place, row in enumerate(order):
            entries.ask(row, column, value + SAME, value + 2 * SAME)
            if entries.high[row, column] > value + SAME:
                order.insert(0, order.pop(place))
                break
        else:
            return column
    return None


def _double_oracle(entries: Entries) -> tuple[float, np.ndarray, np.ndarray]:
    """The value and one optimal mix of each side, asking for few entries (McMahan, Gordon and Blum 2003)."""
    size_rows, size_columns = entries.low.shape
    rows, columns = [0], [0]
    while True:
        small = solve_matrix(entries.know(rows, columns))
        x, y = np.zeros(size_rows), np.zeros(size_columns)
        x[rows], y[columns] = small.row_mix, small.column_mix
        better_row = _better_row(entries, small.value, y)
        better_column = _better_column(entries, small.value, x)
        if better_row is not None and better_row not in rows:
            rows.append(better_row)
        elif better_column is None or better_column in columns:
            return small.value, x, y
        if better_column is not None and better_column not in columns:
            columns.append(better_column)


def _better_row(entries: Entries, value: float, y: np.ndarray) -> int | None:
    """The row that gains most over ``value`` against the column mix, if any does."""
    best, target = None, value + _BETTER
    used = [int(column) for column in np.flatnonzero(y)]
    for row in range(len(entries.low)):
        for column in used:
            hope = float(entries.high[row, used] @ y[used])
            if hope <= target:
                break
            needed = (target - hope) / y[column] + float(entries.high[row, column])
            entries.ask(row, column, needed, _EVERYTHING)
        hope = float(entries.high[row, used] @ y[used])
        if hope > target:
            best, target = row, hope
    return best


def _better_column(entries: Entries, value: float, x: np.ndarray) -> int | None:
    """The column that gains most over ``value`` against the row mix, if any does."""

    def ask(column: int, row: int, low: float, high: float) -> tuple[float, float]:
        entries.ask(row, column, -high, -low)
        return -float(entries.high[row, column]), -float(entries.low[row, column])

    mirrored = Entries(entries.low.shape[1], entries.low.shape[0], ask)
    mirrored.low, mirrored.high = -entries.high.T, -entries.low.T
    return _better_row(mirrored, -value, x)
