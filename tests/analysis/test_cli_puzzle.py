"""``sushigo puzzle``: listed, shown without the answer, solved and judged."""

from __future__ import annotations

import pytest

from analysis.puzzles import THEMES, find_puzzle, list_puzzles
from solvers.game.cards import letters
from tests.analysis.cli_runner import sushigo

HIDDEN = {"solution", "value", "wrong", "loss", "explanation"}


def test_the_list_has_every_puzzle() -> None:
    rows = sushigo("puzzle", "list", "--json").json
    assert [row["name"] for row in rows] == [puzzle.name for puzzle in list_puzzles()]
    assert not any(HIDDEN & set(row) for row in rows)
    lines = sushigo("puzzle", "list").out.splitlines()
    assert [line.split()[:2] for line in lines[2 : 2 + len(rows)]] == [[str(r["number"]), r["name"][4:]] for r in rows]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("theme", THEMES)
def test_the_list_of_one_theme(theme: str) -> None:
    rows = sushigo("puzzle", "list", "--theme", theme, "--json").json
    assert [row["name"] for row in rows] == [puzzle.name for puzzle in list_puzzles() if theme in puzzle.themes]


def test_show_asks_without_answering() -> None:
    puzzle = find_puzzle(1)
    run = sushigo("puzzle", "show", "1")
    assert run.status == 0
    assert puzzle.question in run.out and str(puzzle.position) in run.out
    assert puzzle.explanation.split(",")[0] not in run.out
    answer = sushigo("puzzle", "show", puzzle.name, "--json").json
    assert not HIDDEN & set(answer)
    assert sushigo("puzzle", "show", "1", "--lang", "de").out != run.out


def test_solve_explains() -> None:
    puzzle = find_puzzle(1)
    run = sushigo("puzzle", "solve", "001")
    assert run.status == 0
    assert puzzle.explanation.split()[-1] in run.out
    assert "Likeliest line" in run.out
    answer = sushigo("puzzle", "solve", "1", "--json").json
    assert answer["value"] == float(puzzle.value) == pytest.approx(answer["answer"]["value"], abs=1e-9)
    assert "pick" not in answer


def test_a_pick_is_judged() -> None:
    puzzle = find_puzzle(1)
    right = sushigo("puzzle", "solve", "1", "--pick", letters(puzzle.best_pick))
    assert f"{letters(puzzle.best_pick)} is right: the best pick." in right.out
    wrong = sushigo("puzzle", "solve", "1", "--pick", letters(puzzle.wrong))
    assert f"{letters(puzzle.wrong)} is not best: it loses {float(puzzle.loss):g} points." in wrong.out
    judged = sushigo("puzzle", "solve", "1", "--pick", letters(puzzle.wrong), "--json").json
    assert judged["pick"] == letters(puzzle.wrong)
    assert judged["pick_loss"] == pytest.approx(float(puzzle.loss), abs=1e-9)


def test_one_pick_of_a_mix_is_right_as_well() -> None:
    puzzle = next(puzzle for puzzle in list_puzzles() if "mixed" in puzzle.themes)
    for pick in puzzle.solution:
        run = sushigo("puzzle", "solve", puzzle.name, "--pick", letters(pick))
        assert f"{letters(pick)} is right: one of the picks to mix." in run.out


@pytest.mark.parametrize(
    ("words", "kind", "message"),
    [
        (["solve", "999"], "puzzle", "no puzzle '999': the puzzles are 1 to"),
        (["solve", "1", "--pick", "SSS"], "notation", "'SSS' is not a pick"),
        (["solve", "1", "--pick", "Q"], "illegal-pick", "Q needs 1 Q: the hand"),
        (["show"], "usage", "Missing argument 'PUZZLE'"),
    ],
)
def test_bad_input(words: list[str], kind: str, message: str) -> None:
    run = sushigo("puzzle", *words, "--json")
    assert run.status == 2
    assert run.json["error"]["kind"] == kind and message in run.json["error"]["message"]
