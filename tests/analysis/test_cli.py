"""``sushigo`` itself: statuses, one-line errors, ``score`` and ``show``."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.show import draw_position
from solvers.game.drawing import position_svg
from solvers.game.position import Position
from tests.analysis.cli_runner import compare_with_golden, sushigo
from tests.strategies import positions

SCORED = "TP/SW W/D p=0/1 s=21/20"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("score.txt", ["score", "-/- 23EWQTTSSP/SSS1WLDDP2 p=0/2 s=27/35"]),
        ("score-round-1.txt", ["score", "T/S/D WQ/TT/1 r=1"]),
        ("score-dummy.txt", ["score", "TS/WQ W/Q/1 c=1 p=0/1/1 s=3/4/5", "--option", "two_player_variant=dummy"]),
        ("score.json", ["score", "-/- 23EWQTTSSP/SSS1WLDDP2 p=0/2 s=27/35", "--json"]),
        ("score-round-1.json", ["score", "T/S/D WQ/TT/1 r=1", "--json"]),
        ("show-2.txt", ["show", "2QWTDE/QCTSS1 LQT2SDLTW/EPTE2L2SC p=1/0 s=21/25"]),
        ("show-3-right.txt", ["show", "TSDWQ/CC1PE/WTTLL WEC/WQLWS/C23 r=2 d=R p=1/0/2 s=12/13/14"]),
        ("show-5.txt", ["show", "TS/QC/PP/ED/WW W/C/1/-/Q r=1"]),
        ("show-full-hand-de.txt", ["show", "TSD12ELQPW/TSD123ELQW -/- r=1", "--lang", "de"]),
        ("show-over.txt", ["show", "-/- WQLWEE22/TTSSP1WW"]),
        ("show-unseen.txt", ["show", "????/TSSD W/Q r=1"]),
        ("show-dummy.txt", ["show", "TS/WQ W/Q/1 c=1 y=L? p=0/1/1", "--option", "two_player_variant=dummy"]),
        ("show.json", ["show", "TP/SW WQ/D p=0/1 s=21/20 d=R", "--json"]),
    ],
)  # fmt: skip
def test_golden_output(name: str, words: list[str]) -> None:
    run = sushigo(*words)
    assert (run.status, run.err) == (0, "")
    compare_with_golden(name, run.out)


def test_the_score_of_the_contract() -> None:
    run = sushigo("score", "-/- WQTT/22PPPP p=1/0 s=21/20", "--json")
    assert run.json == {
        "round": [14, 6],
        "breakdown": [
            {"maki": 0, "tempura": 5, "sashimi": 0, "dumpling": 0, "nigiri": 9},
            {"maki": 6, "tempura": 0, "sashimi": 0, "dumpling": 0, "nigiri": 0},
        ],
        "pudding": [0, 6],
        "total": [35, 32],
        "winners": [0],
    }


def test_before_the_last_round_puddings_and_winners_are_null() -> None:
    answer = sushigo("score", "T/S PP/- r=2", "--json").json
    assert answer["pudding"] is None and answer["winners"] is None
    assert answer["total"] == [0, 0]


def test_rules_options_reach_the_score() -> None:
    tables = "-/-/- 3/21/1"
    assert sushigo("score", tables, "--json").json["round"] == [3, 3, 0]
    assert sushigo("score", tables, "--json", "--option", "maki_tie=full").json["round"] == [6, 6, 3]
    assert sushigo("score", "-/- 3/2", "--json", "--rules", "sheet-001").json["round"] == [6, 0]
    assert sushigo("score", "-/- 3/2", "--json", "--option", "maki_second_place=false").json["round"] == [6, 0]


def test_a_rules_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('[options]\nmaki_tie = "full"\n')
    assert sushigo("score", "-/-/- 3/21/1", "--json", "--rules", str(path)).json["round"] == [6, 6, 3]


def test_show_writes_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "position.svg"
    run = sushigo("show", SCORED, "--svg", str(path), "--theme", "dark", "--lang", "fr")
    assert (run.status, run.out, run.err) == (0, "", "")
    assert path.read_text("utf-8") == position_svg(Position.parse(SCORED), "dark", "fr")


def test_a_position_without_quotes() -> None:
    assert sushigo("score", "-/-", "WQ/TT", "s=1/2", "--json").json["total"] == [10, 7]


BAD = [
    (["slove"], "usage", "No such command 'slove'"),
    (["--jsn"], "usage", "No such option"),
    (["score"], "usage", "Missing argument 'POSITION"),
    (["puzzle"], "usage", "Missing command"),
    (["score", ""], "notation", "position '': write hands and tables"),
    (["show", "TX/SS -/-"], "notation", "hands, seat 0: 'X' is not a card; the letters are"),
    (["show", "TT/S -/-"], "notation", "hands TT/S differ in size"),
    (["show", "T/maki -/-"], "notation", "hands, seat 1: 'maki' has no icon count: write maki1, maki2 or maki3"),
    (["score", "CCCCC/TTTTT -/-"], "notation", "5 C in the position: the deck has only 4"),
    (["score", "T/S -/- r=4"], "notation", "r=4: the round is 1, 2 or 3"),
    (["score", "T/S -/-", "Q/W -/-"], "usage", "2 positions: this command takes one"),
    (["score", "T/S -/-", "--rules", "house"], "rules", "no rules preset 'house'; the presets are official"),
    (["score", "T/S -/-", "--rules", "none.toml"], "rules", "cannot read rules file none.toml"),
    (["score", "T/S -/-", "--option", "maki"], "usage", "--option 'maki': write name=value"),
    (["score", "T/S -/-", "--option", "maki=1"], "rules", "unknown rules option 'maki'; the options are"),
    (["score", "T/S -/-", "--option", "wasabi_cards=7"], "rules", "rules option wasabi_cards = 7: it can be 6, 5"),
    (["score", "T/S -/-", "--nosuch"], "usage", "No such option: --nosuch"),
    (["show", "T/S -/-", "--lang", "jp"], "notation", "no card names in 'jp': the languages are en, pt"),
    (["show", "T/S -/-", "--svg", "no/such/folder.svg"], "usage", "cannot write no/such/folder.svg: No such file"),
    (["show", "T/S -/-", "--svg", "x.svg", "--theme", "pink"], "usage", "unknown theme 'pink': it is light, dark"),
    (["puzzle", "show", "no-such"], "puzzle", "no puzzle 'no-such'"),
    (["puzzle", "list", "--theme", "luck"], "usage", "no theme 'luck': the themes are chopsticks"),
    (["solve"], "usage", "no position: write one in quotes"),
    (["solve", "-/- T/S"], "usage", "the hands are empty, so there is nothing to pick"),
    (["solve", "T/S -/-", "--seat", "2"], "usage", "seat 2: the position has seats 0 to 1"),
    (["solve", "T/S -/-", "--seat", "one"], "usage", "Invalid value for '--seat'"),
    (["solve", "T/S -/-", "--objective", "fun"], "usage", "unknown objective 'fun': it is margin, win, points"),
    (["solve", "T/S -/-", "--objective", "points"], "usage", "points is not zero-sum between two seats"),
    (["solve", "T/S -/-", "--against", "me"], "usage", "unknown opponents 'me': --against is equilibrium"),
    (["solve", "T/S -/-", "--engine", "warp"], "usage", "unknown engine 'warp': it is fast or plain"),
    (["solve", "T?/SS -/-"], "usage", "the hands hold unseen cards (?)"),
    (["solve", "T/S -/-", "--timeout", "0"], "usage", "--timeout 0.0: write seconds above 0"),
    (["solve", "T/S -/-", "--timeout", "nan"], "usage", "--timeout nan: write seconds above 0"),
    (["solve", "T/S -/-", "--memory", "lots"], "usage", "--memory 'lots': write a size above 0, like 800M or 2G"),
    (["solve", "T/S -/-", "--memory", "0G"], "usage", "--memory '0G': write a size above 0"),
    (["solve", "T/S -/-", "--max-states", "0"], "usage", "Invalid value for '--max-states'"),
    (["solve", "T/S -/-", "--pudding-value", "inf"], "usage", "--pudding-value inf: write a number of points"),
    (["solve", "--file", "no-such-file"], "usage", "cannot read no-such-file: No such file or directory"),
    (["solve", "--file", "."], "usage", "cannot read .: Is a directory"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "kind", "message"), BAD, ids=[" ".join(words) for words, _, _ in BAD])
def test_bad_input_is_one_line_and_status_2(words: list[str], kind: str, message: str) -> None:
    plain, as_json = sushigo(*words), sushigo(*words, "--json")
    assert (plain.status, plain.out) == (2, "")
    assert plain.err.count("\n") == 1 and plain.err.startswith("error: ")
    assert message in plain.err
    assert as_json.status == 2
    error = as_json.json["error"]
    assert error["kind"] == kind
    assert as_json.err == f"error: {error['message']}\n"


@settings(max_examples=40)
@given(st.lists(st.text(alphabet="TSQW/-=prs 0?é\n", max_size=12), max_size=3))
def test_no_arguments_end_in_a_traceback(words: list[str]) -> None:
    run = sushigo("score", *words)
    assert run.status in (0, 2)
    assert run.err.count("\n") == (1 if run.status else 0)


def test_help_lists_the_commands() -> None:
    for words in ([], ["--help"], ["-h"]):
        run = sushigo(*words)
        assert run.status == 0
        assert all(f"│ {command} " in run.out for command in ("solve", "score", "show", "puzzle"))


def test_version() -> None:
    assert sushigo("--version").out.startswith("sushigo ")


@given(positions())
def test_a_drawing_fits_and_shows_every_card(position: Position) -> None:
    text = draw_position(position).plain
    assert all(len(line) <= 80 for line in text.splitlines())
    rows = [line[8:] for line in text.splitlines() if line.startswith("  ")]
    cells = [cell.split(" ") for row in rows for cell in re.split(" {2,}", row.strip())]
    drawn = [card for cell in cells if all(len(word) == 1 for word in cell) for card in cell if card not in ("", "-")]
    held = [card.letter for pile in (*position.hands, *position.tables) for card in pile]
    assert sorted(drawn) == sorted(held)


def command(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_COLOR": "1", **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-m", "analysis.cli", *words], capture_output=True, text=True, env=environment, **options
    )


def test_the_process_ends_with_the_status() -> None:
    bad = command("score", "TX/S -/-", "--json")
    assert bad.returncode == 2
    assert json.loads(bad.stdout)["error"]["kind"] == "notation"
    assert "Traceback" not in bad.stderr and bad.stderr.count("\n") == 1
    assert command("score", "-/- T/S").returncode == 0


def test_a_terminal_that_only_knows_ascii() -> None:
    run = command("show", "T/S -/- ", "--lang", "pt", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert run.returncode == 0 and "tempur?" in run.stdout


def test_a_reader_that_goes_away_is_no_error() -> None:
    script = f"{sys.executable} -m analysis.cli show 'TS/QW -/-' | true; echo ${{PIPESTATUS[0]}}"
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert run.stdout == "0\n" and run.stderr == ""


def test_an_interrupt_is_status_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("analysis.cli_position.score_dict", interrupted)
    run = sushigo("score", SCORED, "--json")
    assert run.status == 130
    assert run.json["error"]["kind"] == "interrupted"
    assert run.err == f"error: {run.json['error']['message']}\n"


def test_out_of_memory_is_status_3(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("analysis.cli_position.score_dict", exhausted)
    run = sushigo("score", SCORED, "--json")
    assert (run.status, run.json["error"]["kind"]) == (3, "limit")


def test_colours_only_on_a_terminal() -> None:
    """Colour codes go to a terminal, and not even there when NO_COLOR is set."""
    from rich.console import Console

    text = draw_position(Position.parse(SCORED))
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        screen = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", _environ=environment)
        screen.print(text)
        assert ("\x1b[35m" in screen.file.getvalue() or "\x1b[1;35m" in screen.file.getvalue()) is coloured  # type: ignore[attr-defined]
    assert "\x1b" not in sushigo("show", SCORED).out
