"""The rules of a turn on boards: distinct picks, laying cards, and the utilities of a finished round.

Held to the game room by property tests; every number comes from :mod:`solvers.game.scoring` and
:mod:`solvers.game.cards`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from solvers.endgame.jit import kernel
from solvers.endgame.packing import (
    BLANK,
    BOARD,
    BOOL,
    CHOPSTICKS,
    COLUMNS,
    DUMPLING,
    ENOUGH_DUMPLINGS,
    F8,
    FLOATS,
    HANDS,
    I8,
    LAST_ROUND,
    MAKI,
    MAKI_FULL,
    MAKI_MIN_ICONS,
    MAKI_OUT,
    MAKI_SECOND_PAID,
    MAX_SEATS,
    OBJECTIVE,
    OWN,
    POINTS,
    PUDDING,
    PUDDING_BOTH,
    PUDDING_FULL,
    PUDDING_PAID,
    ROW,
    SASHIMI,
    SCORES,
    SEATS,
    SHIFT,
    STRICT,
    TABLES,
    TEMPURA,
    TOTAL,
    UPSTREAM,
    WASABI,
    WIN,
    held,
)
from solvers.game.cards import KINDS, MAKI_ICONS, NIGIRI_POINTS, Card
from solvers.game.scoring import (
    DUMPLING_POINTS,
    MAKI_FIRST,
    MAKI_SECOND,
    PUDDING_PRIZE,
    SASHIMI_SET,
    TEMPURA_PAIR,
    WASABI_FACTOR,
)

MAX_PICKS = 96
"""No hand of ten cards has more distinct picks, pairs in both orders included."""

_T, _S, _D, _P, _W, _C = (
    int(card) for card in (Card.TEMPURA, Card.SASHIMI, Card.DUMPLING, Card.PUDDING, Card.WASABI, Card.CHOPSTICKS)
)
_EGG, _SQUID = int(Card.EGG_NIGIRI), int(Card.SQUID_NIGIRI)
_MAKI3 = int(Card.MAKI3)
_ICONS = tuple(MAKI_ICONS.get(card, 0) for card in KINDS)
_NIGIRI = tuple(NIGIRI_POINTS.get(card, 0) for card in KINDS)
_NEXT_DUMPLING = tuple(after - before for before, after in zip(DUMPLING_POINTS, DUMPLING_POINTS[1:], strict=False))


MANY, FIRST, SECOND, AFTER, REST = range(5)
"""Layers of a *move list*, an int64 array ``(5, MAX_SEATS, MAX_PICKS)`` of every seat's distinct picks at a board: how
many (in place 0), the hand fields of the one or two cards (-1 for no second), the seat's table after the pick, and the
hand it passes on."""
MOVES = numba.int64[:, :, ::1]

REACH, USES, LOW, HIGH, CHOICE, SCRATCH_ROWS = range(6)
"""Rows of ``scratch``, a worker's whole numbers for each seat: reach and uses of chopsticks left, bounds of a contest
(see :mod:`solvers.endgame.seats_reduce`), and the pick now followed."""
TOTALS = MAX_SEATS
"""``numbers`` is a worker's floats: utilities, or banked constants, for each seat, and behind ``TOTALS`` sums on the way
to them."""


def new_moves() -> np.ndarray:
    """Room for the picks of any board."""
    return np.zeros((5, MAX_SEATS, MAX_PICKS), dtype=np.int64)


@kernel(I8(I8, I8))
def lay(table: Any, column: Any) -> Any:
    """The table after a card of hand field ``column`` is laid."""
    if column == _T:
        if (table >> TEMPURA) & 1:
            return table - (1 << TEMPURA) + (TEMPURA_PAIR << POINTS)
        return table + (1 << TEMPURA)
    if column == _S:
        if (table >> SASHIMI) & 3 == 2:
            return table - (2 << SASHIMI) + (SASHIMI_SET << POINTS)
        return table + (1 << SASHIMI)
    if column == _D:
        laid = (table >> DUMPLING) & 7
        if laid >= ENOUGH_DUMPLINGS:
            return table
        return table + (1 << DUMPLING) + (_NEXT_DUMPLING[laid] << POINTS)
    if column <= _MAKI3:
        if (table >> MAKI) & MAKI_OUT == MAKI_OUT:
            return table
        return table + (_ICONS[column] << MAKI)
    if column <= _SQUID:
        if (table >> WASABI) & 7:
            return table - (1 << WASABI) + ((WASABI_FACTOR * _NIGIRI[column]) << POINTS)
        return table + (_NIGIRI[column] << POINTS)
    if column == _P:
        return table + (1 << PUDDING) if (table >> PUDDING) & 15 < PUDDING_PAID else table
    if column == _W:
        return table + (1 << WASABI)
    if column == _C:
        return table + (1 << CHOPSTICKS)
    return table


@kernel((ROW, MOVES, BOARD, I8, I8, I8))
def _add_pick(frame: Any, moves: Any, board: Any, seat: Any, first: Any, second: Any) -> Any:
    place = moves[MANY, seat, 0]
    rest = board[HANDS, seat] - (1 << frame[SHIFT + first])
    after = lay(board[TABLES, seat], first)
    if second >= 0:
        rest += (1 << frame[SHIFT + _C]) - (1 << frame[SHIFT + second])
        after = lay(after, second) - (1 << CHOPSTICKS)
    moves[MANY, seat, 0] = place + 1
    moves[FIRST, seat, place] = first
    moves[SECOND, seat, place] = second
    moves[REST, seat, place] = rest
    moves[AFTER, seat, place] = after


@kernel((ROW, MOVES, BOARD, I8))
def _add_pairs(frame: Any, moves: Any, board: Any, seat: Any) -> Any:
    """The picks of two cards, in card order."""
    hand, waiting = board[HANDS, seat], (board[TABLES, seat] >> WASABI) & 7
    for first in range(COLUMNS):
        if first == _C or held(frame, hand, first) == 0:
            continue
        for second in range(COLUMNS):
            if second == _C or held(frame, hand, second) < (2 if first == second else 1):
                continue
            two_nigiri = _EGG <= first <= _SQUID and _EGG <= second <= _SQUID and waiting == 1
            wasabi_first = first == _W and _EGG <= second <= _SQUID and waiting == 0 and frame[STRICT] == 0
            if first <= second or two_nigiri or wasabi_first:
                _add_pick(frame, moves, board, seat, first, second)


@kernel((ROW, BOARD, I8, MOVES))
def list_moves(frame: Any, board: Any, cards: Any, moves: Any) -> Any:
    """Every seat's distinct picks in card order, a blank card last; ``cards`` are in each hand."""
    for seat in range(frame[SEATS]):
        moves[MANY, seat, 0] = 0
        for first in range(COLUMNS):
            if held(frame, board[HANDS, seat], first):
                _add_pick(frame, moves, board, seat, first, -1)
        if cards >= 2 and (board[TABLES, seat] >> CHOPSTICKS) & 7:
            _add_pairs(frame, moves, board, seat)


