"""Boards: the form in which the several-seat engine holds a state.

A *board* is an int64 array of shape ``(2, seats)``. ``board[HANDS, seat]`` holds a 4-bit count of each of the twelve
kinds in the seat's hand, in card order from the lowest bit, and above them the count of blank cards, those that matter
to nobody any more. In ``board[TABLES, seat]`` stands what the seat's table still bears on::

    bit 0   unpaired tempura                 bits 12-16  maki icons (MAKI_OUT: cannot place any more)
    1-2     sashimi towards a set            17-20       puddings, kept ones included; from PUDDING_PAID on:
    3-5     dumplings (ENOUGH_DUMPLINGS or               paid already, and the seat's rank in puddings
            more: further ones pay nothing)  21-         points of finished sets and nigiri this round
    6-8     open wasabi
    9-11    chopsticks

Its key is the two words of every seat, hands first. A :class:`Frame` holds everything else a kernel needs to know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.errors import UsageError
from solvers.game.cards import Card
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules
from solvers.game.scoring import (
    DUMPLING_POINTS,
    dumpling_points,
    maki_icons,
    maki_points,
    nigiri_points,
    open_wasabi,
    pudding_points,
    sashimi_points,
    tempura_points,
)

HANDS, TABLES = 0, 1
KINDS = 12
BLANK = KINDS
COLUMNS = KINDS + 1
"""Fields of a hand: the twelve kinds in card order, and blank cards."""

TEMPURA, SASHIMI, DUMPLING, WASABI, CHOPSTICKS, MAKI, PUDDING, POINTS = 0, 1, 3, 6, 9, 12, 17, 21
"""The lowest bit of each table field."""
ENOUGH_DUMPLINGS = len(DUMPLING_POINTS) - 1
MAKI_OUT = 31
MOST_PUDDINGS = 10
PUDDING_PAID = MOST_PUDDINGS + 1
MAX_SEATS = 5

MARGIN, WIN, TOTAL = range(3)
OBJECTIVE_CODES = {"margin": MARGIN, "win": WIN, "points": TOTAL}

NO_REDUCTION, KEEP_PICKS, FULL_REDUCTION = range(3)
"""How far states are reduced: not at all; so that seats keep the same number of distinct picks; as far as values go."""

(
    SEATS,
    OBJECTIVE,
    LAST_ROUND,
    OWN,
    REDUCE,
    UPSTREAM,
    STRICT,
    GREEDY,
    MAKI_SECOND_PAID,
    MAKI_TIE_PAYS_SECOND,
    MAKI_MIN_ICONS,
    PUDDING_BOTH,
    STICKS,
) = range(13)
"""Places in ``Frame.ints``. ``OWN`` is the one seat the answer is for, or -1 when every seat's utility is kept;
``UPSTREAM`` is added to a seat's number to find whose hand it gets next; ``GREEDY`` is 1 when the other seats follow
the greedy rule; ``STICKS`` is the number of chopsticks in hands and on tables."""
SCORES = STICKS + 1
"""From here on: the points of earlier rounds, seat by seat. Then the contests' prizes, by the number of tied seats."""
MAKI_MOST = SCORES + MAX_SEATS
MAKI_SECOND = MAKI_MOST + MAX_SEATS + 1
PUDDING_MOST = MAKI_SECOND + MAX_SEATS + 1
PUDDING_FEWEST = PUDDING_MOST + MAX_SEATS + 1
FRAME_LENGTH = PUDDING_FEWEST + MAX_SEATS + 1

I8 = numba.int64
F8 = numba.float64
BOOL = numba.boolean
ROW = numba.int64[::1]
BOARD = numba.int64[:, ::1]
FLOATS = numba.float64[::1]


class Frame(NamedTuple):
    """What kernels know of the question: whole numbers (see ``SEATS`` and the following), and as reals the worth of a
    pudding followed by the values of the greedy rule (:func:`solvers.endgame.greedy.greedy_vector`)."""

    ints: np.ndarray
    reals: np.ndarray

    @property
    def seats(self) -> int:
        """Number of seats."""
        return int(self.ints[SEATS])

    @property
    def words(self) -> int:
        """Words of a key."""
        return 2 * self.seats

    @property
    def kept(self) -> int:
        """Utilities kept for each board: every seat's, or one."""
        return 1 if self.ints[OWN] >= 0 else self.seats


