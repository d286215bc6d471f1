"""Boards: the form in which the several-seat engine holds a state, and how a board is packed into a key.

A *board* is an int64 array of shape ``(2, seats)``. ``board[HANDS, seat]`` counts the cards of each kind in the seat's
hand, and under ``BLANK`` cards that matter to nobody any more, in fields as wide as the position needs. In
``board[TABLES, seat]`` stands what the seat's table still bears on::

    bit 0   unpaired tempura                 bits 12-16  maki icons (MAKI_OUT: cannot place any more)
    1-2     sashimi towards a set            17-20       puddings, kept ones included; from PUDDING_PAID on:
    3-5     dumplings, at most five                      paid already, and the seat's rank in puddings
    6-8     open wasabi                      21-         points of finished sets and nigiri this round
    9-11    chopsticks

A :class:`Frame` holds everything else a kernel needs to know: the question, the rules and the hand fields. A key is one
word a seat, table above hand, or two where 63 bits do not hold both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.jit import kernel
from solvers.errors import UsageError
from solvers.game.cards import NIGIRI_POINTS, Card
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules
from solvers.game.scoring import (
    DUMPLING_POINTS,
    MAKI_FIRST,
    PUDDING_PRIZE,
    SASHIMI_SET,
    TEMPURA_PAIR,
    WASABI_FACTOR,
    dumpling_points,
    maki_icons,
    nigiri_points,
    open_wasabi,
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
WORD_BITS = 63
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
    MAKI_MIN_ICONS,
    MAKI_FULL,
    PUDDING_FULL,
    PUDDING_BOTH,
    HAND_BITS,
    WORDS,
    FIELD_1,
    FIELD_2,
    FIELD_3,
    FIELD_4,
    SCORES,
) = range(20)
"""Places in ``Frame.ints``. ``OWN`` is the one seat the answer is for, or -1 when every seat's utility is kept;
``UPSTREAM`` is added to a seat's number to find whose hand it gets next; ``GREEDY`` is 1 when the other seats follow
the greedy rule; ``FIELD_n`` marks the lowest bit of each hand field that is at least ``n`` bits wide. From ``SCORES`` on
stand the seats' earlier points, from ``SHIFT`` and ``MASK`` on the lowest bit and the mask of each hand field."""
SHIFT = SCORES + MAX_SEATS
MASK = SHIFT + COLUMNS
FRAME_LENGTH = MASK + COLUMNS


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
    def kept(self) -> int:
        """Utilities kept for each board: every seat's, or one."""
        return 1 if self.ints[OWN] >= 0 else self.seats


I8 = numba.int64
F8 = numba.float64
BOOL = numba.boolean
ROW = numba.int64[::1]
BOARD = numba.int64[:, ::1]
FLOATS = numba.float64[::1]


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
    in_hands = [sum(hand.count(kind) for hand in position.hands) for kind in range(KINDS)]
    if max(position.pudding_counts()) + in_hands[Card.PUDDING] > MOST_PUDDINGS:
        raise UsageError(f"more than {MOST_PUDDINGS} puddings in play: the deck has no more")
    widths = _hand_widths(position, in_hands, reduce)
    table_bits = POINTS + _most_points(position, in_hands).bit_length()
    ints = np.zeros(FRAME_LENGTH, dtype=np.int64)
    ints[SEATS] = position.seats
    ints[OBJECTIVE] = OBJECTIVE_CODES[objective]
    ints[LAST_ROUND] = position.round == 3
    ints[OWN] = own
    ints[REDUCE] = reduce
    ints[UPSTREAM] = -1 if position.direction == "left" else 1
    ints[STRICT] = rules.chopsticks_order == "strict_prior"
    ints[GREEDY] = bool(greedy)
    ints[MAKI_SECOND_PAID] = rules.maki_second_place
    ints[MAKI_MIN_ICONS] = rules.maki_min_icons
    ints[MAKI_FULL] = rules.maki_tie == "full"
    ints[PUDDING_FULL] = rules.pudding_tie == "full"
    ints[PUDDING_BOTH] = rules.pudding_all_equal == "both"
    ints[HAND_BITS] = sum(widths)
    ints[WORDS] = position.seats * (1 if sum(widths) + table_bits <= WORD_BITS else 2)
    ints[SCORES : SCORES + position.seats] = position.scores
    for column, width in enumerate(widths):
        shift = sum(widths[:column])
        ints[SHIFT + column] = shift
        ints[MASK + column] = (1 << width) - 1
        for bits in range(1, min(width, 4) + 1):
            ints[FIELD_1 + bits - 1] |= 1 << shift
    return Frame(ints, np.array([pudding_value, *greedy], dtype=np.float64))


