"""The end of a round on boards: the last two turns' tables, the contests, and every seat's utility.

Held to the game room by property tests; every number comes from :mod:`solvers.game.scoring` (the prizes by way of the
frame).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import (
    BLANK,
    BOARD,
    BOOL,
    F8,
    FLOATS,
    I8,
    LAST_ROUND,
    MAKI,
    MAKI_MIN_ICONS,
    MAKI_MOST,
    MAKI_OUT,
    MAKI_SECOND,
    MAKI_TIE_PAYS_SECOND,
    MOST_PUDDINGS,
    OBJECTIVE,
    OWN,
    POINTS,
    PUDDING,
    PUDDING_BOTH,
    PUDDING_FEWEST,
    PUDDING_MOST,
    PUDDING_PAID,
    ROW,
    SCORES,
    SEATS,
    TABLES,
    TOTAL,
    UPSTREAM,
    WIN,
)
from solvers.endgame.seats_mixes import FULL_SIZE, STRIDE
from solvers.endgame.seats_moves import (
    AFTER,
    CHOICE,
    ENDED,
    MANY,
    MOVES,
    REST,
    TOTALS,
    first_column,
    lay,
    next_choice,
)
from solvers.endgame.seats_replies import JOINT_PICK, PICKS


@lean_kernel((ROW, BOARD), inline=True)
def add_maki_points(frame: Any, board: Any) -> Any:
    """Add every seat's maki prize to its points (:func:`solvers.game.scoring.maki_points`).

    Several plain loops, as the counts come in no order that a processor could foresee one branching loop by.
    """
    seats, least = frame[SEATS], frame[MAKI_MIN_ICONS]
    most, second = -1, -1
    for seat in range(seats):
        icons = (board[TABLES, seat] >> MAKI) & MAKI_OUT
        most = max(most, icons if icons != MAKI_OUT else -1)
    many_most, many_second = 0, 0
    for seat in range(seats):
        icons = (board[TABLES, seat] >> MAKI) & MAKI_OUT
        second = max(second, icons if icons < most else -1)
        many_most += I8(icons == most)
    if most < least:
        return
    for seat in range(seats):
        many_second += I8((board[TABLES, seat] >> MAKI) & MAKI_OUT == second)
    first_prize, second_prize = frame[MAKI_MOST + many_most], 0
    if second >= least and (many_most == 1 or frame[MAKI_TIE_PAYS_SECOND]):
        second_prize = frame[MAKI_SECOND + many_second]
    for seat in range(seats):
        icons = (board[TABLES, seat] >> MAKI) & MAKI_OUT
        board[TABLES, seat] += (I8(icons == most) * first_prize + I8(icons == second) * second_prize) << POINTS


@lean_kernel((ROW, BOARD), inline=True)
def add_pudding_points(frame: Any, board: Any) -> Any:
    """Add every seat's pudding bonus or penalty to its points (:func:`solvers.game.scoring.pudding_points`)."""
    if (board[TABLES, 0] >> PUDDING) & 15 >= PUDDING_PAID:
        return
    seats = frame[SEATS]
    most, fewest = 0, MOST_PUDDINGS
    for seat in range(seats):
        count = (board[TABLES, seat] >> PUDDING) & 15
        most, fewest = max(most, count), min(fewest, count)
    if most == fewest and frame[PUDDING_BOTH] == 0:
        return
    many_most, many_fewest = 0, 0
    for seat in range(seats):
        count = (board[TABLES, seat] >> PUDDING) & 15
        many_most += I8(count == most)
        many_fewest += I8(count == fewest)
    prize, penalty = frame[PUDDING_MOST + many_most], frame[PUDDING_FEWEST + many_fewest]
    for seat in range(seats):
        count = (board[TABLES, seat] >> PUDDING) & 15
        board[TABLES, seat] += (I8(count == most) * prize + I8(count == fewest) * penalty) << POINTS


@lean_kernel(F8(FLOATS, BOARD, I8, I8))
def _win_share(numbers: Any, board: Any, seats: Any, seat: Any) -> Any:
    sharing = 0
    total, puddings = numbers[TOTALS + seat], (board[TABLES, seat] >> PUDDING) & 15
    for rival in range(seats):
        other, count = numbers[TOTALS + rival], (board[TABLES, rival] >> PUDDING) & 15
        if other > total or (other == total and count > puddings):
            return 0.0
        sharing += other == total and count == puddings
    return 1.0 / sharing


@lean_kernel((ROW, FLOATS, BOARD, FLOATS), inline=True)
def compare(frame: Any, reals: Any, board: Any, numbers: Any) -> Any:
    """Write to ``numbers`` the utilities of a finished round whose contests are paid: every seat's, or ``OWN``'s."""
    seats, objective, own = frame[SEATS], frame[OBJECTIVE], frame[OWN]
    best, second = -np.inf, -np.inf
    for seat in range(seats):
        table = board[TABLES, seat]
        total = F8(frame[SCORES + seat] + (table >> POINTS))
        if frame[LAST_ROUND] == 0:
            total += reals[0] * ((table >> PUDDING) & 15)
        numbers[TOTALS + seat] = total
        second = max(second, min(best, total))
        best = max(best, total)
    for item in range(1 if own >= 0 else seats):
        seat = own if own >= 0 else item
        if objective == TOTAL:
            numbers[item] = numbers[TOTALS + seat]
        elif objective == WIN:
            numbers[item] = _win_share(numbers, board, seats, seat)
        else:
            total = numbers[TOTALS + seat]
            numbers[item] = total - (second if total == best else best)


