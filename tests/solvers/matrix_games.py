"""Matrix games for the tests, in families that strain a solver, and exact judgements of an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from io import StringIO
from itertools import combinations

import numpy as np
import pygambit

Game = tuple[np.ndarray, int]
"""A matrix of whole numbers and the number its entries are divided by."""

Exact = list[list[Fraction]]
Mix = tuple[Fraction, ...]

ONE = 2**48
"""Mixes are judged in whole numbers of 1 / ONE: far finer than 1e-9, and sums of payoffs still fit 64 bits."""


def _shape(rng: np.random.Generator, largest: int = 12) -> tuple[int, int]:
    return int(rng.integers(1, largest + 1)), int(rng.integers(1, largest + 1))


def _small_integers(rng: np.random.Generator) -> Game:
    return rng.integers(-2, 3, _shape(rng)), 1


def _zeros_and_ones(rng: np.random.Generator) -> Game:
    return rng.integers(0, 2, _shape(rng)), 1


def _points(rng: np.random.Generator) -> Game:
    return rng.integers(-60, 61, _shape(rng)), 1


def _points_far_ahead(rng: np.random.Generator) -> Game:
    return rng.integers(60, 140, _shape(rng)), 1


def _shares_of_thirds(rng: np.random.Generator) -> Game:
    return rng.integers(0, 4, _shape(rng)), 3


def _shares_of_sevenths(rng: np.random.Generator) -> Game:
    return rng.integers(0, 8, _shape(rng)), 7


def _low_rank(rng: np.random.Generator) -> Game:
    m, n = _shape(rng)
    rank = int(rng.integers(1, 4))
    return rng.integers(-3, 4, (m, rank)) @ rng.integers(-3, 4, (rank, n)), 1


def _repeated_lines(rng: np.random.Generator) -> Game:
    core = rng.integers(-5, 6, _shape(rng, 6))
    m, n = core.shape
    return core[np.ix_(rng.integers(0, m, 2 * m), rng.integers(0, n, 2 * n))], 1


def _nearly_additive(rng: np.random.Generator) -> Game:
    """What most turns look like: each pick has a worth of its own, and they meddle a little with each other."""
    m, n = _shape(rng)
    return rng.integers(-8, 9, (m, 1)) + rng.integers(-8, 9, (1, n)) + rng.integers(-3, 4, (m, n)), 1


def _two_rows(rng: np.random.Generator) -> Game:
    game = rng.integers(-20, 21, (2, int(rng.integers(1, 13))))
    return (game if rng.random() < 0.5 else game.T.copy()), 1


def _one_row(rng: np.random.Generator) -> Game:
    game = rng.integers(-20, 21, (1, int(rng.integers(1, 13))))
    return (game if rng.random() < 0.5 else game.T.copy()), 1


def _circulant(rng: np.random.Generator) -> Game:
    line = rng.integers(-3, 4, int(rng.integers(2, 13)))
    return np.array([np.roll(line, i) for i in range(len(line))]), 1


def _skew(rng: np.random.Generator) -> Game:
    size = int(rng.integers(2, 13))
    game = rng.integers(-2, 3, (size, size))
    return game - game.T, 1


def _large(rng: np.random.Generator) -> Game:
    return rng.integers(-30, 31, (60, 60)), 1


def _large_with_ties(rng: np.random.Generator) -> Game:
    return rng.integers(-1, 2, (60, 60)), 1


FAMILIES: dict[str, tuple[Callable[[np.random.Generator], Game], int]] = {
    "small integers": (_small_integers, 15_000),
    "zeros and ones": (_zeros_and_ones, 15_000),
    "points": (_points, 10_000),
    "points far ahead": (_points_far_ahead, 5_000),
    "shares of thirds": (_shares_of_thirds, 10_000),
    "shares of sevenths": (_shares_of_sevenths, 5_000),
    "low rank": (_low_rank, 10_000),
    "repeated lines": (_repeated_lines, 10_000),
    "nearly additive": (_nearly_additive, 10_000),
    "two rows": (_two_rows, 4_000),
    "one row": (_one_row, 900),
    "circulant": (_circulant, 2_500),
    "skew": (_skew, 2_500),
    "large": (_large, 50),
    "large with ties": (_large_with_ties, 50),
}
"""Each family with the number of its games in the large comparison: 100,000 in all."""


def games(family: str, number: int, seed: int = 20) -> Iterator[Game]:
    """The first games of a family."""
    rng = np.random.default_rng([seed, *family.encode()])
    return (FAMILIES[family][0](rng) for _ in range(number))


def exact(game: Game) -> Exact:
    """The game in rational numbers."""
    matrix, divisor = game
    return [[Fraction(entry, divisor) for entry in row] for row in matrix.tolist()]


def guaranteed(game: Game, x: np.ndarray, y: np.ndarray) -> tuple[Fraction, Fraction]:
    """What the two float mixes, rounded to whole numbers of 1 / ONE, guarantee each side: exact bounds of the value."""
    matrix, divisor = game
    row_weights, column_weights = (np.rint(mix * ONE).astype(np.int64) for mix in (x, y))
    least = int((row_weights @ matrix).min())
    most = int((matrix @ column_weights).max())
    return Fraction(least, divisor * int(row_weights.sum())), Fraction(most, divisor * int(column_weights.sum()))


def payoffs_of_columns(rows: Sequence[Sequence[Fraction]], x: Sequence[Fraction]) -> list[Fraction]:
    """The row player's payoff against each column when it mixes by ``x``."""
    return [
        sum((weight * row[j] for weight, row in zip(x, rows, strict=True)), Fraction()) for j in range(len(rows[0]))
    ]


