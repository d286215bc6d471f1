"""Two to five seats from one seat's point of view, against the solved positions and a slow, obvious reference."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from solvers import Position, Rules, UsageError, solve
from solvers.endgame.greedy import greedy_pick
from solvers.endgame.objective import utilities
from tests.endgame_strategies import PUDDING_VALUES, endgames
from tests.strategies import rules_options

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "data" / "solved_positions.tsv").read_text().splitlines()
    if not line.startswith(("#", "eq")) and "\teq " not in line
]


def reference(position: Position, objective: str, against: str, rules: Rules, seat: int, worth: float) -> float:
    """Plain memoised recursion over the game room's positions; scipy solves the matrices."""

    @cache
    def value(position: Position) -> float:
        if not position.cards_left:
            return float(utilities(position, objective, rules, worth)[seat])
        picks = list(position.joint_picks(rules))
        if against == "greedy":
            picks = [
                own if rival == seat else (greedy_pick(position, rival, rules),) for rival, own in enumerate(picks)
            ]
        sizes = [len(own) for own in picks]
        tensor = np.array([value(position.play(joint, rules)) for joint in product(*picks)]).reshape(sizes)
        matrix = np.moveaxis(tensor, seat, 0).reshape(sizes[seat], -1)
        return guarantee(matrix) if against == "paranoid" else float(matrix.mean(axis=1).max())

    return value(position)


def guarantee(matrix: np.ndarray) -> float:
    rows, columns = matrix.shape
    program = linprog(
        np.r_[np.zeros(rows), -1.0],
        A_ub=np.c_[-matrix.T, np.ones(columns)],
        b_ub=np.zeros(columns),
        A_eq=np.r_[np.ones(rows), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    return -float(program.fun)


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    rules = draw(rules_options())
    seats = draw(st.integers(2, 4))
    position = draw(endgames(rules, seats=seats, max_cards=3 if seats < 4 else 2))
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
@settings(max_examples=60)
@given(question=questions())
def test_equals_the_reference(against: str, question: dict[str, Any]) -> None:
    solution = solve(**question, against=against)
    expected = reference(
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


@pytest.mark.parametrize("against", ["quantal:1", "equilibrium"])
def test_what_is_not_there_yet_says_so(against: str) -> None:
    with pytest.raises(UsageError, match="not solved for 3 seats yet"):
        solve(Position.parse("DD/SS/TT -/-/-"), against=against)
