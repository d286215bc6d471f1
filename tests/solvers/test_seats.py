"""Two to five seats from one seat's point of view, against the solved positions and a slow, obvious reference."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solvers import LimitReached, Limits, Position, Rules, solve
from solvers.endgame.greedy import greedy_pick
from solvers.endgame.packing import FULL_REDUCTION, KEEP_PICKS, NO_REDUCTION
from solvers.endgame.seats import SeatSolver
from tests.endgame_strategies import PUDDING_VALUES, endgames
from tests.solvers.reference import one_seat_value
from tests.strategies import rules_options

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "data" / "solved_positions.tsv").read_text().splitlines()
    if not line.startswith(("#", "eq")) and "\teq " not in line
]


LARGER = (
    "D2QC/TSP1/S3TW 2DTW/1P2C/DDEL p=1/2/1 s=24/22/16",
    "TSCP2/DDL1P/QWT3S SST/DDE/W3T p=0/1/1 s=20/24/21",
    "TSP2D1/QLWDPC SC1/TTW p=1/0 s=21/24",
    "QP1/SD2/TCD/L3P SSW/TD2/C1P/DDE p=1/0/2/1 s=20/22/21/19",
)
"""Positions of which the unreduced search still takes well under a second."""


HOPELESS: dict[str, Any] = {
    "position": Position.parse("TTT/TT2/TTT TT/TT/TT p=0/1/1 s=0/1/0 r=1"),
    "objective": "margin",
    "rules": Rules(),
    "seat": 0,
    "pudding_value": 0.0,
}
"""One turn on, a rival is out of the running in round 1 and still has a pudding."""


@st.composite
def questions(draw: st.DrawFn, max_seats: int = 4, max_cards: int = 3) -> dict[str, Any]:
    rules = draw(rules_options())
    seats = draw(st.integers(2, max_seats))
    position = draw(endgames(rules, seats=seats, max_cards=max_cards if seats < 4 else 2))
    objectives = ["margin", "points"] + (["win"] if position.round == 3 else [])
    return {
        "position": position,
        "objective": draw(st.sampled_from(objectives)),
        "rules": rules,
        "seat": draw(st.integers(0, seats - 1)),
        "pudding_value": float(draw(st.sampled_from(PUDDING_VALUES))),
    }


@pytest.mark.parametrize(("value", "question", "text"), ROWS, ids=[f"{row[1]} {row[2]}" for row in ROWS])
def test_solved_positions(value: str, question: str, text: str) -> None:
    against, objective = question.split()
    assert solve(Position.parse(text), objective, against).value == pytest.approx(float(value), abs=1e-6)


@pytest.mark.parametrize("against", ["uniform", "greedy", "paranoid"])
@settings(max_examples=40)
@example(question=HOPELESS)
@given(question=questions())
def test_equals_the_reference(against: str, question: dict[str, Any]) -> None:
    solution = solve(**question, against=against)
    expected = one_seat_value(
        question["position"],
        question["objective"],
        against,
        question["rules"],
        question["seat"],
        question["pudding_value"],
    )
    assert solution.value == pytest.approx(expected, abs=1e-9)
    (answer,) = solution.seats
    assert answer.seat == question["seat"]
    assert [row.pick for row in sorted(answer.picks, key=lambda row: (len(row.pick), row.pick))] == list(
        question["position"].picks(answer.seat, question["rules"])
    )
    assert min(row.loss for row in answer.picks) == pytest.approx(0, abs=1e-9)
    assert sum(row.probability for row in answer.picks) == pytest.approx(1)


@pytest.mark.parametrize("against", ["uniform", "greedy", "paranoid", "equilibrium", "quantal:0.2"])
@settings(max_examples=25)
@given(question=questions(max_seats=5, max_cards=4), data=st.data())
def test_a_position_on_the_way_has_the_values_of_its_own_solve(
    against: str, question: dict[str, Any], data: st.DataObject
) -> None:
    """Boards reached by way of reduced ones are those reached by play."""
    position, rules = question["position"], question["rules"]
    if against == "equilibrium" and position.seats == 2:
        return
    solver = solve(**question, against=against).solver
    while position.cards_left and solver is not None:
        parts = [part for part in solver.stage(position).seats if part.answered]
        again = solve(**{**question, "position": position}, against=against)
        for part in parts:
            assert part.value == pytest.approx(again.seat(part.seat).value, abs=1e-7)
        if against == "greedy":
            picks = [
                data.draw(st.sampled_from(own)) if seat == question["seat"] else greedy_pick(position, seat, rules)
                for seat, own in enumerate(position.joint_picks(rules))
            ]
        else:
            picks = [data.draw(st.sampled_from(own)) for own in position.joint_picks(rules)]
        position = position.play(picks, rules)


@pytest.mark.parametrize("against", ["uniform", "greedy", "paranoid"])
def test_turning_the_table_changes_nothing(against: str) -> None:
    position = Position.parse("D2Q/TSP/13C 2DT/1P2/DEC p=1/2/1 s=24/22/16")
    turned = position.swap_seats((1, 2, 0))
    for seat in range(3):
        assert solve(position, against=against, seat=(seat + 1) % 3).value == pytest.approx(
            solve(turned, against=against, seat=seat).value, abs=1e-12
        )


def test_passing_the_other_way_is_the_mirror_image() -> None:
    left = Position.parse("D2Q/TSP/13C 2DT/1P2/DEC p=1/2/1 s=24/22/16")
    right = Position.parse("D2Q/13C/TSP 2DT/DEC/1P2 p=1/1/2 s=24/16/22 d=R")
    for against in ("uniform", "greedy", "paranoid"):
        assert solve(left, against=against).value == pytest.approx(solve(right, against=against).value, abs=1e-12)


@pytest.mark.parametrize("objective", ["margin", "win"])
def test_paranoid_for_two_seats_is_the_equilibrium(objective: str) -> None:
    position = Position.parse("TQW/T3Q T3/CW p=1/0 s=20/22")
    paranoid, equilibrium = solve(position, objective, "paranoid"), solve(position, objective)
    assert paranoid.value == pytest.approx(equilibrium.value, abs=1e-12)
    assert paranoid.seats[0].picks == pytest.approx(equilibrium.seats[0].picks) or [
        (row.pick, pytest.approx(row.probability)) for row in paranoid.seats[0].picks
    ] == [(row.pick, row.probability) for row in equilibrium.seats[0].picks]


def search_value(question: dict[str, Any], against: str, reduce: int) -> tuple[float, int]:
    """A seat's value and the boards stored, with boards reduced so far and no further."""
    position, rules = question["position"], question["rules"]
    solver = SeatSolver(
        position,
        question["objective"],
        against,
        rules,
        question["seat"],
        question["pudding_value"],
        Limits(),
        reduce=reduce,
        deep=False,
    )
    return solver.stage(position).seats[question["seat"]].value, solver.stats()["states"]