@kernel((ROW, MOVES, BOARD, BOARD))
def follow(frame: Any, moves: Any, scratch: Any, child: Any) -> Any:
    """Write the board after pick ``scratch[CHOICE, seat]`` of every seat: its table, and the hand its neighbour passed on."""
    seats, giver = frame[SEATS], frame[UPSTREAM]
    for seat in range(seats):
        if giver < 0:
            giver += seats
        elif giver >= seats:
            giver -= seats
        child[HANDS, seat] = moves[REST, giver, scratch[CHOICE, giver]]
        child[TABLES, seat] = moves[AFTER, seat, scratch[CHOICE, seat]]
        giver += 1


@kernel(BOOL(MOVES, I8, BOARD))
def next_choice(moves: Any, seats: Any, scratch: Any) -> Any:
    """Step ``CHOICE`` to the next joint pick, the last seat's pick running fastest; false after the last one."""
    for seat in range(seats - 1, -1, -1):
        scratch[CHOICE, seat] += 1
        if scratch[CHOICE, seat] < moves[MANY, seat, 0]:
            return True
        scratch[CHOICE, seat] = 0
    return False


@kernel(I8(ROW, MOVES))
def count_choices(frame: Any, moves: Any) -> Any:
    """The number of joint picks."""
    product = 1
    for seat in range(frame[SEATS]):
        product *= moves[MANY, seat, 0]
    return product


@kernel((ROW, BOARD))
def lay_last_cards(frame: Any, board: Any) -> Any:
    """Every seat lays the one card it holds, if it holds one."""
    for seat in range(frame[SEATS]):
        hand = board[HANDS, seat]
        if hand:
            column = 0
            while column < BLANK and held(frame, hand, column) == 0:
                column += 1
            board[TABLES, seat] = lay(board[TABLES, seat], column)


