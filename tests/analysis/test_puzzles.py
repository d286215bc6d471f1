"""The shipped puzzles solved again, the reading of puzzle files, and the search that found them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from analysis import puzzle_search, puzzle_text
from analysis.puzzle_search import CLEAR, committed_loss, has_one_optimal_mix, late_position
from analysis.puzzle_themes import expected_points
from analysis.puzzles import (
    THEMES,
    Puzzle,
    PuzzleError,
    check_puzzle,
    find_puzzle,
    list_puzzles,
    load_puzzle,
    puzzle_paths,
    solve_puzzle,
)
from solvers.endgame.greedy import greedy_pick
from solvers.endgame.solve import solve
from solvers.game.cards import HAND_SIZES, letters
from solvers.game.position import Position
from solvers.game.rules import Rules
from tests.endgame_strategies import questions

NAMES = [path.stem for path in puzzle_paths()]
GOOD = """
position = "EQ/PT W/S s=10/12"
question = "Which pick gives seat 0 the best margin?"
themes = ["wasabi timing"]
difficulty = 1
solution = "Q"
value = 0
wrong = "E"
loss = 8
explanation = "Nine points are more than three."
"""


def test_there_are_enough_of_every_theme() -> None:
    assert len(NAMES) >= 20
    counts = Counter(theme for puzzle in list_puzzles() for theme in puzzle.themes)
    assert all(counts[theme] >= 2 for theme in THEMES), counts


def test_numbers_run_from_the_easiest() -> None:
    puzzles = list_puzzles()
    assert [puzzle.number for puzzle in puzzles] == list(range(1, len(puzzles) + 1))
    levels = [puzzle.difficulty for puzzle in puzzles]
    assert levels == sorted(levels)
    assert len(set(levels)) >= 4
    assert len({puzzle.name[4:] for puzzle in puzzles}) == len(puzzles)
    assert len({puzzle.position for puzzle in puzzles}) == len(puzzles)


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_solved_again(name: str) -> None:
    check_puzzle(find_puzzle(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_is_clear_and_the_greedy_pick_wrong(name: str) -> None:
    """Nothing comes near the answer, and what the file says follows from the position alone."""
    puzzle = find_puzzle(name)
    found = puzzle_search.examine(puzzle.position, puzzle.objective, puzzle.rules)
    assert found is not None
    assert found.themes == puzzle.themes
    assert found.mix == pytest.approx({pick: float(chance) for pick, chance in puzzle.solution.items()}, abs=1e-9)
    assert found.wrong == puzzle.wrong == greedy_pick(puzzle.position, 0, puzzle.rules)
    if len(puzzle.solution) == 1:
        losses = [row.loss for row in found.solution.seat(0).picks if row.pick not in puzzle.solution]
        assert min(losses) >= CLEAR[puzzle.objective]


@pytest.mark.parametrize("name", [name for name in NAMES if find_puzzle(name).position.cards_left <= 4])
def test_a_puzzle_written_again_is_the_same_file(name: str) -> None:
    """Every figure, difficulty and explanation included, comes out of the search code as it is on file."""
    puzzle = find_puzzle(name)
    candidate = puzzle_search.examine(puzzle.position, puzzle.objective, puzzle.rules)
    assert candidate is not None
    again = puzzle_search.write_down(candidate)
    assert again is not None
    path = next(path for path in puzzle_paths() if path.stem == name)
    assert puzzle_text.to_toml(again) == path.read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_could_have_come_up_in_play(name: str) -> None:
    position = find_puzzle(name).position
    position.check_deck()
    for hand, table in zip(position.hands, position.tables, strict=True):
        assert len(hand) + len(table) == HAND_SIZES[2]
        assert len(set(hand)) >= 3
    assert 3 <= position.cards_left <= 6
    path = next(path for path in puzzle_paths() if path.stem == name)
    assert f'position = "{position}"' in path.read_text("utf-8")


def test_a_difference_from_the_solve_is_named() -> None:
    puzzle = list_puzzles()[0]
    solution = solve_puzzle(puzzle)
    with pytest.raises(PuzzleError, match="value is stated as 99 and solved as"):
        check_puzzle(replace(puzzle, value=Fraction(99)), solution)
    with pytest.raises(PuzzleError, match="loss is stated as 1/3"):
        check_puzzle(replace(puzzle, loss=Fraction(1, 3)), solution)
    with pytest.raises(PuzzleError, match="the chance of .* is stated as"):
        check_puzzle(replace(puzzle, solution={puzzle.wrong: Fraction(1)}), solution)


def test_finding_a_puzzle() -> None:
    puzzle = list_puzzles()[2]
    for name in (3, "3", "003", puzzle.name, puzzle.name[4:], f"{puzzle.name}.toml"):
        assert find_puzzle(name) == puzzle
    for name in ("0", "999", "no-such-puzzle", ""):
        with pytest.raises(PuzzleError, match="no puzzle"):
            find_puzzle(name)


def test_the_json_form_is_plain() -> None:
    for puzzle in list_puzzles():
        answer = json.loads(json.dumps(puzzle.as_dict()))
        assert sum(answer["solution"].values()) == pytest.approx(1)
        assert answer["number"] == puzzle.number


def write(folder: Path, text: str, name: str = "001-test.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_file_is_read(tmp_path: Path) -> None:
    puzzle = load_puzzle(write(tmp_path, GOOD))
    assert (puzzle.objective, puzzle.against, puzzle.rules) == ("margin", "equilibrium", Rules())
    assert str(puzzle.position) == "EQ/TP W/S s=10/12"
    assert puzzle.solution == {puzzle.best_pick: 1}
    check_puzzle(puzzle)


def test_options_a_file_may_state(tmp_path: Path) -> None:
    text = GOOD.replace('"wasabi timing"', '"mixed"').replace('solution = "Q"', 'solution = { Q = "1/3", E = "2/3" }')
    text += 'against = "greedy"\ncommitted_loss = 0.125\nrules = { maki_second_place = false }\npudding_value = "1/3"\n'
    puzzle = load_puzzle(write(tmp_path, text))
    assert sorted(puzzle.solution.values()) == [Fraction(1, 3), Fraction(2, 3)]
    assert puzzle.committed_loss == Fraction(1, 8)
    assert puzzle.pudding_value == Fraction(1, 3)
    assert (puzzle.against, puzzle.rules.maki_second_place) == ("greedy", False)
    assert load_puzzle(write(tmp_path, GOOD + 'rules = "sheet-001"\n')).rules == Rules.preset("sheet-001")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("difficulty = 1\n", "", "difficulty is missing"),
        ("difficulty = 1", "difficulty = 6", "whole number from 1 to 5"),
        ("difficulty = 1", "difficulty = true", "whole number from 1 to 5"),
        ("difficulty = 1", "difficulty = 1\ndificulty = 1", "unknown entry 'dificulty'"),
        ('["wasabi timing"]', '["wasabi"]', "unknown theme 'wasabi'"),
        ('["wasabi timing"]', "[]", "at least one theme"),
        ('["wasabi timing"]', '["mixed"]', "theme mixed"),
        ('solution = "Q"', 'solution = "T"', "no T"),
        ('solution = "Q"', 'solution = "Z"', "'Z' is not a card"),
        ('solution = "Q"', "solution = 3", "must be a pick, or a table"),
        ('solution = "Q"', 'solution = { Q = 0.5, E = "1/3" }', "sum to 1"),
        ('solution = "Q"', "solution = { Q = 2, E = -1 }", "sum to 1"),
        ('solution = "Q"', 'solution = { Q = "a half" }', "solution.Q = 'a half'"),
        ("value = 0", 'value = "1/0"', "value = '1/0'"),
        ("value = 0", "value = true", "number or a fraction"),
        ('wrong = "E"', 'wrong = "EQ"', "chopsticks"),
        ('wrong = "E"', "wrong = 7", "must be a text"),
        ("EQ/PT", "EQ/P", "differ in size"),
        ("s=10/12", "s=10/x", "whole number"),
        ("loss = 8", "loss = ", "not TOML"),
        ('question = "Which pick gives seat 0 the best margin?"', 'question = " "', "must be a text that is not empty"),
        ("loss = 8", 'loss = 8\nrules = { maki = "no" }', "unknown rules option 'maki'"),
        ("loss = 8", "loss = 8\nrules = 3", "table of options or the name of a preset"),
        ("loss = 8", 'loss = 8\nrules = "sheet-9"', "no rules preset"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(PuzzleError, match=message) as caught:
        load_puzzle(write(tmp_path, GOOD.replace(old, new)))
    assert str(caught.value).startswith("puzzle 001-test.toml: ")
    assert "\n" not in str(caught.value)


def test_a_file_with_a_bad_name_or_none_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="must look like"):
        load_puzzle(write(tmp_path, GOOD, "test.toml"))
    with pytest.raises(PuzzleError, match="cannot be read"):
        load_puzzle(tmp_path / "002-missing.toml")


@settings(max_examples=60)
@given(questions(min_cards=2, max_cards=3))
def test_points_by_source_sum_to_the_value_of_the_pick(question: dict[str, Any]) -> None:
    question["objective"] = "margin"
    solution = solve(**question)
    lead = solution.position.scores[0] - solution.position.scores[1]
    for row in solution.seat(0).picks:
        own, rival = expected_points(solution, row.pick)
        assert lead + sum(own) - sum(rival) == pytest.approx(row.value, abs=1e-9)


def test_a_mix_is_the_only_one_or_not() -> None:
    pennies = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert has_one_optimal_mix(pennies, 0.0)
    assert not has_one_optimal_mix(np.vstack([pennies, pennies[:1]]), 0.0)
    assert committed_loss(pennies, 0.0) == 1.0
    assert committed_loss(np.array([[3.0, 0.0], [1.0, 2.0]]), 1.5) == 0.5


def test_a_history_is_a_game_from_one_deck() -> None:
    for round_number in (1, 2, 3):
        position = late_position(Random(round_number), 4, round_number, Rules())
        position.check_deck()
        assert (position.cards_left, position.round) == (4, round_number)
        assert [len(table) for table in position.tables] == [6, 6]
        assert any(position.scores) == (round_number > 1)


def test_the_search_is_reproducible_and_its_deals_independent() -> None:
    def found(deals: int) -> list[tuple[str, str]]:
        return [(str(c.position), c.solution.objective) for c in puzzle_search.candidates(5, deals)]

    once = found(24)
    assert once
    assert once == found(24)
    assert found(12) == once[: len(found(12))]


def test_numbers_in_words() -> None:
    assert [puzzle_text.number(value) for value in (Fraction(16, 3), 2, -0.001, Fraction(1, 2))] == [
        "5.33",
        "2",
        "0",
        "0.5",
    ]
    assert puzzle_text.number(4, sign=True) == "+4"
    assert puzzle_text.number(100) == "100"
    assert [puzzle_text.standing(value) for value in (3, -1.5, 0)] == ["3 ahead", "1.5 behind", "level"]
    assert [puzzle_text.share(Fraction(value)) for value in ("0", "1/2", "1", "1/3")] == [
        "none of the win",
        "half of the win",
        "the whole win",
        "33.33% of the win",
    ]


def test_picks_in_words() -> None:
    position = Position.parse("PPELW/TTTTT WC/-")
    names = {letters(pick): name for pick, name in puzzle_text.pick_names(position.picks(0)).items()}
    assert names["P"] == "pudding"
    assert names["PP"] == "twice pudding"
    assert names["LE"] == "salmon nigiri, then egg nigiri"
    assert names["LP"] == "salmon nigiri and pudding"


def test_a_written_puzzle_reads_back(tmp_path: Path) -> None:
    for puzzle in list_puzzles():
        again: Puzzle = load_puzzle(write(tmp_path, puzzle_text.to_toml(puzzle), f"{puzzle.name}.toml"))
        assert again == puzzle
