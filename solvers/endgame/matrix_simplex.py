"""The dense simplex behind :mod:`solvers.endgame.matrix`, in fixed arrays.

Payoffs are scaled to B in 1..2 and the program is that of :mod:`solvers.endgame.rational`: maximise sum(w) subject to
B w <= 1, w >= 0, in Tucker's condensed tableau. The column with the largest gain enters (Dantzig), for at most a number
of pivots that no ordinary game comes near. The outcome is not trusted: the two mixes are held against the payoffs
themselves, and what they guarantee brackets the value. Where the bracket is wider than ``TOLERANCE``, be it from
rounding or from going round in circles, :mod:`solvers.endgame.matrix_repair` solves the game anew.
"""

from __future__ import annotations

from typing import Any

from solvers.endgame.jit import lean_kernel
from solvers.endgame.matrix_repair import optimise_pairs
from solvers.endgame.matrix_work import (
    BASIC,
    CEILING,
    COLUMN_WEIGHTS,
    FLOOR,
    HOW,
    KERNEL_COLUMNS,
    KERNEL_ROWS,
    KERNEL_SIZE,
    NONBASIC,
    PIVOTS,
    REPAIRED,
    REPORT,
    ROW_WEIGHTS,
    SIMPLEX,
    TABLEAU,
    TOLERANCE,
)

SMALLEST_PIVOT = 1e-9
"""A tableau entry below this may be rounding and is never pivoted on (tableau entries are of the order of 1)."""

SMALLEST_GAIN = 1e-13
"""A gain below this may be rounding: the bracket of the mixes decides whether the tableau was optimal."""


