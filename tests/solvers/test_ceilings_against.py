"""How far a solution's likeliest line stays below the ceiling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from solvers.ceilings import against_solution, best_draft
from solvers.endgame import solve as solving
from solvers.endgame.limits import Limits
from solvers.endgame.solve import solve
from solvers.errors import UsageError
from solvers.game.picks import parse_pick
from solvers.game.position import Position
from solvers.game.rules import Rules

POSITION = Position.parse("TQWS/DDSP W/D r=1")


@pytest.mark.parametrize("goal", ["seat", "margin", "table", "least"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_line_of_the_equilibrium_is_measured_by_the_goal(goal, seat):
    ceiling = best_draft(POSITION, seat, goal)
    found = against_solution(ceiling)
    end = POSITION
    for picks in solve(POSITION).line:
        end = end.play(picks)
    points = [total + 1.5 * kept for total, kept in zip(end.totals(), end.pudding_counts(), strict=True)]
    expected = {"margin": points[seat] - points[1 - seat], "table": sum(points)}.get(goal, points[seat])
    assert found.line_value == expected
    assert found.ceiling == ceiling.value
    assert found.shortfall == (expected - ceiling.value if goal == "least" else ceiling.value - expected) >= 0
    assert found.as_dict()["shortfall"] == found.shortfall


def test_the_solver_gets_the_question_as_it_was(monkeypatch):
    @dataclass
    class Solved:
        line: Any

    asked = {}

    def fake(position, **options):
        asked.update(options, position=position)
        return Solved(tuple(tuple(map(parse_pick, turn)) for turn in (("T", "D"), ("D", "S"), ("Q", "P"), ("S", "W"))))

    monkeypatch.setattr(solving, "solve", fake)
    rules, limits = Rules(maki_tie="full"), Limits(timeout=9)
    ceiling = best_draft(POSITION, 1, "seat", rules, 2)
    found = against_solution(ceiling, "points", "uniform", limits)
    assert asked == {
        "position": POSITION,
        "objective": "points",
        "against": "uniform",
        "rules": rules,
        "seat": 1,
        "pudding_value": 2.0,
        "limits": limits,
    }
    assert (found.objective, found.against, found.line_value) == ("points", "uniform", 5)


def test_an_unproven_ceiling_is_refused():
    late = best_draft(POSITION, limits=Limits(timeout=0.0001))
    with pytest.raises(UsageError, match="the ceiling is not proven"):
        against_solution(late)
