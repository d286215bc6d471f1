"""The rules of a turn on boards: distinct picks, laying cards, and the utilities of a finished round.

Held to the game room by property tests; every number comes from :mod:`solvers.game.scoring`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import (
    BOARD,
    BOOL,
    CHOPSTICKS,
    COLUMNS,
    DUMPLING,
    HANDS,
    I8,
    MAKI,
    MAKI_OUT,
    MAX_SEATS,
    POINTS,
    PUDDING,
    PUDDING_PAID,
    ROW,
    SASHIMI,
    SEATS,
    STRICT,
    TABLES,
    TEMPURA,
    UPSTREAM,
    WASABI,
    held,
)
from solvers.game.cards import KINDS, Card
from solvers.game.scoring import dumpling_points, maki_icons, nigiri_points, sashimi_points, tempura_points

MAX_PICKS = 96
"""No hand of ten cards has more distinct picks, pairs in both orders included."""

MANY, FIRST, SECOND, AFTER, REST, ENDED, MOVE_LAYERS = range(7)
"""Layers of a *move list*, an int64 array ``(MOVE_LAYERS, MAX_SEATS, MAX_PICKS)`` of every seat's distinct picks at a
board: how many (in place 0), the hand fields of the one or two cards (-1 for no second), the seat's table after the
pick, and the hand it passes on. Where at most one card is passed on, ``ENDED`` holds the seat's table after it has laid
that card too, in place ``own pick * giver's picks + giver's pick``."""
MOVES = numba.int64[:, :, ::1]

REACH, USES, PAYS, LOW, HIGH, BANKED, BANKED_PUDDINGS, CHOICE, SCRATCH_ROWS = range(9)
"""Rows of ``scratch``, a worker's whole numbers for each seat: reach, uses of chopsticks left, hand fields of kinds
that pay, bounds of a contest, banked points and puddings (see :mod:`solvers.endgame.seats_reduce`), and the pick now
followed."""
TOTALS = MAX_SEATS
"""``numbers`` is a worker's floats: utilities for each seat, and behind ``TOTALS`` sums on the way to them."""

_W, _C = int(Card.WASABI), int(Card.CHOPSTICKS)
_EGG, _SQUID = int(Card.EGG_NIGIRI), int(Card.SQUID_NIGIRI)


def new_moves() -> np.ndarray:
    """Room for the picks of any board."""
    return np.zeros((MOVE_LAYERS, MAX_SEATS, MAX_PICKS), dtype=np.int64)


