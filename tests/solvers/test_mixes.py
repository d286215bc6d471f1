"""The canonical mix: optimal, the one that is defined, and the same for every engine."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from solvers.endgame.mixes import (
    CLOSE,
    GRID,
    LARGEST_DENOMINATOR,
    canonical_mixes,
    canonical_mixes_exact,
    snap,
    snap_payoff,
)
from solvers.endgame.rational import solve_rational
from solvers.errors import UsageError
from tests.solvers.matrix_games import (
    FAMILIES,
    Exact,
    Mix,
    exact,
    extreme_mixes,
    gambit_extreme_mixes,
    games,
    payoffs_of_columns,
    transposed,
)

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
TIED_FAMILIES = [name for name in FAMILIES if not name.startswith("large")]


def pick_canonical(extreme: set[Mix]) -> Mix:
    """The definition, applied to all extreme optimal mixes of a seat.

    An optimal pure pick is an extreme point; so is the lexicographically greatest mix.
    """
    pure = [mix for mix in extreme if max(mix) == 1]
    return max(pure) if pure else max(extreme)


def tied_matrices(largest: int) -> st.SearchStrategy[Exact]:
    sizes = st.integers(1, largest)
    entry = st.integers(-1, 2).map(Fraction)
    return st.tuples(sizes, sizes).flatmap(
        lambda size: st.lists(st.lists(entry, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
    )


def check_by_enumeration(rows: Exact) -> None:
    value, row_mix, column_mix = canonical_mixes_exact(rows)
    assert value == solve_rational(rows).value
    assert row_mix == pick_canonical(extreme_mixes(rows, value))
    assert column_mix == pick_canonical(extreme_mixes(transposed(rows), -value))


@given(tied_matrices(4))
@settings(max_examples=100)
def test_is_the_defined_one_among_all_extreme_optimal_mixes(rows: Exact) -> None:
    check_by_enumeration(rows)


@pytest.mark.parametrize("family", TIED_FAMILIES)
def test_is_the_defined_one_in_every_family(family: str) -> None:
    for game in games(family, 8, seed=11):
        check_by_enumeration([row[:5] for row in exact(game)[:4]])


def test_is_the_defined_one_where_the_optimal_mixes_have_many_corners() -> None:
    """Two opposite columns make the value 0 and the optimal mixes a plane, which the other columns cut at corners."""
    rng = np.random.default_rng(12)
    corners = []
    while len(corners) < 40:
        line = rng.integers(-2, 3, (5, 1))
        rows = exact((np.hstack([line, -line, rng.integers(-2, 4, (5, 4))]), 1))
        value, row_mix, _ = canonical_mixes_exact(rows)
        if value == 0 and max(row_mix) < 1:
            extreme = extreme_mixes(rows, value)
            assert row_mix == max(extreme)
            corners.append(len(extreme))
    assert sum(number > 3 for number in corners) >= 15


def test_is_the_defined_one_among_gambits_extreme_equilibria() -> None:
    several = 0
    for family in ("small integers", "zeros and ones", "repeated lines", "low rank"):
        for game in games(family, 12, seed=13):
            rows = [row[:5] for row in exact(game)[:5]]
            row_mixes, column_mixes = gambit_extreme_mixes(rows)
            several += len(row_mixes) > 1 or len(column_mixes) > 1
            _, row_mix, column_mix = canonical_mixes_exact(rows)
            assert row_mix == pick_canonical(row_mixes)
            assert column_mix == pick_canonical(column_mixes)
    assert several > 10


@pytest.mark.parametrize(
    ("rows", "row_mix", "column_mix"),
    [
        pytest.param([[0, 0], [0, 0]], (1, 0), (1, 0), id="all the same: the first picks"),
        pytest.param([[1, -1], [-1, 1], [0, 0]], (0, 0, 1), (HALF, HALF), id="an optimal pick goes before a mix"),
        pytest.param([[1, 3], [2, 2], [2, 2]], (0, 1, 0), (1, 0), id="the first of two optimal picks"),
        pytest.param([[0, 2], [2, 0], [0, 2]], (HALF, HALF, 0), (HALF, HALF), id="the first of two equal picks"),
        pytest.param(
            [[0, -1, 1], [1, 0, -1], [-1, 1, 0], [1, 0, -1]],
            (THIRD, THIRD, THIRD, 0),
            (THIRD, THIRD, THIRD),
            id="equal picks of which the later one is left out",
        ),
        pytest.param([[2, 0, 1], [0, 2, 1], [3, -1, 1]], (HALF, HALF, 0), (0, 0, 1), id="a pick for one seat only"),
    ],
)
def test_known_games(rows: list[list[int]], row_mix: Mix, column_mix: Mix) -> None:
    assert canonical_mixes_exact(rows)[1:] == (row_mix, column_mix)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_float_answer_is_the_exact_one_rounded(family: str) -> None:
    for matrix, divisor in games(family, 1 if family.startswith("large") else 40, seed=14):
        value, row_mix, column_mix = canonical_mixes(matrix / divisor)
        exact_value, exact_row_mix, exact_column_mix = canonical_mixes_exact(exact((matrix, divisor)))
        assert value == float(exact_value)
        assert row_mix.tolist() == [float(weight) for weight in exact_row_mix]
        assert column_mix.tolist() == [float(weight) for weight in exact_column_mix]
        assert row_mix.dtype == column_mix.dtype == np.float64
        assert abs(row_mix.sum() - 1.0) < 1e-14 and abs(column_mix.sum() - 1.0) < 1e-14


@pytest.mark.parametrize("family", FAMILIES)
def test_noise_of_a_search_changes_nothing_at_all(family: str) -> None:
    rng = np.random.default_rng(15)
    for matrix, divisor in games(family, 1 if family.startswith("large") else 25, seed=15):
        clean = canonical_mixes(matrix / divisor)
        noisy = canonical_mixes(matrix / divisor + rng.uniform(-1e-13, 1e-13, matrix.shape))
        assert clean[0] == noisy[0]
        assert np.array_equal(clean[1], noisy[1]) and np.array_equal(clean[2], noisy[2])


def test_values_of_earlier_mixes_are_recovered_from_their_floats() -> None:
    rng = np.random.default_rng(16)
    for _ in range(60):
        m, n = rng.integers(2, 7, 2)
        rows = [[Fraction(int(rng.integers(-900, 900)), int(rng.integers(1, 900))) for _ in range(n)] for _ in range(m)]
        noisy = np.array(rows, dtype=float) + rng.uniform(-1e-13, 1e-13, (m, n))
        assert snap(noisy) == rows
        assert canonical_mixes(noisy)[0] == float(canonical_mixes_exact(rows)[0])


def test_payoffs_without_a_small_denominator_lose_less_than_promised() -> None:
    rng = np.random.default_rng(17)
    for _ in range(60):
        matrix = rng.normal(0.0, 20.0, rng.integers(1, 8, 2))
        value, row_mix, column_mix = canonical_mixes(matrix)
        least, most = (row_mix @ matrix).min(), (matrix @ column_mix).max()
        assert value - 1e-9 < least <= most < value + 1e-9


def test_a_game_too_large_for_the_float_kernel_is_solved_without_it() -> None:
    matrix = np.zeros((100, 2))
    matrix[40], matrix[70], matrix[71] = (3.0, -1.0), (-2.0, 1.0), (-1.0, 0.0)
    value, row_mix, column_mix = canonical_mixes(matrix - 1.0)
    assert value == -6 / 7
    assert (row_mix[40], row_mix[70], column_mix[0]) == (3 / 7, 4 / 7, 2 / 7)


def test_the_greatest_first_probabilities_of_a_large_game_by_linear_programs() -> None:
    matrix, _ = next(games("large with ties", 1, seed=18))
    matrix = np.repeat(matrix[:, :20], 2, axis=0)[:40]  # each pick twice: many optimal mixes
    value, row_mix, _ = canonical_mixes(matrix.astype(float))
    fixed: list[tuple[float, float]] = [(0.0, 1.0)] * len(matrix)
    for pick in range(6):
        program = linprog(
            -np.eye(len(matrix))[pick],
            A_ub=-matrix.T,
            b_ub=np.full(matrix.shape[1], -value + 1e-9),
            A_eq=np.ones((1, len(matrix))),
            b_eq=[1.0],
            bounds=fixed,
            method="highs",
        )
        assert row_mix[pick] == pytest.approx(-program.fun, abs=1e-6)
        fixed[pick] = (row_mix[pick] - 1e-9, row_mix[pick] + 1e-9)


@given(tied_matrices(5))
@settings(max_examples=60)
def test_a_strictly_dominated_pick_changes_no_mix(rows: Exact) -> None:
    value, row_mix, column_mix = canonical_mixes_exact(rows)
    worse = [entry - 1 for entry in rows[0]]
    assert canonical_mixes_exact([worse, *rows]) == (value, (0, *row_mix), column_mix)


@given(tied_matrices(5))
@settings(max_examples=60)
def test_both_seats_follow_the_same_rule(rows: Exact) -> None:
    value, row_mix, column_mix = canonical_mixes_exact(rows)
    assert canonical_mixes_exact(transposed(rows)) == (-value, column_mix, row_mix)
    assert min(payoffs_of_columns(rows, row_mix)) == value


@pytest.mark.parametrize(
    ("payoff", "snapped"),
    [
        (3.0, Fraction(3)),
        (1 / 3 + 1e-13, THIRD),
        (12.5 - 1e-13, Fraction(25, 2)),
        (1 / 1024 + 1e-13, Fraction(1, 1024)),
        (17 / 29_989, Fraction(17, 29_989)),
        (2**0.5, Fraction(round(2**0.5 * GRID), GRID)),
        (1 / 3 + 1e-10, Fraction(round((1 / 3 + 1e-10) * GRID), GRID)),
    ],
)
def test_what_a_float_stands_for(payoff: float, snapped: Fraction) -> None:
    assert snap_payoff(payoff) == snapped


def test_a_float_stands_for_at_most_one_fraction() -> None:
    assert Fraction(1, LARGEST_DENOMINATOR**2) > 2 * CLOSE


def test_a_pick_optimal_within_the_grid_is_shown_as_optimal() -> None:
    short = 1e-10 / 2  # less than half a cell of the grid
    base = 2**0.5
    value, row_mix, _ = canonical_mixes(np.array([[base - short, base + 1.0], [base, base]]))
    assert row_mix.tolist() == [1.0, 0.0]
    assert base - short - 1e-9 < value < base + 1e-9


def test_payoffs_without_a_common_denominator_go_to_the_grid_together() -> None:
    primes = [p for p in range(20_000, 20_800) if all(p % d for d in range(2, 145))]
    rows = snap(np.array([[1 / p for p in primes]]))
    assert all(GRID % entry.denominator == 0 for entry in rows[0])
    assert len(primes) > 60


@pytest.mark.parametrize("matrix", [np.zeros((0, 2)), np.zeros(4), np.array([[np.inf, 0.0]])])
def test_refuses_what_is_no_game(matrix: np.ndarray) -> None:
    with pytest.raises(UsageError, match="finite payoffs"):
        canonical_mixes(matrix)
