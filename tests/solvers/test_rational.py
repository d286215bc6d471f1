"""The exact solver of matrix games, judged by what its mixes guarantee."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.endgame.rational import RationalSolution, Tableau, solve_rational, whole_matrix
from solvers.errors import UsageError
from tests.solvers.matrix_games import (
    FAMILIES,
    Exact,
    exact,
    extreme_mixes,
    gambit_extreme_mixes,
    games,
    payoffs_of_columns,
    transposed,
)

HALF = Fraction(1, 2)


def matrices(largest: int = 5) -> st.SearchStrategy[Exact]:
    """Games with many ties and some odd fractions."""
    entry = st.one_of(st.integers(-2, 2).map(Fraction), st.fractions(-3, 3, max_denominator=7))
    sizes = st.integers(1, largest)
    return st.tuples(sizes, sizes).flatmap(
        lambda size: st.lists(st.lists(entry, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
    )


def check(rows: Exact, solution: RationalSolution) -> None:
    """Both mixes are distributions and guarantee the value: together they prove it."""
    assert min(solution.row_mix) >= 0 and sum(solution.row_mix) == 1
    assert min(solution.column_mix) >= 0 and sum(solution.column_mix) == 1
    assert min(payoffs_of_columns(rows, solution.row_mix)) == solution.value
    assert min(payoffs_of_columns(transposed(rows), solution.column_mix)) == -solution.value


@pytest.mark.parametrize(
    ("rows", "value", "row_mix"),
    [
        pytest.param([[1, -1], [-1, 1]], 0, (HALF, HALF), id="matching pennies"),
        pytest.param([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, (Fraction(1, 3),) * 3, id="rock paper scissors"),
        pytest.param([[3, -1], [-2, 1]], Fraction(1, 7), (Fraction(3, 7), Fraction(4, 7)), id="unequal stakes"),
        pytest.param([[4, 1, 3], [2, 3, 4]], Fraction(5, 2), (Fraction(1, 4), Fraction(3, 4)), id="two rows"),
        pytest.param([[5]], 5, (1,), id="forced"),
        pytest.param([[2, 3], [1, 4]], 2, (1, 0), id="saddle"),
        pytest.param([[Fraction(1, 3)], [Fraction(1, 2)]], HALF, (0, 1), id="one column"),
    ],
)
def test_known_games(rows: Exact, value: Fraction, row_mix: tuple[Fraction, ...]) -> None:
    solution = solve_rational(rows)
    assert (solution.value, solution.row_mix) == (value, row_mix)


@given(matrices())
@settings(max_examples=200)
def test_mixes_guarantee_the_value(rows: Exact) -> None:
    check(rows, solve_rational(rows))


@pytest.mark.parametrize("family", [name for name in FAMILIES if not name.startswith("large")])
def test_every_family(family: str) -> None:
    for game in games(family, 25, seed=1):
        check(exact(game), solve_rational(exact(game)))


@given(matrices(4), st.data())
@settings(max_examples=100)
def test_any_guess_at_the_kernel_ends_in_the_same_value(rows: Exact, data: st.DataObject) -> None:
    whole, unit = whole_matrix(rows)
    size = data.draw(st.integers(0, min(len(whole), len(whole[0]))))
    guess = [data.draw(st.permutations(range(length)))[:size] for length in (len(whole), len(whole[0]))]
    solution = Tableau.solved(whole, *guess).solution(unit)
    check(rows, solution)
    assert solution.value == solve_rational(rows).value


def test_blands_rule_chooses_from_a_pivot_without_gain_to_the_next_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    entering = Tableau._entering
    steps: list[tuple[Fraction, bool]] = []

    def watch(tableau: Tableau, by_gain: bool) -> int | None:
        steps.append((Fraction(tableau.cells[-1][-1], tableau.denominator), by_gain))
        column = entering(tableau, by_gain)
        if column is not None and not by_gain:
            gaining = [label for label, cost in zip(tableau.nonbasic, tableau.cells[-1], strict=False) if cost < 0]
            assert tableau.nonbasic[column] == min(gaining)
        return column

    monkeypatch.setattr(Tableau, "_entering", watch)
    by_bland = 0
    for game in games("small integers", 100, seed=3):
        steps.clear()
        Tableau.solved(game[0].tolist())
        for (before, _), (after, by_gain) in pairwise(steps):
            assert by_gain == (after > before)
            by_bland += not by_gain
    assert by_bland > 20


@given(matrices(3))
@settings(max_examples=60)
def test_mixes_are_extreme_points_found_by_enumeration(rows: Exact) -> None:
    solution = solve_rational(rows)
    assert solution.row_mix in extreme_mixes(rows, solution.value)
    assert solution.column_mix in extreme_mixes(transposed(rows), -solution.value)


def test_gambit_finds_the_same_value() -> None:
    for game in games("repeated lines", 60, seed=2):
        rows = [row[:4] for row in exact(game)[:4]]
        row_mixes, column_mixes = gambit_extreme_mixes(rows)
        value = solve_rational(rows).value
        assert all(min(payoffs_of_columns(rows, mix)) == value for mix in row_mixes)
        assert all(min(payoffs_of_columns(transposed(rows), mix)) == -value for mix in column_mixes)


@pytest.mark.parametrize("rows", [[], [[]], [[1, 2], [3]]], ids=["no rows", "no columns", "ragged"])
def test_refuses_what_is_no_matrix(rows: Exact) -> None:
    with pytest.raises(UsageError, match="matrix game"):
        solve_rational(rows)
