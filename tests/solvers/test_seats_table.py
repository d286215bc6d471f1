"""All seats answered: equilibria and logit equilibria, checked stage by stage in plain Python."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import LimitReached, Limits, Position, Rules, UsageError, solve
from solvers.endgame.objective import utilities
from solvers.endgame.packing import FULL_REDUCTION, NO_REDUCTION
from solvers.endgame.seats import SeatSolver, quantal_precision
from solvers.endgame.seats_deep import DeepSearch
from solvers.endgame.seats_layers import N_HARD
from solvers.endgame.seats_nash import Nash
from solvers.endgame.seats_table import TableSolver
from solvers.endgame.solution import Solution
from tests.endgame_strategies import PUDDING_VALUES, endgames
from tests.solvers import reference
from tests.strategies import rules_options

THREE = Position.parse("D2Q/TSP/13C 2DT/1P2/DEC p=1/2/1 s=24/22/16")


@st.composite
def questions(draw: st.DrawFn, least_seats: int = 2) -> dict[str, Any]:
    rules = draw(rules_options())
    seats = draw(st.integers(least_seats, 4))
    position = draw(endgames(rules, seats=seats, max_cards=3 if seats < 4 else 2))
    objectives = ["margin", "points"] + (["win"] if position.round == 3 else [])
    return {
        "position": position,
        "objective": draw(st.sampled_from(objectives)),
        "rules": rules,
        "pudding_value": float(draw(st.sampled_from(PUDDING_VALUES))),
    }


def check_stages(solution: Solution, pudding_value: float, precision: float | None = None) -> None:
    """Hold every stage that can be reached against the game room: values, pick values, and best (logit) replies."""
    solver, rules = solution.solver, solution.rules
    assert solver is not None
    waiting, seen = [solution.position], set()
    while waiting:
        position = waiting.pop()
        if position in seen or not position.cards_left:
            continue
        seen.add(position)
        rows = []
        for joint in product(*position.joint_picks(rules)):
            after = position.play(joint, rules)
            waiting.append(after)
            if after.cards_left:
                rows.append([part.value for part in solver.stage(after).seats])
            else:
                rows.append([float(u) for u in utilities(after, solution.objective, rules, pudding_value)])
        stage = solver.stage(position)
        tensor = np.array(rows).reshape(*(len(part.picks) for part in stage.seats), position.seats)
        mixes = [np.array(part.mix) for part in stage.seats]
        for part, mix in zip(stage.seats, mixes, strict=True):
            assert part.picks == position.picks(part.seat, rules)
            assert mix.min() >= 0 and mix.sum() == pytest.approx(1, abs=1e-9)
            assert part.value == pytest.approx(reference.expected(tensor, mixes, part.seat), abs=1e-8)
            assert part.pick_values == pytest.approx(reference.pick_utilities(tensor, mixes, part.seat), abs=1e-8)
        if precision is None:
            assert reference.largest_gain(tensor, mixes) <= 1e-6
        else:
            for mix, response in zip(mixes, reference.logit_response(tensor, mixes, precision), strict=True):
                assert mix == pytest.approx(response, abs=1e-8)


@settings(max_examples=16)
@given(question=questions(least_seats=3))
def test_nobody_gains_at_any_stage_of_an_equilibrium(question: dict[str, Any]) -> None:
    solution = solve(**question, against="equilibrium")
    assert solution.stats["unresolved_stages"] == 0
    assert solution.stats["largest_regret"] <= 1e-6
    check_stages(solution, question["pudding_value"])


@settings(max_examples=25)
@given(question=questions(), precision=st.sampled_from((0.0, 0.05, 0.3, 1.0, 4.0)))
def test_every_stage_is_a_logit_response_to_itself(question: dict[str, Any], precision: float) -> None:
    solution = solve(**question, against=f"quantal:{precision}")
    assert solution.stats["largest_residual"] <= 1e-9
    check_stages(solution, question["pudding_value"], precision)


@settings(max_examples=30)
@given(question=questions())
def test_precision_0_is_equal_chances(question: dict[str, Any]) -> None:
    found = solve(**question, against="quantal:0")
    values = reference.stage_values(
        question["position"],
        question["objective"],
        question["rules"],
        question["pudding_value"],
        lambda tensor: [np.full(size, 1 / size) for size in tensor.shape[:-1]],
    )
    assert [answer.value for answer in found.seats] == pytest.approx(values, abs=1e-9)


@pytest.mark.parametrize("precision", [0.02, 0.2, 0.6])
def test_the_branch_from_equal_chances_is_the_one_followed(precision: float) -> None:
    position = Position.parse("D2/TS/1Q 2DTW/1P2D/DECT p=1/2/1 s=24/22/16")
    found = solve(position, against=f"quantal:{precision}")
    values = reference.stage_values(
        position, "margin", Rules(), 0.0, lambda tensor: reference.logit_mixes(tensor, precision)
    )
    assert [answer.value for answer in found.seats] == pytest.approx(values, abs=1e-6)


@settings(max_examples=40)
@given(data=st.data())
def test_two_seats_get_the_zero_sum_value(data: st.DataObject) -> None:
    rules = data.draw(rules_options())
    position = data.draw(endgames(rules, 2, max_cards=4))
    objective = data.draw(st.sampled_from(("margin", "win") if position.round == 3 else ("margin",)))
    solver = TableSolver(position, objective, Nash(), rules, 1.5, Limits())
    found = solver.stage(position).seats[0].value
    assert found == pytest.approx(solve(position, objective, rules=rules, pudding_value=1.5).value, abs=1e-7)


@settings(max_examples=40)
@given(question=questions(), workers=st.integers(1, 3))
def test_both_searches_find_the_same_equilibrium(question: dict[str, Any], workers: int) -> None:
    """The one that asks for what it needs, and the one that values every board there is."""
    position, objective = question["position"], question["objective"]
    rest = (objective, Nash(), question["rules"], question["pudding_value"], Limits())
    asking = TableSolver(position, *rest, workers=workers)
    whole = TableSolver(position, *rest, workers=workers, deep=False)
    assert asking.stats()["states"] <= max(1, whole.stats()["states"])
    for _ in range(position.cards_left):
        one, two = asking.stage(position), whole.stage(position)
        assert one == two
        position = position.play([max(zip(seat.mix, seat.picks, strict=True))[1] for seat in one.seats], rest[2])


@settings(max_examples=60)
@given(question=questions(), seat=st.integers(0, 3), reduce=st.sampled_from((NO_REDUCTION, FULL_REDUCTION)))
def test_both_searches_find_the_same_guarantee(question: dict[str, Any], seat: int, reduce: int) -> None:
    """The one that asks for what it needs, and the one that values every board there is; whole stages, and those in
    which only so much is known as is needed."""
    position, rules, seat = question["position"], question["rules"], seat % question["position"].seats
    rest = (question["objective"], "paranoid", rules, seat, question["pudding_value"], Limits())
    asking = SeatSolver(position, *rest, reduce=reduce, workers=2)
    whole = SeatSolver(position, *rest, deep=False)
    for _ in range(position.cards_left):
        one, two = asking.stage(position), whole.stage(position)
        assert one.seats[seat].value == pytest.approx(two.seats[seat].value, abs=1e-9)
        assert one.seats[seat].mix == pytest.approx(two.seats[seat].mix, abs=1e-9)
        assert one.seats[seat].pick_values == pytest.approx(two.seats[seat].pick_values, abs=1e-9)
        with patch("solvers.endgame.seats._WIDEST", 0):
            part = asking.stage(position).seats[seat]
            assert part.value == pytest.approx(two.seats[seat].value, abs=1e-9)
            assert max(part.pick_values) <= part.value + 1e-9
        position = position.play([max(zip(seat.mix, seat.picks, strict=True))[1] for seat in two.seats], rules)


@pytest.mark.parametrize("objective", ["margin", "win", "points"])
@pytest.mark.parametrize(
    "text",
    [
        "D2QC/TSPP/13CL 2DT/1P2/DEC p=1/2/1 s=24/22/16",
        "DLLP/T12P/TTQW QSLPL/2WT3L/12DTL p=1/1/2 s=27/26/28",
        "QP1/SD2/TCD/L3P SSW/TD2/C1P/DDE p=1/0/2/1 s=20/22/21/19",
    ],
)
def test_both_searches_find_the_same_guarantee_of_larger_positions(text: str, objective: str) -> None:
    position = Position.parse(text)
    for seat in range(position.seats):
        rest = (objective, "paranoid", Rules(), seat, 0.0, Limits())
        asking, whole = SeatSolver(position, *rest), SeatSolver(position, *rest, deep=False)
        one, two = asking.stage(position).seats[seat], whole.stage(position).seats[seat]
        assert one.value == pytest.approx(two.value, abs=1e-9)
        assert one.pick_values == pytest.approx(two.pick_values, abs=1e-9)
        assert one.mix == pytest.approx(two.mix, abs=1e-9)


def test_a_search_that_asks_stops_at_its_limits_and_goes_on() -> None:
    position = Position.parse("D2QC/TSPP/13CL 2DT/1P2/DEC p=1/2/1 s=24/22/16")
    with pytest.raises(LimitReached, match="10 states"):
        solve(position, limits=Limits(max_states=10))
    with pytest.raises(LimitReached, match="may use 0 MiB"):
        solve(position, limits=Limits(memory=1 << 15))
    with pytest.raises(LimitReached, match="after 0 s"):
        solve(position, limits=Limits(timeout=0))


@pytest.mark.parametrize("against", ["equilibrium", "paranoid"])
def test_the_time_allowed_is_for_what_is_shown_too(against: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.parse("D2QC/TSPP/13CL 2DT/1P2/DEC p=1/2/1 s=24/22/16")
    solver = solve(position, against=against, limits=Limits(timeout=1000)).solver
    assert solver is not None
    late = time.perf_counter() + 2000
    monkeypatch.setattr("solvers.endgame.packing_watch.time.perf_counter", lambda: late)
    with pytest.raises(LimitReached, match="after 1000 s"):
        solver.stage(position)


@pytest.mark.parametrize("against", ["quantal:0.4", "equilibrium", "uniform", "paranoid", "greedy"])
@pytest.mark.parametrize("objective", ["margin", "points"])
def test_however_the_work_is_done_the_answer_is_the_same(
    objective: str, against: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By one worker or several, with or without links, in tables and batches that have to grow.

    With four cards, as the root is shown by working its boards out again, and links count from the turn below on.
    """
    position = Position.parse("D2QC/TSPP/13CL 2DT/1P2/DEC p=1/2/1 s=24/22/16 r=2")
    usual = solve(position, objective, against, pudding_value=1.25)

    def check() -> None:
        again = solve(position, objective, against, pudding_value=1.25)
        assert [answer.as_dict() for answer in again.seats] == [answer.as_dict() for answer in usual.seats]
        assert again.line == usual.line
        assert {**again.stats, "seconds": 0} == {**usual.stats, "seconds": 0}

    monkeypatch.setattr("solvers.endgame.seats_search._FEWEST_BOARDS", 1)
    monkeypatch.setattr("solvers.endgame.seats_deep._SLICE", 3)
    check()
    monkeypatch.setattr("solvers.endgame.seats_deep._FIRST_ROWS", 1)
    monkeypatch.setattr("solvers.endgame.seats_deep._FIRST_CELLS", 1)
    monkeypatch.setattr("solvers.endgame.seats_search._FIRST_ROOM", 1)
    monkeypatch.setattr("solvers.endgame.seats_search._LINKS", 1)
    check()
    monkeypatch.setattr("solvers.endgame.seats_search._SHARE_OF_LINKS", 0)
    check()
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0})
    check()