@pytest.mark.parametrize(("against", "most"), [("uniform", KEEP_PICKS), ("paranoid", FULL_REDUCTION)])
@settings(max_examples=150)
@given(question=questions(max_seats=5, max_cards=4))
def test_reductions_change_no_value(against: str, most: int, question: dict[str, Any]) -> None:
    plain, boards = search_value(question, against, NO_REDUCTION)
    for reduce in range(KEEP_PICKS, most + 1):
        value, fewer = search_value(question, against, reduce)
        assert value == pytest.approx(plain, abs=1e-9)
        assert fewer <= boards


@pytest.mark.parametrize("objective", ["margin", "win", "points"])
@pytest.mark.parametrize("text", LARGER)
def test_reductions_change_no_value_of_larger_positions(text: str, objective: str) -> None:
    question = {
        "position": Position.parse(text),
        "objective": objective,
        "rules": Rules(),
        "seat": 1,
        "pudding_value": 0.0,
    }
    for against, most in (("uniform", KEEP_PICKS), ("paranoid", FULL_REDUCTION)):
        plain, boards = search_value(question, against, NO_REDUCTION)
        for reduce in range(KEEP_PICKS, most + 1):
            value, fewer = search_value(question, against, reduce)
            assert value == pytest.approx(plain, abs=1e-9)
            assert fewer <= boards


def test_a_coalition_chooses_together() -> None:
    position = Position.parse("DLLP/T12P/TTQW QSLPL/2WT3L/12DTL p=1/1/2 s=27/26/28")
    solution = solve(position, "margin", "paranoid")
    assert solution.solver is not None
    stage = solution.solver.stage(position)
    assert sum(weight for _, weight in stage.coalition) == pytest.approx(1)
    for place, part in enumerate(stage.seats[1:]):
        for pick, chance in zip(part.picks, part.mix, strict=True):
            together = sum(weight for joint, weight in stage.coalition if joint[place] == pick)
            assert together == pytest.approx(chance, abs=1e-12)
    best = max(range(len(stage.coalition)), key=lambda at: stage.coalition[at][1])
    assert solution.line[0][1:] == stage.coalition[best][0]


def test_a_wide_game_is_solved_like_a_narrow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.parse("D2Q/TSP/13L 2DTC/1P2C/DEDC p=1/2/1 s=24/22/16")
    narrow = solve(position, "margin", "paranoid")
    monkeypatch.setattr("solvers.endgame.seats._WIDEST", 0)
    wide = solve(position, "margin", "paranoid")
    assert wide.value == pytest.approx(narrow.value, abs=1e-9)
    assert sum(row.probability for row in wide.seats[0].picks) == pytest.approx(1)


def test_limits_hold_and_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.parse(LARGER[0])
    with pytest.raises(LimitReached, match="limit of 50 states") as caught:
        solve(position, against="uniform", limits=Limits(max_states=50))
    assert caught.value.stats["states"] > 50
    with pytest.raises(LimitReached, match="stopped after 0 s"):
        solve(position, against="uniform", limits=Limits(timeout=0.0))
    monkeypatch.setattr("solvers.endgame.packing_watch._INTERVAL", 0.0)
    told: list[Any] = []
    solve(position, against="uniform", progress=told.append)
    assert [report["phase"] for report in told] == sorted(report["phase"] for report in told)
    assert told[-1]["done"] == told[-1]["total"]


def test_an_interrupt_ends_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvers.endgame.seats_search._FEWEST_BOARDS", 1)
    monkeypatch.setattr("solvers.endgame.packing_watch._INTERVAL", 0.0)

    def interrupt(report: Any) -> None:
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        solve(Position.parse(LARGER[0]), against="uniform", progress=interrupt)
    assert threading.active_count() == before
