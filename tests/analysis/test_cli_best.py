"""``sushigo best``: answers as JSON and as tables, exit statuses, and one line for everything that is wrong."""

from __future__ import annotations

import json

import pytest

from analysis.bench_ceilings import Timing, summarise, time_deals
from solvers.ceilings import best_draft, best_game, best_hand, best_reply
from solvers.game.cards import cards_from_letters
from solvers.game.picks import parse_pick
from solvers.game.position import Position
from solvers.game.rules import Rules
from tests.analysis.cli_runner import sushigo

ROUND = "QWST/TTDD -/-"
LINE = "Q/T T/S W/D D/T"


def without_times(answer):
    return {**answer, "stats": {**answer["stats"], "seconds": 0}}


def same(printed, answer):
    return without_times(printed) == without_times(json.loads(json.dumps(answer.as_dict())))


def test_hand():
    run = sushigo("best", "hand", "3", "--rivals", "3/3", "--without", "WW", "--json")
    assert run.status == 0
    assert same(run.json, best_hand(3, without=cards_from_letters("WW"), rivals=(3, 3)))
    named = sushigo("best", "hand", "2", "--from", "squid nigiri,wasabi,tempura", "--all", "--json")
    assert (named.json["value"], named.json["cards"]) == (9, "WQ")
    assert named.json["optimal_hands"] == {"count": 1, "complete": True}
    counted = sushigo("best", "hand", "9", "--all", "--at-most", "2")
    assert "Best hand: 42 points" in counted.out
    assert "at least 2 hands" in counted.out
    assert "Status optimal, proven: objective 42, bound 42, gap 0" in counted.out
    assert "Wasabi" in sushigo("best", "hand", "3", "--lang", "de").out


def test_draft():
    run = sushigo("best", "draft", ROUND, "--seat", "1", "--goal", "margin", "--all", "--json")
    assert run.status == 0
    assert same(run.json, best_draft(Position.parse(ROUND), 1, "margin", count=100))
    table = sushigo("best", "draft", "TSP/EWQ", "W/D", "r=1", "--option", "maki_tie=full", "--all", "--at-most", "1")
    assert table.status == 0
    for words in ("Best draft for seat 0", "maki_tie = full", "turn", "points", "at least 1", "1.5 points"):
        assert words in table.out
    assert "Best draft for all seats" in sushigo("best", "draft", ROUND, "--goal", "table").out


def test_draft_against_the_solution():
    run = sushigo("best", "draft", "TQWS/DDSP W/D", "--against-solution", "--json")
    shown = run.json["against_solution"]
    assert shown["shortfall"] == shown["ceiling"] - shown["line_value"] > 0
    table = sushigo("best", "draft", "TQWS/DDSP W/D", "--against-solution").out
    assert f"{shown['shortfall']} short of {shown['ceiling']}" in table


def test_reply(tmp_path):
    run = sushigo("best", "reply", ROUND, "--line", LINE, "--json")
    line = [[parse_pick(pick) for pick in turn.split("/")] for turn in LINE.split()]
    assert run.status == 0
    assert same(run.json, best_reply(Position.parse(ROUND), line))
    record = tmp_path / "round.json"
    record.write_text(json.dumps({"line": [turn.split("/") for turn in LINE.split()]}), "utf-8")
    assert without_times(sushigo("best", "reply", ROUND, "--record", str(record), "--json").json) == without_times(
        run.json
    )
    piped = sushigo("best", "reply", ROUND, "--record", "-", "--json", stdin=record.read_text("utf-8"))
    assert without_times(piped.json) == without_times(run.json)
    table = sushigo("best", "reply", ROUND, "--line", LINE).out
    for words in ("Best reply of seat 0: 10 points, scored 4", "best before", "squid nigiri", "as recorded"):
        assert words in table


def test_a_solved_line_can_be_replied_to():
    solved = sushigo("solve", "TQWS/DDSP W/D", "--json")
    run = sushigo("best", "reply", "TQWS/DDSP W/D", "--record", "-", "--json", stdin=solved.out)
    assert run.status == 0
    assert run.json["value"] >= run.json["actual"]


def test_game():
    both = sushigo("best", "game", "--json")
    assert both.status == 0
    assert [(row["goal"], row["value"]) for row in both.rows] == [("seat", 120), ("margin", 103)]
    run = sushigo("best", "game", "--players", "2", "--goal", "seat", "--json")
    assert same(run.json, best_game(2, "seat"))
    table = sushigo("best", "game", "--goal", "seat").out
    for words in ("Best game of 2: 120", "puddings", "total", "without reshuffling"):
        assert words in table


