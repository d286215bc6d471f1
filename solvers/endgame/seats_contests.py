"""The contests for maki and puddings on boards: what is sure of them before the end (steps 5 and 6 of a reduction).

See :mod:`solvers.endgame.seats_reduce` for why each step is sound.
"""

from __future__ import annotations

from typing import Any

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import (
    BOARD,
    BOOL,
    I8,
    MAKI,
    MAKI_MIN_ICONS,
    MAKI_OUT,
    MAKI_SECOND_PAID,
    MAKI_TIE_PAYS_SECOND,
    MOST_PUDDINGS,
    OBJECTIVE,
    PUDDING,
    PUDDING_PAID,
    ROW,
    SEATS,
    TABLES,
    WIN,
    held,
)
from solvers.endgame.seats_ends import add_maki_points, add_pudding_points
from solvers.endgame.seats_moves import HIGH, LOW, REACH
from solvers.game.cards import Card

_MAKI1, _MAKI2, _MAKI3, _P = int(Card.MAKI1), int(Card.MAKI2), int(Card.MAKI3), int(Card.PUDDING)


@lean_kernel(BOOL(ROW, BOARD, I8))
def second_settled(frame: Any, scratch: Any, most: Any) -> Any:
    """Whether the second maki prize is sure, ``most`` being the count of the sure winners: who gets it, and whether
    they have any maki at all."""
    seats, least = frame[SEATS], frame[MAKI_MIN_ICONS]
    second = -1
    for seat in range(seats):
        if scratch[HIGH, seat] < most:
            second = max(second, scratch[LOW, seat])
    size, room = 0, 0
    for seat in range(seats):
        low, high = scratch[LOW, seat], scratch[HIGH, seat]
        if second <= high < most:
            size += 1
            room += high - low
            if low < least <= high:
                return False
    return size <= 1 or room == 0


@lean_kernel(BOOL(ROW, BOARD, BOARD), inline=True)
def reduce_maki(frame: Any, board: Any, scratch: Any) -> Any:
    """Step 5: pays the contest once it is settled, and says so; else takes off what all have.

    A seat's icons end between ``LOW`` and ``HIGH`` (-1 if it is out). The first prize is sure when only one seat may
    end with the most, or when none of those that may can take more.
    """
    seats, least, second_paid = frame[SEATS], frame[MAKI_MIN_ICONS], frame[MAKI_SECOND_PAID]
    most, second = -1, -1
    for seat in range(seats):
        reach, low = scratch[REACH, seat], (board[TABLES, seat] >> MAKI) & MAKI_OUT
        if low == MAKI_OUT:
            scratch[LOW, seat] = -1
            scratch[HIGH, seat] = -1
            continue
        scratch[LOW, seat] = low
        scratch[HIGH, seat] = low + held(reach, _MAKI1) + 2 * held(reach, _MAKI2) + 3 * held(reach, _MAKI3)
        second = max(second, min(low, most))
        most = max(most, low)
    settled = most < 0
    if not settled:
        enough = second if second_paid else most
        if second_paid and frame[MAKI_TIE_PAYS_SECOND]:
            enough = -1  # two leaders who tie leave the second prize to the third: nobody is out
        size, room, fewest = 0, 0, MAKI_OUT
        for seat in range(seats):
            low, high = scratch[LOW, seat], scratch[HIGH, seat]
            if high >= most:
                size += 1
                room += high - low
            if high < enough:
                scratch[LOW, seat] = -1
                scratch[HIGH, seat] = -1
                board[TABLES, seat] |= MAKI_OUT << MAKI
            else:
                fewest = min(fewest, low)
        if size <= 1 or room == 0:
            sure = second_paid == 0 or (size > 1 and frame[MAKI_TIE_PAYS_SECOND] == 0)
            settled = sure or second_settled(frame, scratch, most)
        if settled:
            add_maki_points(frame, board)
            for seat in range(seats):
                board[TABLES, seat] |= MAKI_OUT << MAKI
        elif fewest > least:
            for seat in range(seats):
                if scratch[LOW, seat] >= 0:
                    board[TABLES, seat] -= (fewest - least) << MAKI
    return settled


@lean_kernel(BOOL(ROW, BOARD))
def pudding_settled(frame: Any, scratch: Any) -> Any:
    """Whether every pudding prize is sure, and for ``win`` the order of the seats (counts as in maki)."""
    seats = frame[SEATS]
    most, fewest = -1, 99
    for seat in range(seats):
        most, fewest = max(most, scratch[LOW, seat]), min(fewest, scratch[HIGH, seat])
    size, room, size_fewest, room_fewest = 0, 0, 0, 0
    for seat in range(seats):
        low, high = scratch[LOW, seat], scratch[HIGH, seat]
        if high >= most:
            size += 1
            room += high - low
        if low <= fewest:
            size_fewest += 1
            room_fewest += high - low
    if (size > 1 and room > 0) or (seats > 2 and size_fewest > 1 and room_fewest > 0):
        return False
    if frame[OBJECTIVE] == WIN:
        for one in range(seats):
            for two in range(one):
                apart = scratch[LOW, one] > scratch[HIGH, two] or scratch[LOW, two] > scratch[HIGH, one]
                room = scratch[HIGH, one] - scratch[LOW, one] + scratch[HIGH, two] - scratch[LOW, two]
                if not apart and room > 0:
                    return False
    return True


@lean_kernel(I8(ROW, BOARD, I8))
def pudding_rank(frame: Any, scratch: Any, seat: Any) -> Any:
    """How many different counts of puddings are below a seat's, which only matters to ``win`` (else 0)."""
    rank = 0
    if frame[OBJECTIVE] == WIN:
        for rival in range(frame[SEATS]):
            fresh = scratch[LOW, rival] < scratch[LOW, seat]
            for earlier in range(rival):
                fresh = fresh and scratch[LOW, earlier] != scratch[LOW, rival]
            rank += fresh
    return rank


@lean_kernel(BOOL(ROW, BOARD, BOARD), inline=True)
def reduce_pudding(frame: Any, board: Any, scratch: Any) -> Any:
    """Step 6: pays the contest once it is settled, and says so; else takes off what all have."""
    settled = (board[TABLES, 0] >> PUDDING) & 15 >= PUDDING_PAID
    if not settled:
        seats = frame[SEATS]
        fewest = MOST_PUDDINGS
        for seat in range(seats):
            count = (board[TABLES, seat] >> PUDDING) & 15
            scratch[LOW, seat] = count
            scratch[HIGH, seat] = count + held(scratch[REACH, seat], _P)
            fewest = min(fewest, count)
        settled = pudding_settled(frame, scratch)
        if settled:
            add_pudding_points(frame, board)
        for seat in range(seats):
            if settled:
                table = board[TABLES, seat] & ~(15 << PUDDING)
                board[TABLES, seat] = table | ((PUDDING_PAID + pudding_rank(frame, scratch, seat)) << PUDDING)
            else:
                board[TABLES, seat] -= fewest << PUDDING
    return settled