@pytest.mark.parametrize("against", ["quantal:0.4", "uniform"])
@pytest.mark.parametrize("objective", ["margin", "points", "win"])
@pytest.mark.parametrize(
    "text",
    [
        "D2QC/TSPD/13CL 2DT/1P2/DEC p=1/2/1 s=24/22/16",
        "WC2Q/DP1L/SQ3C WW/2PC/1D3 p=1/2/1 r=2 s=24/22/16 d=R",
        "WCQ/DPL/SQC/1DQ/22T WWC/2PC/1D3/DDT/3 p=1/2/1/0/1 s=24/22/26/19/20",
    ],
)
def test_boards_of_two_cards_need_not_be_stored(
    text: str, objective: str, against: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows boards of three cards is valued straight from them: by choice, and where memory is short."""
    position = Position.parse(text if objective != "win" else text.replace(" r=2", ""))
    straight = solve(position, objective, against, pudding_value=2.25)
    monkeypatch.setattr("solvers.endgame.seats_search._FIRST_ROOM", 1)
    monkeypatch.setattr("solvers.endgame.seats_search._FEW_SEATS", 5)
    short = solve(position, objective, against, pudding_value=2.25, limits=Limits(memory=1 << 15))
    monkeypatch.setattr("solvers.endgame.seats_search.Search._may_go_straight", False)
    monkeypatch.setattr("solvers.endgame.seats_search.Search._goes_straight", False)
    stored = solve(position, objective, against, pudding_value=2.25)
    for other in (straight, short):
        for found, expected in zip(other.seats, stored.seats, strict=True):
            assert found.value == pytest.approx(expected.value, abs=1e-9)
            assert [row.pick for row in found.picks] == [row.pick for row in expected.picks]
            for one, two in zip(found.picks, expected.picks, strict=True):
                assert (one.value, one.probability) == pytest.approx(
                    (two.value, two.probability), abs=1e-9, nan_ok=True
                )
        assert other.stats["transitions"] == stored.stats["transitions"]
    assert short.stats["states"] < stored.stats["states"]


@pytest.mark.parametrize("deep", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "SD3Q/TSLQ/TSDL W1SSQ/2TCDD/3ETSC p=2/2/0 s=30/34/29",
        "SSD3/TSSQ/TSDL W1DSC/2TLCD/3ETQQ p=2/2/0 s=30/34/29",
        "DDTQ/TSPL/PSCP 2PPLL/CD1TW/E23SQ p=1/2/1 s=31/26/33",
        "DT3Q/DT33/TCTE SS2SS/1LTPS/PLCEW p=1/0/1 s=33/24/29",
    ],
)
def test_a_stage_with_very_many_supports_is_resolved(text: str, deep: bool) -> None:
    """Tens of thousands of supports come before the first that carries an equilibrium, or the logit branch leads to it.

    In the last two positions that is the stage shown.
    """
    position = Position.parse(text)
    solver = TableSolver(position, "margin", Nash(), Rules(), 0.0, Limits(), deep=deep)
    stats = solver.stats()
    assert stats["largest_regret"] <= 1e-6
    assert stats["unresolved_stages"] == 0
    if not text.startswith("SSD3"):
        assert stats["logit_stages"] >= 1
    shown = solver.stage(position)
    solver.stage(position.play([seat.picks[0] for seat in shown.seats], Rules()))
    if isinstance(solver._search, DeepSearch):  # as if a hard stage of another turn had been met since
        for worker in solver._search._workers:
            worker.counts[N_HARD] = 3
    assert solver.stage(position) == shown
    for seat in shown.seats:
        assert sum(seat.mix) == pytest.approx(1)
        assert max(seat.pick_values) <= seat.value + 1e-6
        for chance, value in zip(seat.mix, seat.pick_values, strict=True):
            assert chance == 0 or value == pytest.approx(seat.value, abs=1e-6)


def test_turning_the_table_turns_logit_answers() -> None:
    turned = THREE.swap_seats((1, 2, 0))
    before, after = solve(THREE, against="quantal:0.3"), solve(turned, against="quantal:0.3")
    for seat in range(3):
        assert before.seat((seat + 1) % 3).value == pytest.approx(after.seat(seat).value, abs=1e-9)


def test_passing_the_other_way_is_the_mirror_image() -> None:
    mirrored = Position.parse("D2Q/13C/TSP 2DT/DEC/1P2 p=1/1/2 s=24/16/22 d=R")
    left, right = solve(THREE, against="quantal:0.3"), solve(mirrored, against="quantal:0.3")
    for seat, other in ((0, 0), (1, 2), (2, 1)):
        assert left.seat(seat).value == pytest.approx(right.seat(other).value, abs=1e-9)


def test_points_between_two_seats_have_no_equilibrium_but_a_logit_one() -> None:
    position = Position.parse("TP/SW W/D")
    with pytest.raises(UsageError, match="not zero-sum"):
        solve(position, "points")
    assert len(solve(position, "points", "quantal:1").seats) == 2


@pytest.mark.parametrize("text", ["quantal", "quantal:", "quantal:x", "quantal:-1", "quantal:nan", "quantal:inf"])
def test_a_precision_that_is_none_says_what_would_be(text: str) -> None:
    with pytest.raises(UsageError, match="for example quantal:0.5"):
        quantal_precision(text)


def test_two_seats_load_none_of_the_several_seat_kernels() -> None:
    """Their compilation takes longer than most two-seat solves."""
    code = (
        "import sys; from solvers import Position, solve; solve(Position.parse('TP/SW W/D'));"
        "print([name for name in sys.modules if name.startswith('solvers.endgame.seats')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
