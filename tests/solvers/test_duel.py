"""The fast two-seat engine: whole deals, its reductions one by one, its limits, and a signature of its search."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.bench import shipped_deals
from solvers import LimitReached, Limits, Position, Rules, Solution, solve
from solvers.endgame import duel, matrix, packing_watch
from solvers.endgame.duel import DuelEngine
from solvers.endgame.duel_estimate import SPREAD, estimate_size
from solvers.endgame.duel_stage import Entries, settle_entries
from solvers.endgame.duel_state import WASABI_BIT, lay
from solvers.endgame.mixes import canonical_mixes
from solvers.errors import Interrupted
from solvers.game.cards import KINDS, Card
from solvers.game.scoring import dumpling_points, nigiri_points, open_wasabi, sashimi_points, tempura_points
from tests.endgame_strategies import questions

SIGNATURE = [
    ("TSQ2PW/TSE1WD TC/DW", "margin", 2695, 3527),
    ("SSSDDPP/QLW23TC -/- s=3/1", "margin", 1620, 2005),
    ("TTDEPWC/SD23LLP T1Q/LDD p=0/1 s=22/19", "margin", 8187, 11385),
    ("SSSEPC/TTT12P Q2S1/2PTD p=1/0 s=24/23", "win", 176, 176),
    ("TTSD1123LP/TD2223LLPP -/- r=1", "margin", 22517, 29508),
]
"""States stored and nodes searched: a change here means the search changed, for better or worse."""

PLAIN_DEALS = [
    "TTTTTSSSDD/TTTTSSSDDD -/- r=1",
    "SSSSSSDDDW/SSSSLLLLDD -/- r=1",
    "TTTTTTTTCC/DDDDDDDDLL -/- r=2",
    "22222PPPPW/33333PPPLL -/- r=3",
]
"""Whole deals of few kinds, so that the plain engine finishes them too."""

REDUCTIONS = {
    "tempura nobody can pair": "TLL/LDD S/TT",
    "tempura only one seat can pair": "TLL/LDD S/T",
    "sashimi out of reach": "SLL/SDD S/E",
    "sashimi in reach of one seat": "SLL/SDD SS/E",
    "dumplings past five": "DDL/DEE DDDDD/DDDDD",
    "dumplings past five for one": "DDL/DEE DDDDD/D",
    "wasabi without nigiri": "WTT/WDD T/D",
    "more wasabi than nigiri": "LTT/TDD WWW/D",
    "chopsticks with two cards left": "CT/LD T/D",
    "chopsticks in front with two cards left": "CT/LD C/C",
    "several chopsticks in front": "TTL/LDD CC/C",
    "maki decided, second place open": "1TL/2DD 333/T",
    "maki decided, both have some": "1TL/2DD 333/1",
    "maki tied": "1TL/1DD 3/3",
    "puddings decided": "PTL/PDD PPP/T p=1/0",
    "puddings open": "PTL/PDD PP/T p=0/1",
    "nothing left to play for": "CC/WW T/D",
}
"""A position for each way a state is reduced."""


@cache
def solved(text: str) -> Solution:
    return solve(Position.parse(text))


def two_engines(text: str, **question: Any) -> tuple[Any, Any]:
    position = Position.parse(text)
    return solve(position, **question), solve(position, engine="plain", **question)


@pytest.mark.parametrize(("text", "objective", "states", "nodes"), SIGNATURE, ids=[row[0] for row in SIGNATURE])
def test_search_signature(text: str, objective: str, states: int, nodes: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(duel, "interpreter_allowance", lambda: 0)
    stats = solve(Position.parse(text), objective).stats
    assert (stats["states"], stats["nodes"]) == (states, nodes)


@settings(max_examples=30)
@given(question=questions(min_cards=2, max_cards=5))
def test_the_interpreted_search_is_the_compiled_one(question: dict[str, Any]) -> None:
    """The same answer after the same steps, number for number."""
    answers = []
    for allowance in (10**9, 0):
        with pytest.MonkeyPatch.context() as patch:
            for module in (duel, matrix):
                patch.setattr(module, "interpreter_allowance", lambda nodes=allowance: nodes)
            patch.setattr(duel, "INTERPRETED_NODES", 10**9)
            solution = solve(**question)
        stats = {name: number for name, number in solution.stats.items() if name != "seconds"}
        answers.append((solution.value, solution.seats, solution.line, stats))
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("value", "text"), shipped_deals(), ids=[text for _, text in shipped_deals()])
def test_whole_deals_have_their_proven_values(value: float, text: str) -> None:
    solution = solved(text)
    assert solution.value == pytest.approx(value, abs=1e-6)
    for seat in solution.seats:
        assert len(seat.picks) == len(set(Position.parse(text).hands[seat.seat]))
        assert min(row.loss for row in seat.picks) >= -1e-9
        assert sum(row.probability * row.loss for row in seat.picks) == pytest.approx(0, abs=1e-9)


def test_the_estimate_of_size_is_within_two_spreads_for_most_deals() -> None:
    off = []
    for _, text in shipped_deals():
        stats = solved(text).stats
        assert stats["estimated_states"] == estimate_size(Position.parse(text)).states
        off.append(abs(np.log(stats["estimated_states"] / stats["states"])) / np.log(SPREAD))
    assert np.mean(np.array(off) < 2) >= 0.7, off


@pytest.mark.parametrize("text", PLAIN_DEALS)
def test_whole_deals_by_both_engines(text: str) -> None:
    fast, plain = two_engines(text)
    assert fast.value == pytest.approx(plain.value, abs=1e-9)
    assert fast.table() == [pytest.approx(row, abs=1e-9) for row in plain.table()]
    assert fast.line == plain.line


@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize("text", REDUCTIONS.values(), ids=REDUCTIONS)
def test_each_reduction_keeps_the_value(text: str, objective: str) -> None:
    fast, plain = two_engines(text, objective=objective)
    assert fast.value == pytest.approx(plain.value, abs=1e-9)
    for mine, reference in zip(fast.seats, plain.seats, strict=True):
        assert [(row.pick, row.value) for row in mine.picks] == [
            (row.pick, pytest.approx(row.value, abs=1e-9)) for row in reference.picks
        ]


@given(st.lists(st.sampled_from([card for card in KINDS if card is not Card.CHOPSTICKS]), max_size=12))
def test_laying_cards_scores_as_the_game_room_does(table: list[Card]) -> None:
    seat = points = 0
    for card in table:
        seat, gain = lay(seat, int(card))
        points += gain
    assert points == (
        tempura_points(table.count(Card.TEMPURA))
        + sashimi_points(table.count(Card.SASHIMI))
        + dumpling_points(table.count(Card.DUMPLING))
        + nigiri_points(table)
    )
    assert (seat >> WASABI_BIT) & 7 == min(open_wasabi(table), 7) or open_wasabi(table) > 7


@settings(max_examples=300)
@given(st.data())
def test_settled_entries_give_the_canonical_answer_of_the_whole_matrix(data: st.DataObject) -> None:
    rows, columns = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    entries = data.draw(st.lists(st.integers(-3, 3), min_size=rows * columns, max_size=rows * columns))
    matrix = np.array(entries, dtype=np.float64).reshape(rows, columns)
    asked = set()

    def ask(row: int, column: int, low: float, high: float) -> tuple[float, float]:
        asked.add((row, column))
        entry = matrix[row, column]
        return (entry, 1e4) if entry >= high else (-1e4, entry) if entry <= low else (entry, entry)

    value, x, y = canonical_mixes(matrix)
    filled = settle_entries(Entries(rows, columns, ask), value)
    again, x_again, y_again = canonical_mixes(filled)
    assert again == pytest.approx(value, abs=1e-9)
    assert x_again == pytest.approx(x, abs=1e-9)
    assert y_again == pytest.approx(y, abs=1e-9)
    assert filled @ y_again == pytest.approx(matrix @ y, abs=1e-9)
    assert x_again @ filled == pytest.approx(x @ matrix, abs=1e-9)


def test_a_limit_on_states_stops_with_what_was_stored() -> None:
    position = Position.parse("TTSS12QPWC/TTSSSD1ELW -/- r=1")
    with pytest.raises(LimitReached, match="100000 states") as stopped:
        solve(position, limits=Limits(max_states=100_000))
    assert stopped.value.stats["states"] > 100_000


def test_what_a_stopped_search_has_proven_holds_the_value() -> None:
    value, text = next((value, text) for value, text in shipped_deals() if text.startswith("TTSS12QPWC"))
    proven = []
    for states in (20_000, 60_000, 100_000, 200_000, 300_000, 400_000):
        with pytest.raises(LimitReached) as stopped:
            solve(Position.parse(text), limits=Limits(max_states=states))
        low, high = stopped.value.bounds
        assert (low is None or low <= value + 1e-9) and (high is None or value - 1e-9 <= high)
        proven.append((low is not None) + (high is not None))
    assert proven == sorted(proven) and proven[-1] == 2


def test_what_is_proven_of_one_position_is_not_told_of_another() -> None:
    root = Position.parse("TTSSSSLQPP/TTSS22EPWC -/- r=1")
    later = root.play(((Card.SASHIMI,), (Card.WASABI,)), Rules())
    engine = DuelEngine(root, "margin", Rules(), 1.5, Limits())
    assert engine.bounds(root) == (None, None)
    value = engine.value(later)
    engine.set_limits(Limits(max_states=engine.stats()["states"] + 20_000))
    with pytest.raises(LimitReached):
        engine.value(root)
    low, high = engine.bounds(root)
    assert engine.bounds(later) == (pytest.approx(value), pytest.approx(value))
    assert (low is None or low <= -0.269927) and (high is None or high >= -0.269928)
    engine.set_limits(Limits())
    value = engine.value(root)
    engine.set_limits(Limits(timeout=1e-9))
    with pytest.raises(LimitReached):
        engine.value(later.play(((Card.TEMPURA,), (Card.SASHIMI,)), Rules()))
    assert engine.bounds(root) == (pytest.approx(value), pytest.approx(value))


def test_ctrl_c_tells_what_was_proven() -> None:
    def interrupt(report: Any) -> None:
        if report["states"] > 150_000:
            raise KeyboardInterrupt

    value, text = next((value, text) for value, text in shipped_deals() if text.startswith("TTSS12QPWC"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing_watch, "_INTERVAL", 0.0)
        with pytest.raises(Interrupted) as stopped:
            solve(Position.parse(text), progress=interrupt)
    low, high = stopped.value.bounds
    assert (low, high) != (None, None)
    assert (low is None or low <= value + 1e-9) and (high is None or value - 1e-9 <= high)


def test_a_limit_on_memory_stops_before_the_table_grows() -> None:
    with pytest.raises(LimitReached, match="MiB"):
        solve(Position.parse("TTSS12QPWC/TTSSSD1ELW -/- r=1"), limits=Limits(memory=1 << 22))


def test_a_search_goes_on_from_where_a_limit_stopped_it() -> None:
    position = Position.parse("TTSSSSLQPP/TTSS22EPWC -/- r=1")
    engine = DuelEngine(position, "margin", Rules(), 1.5, Limits(max_states=20_000))
    with pytest.raises(LimitReached):
        engine.value(position)
    stored = engine.stats()["states"]
    engine.set_limits(Limits())
    assert engine.value(position) == pytest.approx(-0.269927793, abs=1e-6)
    assert engine.stats()["states"] >= stored > 20_000
