"""Ends scored side by side against ends scored one by one, which the game room is held to."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solvers import Position, Rules
from solvers.endgame.packing import (
    KEEP_PICKS,
    MAKI,
    MAKI_OUT,
    MAX_SEATS,
    POINTS,
    PUDDING,
    PUDDING_PAID,
    TABLES,
    make_frame,
)
from solvers.endgame.seats_ends import maki_is_open, puddings_are_open, utilities
from solvers.endgame.seats_lanes import LANES, NOBODY, PLANES, new_sums, score_lanes, set_prizes
from solvers.endgame.seats_reduce import NO_CHANCE
from tests.endgame_strategies import PUDDING_VALUES
from tests.strategies import rules_options

FREE = sum(1 << bit for bit in range(MAKI))
"""What a table holds below its maki must not matter."""


def random_tables(rng: Random, seats: int, ends: int, maki_paid: bool, puddings_paid: bool) -> np.ndarray:
    """Tables ``(seats, ends)`` whose counts tie often; now and then a seat is out of the contest or of the running."""
    tables = np.zeros((seats, ends), dtype=np.int64)
    for end in range(ends):
        most, many = rng.randint(0, 8), rng.randint(0, 3)
        for seat in range(seats):
            icons = MAKI_OUT if maki_paid or rng.random() < 0.1 else rng.randint(0, most)
            puddings = PUDDING_PAID + rng.randint(0, 2) if puddings_paid else rng.randint(0, many)
            points = NO_CHANCE if rng.random() < 0.1 else rng.randint(0, 30)
            tables[seat, end] = icons << MAKI | puddings << PUDDING | rng.randint(0, FREE)
            tables[seat, end] += points << POINTS
    return tables


@given(
    rules=rules_options(),
    seats=st.integers(2, MAX_SEATS),
    objective=st.sampled_from(("margin", "points", "win")),
    own=st.integers(-1, MAX_SEATS - 1),
    last=st.booleans(),
    worth=st.sampled_from(PUDDING_VALUES),
    maki_paid=st.booleans(),
    puddings_paid=st.booleans(),
    ends=st.sampled_from((1, 7, 16, 37, LANES)),
    seed=st.integers(0, 2**32),
)
@example(Rules(pudding_all_equal="both"), 2, "points", -1, True, 0, False, False, 37, 0)
def test_lanes_score_like_single_ends(
    rules: Rules,
    seats: int,
    objective: str,
    own: int,
    last: bool,
    worth: float,
    maki_paid: bool,
    puddings_paid: bool,
    ends: int,
    seed: int,
) -> None:
    rng = Random(seed)
    own = min(own, seats - 1)
    position = Position(
        hands=((),) * seats,
        tables=((),) * seats,
        puddings=(0,) * seats,
        scores=tuple(rng.randint(-3, 4) for _ in range(seats)),
        round=3 if last else 2,
    )
    frame = make_frame(position, objective, rules, worth, own, KEEP_PICKS)
    tables = random_tables(rng, seats, ends, maki_paid, puddings_paid and last)

    words = np.full((PLANES, LANES), NOBODY, dtype=np.int32)
    for plane in range(seats):
        words[plane, :ends] = tables[(max(own, 0) + plane) % seats] >> MAKI
    sums, out = new_sums(), np.zeros(PLANES * LANES)
    set_prizes(frame.ints, sums.prizes)
    open_maki, open_puddings = not maki_paid, last and not puddings_paid
    score_lanes(*frame, words.reshape(-1), ends, open_maki, open_puddings, sums, out)

    numbers, board = np.zeros(2 * MAX_SEATS), np.zeros((2, MAX_SEATS), dtype=np.int64)
    for end in range(ends):
        board[TABLES, :seats] = tables[:, end]
        if open_maki and not maki_is_open(frame.ints, board):
            continue  # every seat happens to be out of it: no board has that before it is paid
        assert open_puddings == puddings_are_open(frame.ints, board)
        utilities(*frame, board, numbers)
        expected = [out[plane * LANES + end] for plane in range(frame.kept)]
        assert list(numbers[: frame.kept]) == pytest.approx(expected, abs=1e-9)


def test_a_win_is_shared_only_by_equals() -> None:
    """Equal totals and puddings share; puddings break ties; a seat that does not exist never wins."""
    position = Position(((),) * 3, ((),) * 3, (0,) * 3, (10, 10, 10), 3)
    frame = make_frame(position, "win", Rules(), 0.0, -1, KEEP_PICKS)
    words = np.full((PLANES, LANES), NOBODY, dtype=np.int32)
    paid = MAKI_OUT | PUDDING_PAID << (PUDDING - MAKI)
    points, rank = 1 << (POINTS - MAKI), 1 << (PUDDING - MAKI)
    words[0, :3] = paid + 5 * points, paid + 5 * points, paid
    words[1, :3] = paid + 5 * points, paid + 5 * points + rank, paid
    words[2, :3] = paid + 4 * points + rank, paid, paid
    out = np.zeros(PLANES * LANES)
    score_lanes(*frame, words.reshape(-1), 3, False, False, new_sums(), out)
    assert (
        pytest.approx(np.array([[0.5, 0.5, 0], [0, 1, 0], [1 / 3, 1 / 3, 1 / 3]]))
        == out.reshape(PLANES, LANES)[:3, :3].T
    )
