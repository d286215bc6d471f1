"""Exact solution of a small zero-sum matrix game, without floats.

The row player maximises and the column player minimises. The game becomes von Neumann's linear program: with payoffs
shifted to B > 0,

    maximise  sum(w)  subject to  B w <= 1,  w >= 0,

whose optimum is 1 / value(B); the column mix is ``w`` and the row mix the dual solution, both times the value
(Dantzig, *Linear Programming and Extensions*, 1963, ch. 13). It is solved in Tucker's condensed tableau with pivots
that keep all entries whole numbers over one denominator (Edmonds 1967; the method of Avis's lrs), which is far quicker
than a fraction a cell. While the sum grows the column of the largest gain enters; from a pivot without gain until the
next gain Bland's rule chooses (*Mathematics of Operations Research* 2, 1977). No sum is met again once it has grown and
Bland's rule does not cycle where it stands still, so the method ends.

This is the oracle for the compiled kernel in :mod:`solvers.endgame.matrix` and shares no code with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from solvers.errors import UsageError

Whole = list[list[int]]
"""A matrix of whole numbers."""


@dataclass(frozen=True, slots=True)
class RationalSolution:
    """The value to the row player and one optimal mix of each side, all exact."""

    value: Fraction
    row_mix: tuple[Fraction, ...]
    column_mix: tuple[Fraction, ...]


def solve_rational(rows: Sequence[Sequence[Fraction | int]]) -> RationalSolution:
    """The exact value of a matrix game, and one optimal mix of each side.

    ``rows`` holds the row player's payoffs, one sequence a row. Raises :class:`UsageError` when it is empty or ragged.
    A pure saddle point is taken where there is one; otherwise the mixes are a vertex the simplex method ends in.
    """
    whole, unit = whole_matrix(rows)
    saddle = find_saddle(whole)
    if saddle is not None:
        row, column = saddle
        m, n = len(whole), len(whole[0])
        return RationalSolution(Fraction(whole[row][column], unit), pure_mix(row, m), pure_mix(column, n))
    return Tableau.solved(whole).solution(unit)


def whole_matrix(rows: Sequence[Sequence[Fraction | int]]) -> tuple[Whole, int]:
    """The matrix times the least common denominator of its entries, and that denominator."""
    if not rows or not rows[0]:
        raise UsageError("an empty matrix game: each side needs at least one pick")
    width = len(rows[0])
    for index, row in enumerate(rows):
        if len(row) != width:
            raise UsageError(f"row {index} of a matrix game has {len(row)} entries: row 0 has {width}")
    unit = lcm(*{entry.denominator for row in rows for entry in row})
    return [[entry.numerator * (unit // entry.denominator) for entry in row] for row in rows], unit


def find_saddle(whole: Whole) -> tuple[int, int] | None:
    """The first row and first column that guarantee the same value purely, or ``None``."""
    guarantees = [min(row) for row in whole]
    ceilings = [max(column) for column in zip(*whole, strict=True)]
    lower, upper = max(guarantees), min(ceilings)
    return (guarantees.index(lower), ceilings.index(upper)) if lower == upper else None


def pure_mix(index: int, size: int) -> tuple[Fraction, ...]:
    """The mix that always takes one pick."""
    return tuple(Fraction(int(i == index)) for i in range(size))


class Tableau:
    """Tucker's condensed tableau of the game's linear program, in whole numbers over one positive denominator.

    A *label* below ``n`` is that column's weight w; label ``n + i`` is the slack of row i. ``basic[i]`` labels tableau
    row i, ``nonbasic[j]`` tableau column j. The last row holds the reduced costs, which at the optimum are the weights
    of the rows whose slacks are nonbasic; the last column holds the basic values; the corner holds sum(w).
    """

    def __init__(self, whole: Whole) -> None:
        self.m, self.n = len(whole), len(whole[0])
        self.shift = 1 - min(map(min, whole))
        self.cells = [[entry + self.shift for entry in row] + [1] for row in whole]
        self.cells.append([-1] * self.n + [0])
        self.denominator = 1
        self.basic = list(range(self.n, self.n + self.m))
        self.nonbasic = list(range(self.n))

    @classmethod
    def solved(cls, whole: Whole, rows: Sequence[int] = (), columns: Sequence[int] = ()) -> Tableau:
        """The optimal tableau of a game.

        ``rows`` and ``columns``, equally many, are a guess at the kernel: the columns' weights replace the rows' slacks
        before the simplex method starts. A guess that is singular or leaves a value below zero is dropped.
        """
        tableau = cls(whole)
        if not tableau._start_from(rows, columns):
            tableau = cls(whole)
        gained = True
        while (column := tableau._entering(by_gain=gained)) is not None:
            row = tableau._leaving(column)
            gained = tableau.cells[row][-1] > 0
            tableau.pivot(row, column)
        return tableau

    def _start_from(self, rows: Sequence[int], columns: Sequence[int]) -> bool:
        """Exchange the rows' slacks for the columns' weights; whether that worked and left no value below zero."""
        waiting = list(rows)
        for column in columns:
            row = next((i for i in waiting if self.cells[i][column]), None)
            if row is None:
                return False
            waiting.remove(row)
            self.pivot(row, column)
        return all(row[-1] >= 0 for row in self.cells)

    def _entering(self, by_gain: bool) -> int | None:
        """The column of the largest gain or, by Bland's rule, of the smallest label among those with any."""
        costs = self.cells[-1]
        improving = [j for j in range(self.n) if costs[j] < 0]
        order = costs.__getitem__ if by_gain else self.nonbasic.__getitem__
        return min(improving, key=order) if improving else None

    def _leaving(self, column: int) -> int:
        """The row whose basic value first reaches zero, ties by label; B > 0 makes sure there is one."""
        blocking = [i for i in range(self.m) if self.cells[i][column] > 0]
        return min(blocking, key=lambda i: (Fraction(self.cells[i][-1], self.cells[i][column]), self.basic[i]))

    def pivot(self, row: int, column: int) -> None:
        """Exchange the labels of a row and a column; the entry where they meet must not be zero."""
        self.denominator = pivot(self.cells, self.denominator, row, column)
        self.basic[row], self.nonbasic[column] = self.nonbasic[column], self.basic[row]

    def weights(self) -> tuple[list[int], list[int], int]:
        """Row weights, column weights and the sum of each: the mixes are the weights over that sum."""
        row_weights, column_weights = [0] * self.m, [0] * self.n
        for label, cost in zip(self.nonbasic, self.cells[-1], strict=False):
            if label >= self.n:
                row_weights[label - self.n] = cost
        for label, row in zip(self.basic, self.cells, strict=False):
            if label < self.n:
                column_weights[label] = row[-1]
        return row_weights, column_weights, self.cells[-1][-1]

    def value(self) -> Fraction:
        """The value of the whole-number game, at the optimum."""
        return Fraction(self.denominator, self.cells[-1][-1]) - self.shift

    def solution(self, unit: int) -> RationalSolution:
        """The solution of the game whose entries were multiplied by ``unit``."""
        row_weights, column_weights, total = self.weights()
        return RationalSolution(
            self.value() / unit,
            tuple(Fraction(weight, total) for weight in row_weights),
            tuple(Fraction(weight, total) for weight in column_weights),
        )


def pivot(cells: Whole, denominator: int, row: int, column: int) -> int:
    """One exchange step in place on ``cells / denominator``; returns the new denominator, which is positive.

    Every entry stays a subdeterminant of the first tableau, so the divisions leave no remainder.
    """
    pivot_row = cells[row]
    divisor = pivot_row[column]
    sign = 1 if divisor > 0 else -1
    for i, line in enumerate(cells):
        if i == row:
            continue
        factor = line[column]
        if factor:
            cells[i] = [sign * (divisor * x - factor * y) // denominator for x, y in zip(line, pivot_row, strict=True)]
        elif divisor != denominator:
            cells[i] = [sign * divisor * x // denominator for x in line]
        cells[i][column] = -sign * factor
    cells[row] = pivot_row if sign > 0 else [-x for x in pivot_row]
    cells[row][column] = sign * denominator
    return sign * divisor