@lean_kernel((ROW, FLOATS, BOARD, FLOATS))
def utilities(frame: Any, reals: Any, board: Any, numbers: Any) -> Any:
    """Pay the contests and write to ``numbers`` the utilities of a finished round: every seat's, or ``OWN``'s alone."""
    add_maki_points(frame, board)
    if frame[LAST_ROUND]:
        add_pudding_points(frame, board)
    compare(frame, reals, board, numbers)


@lean_kernel((ROW, MOVES), inline=True)
def list_ends(frame: Any, moves: Any) -> Any:
    """Fill ``ENDED``; at most one card is passed on by each pick."""
    seats = frame[SEATS]
    for giver in range(seats):
        taker = (giver - frame[UPSTREAM] + seats) % seats
        many = moves[MANY, giver, 0]
        for given in range(many):
            hand = moves[REST, giver, given]
            column = first_column(hand) if hand else BLANK
            for pick in range(moves[MANY, taker, 0]):
                moves[ENDED, taker, pick * many + given] = lay(moves[AFTER, taker, pick], column)


@lean_kernel(BOOL(ROW, BOARD), inline=True)
def maki_is_open(frame: Any, board: Any) -> Any:
    """Whether the contest for maki is still to be paid."""
    found = False
    for seat in range(frame[SEATS]):
        found = found or (board[TABLES, seat] >> MAKI) & MAKI_OUT != MAKI_OUT
    return found


@lean_kernel(BOOL(ROW, BOARD), inline=True)
def puddings_are_open(frame: Any, board: Any) -> Any:
    """Whether puddings are still to be paid at the end of this round."""
    return frame[LAST_ROUND] == 1 and (board[TABLES, 0] >> PUDDING) & 15 < PUDDING_PAID


@lean_kernel((ROW, FLOATS, MOVES, BOOL, BOOL, BOARD, BOARD, FLOATS, FLOATS, I8), inline=True)
def write_end(
    frame: Any,
    reals: Any,
    moves: Any,
    maki: Any,
    puddings: Any,
    child: Any,
    scratch: Any,
    numbers: Any,
    out: Any,
    place: Any,
) -> Any:
    """Write to ``out``, from ``place`` on, the utilities after the joint pick ``CHOICE`` of a board of one or two cards
    and after the last cards; ``ENDED`` must be filled."""
    seats, giver = frame[SEATS], frame[UPSTREAM]
    for seat in range(seats):
        if giver < 0:
            giver += seats
        elif giver >= seats:
            giver -= seats
        at = scratch[CHOICE, seat] * moves[MANY, giver, 0] + scratch[CHOICE, giver]
        child[TABLES, seat] = moves[ENDED, seat, at]
        giver += 1
    if maki:
        add_maki_points(frame, child)
    if puddings:
        add_pudding_points(frame, child)
    compare(frame, reals, child, numbers)
    for item in range(1 if frame[OWN] >= 0 else seats):
        out[place + item] = numbers[item]


@lean_kernel((ROW, FLOATS, BOARD, MOVES, BOARD, BOARD, FLOATS, FLOATS))
def fill_ends(frame: Any, reals: Any, board: Any, moves: Any, child: Any, scratch: Any, numbers: Any, out: Any) -> Any:
    """The utilities after each joint pick at a board of one or two cards, and after the last cards.

    In ``out`` as :func:`solvers.endgame.seats_levels.fill_values` orders them; ``ENDED`` must be filled. Contests that
    the board has as paid are not looked at again.
    """
    seats = frame[SEATS]
    maki, puddings = maki_is_open(frame, board), puddings_are_open(frame, board)
    scratch[CHOICE] = 0
    place = 0
    more = True
    while more:
        write_end(frame, reals, moves, maki, puddings, child, scratch, numbers, out, place)
        place += 1 if frame[OWN] >= 0 else seats
        more = next_choice(moves, seats, scratch)


@lean_kernel(I8(ROW, FLOATS, BOARD, MOVES, BOARD, ROW, BOARD, BOARD, FLOATS, FLOATS))
def fill_replies(
    frame: Any,
    reals: Any,
    board: Any,
    moves: Any,
    game: Any,
    trail: Any,
    child: Any,
    scratch: Any,
    numbers: Any,
    out: Any,
) -> Any:
    """The same after the joint pick that a trail has reached and all that differ from it by one seat's pick.

    Utilities known already are not worked out again; returns how many joint picks were.
    """
    seats, found = frame[SEATS], 0
    maki, puddings = maki_is_open(frame, board), puddings_are_open(frame, board)
    for seat in range(seats):
        scratch[CHOICE, seat] = trail[PICKS + seat]
    for seat in range(seats):
        step = game[STRIDE, seat] * seats
        place = trail[JOINT_PICK] * seats - trail[PICKS + seat] * step
        for pick in range(game[FULL_SIZE, seat]):
            if np.isnan(out[place]):
                scratch[CHOICE, seat] = pick
                write_end(frame, reals, moves, maki, puddings, child, scratch, numbers, out, place)
                found += 1
            place += step
        scratch[CHOICE, seat] = trail[PICKS + seat]
    return found
