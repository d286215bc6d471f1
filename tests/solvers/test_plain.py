"""The plain engine on its own: its numbers of states, its limits, and what it refuses (values: test_two_seats)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from solvers import LimitReached, Limits, Position, Rules, UsageError, solve
from solvers.endgame.plain import PlainEngine

SEVEN = "TTDEPWC/SD23LLP T1Q/LDD p=0/1 s=22/19"
COUNTED = {
    "TP/SW W/D p=0/1 s=21/20": 5,
    "DLLWC/S2ELQ 232TD/1DPTD p=2/2 s=29/22": 3209,
    "22EPWW/TTD2EW W1ST/STTL p=1/1 s=24/25": 4823,
    SEVEN: 138064,
}
"""Full states of a few endgames, by the engine itself: an unintended change of the listing shows here."""


def engine(text: str, limits: Limits | None = None, **options: Any) -> PlainEngine:
    return PlainEngine(Position.parse(text), "margin", Rules(), 0.0, limits or Limits(), **options)


@pytest.mark.parametrize(("text", "states"), COUNTED.items())
def test_states_are_counted(text: str, states: int) -> None:
    stats = engine(text).stats()
    assert stats["states"] == stats["matrices"] == states


def test_a_limit_of_states_stops_it_with_what_was_done() -> None:
    with pytest.raises(LimitReached, match="limit of 1000 states") as caught:
        engine(SEVEN, Limits(max_states=1000))
    assert caught.value.stats["states"] > 1000


def test_a_limit_of_time_stops_it() -> None:
    with pytest.raises(LimitReached, match="stopped after 0 s"):
        engine(SEVEN, Limits(timeout=0.0))


def test_a_limit_of_memory_stops_it() -> None:
    with pytest.raises(LimitReached, match="MiB"):
        engine(SEVEN, Limits(memory=1 << 20))


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvers.endgame.packing_watch._INTERVAL", 0.0)
    told: list[Mapping[str, Any]] = []
    engine(SEVEN, progress=told.append)
    assert {"states", "seconds", "cards_left", "done", "total"} <= set(told[-1])
    assert [report["phase"] for report in told] == sorted(report["phase"] for report in told)


@pytest.mark.parametrize(("text", "objective"), [("T/S/D -/-/-", "margin"), ("T/S -/-", "points")])
def test_other_questions_are_refused(text: str, objective: str) -> None:
    with pytest.raises(UsageError, match="two seats for margin or win"):
        PlainEngine(Position.parse(text), objective, Rules(), 0.0, Limits())


def test_a_position_on_the_way_has_the_values_of_its_own_solve() -> None:
    position = Position.parse("DLLWC/S2ELQ 232TD/1DPTD p=2/2 s=29/22")
    solution = solve(position, engine="plain")
    after = position.play(solution.line[0])
    assert solution.solver is not None
    assert solution.solver.stage(after).seats[0].value == pytest.approx(solve(after, engine="plain").value, abs=1e-12)