@pytest.mark.parametrize(
    "words",
    [
        ("hand", "10"),
        ("draft", "S123ELPP/TSS3EPPW/23LQQPWC/TSD2LLLW -/-/-/-", "--against-solution"),
        ("reply", ROUND, "--line", LINE),
        ("game", "--players", "4"),
    ],
    ids=lambda words: words[0],
)
def test_a_timeout_ends_with_status_3_and_what_was_found(words):
    run = sushigo("best", *words, "--timeout", "0.001", "--json")
    assert (run.status, run.err) == (3, "")
    assert all(row["status"] in ("unknown", "feasible") and "bound" in row for row in run.rows)
    assert "NOT proven" in sushigo("best", *words, "--timeout", "0.001").out


@pytest.mark.parametrize(
    ("words", "kind", "message"),
    [
        (("hand", "0"), "usage", "0 cards: write a number from 1 to 108"),
        (("hand", "x"), "usage", "Invalid value for 'N'"),
        (("hand", "3", "--from", "TX"), "notation", "--from: 'X' is not a card"),
        (("hand", "3", "--from", "maki,maki"), "notation", "has no icon count"),
        (("hand", "3", "--from", "T?S"), "notation", "--from: ? is no card"),
        (("hand", "3", "--rivals", "3/x"), "usage", "--rivals '3/x': write the maki icons"),
        (("hand", "3", "--lang", "xx"), "notation", "no card names in 'xx'"),
        (("draft", "TP/SW W/D", "--goal", "win"), "usage", "unknown goal 'win'"),
        (("draft", "TP/SW W/D", "--seat", "2"), "usage", "seat 2: the position has seats 0 to 1"),
        (("draft", "TP/SW"), "notation", "write hands and tables"),
        (("draft", "-/- T/S"), "usage", "the hands are empty"),
        (("draft", "TP/SW W/D", "--pudding-value", "nan"), "usage", "write a number of points"),
        (("draft", "TP/SW W/D", "--timeout", "0"), "usage", "--timeout 0.0: write seconds above 0"),
        (("draft", "TP/SW W/D/- y=TT", "--rules", "official"), "usage", "without the dummy"),
        (("reply", ROUND), "usage", "one of the two"),
        (("reply", ROUND, "--line", LINE, "--record", "x"), "usage", "one of the two"),
        (("reply", ROUND, "--line", "QQQ/T"), "notation", "turn 1 of the line: 'QQQ' is not a pick"),
        (("reply", ROUND, "--line", "Q/T"), "usage", "the record has 1 turns"),
        (("reply", ROUND, "--line", "Q/T P/S W/D"), "illegal-pick", "turn 2: seat 0: P needs 1 P"),
        (("reply", ROUND, "--record", "/nowhere"), "usage", "cannot read /nowhere"),
        (("game", "--players", "7"), "usage", "7 players: the game is for 2 to 5"),
        (("game", "--goal", "table"), "usage", "unknown goal 'table'"),
    ],
    ids=str,
)
def test_one_line_for_everything_that_is_wrong(words, kind, message):
    run = sushigo("best", *words, "--json")
    assert run.status == 2
    assert run.err.startswith("error: ") and run.err.count("\n") == 1
    assert message in run.err
    assert run.json["error"]["kind"] == kind
    assert f"error: {run.json['error']['message']}\n" == run.err


@pytest.mark.parametrize("text", ["[1, 2]", "{}", '{"line": [["T", 3]]}', "nonsense"])
def test_a_record_that_is_none(text):
    run = sushigo("best", "reply", ROUND, "--record", "-", stdin=text)
    assert run.status == 2
    assert run.err.count("\n") == 1


def test_the_bench_times_every_goal_of_every_deal():
    rows = list(time_deals(2, seats=(2,), goals=("seat", "least"), timeout=60))
    assert [(row.seats, row.goal, row.deal) for row in rows] == [
        (2, "seat", 0), (2, "seat", 1), (2, "least", 0), (2, "least", 1),
    ]  # fmt: skip
    assert [row.position for row in rows[:2]] == [row.position for row in rows[2:]]
    for row in rows:
        assert row.value == best_draft(Position.parse(row.position), 0, row.goal).value == row.bound
    again = list(time_deals(1, seats=(2,), goals=("seat",)))
    assert again[0].position == rows[0].position


def test_the_bench_sums_up():
    proven = Timing(2, "seat", 0, "", "optimal", 10, 10, 1.0, 0.5)
    open_ = Timing(2, "seat", 1, "", "feasible", 10, 14.5, 30.0, 29.0)
    lost = Timing(3, "seat", 0, "", "unknown", None, 14, 30.0, 29.0)
    first, second = summarise([proven, open_, lost])
    assert (first.deals, first.proven, first.widest_gap, first.worst_seconds, first.median_cpu) == (
        2,
        1,
        4.5,
        30.0,
        14.75,
    )
    assert (second.seats, second.proven, second.widest_gap) == (3, 0, float("inf"))


def test_the_rules_reach_the_models():
    run = sushigo("best", "draft", "WQ/TT C/-", "--option", "chopsticks_order=strict_prior", "--json")
    plain = best_draft(Position.parse("WQ/TT C/-"), rules=Rules(chopsticks_order="strict_prior"))
    assert run.json["value"] == plain.value == 3