@lean_kernel("void(f8[:,::1], i8, i8, f8, f8, f8[:,::1])", inner=True)
def fill_tableau(a: Any, m: Any, n: Any, low: Any, high: Any, work: Any) -> Any:
    """Write the first tableau of the game ``a[:m, :n]`` whose payoffs run from ``low`` to ``high`` (not equal)."""
    scale = 1.0 / (high - low)
    shift = 1.0 - low * scale
    for i in range(m):
        for j in range(n):
            work[TABLEAU + i, j] = a[i, j] * scale + shift
        work[TABLEAU + i, n] = 1.0
        work[BASIC, i] = n + i
    for j in range(n):
        work[TABLEAU + m, j] = -1.0
        work[NONBASIC, j] = j
    work[TABLEAU + m, n] = 0.0
    # exchange() sweeps whole groups of four columns along; leftovers there are never read, but denormals would be slow
    for i in range(m + 1):
        for j in range(n + 1, (n + 4) // 4 * 4):
            work[TABLEAU + i, j] = 0.0


@lean_kernel("void(i8, i8, i8, i8, f8[:,::1])", inner=True)
def exchange(row: Any, column: Any, m: Any, n: Any, work: Any) -> Any:
    """Pivot: exchange the labels of a tableau row and a tableau column.

    Four columns at a time, the pivot row's part held in registers: half the time of a loop over rows for small games.
    """
    r = TABLEAU + row
    inverse = 1.0 / work[r, column]
    for i in range(m + 1):
        work[FLOOR, i] = work[TABLEAU + i, column]
        work[TABLEAU + i, column] = 0.0
    work[FLOOR, row] = 0.0
    work[r, column] = 1.0
    for group in range((n + 4) // 4):
        j = 4 * group
        p0, p1, p2, p3 = (
            work[r, j] * inverse,
            work[r, j + 1] * inverse,
            work[r, j + 2] * inverse,
            work[r, j + 3] * inverse,
        )
        work[r, j], work[r, j + 1], work[r, j + 2], work[r, j + 3] = p0, p1, p2, p3
        for i in range(m + 1):
            factor = work[FLOOR, i]
            t = TABLEAU + i
            work[t, j] -= factor * p0
            work[t, j + 1] -= factor * p1
            work[t, j + 2] -= factor * p2
            work[t, j + 3] -= factor * p3
    work[BASIC, row], work[NONBASIC, column] = work[NONBASIC, column], work[BASIC, row]


@lean_kernel("i8(i8, i8, i8, f8[:,::1])", inner=True)
def optimise(first: Any, m: Any, n: Any, work: Any) -> Any:
    """Run Dantzig's simplex from a fresh tableau, bringing in column ``first`` first; returns the number of pivots."""
    column = first
    costs = TABLEAU + m
    for pivots in range(4 * (m + n) + 16):
        row = -1
        value, divisor = 1.0, 0.0
        for i in range(m):
            entry = work[TABLEAU + i, column]
            level = work[TABLEAU + i, n]
            if entry > SMALLEST_PIVOT and level * divisor < value * entry:
                row, value, divisor = i, level, entry
        if row < 0:
            return pivots
        exchange(row, column, m, n, work)
        column = 0
        least = work[costs, 0]
        for j in range(1, n):
            cost = work[costs, j]
            if cost < least:
                least = cost
                column = j
        if least > -SMALLEST_GAIN:
            return pivots + 1
    return 4 * (m + n) + 16


@lean_kernel("void(f8[:,::1], i8, i8)", inner=True)
def normalise(work: Any, weights: Any, size: Any) -> Any:
    """Cut off negative noise and scale the weights in one workspace row to sum 1."""
    total = 0.0
    for k in range(size):
        weight = max(work[weights, k], 0.0)
        work[weights, k] = weight
        total += weight
    inverse = 1.0 / total
    for k in range(size):
        work[weights, k] *= inverse


@lean_kernel("i8(i8, i8, f8[:,::1])", inner=True)
def read_kernel(m: Any, n: Any, work: Any) -> Any:
    """Write the kernel and both mixes of the final tableau; returns the kernel's size."""
    size = 0
    for j in range(n):
        label = int(work[NONBASIC, j])
        if label >= n:
            work[KERNEL_ROWS, size] = label - n
            work[ROW_WEIGHTS, size] = work[TABLEAU + m, j]
            size += 1
    normalise(work, ROW_WEIGHTS, size)
    size = 0
    for i in range(m):
        label = int(work[BASIC, i])
        if label < n:
            work[KERNEL_COLUMNS, size] = label
            work[COLUMN_WEIGHTS, size] = work[TABLEAU + i, n]
            size += 1
    normalise(work, COLUMN_WEIGHTS, size)
    return size


@lean_kernel("UniTuple(f8, 2)(f8[:,::1], i8, i8, i8, f8[:,::1])", inner=True)
def guarantees(a: Any, m: Any, n: Any, size: Any, work: Any) -> Any:
    """The least the row weights get and the most the column weights give away: the value lies between them."""
    for j in range(n):
        work[CEILING, j] = 0.0
    for i in range(m):
        work[FLOOR, i] = 0.0
    for k in range(size):
        i = int(work[KERNEL_ROWS, k])
        weight = work[ROW_WEIGHTS, k]
        for j in range(n):
            work[CEILING, j] += weight * a[i, j]
        j = int(work[KERNEL_COLUMNS, k])
        weight = work[COLUMN_WEIGHTS, k]
        for i in range(m):
            work[FLOOR, i] += weight * a[i, j]
    lower = work[CEILING, 0]
    for j in range(1, n):
        lower = min(lower, work[CEILING, j])
    upper = work[FLOOR, 0]
    for i in range(1, m):
        upper = max(upper, work[FLOOR, i])
    return lower, upper


@lean_kernel("UniTuple(f8, 2)(f8[:,::1], i8, i8, i8, f8, f8, f8[:,::1])", inline=True)
def simplex_bounds(a: Any, m: Any, n: Any, first: Any, low: Any, high: Any, work: Any) -> Any:
    """A bracket of the value of a game with payoffs from ``low`` to ``high``, bringing in column ``first`` first.

    Leaves the kernel, its weights and the report in the workspace.
    """
    fill_tableau(a, m, n, low, high, work)
    work[REPORT, HOW] = SIMPLEX
    work[REPORT, PIVOTS] = optimise(first, m, n, work)
    size = read_kernel(m, n, work)
    lower, upper = guarantees(a, m, n, size, work)
    if upper - lower > TOLERANCE:
        work[REPORT, HOW] = REPAIRED
        work[REPORT, PIVOTS] += optimise_pairs(a, m, n, low, high, work)
        size = read_kernel(m, n, work)
        lower, upper = guarantees(a, m, n, size, work)
    work[REPORT, KERNEL_SIZE] = size
    return lower, upper