def transposed(rows: Sequence[Sequence[Fraction]]) -> Exact:
    """The same game seen by the column player, who now chooses rows and maximises."""
    return [[-entry for entry in column] for column in zip(*rows, strict=True)]


def extreme_mixes(rows: Sequence[Sequence[Fraction]], value: Fraction) -> set[Mix]:
    """Every extreme optimal mix of the row player, from the definition.

    The optimal mixes are cut out by m + n inequalities (x_i >= 0, payoff against column j >= value) and one equation;
    an extreme point makes m - 1 of the inequalities equations that have no other common solution.
    """
    m = len(rows)
    bounds = [([Fraction(int(k == i)) for k in range(m)], Fraction()) for i in range(m)]
    bounds += [(list(column), value) for column in zip(*rows, strict=True)]
    found = set()
    for tight in combinations(bounds, m - 1):
        point = solve_equations([*tight, ([Fraction(1)] * m, Fraction(1))])
        if point and min(point) >= 0 and min(payoffs_of_columns(rows, point)) >= value:
            found.add(point)
    return found


def solve_equations(equations: Sequence[tuple[list[Fraction], Fraction]]) -> Mix | None:
    """The one solution of as many equations as unknowns, or ``None``."""
    lines = [[*left, right] for left, right in equations]
    for c in range(len(lines)):
        pivot = next((i for i in range(c, len(lines)) if lines[i][c]), None)
        if pivot is None:
            return None
        lines[c], lines[pivot] = lines[pivot], lines[c]
        lines[c] = [entry / lines[c][c] for entry in lines[c]]
        for i, line in enumerate(lines):
            if i != c and line[c]:
                lines[i] = [entry - line[c] * top for entry, top in zip(line, lines[c], strict=True)]
    return tuple(line[-1] for line in lines)


def gambit_extreme_mixes(rows: Sequence[Sequence[Fraction]]) -> tuple[set[Mix], set[Mix]]:
    """Each side's mixes in Gambit's extreme equilibria."""
    m, n = len(rows), len(rows[0])
    payoffs = " ".join(f"{rows[i][j]} {-rows[i][j]}" for j in range(n) for i in range(m))
    game = pygambit.read_nfg(StringIO(f'NFG 1 R "game" {{ "row" "column" }} {{ {m} {n} }}\n\n{payoffs}\n'))
    row_mixes, column_mixes = set(), set()
    for profile in pygambit.nash.enummixed_solve(game, rational=True).equilibria:
        row_mixes.add(tuple(Fraction(str(profile["row"][str(i + 1)])) for i in range(m)))
        column_mixes.add(tuple(Fraction(str(profile["column"][str(j + 1)])) for j in range(n)))
    return row_mixes, column_mixes
