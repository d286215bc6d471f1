"""Comparing beliefs: values are those of ``solve``, costs follow from them, and what is missing is said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analysis.compare import BELIEFS, compare, compare_steps
from solvers import LimitReached, Limits, Position, UsageError, solve
from solvers.game.cards import letters
from tests.analysis.cli_runner import compare_with_golden, sushigo

TURN = "TQW/T3Q T3/CW p=1/0 s=20/22"
THREE = "D2Q/TSP/13C 2DT/1P2/DEC p=1/2/1 s=24/22/16"


@pytest.mark.parametrize(("text", "seat"), [(TURN, 1), (THREE, 0)])
def test_each_belief_is_its_own_solution(text: str, seat: int) -> None:
    position = Position.parse(text)
    found = compare(position, "win", seat)
    assert tuple(belief.against for belief in found.beliefs) == BELIEFS
    assert not found.left_out and not found.limited
    for belief in found.beliefs:
        answer = solve(position, "win", belief.against, seat=seat).seat(seat)
        values = {row.pick: row.value for row in answer.picks}
        assert dict(zip(found.picks, belief.pick_values, strict=True)) == pytest.approx(values)
        assert belief.value == pytest.approx(max(values.values()))
        assert sum(belief.plays) == pytest.approx(1)


def test_a_cost_is_what_the_play_earns_less_than_the_best_pick() -> None:
    found = compare(Position.parse(TURN), "points")
    names = [letters(pick) for pick in found.picks]
    tables = {belief.against: dict(zip(names, belief.pick_values, strict=True)) for belief in found.beliefs}
    costs = {
        (acted_on.against, true.against): cost
        for acted_on, row in zip(found.beliefs, found.costs, strict=True)
        for true, cost in zip(found.beliefs, row, strict=True)
    }
    paranoid = {"T": 0.4, "Q": 0.6}
    for true in ("uniform", "greedy"):
        followed = sum(chance * tables[true][pick] for pick, chance in paranoid.items())
        assert costs["paranoid", true] == pytest.approx(max(tables[true].values()) - followed)
    assert costs["uniform", "greedy"] == pytest.approx(tables["greedy"]["Q"] - tables["greedy"]["W"])
    assert all(costs[belief.against, belief.against] == 0 for belief in found.beliefs)
    assert found.safest.against == "paranoid"
    assert list(found.left_out) == ["equilibrium"] and "not zero-sum" in found.left_out["equilibrium"]


def test_against_quantal_the_best_pick_is_played_and_not_the_mix() -> None:
    found = compare(Position.parse(THREE), beliefs=["quantal:0.2"])
    (belief,) = found.beliefs
    assert sorted(belief.plays) == [0.0, 0.0, 1.0]
    assert belief.pick_values[belief.likeliest] == belief.value
    assert min(row.probability for row in belief.solution.seat(0).picks) > 0.01


def test_quick_beliefs_come_first_and_stand_in_the_order_asked() -> None:
    steps = list(compare_steps(Position.parse(THREE), beliefs=["quantal:0", "equilibrium", "uniform", "greedy"]))
    assert [belief.against for belief in steps[0].beliefs] == ["greedy"]
    assert [belief.against for belief in steps[1].beliefs] == ["uniform", "greedy"]
    assert [belief.against for belief in steps[-1].beliefs] == ["quantal:0", "equilibrium", "uniform", "greedy"]


def test_a_limit_leaves_a_belief_out_and_the_last_one_is_an_error() -> None:
    position = Position.parse("D2QC/TSP1/S3TW 2DTW/1P2C/DDEL p=1/2/1 s=24/22/16")
    found = compare(position, limits=Limits(max_states=100), beliefs=["uniform", "greedy"])
    assert [belief.against for belief in found.beliefs] == ["greedy"]
    assert found.limited and "limit of 100 states" in found.left_out["uniform"]
    with pytest.raises(LimitReached):
        compare(position, limits=Limits(max_states=100), beliefs=["uniform"])
    with pytest.raises(UsageError, match="unknown opponents"):
        compare(position, beliefs=["nice"])


@pytest.mark.parametrize(
    ("name", "words"), [("compare.txt", [TURN, "--objective", "points"]), ("compare-3.txt", [THREE, "--lang", "fr"])]
)
def test_golden_output(name: str, words: list[str]) -> None:
    run = sushigo("solve", *words, "--compare")
    assert (run.status, run.err) == (0, "")
    compare_with_golden(name, run.out)


def test_json_names_everything() -> None:
    run = sushigo("solve", THREE, TURN, "--compare", "--json", "--against", "quantal:0.5", "--seat", "1")
    assert run.status == 0
    for row in run.rows:
        names = [belief["against"] for belief in row["beliefs"]]
        assert names == [*BELIEFS, "quantal:0.5"]
        assert row["seat"] == 1 and row["safest"] in names and row["left_out"] == {}
        assert [list(costs) for costs in row["costs"].values()] == [names] * len(names)
        for belief in row["beliefs"]:
            assert belief["proven"] is True
            best = next(pick for pick in belief["picks"] if pick["pick"] == belief["best"])
            assert best["loss"] == pytest.approx(0, abs=1e-9)
            assert belief["value"] == pytest.approx(best["value"], abs=1e-9)


def test_what_was_solved_before_a_limit_is_printed() -> None:
    words = ("D2QC/TSP1/S3TW 2DTW/1P2C/DDEL p=1/2/1 s=24/22/16", "--compare", "--max-states", "100", "--json")
    run = sushigo("solve", *words)
    assert run.status == 3
    assert [belief["against"] for belief in run.json["beliefs"]] == ["greedy"]
    assert "limit of 100 states" in run.json["left_out"]["equilibrium"]


def test_what_was_solved_before_an_interrupt_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(position: Position, objective: str, against: str, **options: Any) -> Any:
        if against == "paranoid":
            raise KeyboardInterrupt
        return solve(position, objective, against, **options)

    monkeypatch.setattr("analysis.compare.solve", interrupted)
    run = sushigo("solve", THREE, "--compare", "--json")
    assert run.status == 130
    answer = json.loads(run.out.splitlines()[0])
    assert [belief["against"] for belief in answer["beliefs"]] == ["uniform", "greedy"]


@pytest.mark.parametrize("option", [["--exact"], ["--verify"], ["--matrix"], ["--engine", "plain"]], ids=" ".join)
def test_options_without_a_meaning_are_refused(option: list[str]) -> None:
    run = sushigo("solve", TURN, "--compare", *option)
    assert run.status == 2
    assert "--compare goes with none of" in run.err