def _hand_widths(position: Position, in_hands: Sequence[int], reduce: int) -> list[int]:
    """Bits of each hand field: wide enough for all hands together, so that hands can be added up."""
    bounds = list(in_hands)
    bounds[Card.CHOPSTICKS] += sum(table.count(Card.CHOPSTICKS) for table in position.tables)
    blanks = sum(in_hands) if reduce == FULL_REDUCTION else 0
    return [bound.bit_length() for bound in (*bounds, blanks)]


def _most_points(position: Position, in_hands: Sequence[int]) -> int:
    """A bound on the points field: what a seat has and may still make, contests and a rival's penalty included."""
    chopsticks = any(Card.CHOPSTICKS in pile for pile in (*position.hands, *position.tables))
    takes = position.cards_left * (2 if chopsticks else 1)
    nigiri = min(takes, sum(in_hands[kind] for kind in NIGIRI_POINTS))
    points = max(map(_banked_points, position.tables)) + WASABI_FACTOR * max(NIGIRI_POINTS.values()) * nigiri
    points += TEMPURA_PAIR * ((in_hands[Card.TEMPURA] + 1) // 2) + SASHIMI_SET * ((in_hands[Card.SASHIMI] + 2) // 3)
    return points + DUMPLING_POINTS[-1] + MAKI_FIRST + 2 * PUDDING_PRIZE


def _banked_points(table: Sequence[Card]) -> int:
    """Points of finished sets and nigiri on a table: what the points field counts."""
    return (
        tempura_points(table.count(Card.TEMPURA))
        + sashimi_points(table.count(Card.SASHIMI))
        + dumpling_points(table.count(Card.DUMPLING))
        + nigiri_points(table)
    )


def board_of(position: Position, frame: Frame) -> np.ndarray:
    """The board of a position, with nothing reduced."""
    board = np.zeros((2, position.seats), dtype=np.int64)
    puddings = position.pudding_counts()
    for seat, (hand, table) in enumerate(zip(position.hands, position.tables, strict=True)):
        board[HANDS, seat] = sum(1 << int(frame.ints[SHIFT + card]) for card in hand)
        board[TABLES, seat] = (
            (table.count(Card.TEMPURA) % 2) << TEMPURA
            | (table.count(Card.SASHIMI) % 3) << SASHIMI
            | min(table.count(Card.DUMPLING), ENOUGH_DUMPLINGS) << DUMPLING
            | open_wasabi(table) << WASABI
            | table.count(Card.CHOPSTICKS) << CHOPSTICKS
            | maki_icons(table) << MAKI
            | puddings[seat] << PUDDING
            | _banked_points(table) << POINTS
        )
    return board


def pick_columns(pick: Pick) -> tuple[int, int]:
    """A pick as kernels write it: the fields of its two cards, -1 for no second."""
    return int(pick[0]), int(pick[1]) if len(pick) == 2 else -1


@kernel((ROW, BOARD, ROW))
def pack(frame: Any, board: Any, key: Any) -> Any:
    """Write the key of a board."""
    seats, bits = frame[SEATS], frame[HAND_BITS]
    if frame[WORDS] == seats:
        for seat in range(seats):
            key[seat] = board[HANDS, seat] | (board[TABLES, seat] << bits)
    else:
        for seat in range(seats):
            key[seat] = board[HANDS, seat]
            key[seats + seat] = board[TABLES, seat]


@kernel((ROW, BOARD, I8, BOARD))
def unpack(frame: Any, rows: Any, row: Any, board: Any) -> Any:
    """Write the board whose key is in a row of a table."""
    seats, bits = frame[SEATS], frame[HAND_BITS]
    if frame[WORDS] == seats:
        for seat in range(seats):
            board[HANDS, seat] = rows[row, seat] & ((1 << bits) - 1)
            board[TABLES, seat] = rows[row, seat] >> bits
    else:
        for seat in range(seats):
            board[HANDS, seat] = rows[row, seat]
            board[TABLES, seat] = rows[row, seats + seat]


@kernel(I8(ROW, I8, I8))
def held(frame: Any, hand: Any, column: Any) -> Any:
    """How many cards of field ``column`` a hand word (or a sum of hand words) holds."""
    return (hand >> frame[SHIFT + column]) & frame[MASK + column]