def make_frame(
    position: Position,
    objective: str,
    rules: Rules,
    pudding_value: float,
    own: int,
    reduce: int,
    greedy: Sequence[float] = (),
) -> Frame:
    """The frame of a question; ``greedy`` is the vector of the greedy rule when the other seats follow it.

    Raises :class:`UsageError` for a position with more puddings than any deck has.
    """
    piles = (*position.hands, *position.tables)
    if sum(position.puddings) + sum(pile.count(Card.PUDDING) for pile in piles) > MOST_PUDDINGS:
        raise UsageError(f"more than {MOST_PUDDINGS} puddings in play: the deck has no more")
    ints = np.zeros(FRAME_LENGTH, dtype=np.int64)
    ints[SEATS] = position.seats
    ints[OBJECTIVE] = OBJECTIVE_CODES[objective]
    ints[LAST_ROUND] = position.round == 3
    ints[OWN] = own
    ints[REDUCE] = reduce
    ints[UPSTREAM] = -1 if position.direction == "left" else 1
    ints[STRICT] = rules.chopsticks_order == "strict_prior"
    ints[GREEDY] = bool(greedy)
    ints[MAKI_SECOND_PAID] = maki_points((2, 1), rules)[1] > 0
    ints[MAKI_TIE_PAYS_SECOND] = maki_points((2, 2, 1), rules)[2] > 0
    ints[MAKI_MIN_ICONS] = rules.maki_min_icons
    ints[PUDDING_BOTH] = rules.pudding_all_equal == "both"
    ints[STICKS] = sum(pile.count(Card.CHOPSTICKS) for pile in piles)
    ints[SCORES : SCORES + position.seats] = position.scores
    for tied in range(1, MAX_SEATS + 1):
        ints[MAKI_MOST + tied] = maki_points([2] * tied, rules)[0]
        ints[MAKI_SECOND + tied] = maki_points([2] + [1] * tied, rules)[1]
        ints[PUDDING_MOST + tied] = pudding_points([1] * tied + [0], rules)[0]
        ints[PUDDING_FEWEST + tied] = pudding_points([1, 1] + [0] * tied, rules)[2] if position.seats > 2 else 0
    return Frame(ints, np.array([pudding_value, *greedy], dtype=np.float64))


def board_of(position: Position) -> np.ndarray:
    """The board of a position, with nothing reduced."""
    board = np.zeros((2, position.seats), dtype=np.int64)
    puddings = position.pudding_counts()
    for seat, (hand, table) in enumerate(zip(position.hands, position.tables, strict=True)):
        board[HANDS, seat] = sum(1 << (4 * card) for card in hand)
        points = tempura_points(table.count(Card.TEMPURA)) + sashimi_points(table.count(Card.SASHIMI))
        points += dumpling_points(table.count(Card.DUMPLING)) + nigiri_points(table)
        board[TABLES, seat] = (
            (table.count(Card.TEMPURA) % 2) << TEMPURA
            | (table.count(Card.SASHIMI) % 3) << SASHIMI
            | min(table.count(Card.DUMPLING), ENOUGH_DUMPLINGS) << DUMPLING
            | open_wasabi(table) << WASABI
            | table.count(Card.CHOPSTICKS) << CHOPSTICKS
            | maki_icons(table) << MAKI
            | puddings[seat] << PUDDING
            | points << POINTS
        )
    return board


def pick_columns(pick: Pick) -> tuple[int, int]:
    """A pick as kernels write it: the fields of its two cards, -1 for no second."""
    return int(pick[0]), int(pick[1]) if len(pick) == 2 else -1


@lean_kernel((BOARD, I8, BOARD, I8))
def pack(board: Any, seats: Any, keys: Any, place: Any) -> Any:
    """Write the key of a board to a row of ``keys``."""
    for seat in range(seats):
        keys[place, seat] = board[HANDS, seat]
        keys[place, seats + seat] = board[TABLES, seat]


@lean_kernel((BOARD, I8, I8, BOARD))
def unpack(rows: Any, row: Any, seats: Any, board: Any) -> Any:
    """Write the board whose key stands in a row of a table."""
    for seat in range(seats):
        board[HANDS, seat] = rows[row, seat]
        board[TABLES, seat] = rows[row, seats + seat]


@lean_kernel(I8(I8, I8))
def held(hand: Any, column: Any) -> Any:
    """How many cards of field ``column`` a hand word (or the sum of all hand words) holds."""
    return (hand >> (4 * column)) & 15
