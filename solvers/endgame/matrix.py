"""Small zero-sum matrix games in floats, made to be solved inside a search tens of millions of times.

The row player maximises, the column player minimises. The kernels :func:`game_value` and :func:`solve_game` allocate
nothing and take the workspace of :func:`make_workspace`; :func:`solve_matrix` is the same for Python callers. A game
is decided by the first of these that fits, and ``work[REPORT, HOW]`` says which:

1. *forced*: one side has a single pick;
2. *saddle*: the best pure guarantees meet within ``TOLERANCE``;
3. *closed form*: four best responses in a row, starting at the column with the lowest ceiling, end in a 2x2 part of the
   game whose mixes hold against every pick (every 2x2 game, and most mixed games met in play);
4. *simplex*: :mod:`solvers.endgame.matrix_simplex`;
5. *repaired simplex*: :mod:`solvers.endgame.matrix_repair`, for games whose rounding the simplex could not carry.

Mixed solutions are certified: the value returned is the middle of the bracket given by what the two mixes guarantee
against the payoffs themselves. A pass over dominated picks before the simplex was measured and left out: comparing all
pairs cost more than the smaller tableau saved at every size from 3x3 to 60x60.

Mixes are one optimum of possibly many; what users see is :func:`solvers.endgame.mixes.canonical_mixes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.endgame.jit import interpreter_allowance, lean_kernel, spend_allowance
from solvers.endgame.matrix_simplex import guarantees, simplex_bounds
from solvers.endgame.matrix_work import (
    CEILING,
    CLOSED_FORM,
    COLUMN_WEIGHTS,
    DECIDED_BY,
    FLOOR,
    FORCED,
    GAP,
    HOW,
    KERNEL_COLUMNS,
    KERNEL_ROWS,
    KERNEL_SIZE,
    MAX_PICKS,
    REPORT,
    ROW_WEIGHTS,
    SADDLE,
    TOLERANCE,
    make_workspace,
)
from solvers.errors import UsageError

__all__ = ["MatrixSolution", "game_value", "make_workspace", "solve_game", "solve_matrix"]


@lean_kernel("UniTuple(f8, 2)(f8[:,::1], i8, i8, f8[:,::1])", inner=True)
def pure_bounds(a: Any, m: Any, n: Any, work: Any) -> Any:
    """The best pure guarantees of both sides.

    Leaves each row's least payoff in ``FLOOR`` and each column's largest in ``CEILING``. Running maxima are kept in
    memory and chosen without branches.
    """
    for j in range(n):
        work[CEILING, j] = a[0, j]
    lower = -np.inf
    for i in range(m):
        floor = a[i, 0]
        for j in range(n):
            entry = a[i, j]
            ceiling = work[CEILING, j]
            floor = entry if entry < floor else floor
            work[CEILING, j] = entry if entry > ceiling else ceiling
        work[FLOOR, i] = floor
        lower = floor if floor > lower else lower
    upper = work[CEILING, 0]
    for j in range(1, n):
        ceiling = work[CEILING, j]
        upper = ceiling if ceiling < upper else upper
    return lower, upper


@lean_kernel("i8(f8[:,::1], i8, i8)", inner=True)
def best_row(a: Any, m: Any, column: Any) -> Any:
    """The first row with the largest payoff in a column."""
    best = 0
    top = a[0, column]
    for i in range(1, m):
        entry = a[i, column]
        if entry > top:
            top = entry
            best = i
    return best


@lean_kernel("i8(f8[:,::1], i8, i8)", inner=True)
def best_column(a: Any, n: Any, row: Any) -> Any:
    """The first column with the least payoff in a row."""
    best = 0
    least = a[row, 0]
    for j in range(1, n):
        entry = a[row, j]
        if entry < least:
            least = entry
            best = j
    return best


@lean_kernel("b1(f8[:,::1], i8, i8, i8, f8[:,::1])", inline=True)
def best_response_cycle(a: Any, m: Any, n: Any, start: Any, work: Any) -> Any:
    """Write the kernel and mixes of the 2x2 game that best responses from column ``start`` run into; false if none."""
    r1 = best_row(a, m, start)
    c1 = best_column(a, n, r1)
    r2 = best_row(a, m, c1)
    c2 = best_column(a, n, r2)
    row_loss, row_gain = a[r1, c2] - a[r1, c1], a[r2, c1] - a[r2, c2]
    column_loss, column_gain = a[r2, c1] - a[r1, c1], a[r1, c2] - a[r2, c2]
    if not (row_loss > 0.0 and row_gain > 0.0 and column_loss > 0.0 and column_gain > 0.0):
        return False
    work[KERNEL_ROWS, 0], work[KERNEL_ROWS, 1] = r1, r2
    work[KERNEL_COLUMNS, 0], work[KERNEL_COLUMNS, 1] = c1, c2
    total = row_loss + row_gain
    work[ROW_WEIGHTS, 0], work[ROW_WEIGHTS, 1] = row_gain / total, row_loss / total
    work[COLUMN_WEIGHTS, 0], work[COLUMN_WEIGHTS, 1] = column_gain / total, column_loss / total
    return True


@lean_kernel("f8(f8[:,::1], i8, i8, f8[:,::1])", inline=True)
def mixed_value(a: Any, m: Any, n: Any, work: Any) -> Any:
    """The value of a game without a saddle point, after :func:`pure_bounds`.

    Leaves the kernel, its weights and the report in the workspace.
    """
    low, high = work[FLOOR, 0], work[CEILING, 0]
    start = 0
    for i in range(1, m):
        low = min(low, work[FLOOR, i])
    for j in range(1, n):
        high = max(high, work[CEILING, j])
        if work[CEILING, j] < work[CEILING, start]:
            start = j
    if best_response_cycle(a, m, n, start, work):
        lower, upper = guarantees(a, m, n, 2, work)
        if upper - lower <= TOLERANCE:
            work[REPORT, HOW] = CLOSED_FORM
            work[REPORT, KERNEL_SIZE] = 2
            work[REPORT, GAP] = upper - lower
            return 0.5 * (lower + upper)
    lower, upper = simplex_bounds(a, m, n, start, low, high, work)
    work[REPORT, GAP] = upper - lower
    return 0.5 * (lower + upper)


@lean_kernel("f8(f8[:,::1], i8, i8, f8[:,::1])")
def game_value(a: Any, m: Any, n: Any, work: Any) -> Any:
    """The value of the game ``a[:m, :n]`` to the row player, ``1 <= m, n <= MAX_PICKS``; nothing is checked."""
    lower, upper = pure_bounds(a, m, n, work)
    if upper <= lower + TOLERANCE:
        work[REPORT, HOW] = FORCED if m == 1 or n == 1 else SADDLE
        return lower
    return mixed_value(a, m, n, work)


@lean_kernel("f8(f8[:,::1], i8, i8, f8[::1], f8[::1], f8[:,::1])")
def solve_game(a: Any, m: Any, n: Any, x: Any, y: Any, work: Any) -> Any:
    """The value of the game ``a[:m, :n]``, and one optimal mix of each side in ``x[:m]`` and ``y[:n]``.

    At a saddle point each side's mix is its first pick that guarantees the value (within ``TOLERANCE``).
    """
    x[:m] = 0.0
    y[:n] = 0.0
    lower, upper = pure_bounds(a, m, n, work)
    if upper <= lower + TOLERANCE:
        work[REPORT, HOW] = FORCED if m == 1 or n == 1 else SADDLE
        row, column = 0, 0
        while work[FLOOR, row] < lower:
            row += 1
        while work[CEILING, column] > upper:
            column += 1
        x[row] = 1.0
        y[column] = 1.0
        work[REPORT, KERNEL_SIZE] = 1
        work[KERNEL_ROWS, 0], work[KERNEL_COLUMNS, 0] = row, column
        return lower
    value = mixed_value(a, m, n, work)
    for k in range(int(work[REPORT, KERNEL_SIZE])):
        x[int(work[KERNEL_ROWS, k])] = work[ROW_WEIGHTS, k]
        y[int(work[KERNEL_COLUMNS, k])] = work[COLUMN_WEIGHTS, k]
    return value


@dataclass(frozen=True, slots=True)
class MatrixSolution:
    """The value to the row player and one optimal mix of each side, in floats.

    ``kernel_rows`` and ``kernel_columns``, equally many, pick a square part of the matrix whose equalising mixes these
    are (Shapley and Snow 1950); ``decided_by`` is one of ``DECIDED_BY``; ``gap`` is how far apart the guarantees are.
    """

    value: float
    row_mix: np.ndarray
    column_mix: np.ndarray
    kernel_rows: tuple[int, ...]
    kernel_columns: tuple[int, ...]
    decided_by: str
    gap: float


def solve_matrix(matrix: np.ndarray) -> MatrixSolution:
    """Solve one game given as an array of shape ``(rows, columns)``.

    Raises :class:`UsageError` when it is not a finite matrix of 1 to ``MAX_PICKS`` picks a side.
    """
    a = np.array(matrix, dtype=np.float64, order="C")
    if a.ndim != 2 or not 1 <= min(a.shape) <= max(a.shape) <= MAX_PICKS:
        raise UsageError(f"a matrix game of shape {a.shape}: it takes two sides with 1 to {MAX_PICKS} picks each")
    if not np.isfinite(a).all():
        raise UsageError("a payoff of a matrix game is not a finite number")
    (m, n), work = a.shape, make_workspace()
    x, y = np.empty(m), np.empty(n)
    if interpreter_allowance():
        spend_allowance(1)
        value = float(solve_game.interpret(a, m, n, x, y, work))
    else:
        value = float(solve_game(a, m, n, x, y, work))
    size = int(work[REPORT, KERNEL_SIZE])
    return MatrixSolution(
        value,
        x,
        y,
        tuple(int(row) for row in work[KERNEL_ROWS, :size]),
        tuple(int(column) for column in work[KERNEL_COLUMNS, :size]),
        DECIDED_BY[int(work[REPORT, HOW])],
        float((a @ y).max() - (x @ a).min()),
    )
