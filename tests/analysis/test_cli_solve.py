"""``sushigo solve``: answers as tables and JSON lines, many positions, limits and interrupts."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from analysis.cli_common import COMPILING
from solvers.game.cards import letters
from solvers.game.picks import parse_pick, pick_sort_key
from solvers.game.position import Position
from solvers.game.rules import Rules
from tests.analysis.cli_runner import compare_with_golden, sushigo

EXAMPLE = "TP/SW W/D p=0/1 s=21/20"
TURN = "TQW/T3Q T3/CW p=1/0 s=20/22"
OTHER = "TP/TP T/- p=1/1 s=20/20"
FIRST_ROUND = "TQP/SDW W/D r=1"
KEYS = ["position", "rules", "objective", "against", "proven", "value", "seats", "line", "stats"]


def solved_positions() -> dict[tuple[str, str], list[tuple[float, str]]]:
    """The stored answers by ``(against, objective)``."""
    names = {"eq": "equilibrium", "uniform": "uniform"}
    groups: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    path = Path(__file__).parents[1] / "data" / "solved_positions.tsv"
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            value, mode, position = line.split("\t")
            against, objective = mode.split()
            if against in names:
                groups[names[against], objective].append((float(value), position))
    return groups


SOLVED = solved_positions()


@pytest.mark.parametrize(("against", "objective"), sorted(SOLVED), ids=lambda name: name)
def test_the_stored_answers(against: str, objective: str) -> None:
    rows = SOLVED[against, objective]
    lines = "".join(f"{position}\n" for _, position in rows)
    run = sushigo("solve", "-", "--json", "--against", against, "--objective", objective, stdin=lines)
    assert (run.status, run.err) == (0, "")
    assert [answer["value"] for answer in run.rows] == pytest.approx([value for value, _ in rows], abs=1e-6)
    for answer, (_, position) in zip(run.rows, rows, strict=True):
        check_answer(answer, Position.parse(position), objective, against)


def check_answer(answer: dict[str, Any], position: Position, objective: str, against: str) -> None:
    """Everything the contract says about the JSON of an answer."""
    assert list(answer)[: len(KEYS)] == KEYS
    assert answer["position"] == str(position)
    assert answer["rules"] == Rules().as_dict()
    assert (answer["objective"], answer["against"], answer["proven"]) == (objective, against, True)
    assert answer["value"] == answer["seats"][0]["value"]
    assert isinstance(answer["stats"]["states"], int)  # none are stored where closed forms settle the position
    assert answer["stats"]["seconds"] >= 0
    for seat in answer["seats"]:
        picks = [parse_pick(row["pick"]) for row in seat["picks"]]
        assert sorted(picks, key=pick_sort_key) == list(position.picks(seat["seat"]))
        assert sum(row["probability"] for row in seat["picks"]) == pytest.approx(1, abs=1e-9)
        for row in seat["picks"]:
            assert list(row) == ["pick", "probability", "value", "loss"]
            assert row["loss"] == pytest.approx(seat["value"] - row["value"], abs=1e-9)
            assert row["loss"] >= -1e-9
            assert row["probability"] <= 1e-9 or row["loss"] <= 1e-9, "only best picks are played"
        for (first, pick), (second, later) in pairwise(zip(seat["picks"], picks, strict=True)):
            tied = round(first["loss"], 9) == round(second["loss"], 9)
            assert first["loss"] <= second["loss"] + 1e-9
            assert not tied or pick_sort_key(pick) < pick_sort_key(later)
    for turn in answer["line"]:
        position = position.play([parse_pick(pick) for pick in turn])
    assert position.cards_left == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("solve.txt", [EXAMPLE]),
        ("solve-mixed-matrix.txt", [TURN, "--matrix"]),
        ("solve-win.txt", ["2Q/QC LQT2SDLT/EPTE2L2S p=1/0 s=21/25", "--objective", "win"]),
        ("solve-round-1-it.txt", [FIRST_ROUND, "--lang", "it", "--pudding-value", "2"]),
        ("solve-rules.txt", [EXAMPLE, "--rules", "sheet-001", "--option", "maki_tie=full"]),
        ("solve-exact.txt", [TURN, "--exact"]),
        ("solve-uniform.txt", [EXAMPLE, "--against", "uniform", "--seat", "1"]),
        ("solve-plain.txt", [EXAMPLE, "--engine", "plain"]),
        ("solve-many.txt", [EXAMPLE, OTHER]),
        ("solve.json", [EXAMPLE, "--json"]),
        ("solve-matrix.json", [EXAMPLE, "--json", "--matrix"]),
        ("solve-exact.json", [EXAMPLE, "--json", "--exact"]),
        ("solve-round-1.json", [FIRST_ROUND, "--json"]),
    ],
)  # fmt: skip
def test_golden_output(name: str, words: list[str]) -> None:
    run = sushigo("solve", *words)
    assert (run.status, run.err) == (0, "")
    compare_with_golden(name, run.out)


@pytest.mark.parametrize("more", [[], ["--exact"], ["--against", "uniform"], ["--engine", "plain"]], ids=" ".join)
def test_verify_finds_nothing_to_gain(more: list[str]) -> None:
    run = sushigo("solve", TURN, "--json", "--verify", *more)
    check = run.json["verification"]
    assert check["ok"] is True
    assert check["exploitability"] <= 1e-9
    assert check["value_error"] <= 1e-9


def test_verify_in_words() -> None:
    run = sushigo("solve", EXAMPLE, "--verify")
    assert "Verified by best responses: the answer holds; exploitability " in run.out


def test_exact_gives_the_value_as_a_fraction() -> None:
    answer = sushigo("solve", TURN, "--exact", "--json").json
    fast = sushigo("solve", TURN, "--json").json
    assert answer["exact"] == "3/5"
    numerator, denominator = answer["exact"].split("/")
    assert int(numerator) / int(denominator) == answer["value"] == pytest.approx(fast["value"], abs=1e-12)


def test_the_matrix_is_the_game_of_the_turn() -> None:
    answer = sushigo("solve", EXAMPLE, "--json", "--matrix").json
    game = answer["matrix"]
    rows = {row["pick"]: row for row in answer["seats"][0]["picks"]}
    assert game["rows"] == [letters(pick) for pick in Position.parse(EXAMPLE).picks(0)]
    for pick, values in zip(game["rows"], game["values"], strict=True):
        against_mix = sum(value * chance for value, chance in zip(values, game["column_mix"], strict=True))
        assert against_mix == pytest.approx(rows[pick]["value"], abs=1e-12)


def test_matrix_is_for_the_two_seat_equilibrium() -> None:
    run = sushigo("solve", EXAMPLE, "--matrix", "--against", "uniform")
    assert run.status == 2 and "--matrix shows the turn of a two-seat equilibrium" in run.err


def test_the_seats_view() -> None:
    both = sushigo("solve", EXAMPLE, "--json").json
    assert [seat["seat"] for seat in both["seats"]] == [0, 1]
    one = sushigo("solve", EXAMPLE, "--json", "--against", "uniform", "--seat", "1").json
    assert [seat["seat"] for seat in one["seats"]] == [1]
    assert one["value"] == one["seats"][0]["value"]


def test_a_pudding_value_is_part_of_the_answer() -> None:
    worth = {value: sushigo("solve", FIRST_ROUND, "--json", "--pudding-value", value).json for value in ("0", "6")}
    assert [answer["pudding_value"] for answer in worth.values()] == [0, 6]
    assert worth["0"]["value"] != worth["6"]["value"]
    assert "pudding_value" not in sushigo("solve", EXAMPLE, "--json").json


def test_a_list_of_positions(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"# late positions\n{EXAMPLE}\n\nTX/SS -/-\n  {OTHER}   # a pudding each\nT/SS -/-\n")
    run = sushigo("solve", "--file", str(path), "--json")
    assert run.status == 2
    assert [row.get("position") for row in run.rows] == [EXAMPLE, None, OTHER, None]
    assert [row["error"]["line"] for row in run.rows if "error" in row] == [4, 6]
    assert run.err.splitlines() == [f"error: {row['error']['message']}" for row in run.rows if "error" in row]
    assert run.err.startswith(f"error: line 4 of {path}: hands, seat 0: 'X' is not a card")
    tables = sushigo("solve", "--file", str(path))
    assert (tables.status, tables.err) == (2, run.err)
    assert tables.out.count("Likeliest line") == 2


def test_several_positions_and_standard_input() -> None:
    run = sushigo("solve", EXAMPLE, "-", OTHER, "--json", stdin=f"{FIRST_ROUND}\nT/T/T\n")
    assert run.status == 2
    assert [row.get("position") for row in run.rows] == [EXAMPLE, FIRST_ROUND, None, OTHER]
    assert "line 2 of standard input: position 'T/T/T'" in run.err


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "binary"
    path.write_bytes(b"\xff\xfe\x00")
    run = sushigo("solve", "--file", str(path))
    assert run.status == 2 and "is not text in UTF-8" in run.err


BIG = "T1223LLQPP/TSSSDDDELP -/- r=1"


@pytest.mark.parametrize("limit", [["--max-states", "10"], ["--timeout", "0.000001"], ["--memory", "1K"]], ids=" ".join)
@pytest.mark.parametrize("engine", ["fast", "plain"])
def test_a_limit_is_status_3(limit: list[str], engine: str) -> None:
    run = sushigo("solve", BIG, "--json", "--engine", engine, *limit)
    assert run.status == 3
    assert run.json["error"]["kind"] == "limit"
    assert run.err == f"error: {run.json['error']['message']}\n"


def test_a_limit_tells_what_was_proven() -> None:
    run = sushigo("solve", BIG, "--json", "--max-states", "3000")
    assert run.status == 3
    low, high = run.json["error"]["bounds"]
    assert low is None or low <= 0.5
    assert high is None or high >= 0.5
    assert "proven so far for seat 0: the value is " in run.json["error"]["message"]


def test_jobs_give_the_same_answers_in_the_same_order() -> None:
    texts = [EXAMPLE, "TX/SS -/-", "QW/3P 1T/DP s=29/30", BIG, "TQW/T3Q T3/CW p=1/0 s=20/22"]
    runs = [sushigo("solve", *texts, "--json", "--max-states", "100", "--jobs", jobs) for jobs in ("1", "2")]
    assert [run.status for run in runs] == [2, 2]
    alone, together = (run.rows for run in runs)
    for row in alone + together:
        row.get("stats", {}).pop("seconds", None)
        row.get("error", {}).pop("stats", None)
    assert alone == together and len(alone) == len(texts)


@pytest.mark.parametrize("words", [("--jobs", "0"), ("--jobs", "-2"), ("--jobs", "2", "--compare")], ids=" ".join)
def test_jobs_that_cannot_be(words: tuple[str, ...]) -> None:
    run = sushigo("solve", EXAMPLE, *words)
    assert run.status == 2 and run.err.startswith("error: --jobs") and run.err.count("\n") == 1


def test_a_limit_in_a_list_does_not_stop_the_rest() -> None:
    run = sushigo("solve", BIG, EXAMPLE, "--json", "--max-states", "100")
    assert run.status == 3
    assert "position 1: " in run.rows[0]["error"]["message"]
    assert run.rows[1]["position"] == EXAMPLE
    assert sushigo("solve", BIG, "TX/SS -/-", "--json", "--max-states", "100").status == 2


def test_an_interrupt_leaves_what_was_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    from solvers.endgame import solve as module

    answers = iter([module.solve(Position.parse(EXAMPLE))])

    def one_then_interrupted(*_: Any, **__: Any) -> Any:
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(module, "solve", one_then_interrupted)
    run = sushigo("solve", EXAMPLE, OTHER, "--json")
    assert run.status == 130
    assert run.rows[0]["position"] == EXAMPLE
    assert run.rows[1]["error"]["kind"] == "interrupted"


def test_the_dummy_variant() -> None:
    run = sushigo("solve", "TS/WQ W/Q/1 c=1 y=LD", "--json", "--option", "two_player_variant=dummy")
    assert run.status == 0
    controller = run.json["seats"][1]
    assert controller["picks"] == [] and [draw["draw"] for draw in controller["draws"]] == ["L"]
    assert "for the dummy" in sushigo("solve", "TS/WQ W/Q/1 c=1 y=LD").out


def test_ctrl_c_in_a_long_solve() -> None:
    """A real process, stopped after its first answer: status 130, one line, and the answer was printed before."""
    process = subprocess.Popen(
        [sys.executable, "-m", "analysis.cli", "solve", "-", "--json", "--engine", "plain"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(f"{EXAMPLE}\n{BIG}\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["position"] == EXAMPLE
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert json.loads(out)["error"]["kind"] == "interrupted"
    assert err.replace(f"{COMPILING}\n", "") == "error: stopped by the user before the work was done\n"
