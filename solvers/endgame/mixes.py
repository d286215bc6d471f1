"""The canonical mix: which of the optimal mixes of a matrix game is shown.

A matrix game has one value but often many optimal mixes. So that every engine, platform and version prints the same
answer, the mix of each seat is defined, among all its optimal mixes, as

(a) the first pick in pick order that is optimal on its own, if there is one; otherwise
(b) the lexicographically greatest optimal mix: the largest possible probability of the first pick, with that the
    largest of the second, and so on.

**Payoffs are snapped first.** Two engines that add in a different order differ by 1e-15 to 1e-13, and such noise would
decide between optimal mixes. So each float becomes the rational number it most likely stands for: the fraction with a
denominator up to ``LARGEST_DENOMINATOR`` within ``CLOSE`` of it (there is at most one), and failing that the nearest
multiple of 1 / ``GRID``. A plain decimal grid would do worse twice over: thirds that cancel exactly would no longer
do so, and a value like 1/1024 would lie on the edge of two cells of 1e-9; a fraction with a small denominator never
lies near the edge of a cell of 2**-30. From there on all arithmetic is exact. *Tolerance*: the snapped game differs
from the given one by less than 2**-31 = 4.7e-10 in each payoff, hence in the value; a mix shown as optimal loses less
than 1e-9 in the given game, and a pick shown as optimal on its own may be short of the value by no more than that.

**Why the restricted problem keeps the whole optimal set.** Take one optimal mix y of the column player (from the
simplex method) and let v be the value. A row mix x with guarantee v has x'Ay = v = max_i (Ay)_i, so x_i = 0 wherever
(Ay)_i < v: a row that is no best response to some optimal y is in no optimal mix (a strictly dominated row is never a
best response). Likewise the payoff against each column with y_j > 0 is exactly v. Conversely every x that obeys both
and guarantees v is optimal by definition. In the final tableau these are the variables whose partner is positive; they
are fixed at zero, nothing else is, and the remaining equations describe the optimal set exactly. On it the
probabilities are maximised one after the other by the simplex method with Bland's rule; after each, variables that
would lower the maximum are fixed at zero too, which by the same argument keeps exactly the maximisers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from solvers.endgame.matrix import solve_matrix
from solvers.endgame.matrix_work import MAX_PICKS
from solvers.endgame.rational import Tableau, Whole, find_saddle, pivot, pure_mix, whole_matrix
from solvers.errors import UsageError

LARGEST_DENOMINATOR = 30_000
"""Payoffs with a denominator up to this are recovered exactly: two such fractions are more than 1e-9 apart."""

CLOSE = Fraction(1, 10**11)
"""How near a float must be to a fraction to stand for it: far above the noise of a search, far below 1e-9."""

GRID = 2**30
"""Payoffs that are no such fraction are rounded to multiples of one over this."""

COMMON_BITS = 512
"""When the common denominator of all payoffs is longer than this, all of them are rounded to the grid."""

ExactMix = tuple[Fraction, ...]


def canonical_mixes(matrix: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """The value of a game to the row player and the canonical mix of each side, as float64.

    ``matrix`` has shape ``(rows, columns)`` in pick order. Each probability is the exact one correctly rounded, so the
    sums differ from 1 by rounding alone. Raises :class:`UsageError` for an empty or non-finite matrix.
    """
    value, row_mix, column_mix = canonical_mixes_exact(snap(matrix))
    return float(value), np.array(row_mix, dtype=np.float64), np.array(column_mix, dtype=np.float64)


def canonical_mixes_exact(rows: Sequence[Sequence[Fraction | int]]) -> tuple[Fraction, ExactMix, ExactMix]:
    """The same for exact payoffs, in exact numbers; nothing is snapped."""
    whole, unit = whole_matrix(rows)
    m, n = len(whole), len(whole[0])
    saddle = find_saddle(whole)
    if saddle is not None:  # the first optimal pick of each side, which is rule (a)
        return Fraction(whole[saddle[0]][saddle[1]], unit), pure_mix(saddle[0], m), pure_mix(saddle[1], n)
    tableau = Tableau.solved(whole, *_guess_kernel(whole))
    value = tableau.value()
    pure_row = next((i for i, row in enumerate(whole) if min(row) == value), None)
    pure_column = next((j for j, column in enumerate(zip(*whole, strict=True)) if max(column) == value), None)
    row_mix = _row_face(tableau).greatest(range(n, n + m)) if pure_row is None else pure_mix(pure_row, m)
    column_mix = _column_face(tableau).greatest(range(n)) if pure_column is None else pure_mix(pure_column, n)
    return value / unit, row_mix, column_mix


def snap(matrix: np.ndarray) -> list[list[Fraction]]:
    """The rational payoffs that a float matrix stands for."""
    floats = np.asarray(matrix, dtype=np.float64)
    if floats.ndim != 2 or floats.size == 0 or not np.isfinite(floats).all():
        raise UsageError(f"a matrix game of shape {floats.shape}: it takes two sides with picks and finite payoffs")
    different = sorted({payoff for row in floats for payoff in row.tolist()})
    fractions = [snap_payoff(payoff) for payoff in different]
    if lcm(*(fraction.denominator for fraction in fractions)).bit_length() > COMMON_BITS:
        fractions = [Fraction(round(payoff * GRID), GRID) for payoff in different]
    stands_for = dict(zip(different, fractions, strict=True))
    return [[stands_for[payoff] for payoff in row.tolist()] for row in floats]


def snap_payoff(payoff: float) -> Fraction:
    """The rational number that a float stands for."""
    exact = Fraction(payoff)
    if exact.denominator == 1:
        return exact
    simple = exact.limit_denominator(LARGEST_DENOMINATOR)
    return simple if abs(simple - exact) <= CLOSE else Fraction(round(payoff * GRID), GRID)


def _guess_kernel(whole: Whole) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The rows and columns of the float solution's kernel, as a start; nothing when the game is too large for it."""
    if max(len(whole), len(whole[0])) > MAX_PICKS:
        return (), ()
    low = min(map(min, whole))
    spread = max(map(max, whole)) - low
    guess = solve_matrix(np.array([[(entry - low) / spread for entry in row] for row in whole]))
    return guess.kernel_rows, guess.kernel_columns


