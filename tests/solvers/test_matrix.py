"""The compiled matrix-game kernels against exact arithmetic, linear programs and the symmetries of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from solvers.endgame.matrix import game_value, make_workspace, solve_game, solve_matrix
from solvers.endgame.matrix_repair import add, invert, multiply, optimise_pairs
from solvers.endgame.matrix_simplex import guarantees, read_kernel
from solvers.endgame.matrix_work import DECIDED_BY, GAP, HOW, MAX_PICKS, REPORT, TOLERANCE, WORK_COLUMNS
from solvers.endgame.rational import solve_rational
from solvers.errors import UsageError
from tests.solvers.matrix_games import FAMILIES, exact, games, guaranteed
from tests.solvers.reference import guarantee

CLOSE = Fraction(1, 10**9)

WORK = make_workspace()


def floats(game: tuple[np.ndarray, int]) -> np.ndarray:
    return np.ascontiguousarray(game[0] / game[1])


def value_of(matrix: np.ndarray) -> float:
    return float(game_value(np.ascontiguousarray(matrix, dtype=float), *matrix.shape, WORK))


def decided_by() -> str:
    return DECIDED_BY[int(WORK[REPORT, HOW])]


def certify(game: tuple[np.ndarray, int]) -> str:
    """Solve a game and prove the answer to 1e-9 in whole numbers; returns how it was decided."""
    matrix = floats(game)
    m, n = matrix.shape
    x, y = np.empty(m), np.empty(n)
    value = solve_game(matrix, m, n, x, y, WORK)
    how = decided_by()
    assert min(x.min(), y.min()) >= 0.0
    assert abs(x.sum() - 1.0) < 1e-12 and abs(y.sum() - 1.0) < 1e-12
    lower, upper = guaranteed(game, x, y)
    assert lower - CLOSE <= Fraction(value) <= upper + CLOSE
    assert upper - lower <= CLOSE
    assert game_value(matrix, m, n, WORK) == value
    return how


@pytest.mark.parametrize("family", FAMILIES)
def test_values_and_mixes_are_proven_for_every_family(family: str) -> None:
    counts = Counter(certify(game) for game in games(family, FAMILIES[family][1]))
    assert counts.total() == FAMILIES[family][1]
    assert counts["repaired simplex"] <= counts.total() / 20


def test_the_families_make_a_hundred_thousand_games() -> None:
    assert sum(number for _, number in FAMILIES.values()) == 100_000


@pytest.mark.parametrize("family", [name for name in FAMILIES if not name.startswith("large")])
def test_agrees_with_the_rational_oracle(family: str) -> None:
    for game in games(family, 250, seed=3):
        assert abs(Fraction(value_of(floats(game))) - solve_rational(exact(game)).value) <= CLOSE


@pytest.mark.parametrize("family", ["points", "nearly additive", "large", "large with ties"])
def test_agrees_with_highs(family: str) -> None:
    for game in games(family, 12, seed=4):
        matrix = floats(game)
        assert value_of(matrix) == pytest.approx(guarantee(matrix), abs=1e-7)


@pytest.mark.parametrize(
    ("rows", "value", "how"),
    [
        pytest.param([[7]], 7, "forced", id="one pick each"),
        pytest.param([[3, 1, 2]], 1, "forced", id="one row"),
        pytest.param([[3], [1], [4]], 4, "forced", id="one column"),
        pytest.param([[2, 3], [1, 4]], 2, "saddle", id="saddle"),
        pytest.param([[1, -1], [-1, 1]], 0, "closed form", id="matching pennies"),
        pytest.param([[3, -1, 5], [-2, 1, 5], [-9, 0, 0]], 1 / 7, "closed form", id="two picks matter"),
        pytest.param([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, "simplex", id="rock paper scissors"),
    ],
)
def test_known_games_and_how_they_are_decided(rows: list[list[float]], value: float, how: str) -> None:
    solution = solve_matrix(np.array(rows))
    assert solution.value == pytest.approx(value, abs=1e-12)
    assert solution.decided_by == how


@pytest.mark.parametrize("noise", [1e-15, 1e-14, 1e-13])
def test_rounding_noise_on_ties_needs_no_repair(noise: float) -> None:
    rng = np.random.default_rng(5)
    for matrix, divisor in games("shares of thirds", 500, seed=5):
        clean, noisy = matrix / divisor, matrix / divisor + rng.normal(0.0, noise, matrix.shape)
        assert abs(value_of(noisy) - value_of(clean)) < 10 * noise + TOLERANCE
        assert decided_by() != "repaired simplex"


@pytest.mark.parametrize("difference", [1e-12, 1e-11, 1e-10, 1e-9, 1e-8])
def test_near_ties_that_defeat_a_float_simplex_are_repaired(difference: float) -> None:
    rng = np.random.default_rng(6)
    repaired = 0
    for matrix, _ in games("small integers", 2_000, seed=6):
        noisy = np.sign(matrix) + rng.normal(0.0, difference, matrix.shape)
        value = value_of(noisy)
        if decided_by() == "repaired simplex":
            repaired += 1
            assert WORK[REPORT, GAP] <= TOLERANCE
            if repaired <= 10:
                payoffs = [[Fraction(entry) for entry in row] for row in noisy.tolist()]
                assert abs(solve_rational(payoffs).value - Fraction(value)) <= Fraction(TOLERANCE)
    assert repaired > 10


def test_the_repairing_simplex_alone_solves_every_family() -> None:
    for family in FAMILIES:
        number = 5 if family.startswith("large") else 60
        for game in games(family, number, seed=7):
            matrix = floats(game)
            (m, n), low, high = matrix.shape, matrix.min(), matrix.max()
            if low < high:
                optimise_pairs(matrix, m, n, low, high, WORK)
                lower, upper = guarantees(matrix, m, n, read_kernel(m, n, WORK), WORK)
                assert upper - lower < 1e-12
                assert lower - 1e-12 <= value_of(matrix) <= upper + 1e-12


@pytest.mark.parametrize(("family", "pivots"), [("zeros and ones", 184), ("skew", 313), ("small integers", 266)])
def test_the_pivots_of_the_repairing_simplex_are_the_known_ones(family: str, pivots: int) -> None:
    """A signature of the pivoting rule: values would not show that the safeguard against cycles is gone."""
    matrices = [floats(game) for game in games(family, 60, seed=7)]
    played = [optimise_pairs(a, *a.shape, a.min(), a.max(), WORK) for a in matrices if a.min() < a.max()]
    assert sum(played) == pivots


pairs = st.tuples(
    st.floats(-1e3, 1e3).filter(lambda head: abs(head) > 1e-3), st.floats(-1.0, 1.0).map(lambda part: part * 2**-53)
).map(lambda pair: (pair[0], pair[0] * pair[1]))


@given(pairs, pairs)
def test_pairs_of_floats_carry_thirty_digits(a: tuple[float, float], b: tuple[float, float]) -> None:
    a_exact, b_exact = (sum(map(Fraction, pair)) for pair in (a, b))
    tiny = Fraction(1, 10**30)
    assert abs(sum(map(Fraction, add(*a, *b))) - (a_exact + b_exact)) <= tiny * (abs(a_exact) + abs(b_exact))
    assert abs(sum(map(Fraction, multiply(*a, *b))) - a_exact * b_exact) <= tiny * abs(a_exact * b_exact)
    assert abs(sum(map(Fraction, invert(*a))) - 1 / a_exact) <= tiny / abs(a_exact)


payoff_matrices = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.one_of(st.integers(-3, 3).map(float), st.floats(-60.0, 60.0)))
)


@given(payoff_matrices)
def test_the_column_player_sees_the_opposite_of_the_transpose(matrix: np.ndarray) -> None:
    assert value_of(-matrix.T) == pytest.approx(-value_of(matrix), abs=1e-9)


@given(payoff_matrices, st.floats(-100.0, 100.0), st.floats(0.01, 100.0))
def test_adding_and_scaling_carry_over_to_the_value(matrix: np.ndarray, shift: float, scale: float) -> None:
    assert value_of(matrix + shift) == pytest.approx(value_of(matrix) + shift, abs=1e-9)
    assert value_of(matrix * scale) == pytest.approx(value_of(matrix) * scale, abs=1e-9 * max(1.0, scale))


@given(payoff_matrices, st.randoms())
def test_the_order_of_picks_does_not_matter(matrix: np.ndarray, random: object) -> None:
    rng = np.random.default_rng(random.randrange(2**32))  # type: ignore[attr-defined]
    shuffled = matrix[rng.permutation(matrix.shape[0])][:, rng.permutation(matrix.shape[1])]
    assert value_of(shuffled) == pytest.approx(value_of(matrix), abs=1e-9)


@given(payoff_matrices, st.data())
def test_more_picks_never_hurt(matrix: np.ndarray, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, matrix.shape[0] - 1))
    extra = data.draw(arrays(np.float64, matrix.shape[1], elements=st.floats(-60.0, 60.0)))
    assert value_of(np.vstack([matrix, matrix[row]])) == pytest.approx(value_of(matrix), abs=1e-9)
    assert value_of(np.vstack([matrix, extra])) >= value_of(matrix) - 1e-9


@given(payoff_matrices)
def test_only_the_named_part_of_a_larger_array_is_read_and_written(matrix: np.ndarray) -> None:
    m, n = matrix.shape
    larger = np.full((m + 3, n + 2), np.nan)
    larger[:m, :n] = matrix
    x, y = np.full(m + 1, 9.0), np.full(n + 1, 9.0)
    value = solve_game(larger, m, n, x, y, WORK)
    assert value == value_of(matrix)
    assert (x[m], y[n]) == (9.0, 9.0)
    assert x[:m].sum() == pytest.approx(1.0) and y[:n].sum() == pytest.approx(1.0)


@given(payoff_matrices)
def test_an_answer_does_not_depend_on_what_the_workspace_held(matrix: np.ndarray) -> None:
    dirty = np.random.default_rng(8).normal(0.0, 1e3, WORK.shape)
    assert game_value(np.ascontiguousarray(matrix), *matrix.shape, dirty) == value_of(matrix)


def test_the_largest_game_fits_the_workspace() -> None:
    matrix = np.random.default_rng(9).integers(-9, 10, (MAX_PICKS, MAX_PICKS))
    assert certify((matrix, 1)) == "simplex"
    skew = matrix - matrix.T
    assert value_of(skew) == pytest.approx(0.0, abs=1e-10)
    assert WORK.shape[1] == WORK_COLUMNS


def test_a_saddle_point_within_the_tolerance_is_taken_and_a_wider_one_is_not() -> None:
    for gap, how in ((0.5 * TOLERANCE, "saddle"), (4.0 * TOLERANCE, "closed form")):
        assert solve_matrix(np.array([[gap, 0.0], [0.0, gap]])).decided_by == how


def test_the_kernel_of_a_solution_carries_its_mixes() -> None:
    for game in games("points", 300, seed=10):
        solution = solve_matrix(floats(game))
        assert len(solution.kernel_rows) == len(solution.kernel_columns) == len(set(solution.kernel_rows))
        assert set(np.flatnonzero(solution.row_mix)) <= set(solution.kernel_rows)
        assert set(np.flatnonzero(solution.column_mix)) <= set(solution.kernel_columns)
        assert solution.gap <= TOLERANCE + 1e-12


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.zeros((0, 3)), r"shape \(0, 3\).*1 to 96"),
        (np.zeros(3), r"shape \(3,\)"),
        (np.zeros((2, MAX_PICKS + 1)), r"shape \(2, 97\)"),
        (np.array([[1.0, np.nan]]), "finite"),
    ],
    ids=["empty", "one dimension", "too large", "not a number"],
)
def test_refuses_what_it_cannot_solve(matrix: np.ndarray, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        solve_matrix(matrix)


@pytest.mark.benchmark(group="matrix")
@pytest.mark.parametrize("solve", [game_value], ids=["value"])
@pytest.mark.parametrize("family", ["nearly additive", "points"])
def test_speed(benchmark: Callable[..., object], solve: Callable[..., float], family: str) -> None:
    stack = [floats(game) for game in games(family, 200, seed=11)]
    benchmark(lambda: [solve(matrix, *matrix.shape, WORK) for matrix in stack])