@kernel((ROW, BOARD))
def add_maki_points(frame: Any, board: Any) -> Any:
    """Add every seat's maki prize to its points (:func:`solvers.game.scoring.maki_points`)."""
    seats, least, full = frame[SEATS], frame[MAKI_MIN_ICONS], frame[MAKI_FULL] == 1
    most, second = -1, -1
    many_most, many_second = 0, 0
    for seat in range(seats):
        icons = (board[TABLES, seat] >> MAKI) & MAKI_OUT
        if icons == MAKI_OUT or icons < least:
            continue
        if icons > most:
            second, many_second = most, many_most
            most, many_most = icons, 1
        elif icons == most:
            many_most += 1
        elif icons > second:
            second, many_second = icons, 1
        elif icons == second:
            many_second += 1
    second_paid = frame[MAKI_SECOND_PAID] == 1 and (many_most == 1 or full)
    for seat in range(seats):
        icons = (board[TABLES, seat] >> MAKI) & MAKI_OUT
        if icons == most:
            board[TABLES, seat] += (MAKI_FIRST if full else MAKI_FIRST // many_most) << POINTS
        elif icons == second and second_paid:
            board[TABLES, seat] += (MAKI_SECOND if full else MAKI_SECOND // many_second) << POINTS


@kernel((ROW, BOARD))
def add_pudding_points(frame: Any, board: Any) -> Any:
    """Add every seat's pudding bonus or penalty to its points (:func:`solvers.game.scoring.pudding_points`)."""
    if (board[TABLES, 0] >> PUDDING) & 15 >= PUDDING_PAID:
        return
    seats, full = frame[SEATS], frame[PUDDING_FULL] == 1
    most, fewest, many_most, many_fewest = -1, 99, 0, 0
    for seat in range(seats):
        count = (board[TABLES, seat] >> PUDDING) & 15
        many_most = 1 if count > most else many_most + (count == most)
        many_fewest = 1 if count < fewest else many_fewest + (count == fewest)
        most, fewest = max(most, count), min(fewest, count)
    if most == fewest and frame[PUDDING_BOTH] == 0:
        return
    for seat in range(seats):
        count = (board[TABLES, seat] >> PUDDING) & 15
        if count == most:
            board[TABLES, seat] += (PUDDING_PRIZE if full else PUDDING_PRIZE // many_most) << POINTS
        if count == fewest and seats > 2:
            board[TABLES, seat] -= (PUDDING_PRIZE if full else PUDDING_PRIZE // many_fewest) << POINTS


@kernel(F8(FLOATS, BOARD, I8, I8))
def _win_share(numbers: Any, board: Any, seats: Any, seat: Any) -> Any:
    sharing = 0
    puddings = (board[TABLES, seat] >> PUDDING) & 15
    for rival in range(seats):
        if numbers[TOTALS + rival] > numbers[TOTALS + seat]:
            return 0.0
        if numbers[TOTALS + rival] == numbers[TOTALS + seat]:
            count = (board[TABLES, rival] >> PUDDING) & 15
            if count > puddings:
                return 0.0
            sharing += count == puddings
    return 1.0 / sharing


@kernel((ROW, FLOATS, BOARD, FLOATS))
def utilities(frame: Any, reals: Any, board: Any, numbers: Any) -> Any:
    """Pay the contests and write to ``numbers`` the utilities of a finished round: every seat's, or ``OWN``'s alone."""
    seats, objective, own = frame[SEATS], frame[OBJECTIVE], frame[OWN]
    add_maki_points(frame, board)
    if frame[LAST_ROUND]:
        add_pudding_points(frame, board)
    for seat in range(seats):
        numbers[TOTALS + seat] = frame[SCORES + seat] + (board[TABLES, seat] >> POINTS)
        if not frame[LAST_ROUND]:
            numbers[TOTALS + seat] += reals[0] * ((board[TABLES, seat] >> PUDDING) & 15)
    for seat in range(seats):
        if own >= 0 and seat != own:
            continue
        utility = numbers[TOTALS + seat]
        if objective == WIN:
            utility = _win_share(numbers, board, seats, seat)
        elif objective != TOTAL:
            best = -np.inf
            for rival in range(seats):
                if rival != seat:
                    best = max(best, numbers[TOTALS + rival])
            utility -= best
        numbers[0 if own >= 0 else seat] = utility