class _Face:
    """One side's optimal weights: ``held = levels + free @ cells``, all of them at least zero.

    ``cells`` has one row for each free variable and the levels as its last row, all over one denominator, and one
    column for each held variable. Variables go by the tableau's labels.
    """

    def __init__(self, cells: Whole, denominator: int, free: list[int], held: list[int]) -> None:
        self.cells, self.denominator, self.free, self.held = cells, denominator, free, held

    def greatest(self, labels: Sequence[int]) -> ExactMix:
        """The lexicographically greatest mix, its probabilities in the order of their labels."""
        for label in labels:
            if not self.free:
                break
            self._maximise(label)
        levels = dict(zip(self.held, self.cells[-1], strict=True))
        weights = [levels.get(label, 0) for label in labels]
        total = sum(weights)
        return tuple(Fraction(weight, total) for weight in weights)

    def _maximise(self, label: int) -> None:
        """Raise one variable to its maximum, then drop the free variables that would lower it."""
        if label in self.free:
            self._raise(self.free.index(label))
        if label not in self.held:  # at zero in every optimal mix
            return
        column = self.held.index(label)
        while raising := [i for i in range(len(self.free)) if self.cells[i][column] > 0]:
            self._raise(min(raising, key=self.free.__getitem__))
        kept = [i for i in range(len(self.free)) if self.cells[i][column] == 0]
        self.cells = [self.cells[i] for i in kept] + [self.cells[-1]]
        self.free = [self.free[i] for i in kept]

    def _raise(self, row: int) -> None:
        """Raise a free variable until a held one reaches zero (ties: smallest label) and exchange the two.

        One does: the weights of a side sum to the same total in all of its optimal mixes.
        """
        line, levels = self.cells[row], self.cells[-1]
        blocking = [j for j, entry in enumerate(line) if entry < 0]
        column = min(blocking, key=lambda j: (Fraction(levels[j], -line[j]), self.held[j]))
        self.denominator = pivot(self.cells, self.denominator, row, column)
        self.free[row], self.held[column] = self.held[column], self.free[row]


def _row_face(tableau: Tableau) -> _Face:
    """The row side: a variable whose partner is basic and positive is zero, the others are free (see above)."""
    open_rows = [i for i in range(tableau.m) if tableau.cells[i][-1] == 0]
    cells = [tableau.cells[i][:-1] for i in open_rows] + [tableau.cells[-1][:-1]]
    return _Face(cells, tableau.denominator, [tableau.basic[i] for i in open_rows], list(tableau.nonbasic))


def _column_face(tableau: Tableau) -> _Face:
    """The column side, which reads the tableau from the other direction and with the other sign."""
    open_columns = [j for j in range(tableau.n) if tableau.cells[-1][j] == 0]
    cells = [[-row[j] for row in tableau.cells[:-1]] for j in open_columns]
    cells.append([row[-1] for row in tableau.cells[:-1]])
    return _Face(cells, tableau.denominator, [tableau.nonbasic[j] for j in open_columns], list(tableau.basic))