def _lay_table() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each hand field: shift and mask of the table field that decides what a card adds, and what it adds."""
    shift, mask = np.zeros(COLUMNS, dtype=np.int64), np.zeros(COLUMNS, dtype=np.int64)
    adds = np.zeros((COLUMNS, 32), dtype=np.int64)
    for card in KINDS:
        if card is Card.TEMPURA:
            shift[card], mask[card] = TEMPURA, 1
            adds[card, :2] = [(((n + 1) % 2 - n) << TEMPURA) + (tempura_points(n + 1) << POINTS) for n in range(2)]
        elif card is Card.SASHIMI:
            shift[card], mask[card] = SASHIMI, 3
            adds[card, :3] = [(((n + 1) % 3 - n) << SASHIMI) + (sashimi_points(n + 1) << POINTS) for n in range(3)]
        elif card is Card.DUMPLING:
            shift[card], mask[card] = DUMPLING, 7
            for n in range(8):
                more = dumpling_points(n + 1) - dumpling_points(n)
                adds[card, n] = (1 << DUMPLING) + (more << POINTS) if more else 0
        elif card.icons:
            shift[card], mask[card] = MAKI, MAKI_OUT
            adds[card, :MAKI_OUT] = maki_icons([card]) << MAKI
        elif card.is_nigiri:
            shift[card], mask[card] = WASABI, 7
            adds[card, 0] = nigiri_points([card]) << POINTS
            adds[card, 1:] = (nigiri_points([Card.WASABI, card]) << POINTS) - (1 << WASABI)
        elif card is Card.PUDDING:
            shift[card], mask[card] = PUDDING, 15
            adds[card, :PUDDING_PAID] = 1 << PUDDING
        else:
            adds[card] = 1 << (WASABI if card is Card.WASABI else CHOPSTICKS)
    return shift, mask, adds


_SHIFT, _MASK, _ADDS = _lay_table()


@lean_kernel(I8(I8, I8))
def lay(table: Any, column: Any) -> Any:
    """The table after a card of hand field ``column`` is laid."""
    return table + _ADDS[column, (table >> _SHIFT[column]) & _MASK[column]]


@lean_kernel((MOVES, BOARD, I8, I8, I8))
def _add_pick(moves: Any, board: Any, seat: Any, first: Any, second: Any) -> Any:
    place = moves[MANY, seat, 0]
    rest = board[HANDS, seat] - (1 << (4 * first))
    after = lay(board[TABLES, seat], first)
    if second >= 0:
        rest += (1 << (4 * _C)) - (1 << (4 * second))
        after = lay(after, second) - (1 << CHOPSTICKS)
    moves[MANY, seat, 0] = place + 1
    moves[FIRST, seat, place] = first
    moves[SECOND, seat, place] = second
    moves[REST, seat, place] = rest
    moves[AFTER, seat, place] = after


@lean_kernel(I8(I8))
def first_column(hand: Any) -> Any:
    """The lowest field of a hand word that is not empty: the exponent of its lowest bit as a float."""
    return ((np.float64(hand & -hand).view(np.int64) >> 52) - 1023) >> 2


@lean_kernel((ROW, MOVES, BOARD, I8))
def _add_pairs(frame: Any, moves: Any, board: Any, seat: Any) -> Any:
    """The picks of two cards, in card order."""
    hand, waiting = board[HANDS, seat] & ~(15 << (4 * _C)), (board[TABLES, seat] >> WASABI) & 7
    firsts = hand
    while firsts:
        first = first_column(firsts)
        firsts &= ~(15 << (4 * first))
        seconds = hand if held(hand, first) > 1 else hand & ~(15 << (4 * first))
        while seconds:
            second = first_column(seconds)
            seconds &= ~(15 << (4 * second))
            two_nigiri = _EGG <= first <= _SQUID and _EGG <= second <= _SQUID and waiting == 1
            wasabi_first = first == _W and _EGG <= second <= _SQUID and waiting == 0 and frame[STRICT] == 0
            if first <= second or two_nigiri or wasabi_first:
                _add_pick(moves, board, seat, first, second)


@lean_kernel((ROW, BOARD, I8, I8, MOVES))
def list_picks(frame: Any, board: Any, seat: Any, cards: Any, moves: Any) -> Any:
    """One seat's distinct picks in card order, a blank card last; ``cards`` are in each hand."""
    moves[MANY, seat, 0] = 0
    hand = board[HANDS, seat]
    while hand:
        first = first_column(hand)
        hand &= ~(15 << (4 * first))
        _add_pick(moves, board, seat, first, -1)
    if cards >= 2 and (board[TABLES, seat] >> CHOPSTICKS) & 7:
        _add_pairs(frame, moves, board, seat)


@lean_kernel((ROW, BOARD, I8, MOVES), inline=True)
def list_moves(frame: Any, board: Any, cards: Any, moves: Any) -> Any:
    """Every seat's distinct picks."""
    for seat in range(frame[SEATS]):
        list_picks(frame, board, seat, cards, moves)


@lean_kernel((ROW, MOVES, BOARD, BOARD))
def follow(frame: Any, moves: Any, scratch: Any, child: Any) -> Any:
    """Write the board after every seat's pick ``CHOICE``: its table, and the hand its neighbour passed on."""
    seats, giver = frame[SEATS], frame[UPSTREAM]
    for seat in range(seats):
        if giver < 0:
            giver += seats
        elif giver >= seats:
            giver -= seats
        child[HANDS, seat] = moves[REST, giver, scratch[CHOICE, giver]]
        child[TABLES, seat] = moves[AFTER, seat, scratch[CHOICE, seat]]
        giver += 1


@lean_kernel(BOOL(MOVES, I8, BOARD))
def next_choice(moves: Any, seats: Any, scratch: Any) -> Any:
    """Step ``CHOICE`` to the next joint pick, the last seat's pick running fastest; false after the last one."""
    for seat in range(seats - 1, -1, -1):
        scratch[CHOICE, seat] += 1
        if scratch[CHOICE, seat] < moves[MANY, seat, 0]:
            return True
        scratch[CHOICE, seat] = 0
    return False


@lean_kernel(I8(ROW, MOVES))
def count_choices(frame: Any, moves: Any) -> Any:
    """The number of joint picks."""
    product = 1
    for seat in range(frame[SEATS]):
        product *= moves[MANY, seat, 0]
    return product
