"""Both two-seat engines against a slow, obvious reference, the solved positions, extensive-form games, and symmetry."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

from solvers.endgame.objective import utilities
from solvers.endgame.solution import Solution
from solvers.endgame.solve import ENGINES, solve
from solvers.game.position import Position
from solvers.game.rules import Rules
from tests.endgame_strategies import questions
from tests.gambit_games import tree_game, zero_sum_value
from tests.solvers.reference import guarantee

SOLVED = Path(__file__).parents[1] / "data" / "solved_positions.tsv"


def matrix_value(matrix: np.ndarray) -> float:
    """The value of a matrix game to the row player: its pure saddle point if there is one, else a linear program."""
    lowest, highest = matrix.min(axis=1).max(), matrix.max(axis=0).min()
    if lowest == highest:
        return float(lowest)
    return guarantee(matrix)


class Reference:
    """Backward induction over whole positions, remembered as they are, with scipy for the matrix games."""

    def __init__(self, objective: str, rules: Rules, pudding_value: float) -> None:
        self.objective, self.rules, self.pudding_value = objective, rules, pudding_value
        self.known: dict[Position, float] = {}

    def value(self, position: Position) -> float:
        """Seat 0's utility."""
        if not position.cards_left:
            return float(utilities(position, self.objective, self.rules, self.pudding_value)[0])
        if position not in self.known:
            self.known[position] = matrix_value(self.matrix(position))
        return self.known[position]

    def matrix(self, position: Position) -> np.ndarray:
        """Seat 0's utility after every pair of picks."""
        rows, columns = position.joint_picks(self.rules)
        return np.array([[self.value(position.play((r, c), self.rules)) for c in columns] for r in rows])


@settings(max_examples=300)
@given(question=questions())
def test_both_engines_equal_the_reference(question: dict[str, Any]) -> None:
    position, rules, objective = question["position"], question["rules"], question["objective"]
    reference = Reference(objective, rules, question["pudding_value"])
    matrix = reference.matrix(position)
    for engine in ENGINES:
        solution = solve(**question, engine=engine)
        assert solution.value == pytest.approx(matrix_value(matrix), abs=1e-7)
        check_picks(solution, matrix, 1.0 if objective == "win" else 0.0)


def check_picks(solution: Solution, matrix: np.ndarray, total: float) -> None:
    """Mixes, pick values and losses of both seats against the matrix of the turn."""
    picks = solution.position.joint_picks(solution.rules)
    rows = [{row.pick: row for row in solution.seat(seat).picks} for seat in range(2)]
    assert [set(found) for found in rows] == [set(legal) for legal in picks]
    mixes = [np.array([found[pick].probability for pick in legal]) for found, legal in zip(rows, picks, strict=True)]
    values = [np.array([found[pick].value for pick in legal]) for found, legal in zip(rows, picks, strict=True)]
    np.testing.assert_allclose(values[0], matrix @ mixes[1], atol=1e-7)
    np.testing.assert_allclose(values[1], total - mixes[0] @ matrix, atol=1e-7)
    for seat, (mix, value) in enumerate(zip(mixes, values, strict=True)):
        assert mix.min() >= 0
        assert mix.sum() == pytest.approx(1, abs=1e-9)
        assert value.max() <= solution.seat(seat).value + 1e-9
    assert solution.seat(0).value + solution.seat(1).value == pytest.approx(total, abs=1e-9)


@settings(max_examples=100)
@given(question=questions(min_cards=4, max_cards=6))
def test_the_engines_agree_on_larger_positions(question: dict[str, Any]) -> None:
    fast, plain = solve(**question), solve(**question, engine="plain")
    assert fast.value == pytest.approx(plain.value, abs=1e-9)
    for seat in range(2):
        for one, other in zip(fast.seat(seat).picks, plain.seat(seat).picks, strict=True):
            assert one.pick == other.pick
            assert one.probability == pytest.approx(other.probability, abs=1e-7)
            assert one.loss == pytest.approx(other.loss, abs=1e-7)
    assert fast.line == plain.line


def test_icons_laid_after_a_decided_maki_race() -> None:
    """The lead no longer counts, but whether the loser has any maki still does."""
    solution = solve(Position.parse("23PP/TS22 CC/SC"))
    losses = {"".join(card.letter for card in answer.pick): answer.loss for answer in solution.seat(0).picks}
    assert losses == {"P": 0, "2P": 0, "3P": 0, "PP": 0, "2": 3, "3": 3, "23": 3}


def solved_rows(against: str) -> list[tuple[float, str, str]]:
    """Value, objective and position of the rows that ask this question."""
    lines = (line.split("\t") for line in SOLVED.read_text("utf-8").splitlines() if not line.startswith("#"))
    found = ((float(value), *question.split(), text) for value, question, text in lines)
    return [(value, objective, text) for value, name, objective, text in found if name == against]  # type: ignore[misc]


EQUILIBRIA = solved_rows("eq")


def test_the_solved_positions_are_all_there() -> None:
    assert len(EQUILIBRIA) == 70


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("value", "objective", "text"), EQUILIBRIA, ids=[" ".join(row[1:]) for row in EQUILIBRIA])
def test_the_solved_positions(engine: str, value: float, objective: str, text: str) -> None:
    assert solve(Position.parse(text), objective, engine=engine).value == pytest.approx(value, abs=1e-6)


@settings(max_examples=25)
@given(question=questions(min_cards=2, max_cards=3))
def test_tiny_endgames_as_extensive_games(question: dict[str, Any]) -> None:
    """Gambit's sequence-form linear program knows nothing of positions or of stages."""
    worth = Fraction(str(question["pudding_value"]))
    game = tree_game(question["position"], question["objective"], question["rules"], worth)
    assume("p " in game and len(game) < 3500)  # without a choice there is no game; rational numbers take their time
    value = zero_sum_value(game)
    assume(value is not None)
    assert solve(**question).value == pytest.approx(value, abs=1e-8)


@settings(max_examples=100)
@given(question=questions())
def test_swapping_the_seats_swaps_the_answer(question: dict[str, Any]) -> None:
    """With two seats both directions pass to the other seat, so the swapped position is the same game."""
    total = 1 if question["objective"] == "win" else 0
    one = solve(**question)
    other = solve(**{**question, "position": question["position"].swap_seats((1, 0))})
    assert other.value == pytest.approx(total - one.value, abs=1e-9)
    for seat in range(2):
        assert other.seat(seat).value == pytest.approx(one.seat(1 - seat).value, abs=1e-9)


@settings(max_examples=60)
@given(question=questions())
def test_the_direction_of_passing_does_not_matter_to_two(question: dict[str, Any]) -> None:
    position = question["position"]
    turned = Position(
        position.hands,
        position.tables,
        position.puddings,
        position.scores,
        position.round,
        position.out,
        "left" if position.direction == "right" else "right",
    )
    assert solve(**{**question, "position": turned}).value == solve(**question).value
