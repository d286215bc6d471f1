"""Boards of three cards, straight to the end: the stage games of the boards of two cards that follow them.

Those are far the most boards of a round. Making, reducing and storing each of them costs more than to value it, unless
the same one is met many times. Here none is made. With three cards left, what a seat ends with depends on few picks:
its own two, those of the seat that hands it its next cards (the *giver*), and, for the last card, the first pick of
that seat's own giver. The tables a seat can end with are worked out once for each *triple* of first picks: its own, the
giver's and the giver's giver's. In the game after a joint pick, the end after every second joint pick then takes one of
these tables from each seat, and :mod:`solvers.endgame.seats_lanes` scores them.

Nothing is reduced, so every seat keeps all its distinct picks and nothing is banked.

Measured, two cores: `uniform` of four seats with five cards and a chopsticks on a table 16 s instead of 67, and with
three seats and seven cards as long as before but in half the memory (0.9 GB).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import (
    BOARD,
    BOOL,
    FLOATS,
    HANDS,
    I8,
    MAKI,
    MAX_SEATS,
    OWN,
    ROW,
    SEATS,
    TABLES,
    UPSTREAM,
    unpack,
)
from solvers.endgame.seats_ends import maki_is_open, puddings_are_open
from solvers.endgame.seats_lanes import LANES, NOBODY, PLANES, Sums, new_sums, score_lanes, set_prizes
from solvers.endgame.seats_levels import BATCHES, LEVEL, WORK, Batch, new_batch
from solvers.endgame.seats_moves import (
    AFTER,
    CHOICE,
    MANY,
    MOVES,
    REST,
    count_choices,
    first_column,
    lay,
    list_moves,
    list_picks,
    new_moves,
)

_FIRSTS, _SECONDS = 9, 4
"""The most distinct picks a seat has with three and with two cards in hand."""
_BLOCK = 256
"""Ends scored together, unless one board has more: as many as stay in the processor's first cache."""
_STEP = 16
"""Ends whose words are copied in one loop of fixed length."""
_TABLES = _SECONDS**2
"""Tables of a triple: by the seat's own second pick, and by its giver's, which decides the last card."""


class Finish(NamedTuple):
    """What one worker needs to itself.

    ``givers`` has each seat's giver. ``many``, ``after`` and ``last`` hold a seat's second picks by the *pair* ``own
    first pick * giver's picks + giver's first pick``: how many there are, the table after each, and the hand field of
    the card it passes on. By the triple, ``pair * picks of the giver's giver + its first pick``, ``sizes`` has the
    number of second picks again and ``ends`` the words of the last tables, ``_TABLES`` places a triple; ``triples`` are
    those of the joint pick at hand, and ``steps[seat]`` is what the next pick of a seat adds to each. ``patterns`` has
    which of its triple's tables a seat has at each end; where it begins for so many second picks of all seats stands in
    ``pattern_of``, or -1, and last of all how much of ``patterns`` is used. The rest is for the lanes.
    """

    moves: np.ndarray
    givers: np.ndarray
    triples: np.ndarray
    steps: np.ndarray
    sizes: np.ndarray
    many: np.ndarray
    after: np.ndarray
    last: np.ndarray
    ends: np.ndarray
    patterns: np.ndarray
    pattern_of: np.ndarray
    words: np.ndarray
    sums: Sums
    utilities: np.ndarray


def new_finish() -> Finish:
    """Room for any board of three cards."""
    pairs, codes = _FIRSTS**2, _SECONDS**MAX_SEATS
    return Finish(
        moves=new_moves(),
        givers=np.zeros(MAX_SEATS, dtype=np.int64),
        triples=np.zeros(MAX_SEATS, dtype=np.int64),
        steps=np.zeros((MAX_SEATS, MAX_SEATS), dtype=np.int64),
        sizes=np.zeros((MAX_SEATS, pairs * _FIRSTS), dtype=np.int64),
        many=np.zeros((MAX_SEATS, pairs), dtype=np.int64),
        after=np.zeros((MAX_SEATS, pairs, _SECONDS), dtype=np.int64),
        last=np.zeros((MAX_SEATS, pairs, _SECONDS), dtype=np.int64),
        ends=np.zeros((MAX_SEATS, pairs * _FIRSTS * _TABLES), dtype=np.int32),
        patterns=np.zeros(MAX_SEATS * (sum(range(1, _SECONDS + 1)) ** MAX_SEATS + codes * _STEP), dtype=np.uint8),
        pattern_of=np.append(np.full(codes, -1), 0),
        words=np.full(PLANES * LANES, NOBODY, dtype=np.int32),
        sums=new_sums(),
        utilities=np.zeros(PLANES * LANES),
    )


FINISH = numba.typeof(new_finish())


@lean_kernel((ROW, BOARD, MOVES, FINISH))
def list_seconds(frame: Any, child: Any, moves: Any, finish: Any) -> Any:
    """Fill ``many``, ``after`` and ``last`` for every pair of a board whose first picks are in ``moves``."""
    for seat in range(frame[SEATS]):
        giver = finish.givers[seat]
        pair = 0
        for first in range(moves[MANY, seat, 0]):
            for given in range(moves[MANY, giver, 0]):
                child[HANDS, seat] = moves[REST, giver, given]
                child[TABLES, seat] = moves[AFTER, seat, first]
                list_picks(frame, child, seat, 2, finish.moves)
                finish.many[seat, pair] = finish.moves[MANY, seat, 0]
                for second in range(finish.moves[MANY, seat, 0]):
                    finish.after[seat, pair, second] = finish.moves[AFTER, seat, second]
                    finish.last[seat, pair, second] = first_column(finish.moves[REST, seat, second])
                pair += 1


@lean_kernel((ROW, MOVES, FINISH))
def list_tables(frame: Any, moves: Any, finish: Any) -> Any:
    """Fill ``sizes`` and ``ends`` for every triple, and ``steps``."""
    finish.steps[:] = 0
    for seat in range(frame[SEATS]):
        giver = finish.givers[seat]
        picks, far = moves[MANY, giver, 0], moves[MANY, finish.givers[giver], 0]
        finish.steps[seat, seat] += picks * far
        finish.steps[giver, seat] += far
        finish.steps[finish.givers[giver], seat] += 1
        for pair in range(moves[MANY, seat, 0] * picks):
            for distant in range(far):
                triple = pair * far + distant
                passed = pair % picks * far + distant  # the giver's pair
                place = triple * _TABLES
                finish.sizes[seat, triple] = finish.many[seat, pair]
                for second in range(finish.many[seat, pair]):
                    for given in range(finish.many[giver, passed]):
                        table = lay(finish.after[seat, pair, second], finish.last[giver, passed, given])
                        finish.ends[seat, place] = table >> MAKI
                        place += 1


@lean_kernel(BOOL(MOVES, I8, BOARD, BOARD, ROW))
def next_game(moves: Any, seats: Any, scratch: Any, steps: Any, triples: Any) -> Any:
    """Step ``CHOICE`` to the next joint pick, as :func:`solvers.endgame.seats_moves.next_choice` does, and every seat's
    triple with it."""
    for seat in range(seats - 1, -1, -1):
        scratch[CHOICE, seat] += 1
        over = scratch[CHOICE, seat] == moves[MANY, seat, 0]
        step = 1 - moves[MANY, seat, 0] if over else 1
        for other in range(seats):
            triples[other] += step * steps[seat, other]
        if not over:
            return True
        scratch[CHOICE, seat] = 0
    return False


@lean_kernel(I8(I8, ROW, ROW, numba.uint8[::1], ROW))
def make_pattern(seats: Any, givers: Any, sizes: Any, patterns: Any, pattern_of: Any) -> Any:
    """Make the pattern of boards in which the seats have so many second picks; where it begins.

    A pattern has for each seat a place in the words of its triple for every end, the last seat's pick running fastest,
    each in whole blocks of ``_STEP``.
    """
    start = pattern_of[-1]
    ends = 1
    for seat in range(seats):
        ends *= sizes[seat]
    for seat in range(seats):
        giver = givers[seat]
        behind, behind_giver = 1, 1
        for later in range(seat + 1, seats):
            behind *= sizes[later]
        for later in range(giver + 1, seats):
            behind_giver *= sizes[later]
        place = pattern_of[-1]
        for end in range(ends):
            own, given = end // behind % sizes[seat], end // behind_giver % sizes[giver]
            patterns[place + end] = own * sizes[giver] + given
        pattern_of[-1] += (ends + _STEP - 1) // _STEP * _STEP
    return start


@lean_kernel((ROW, FINISH, I8, I8, I8), inline=True)
def lay_out(frame: Any, finish: Any, pattern: Any, ends: Any, lane: Any) -> Any:
    """Write the words of all ends of a board whose ``triples`` are set, from ``lane`` on.

    Whole steps are written, so that the loops always take as many turns as the processor foresees; what is too much is
    overwritten by the next board.
    """
    steps = (ends + _STEP - 1) // _STEP
    seat = max(frame[OWN], 0)
    for plane in range(frame[SEATS]):
        target, source = np.uint64(plane * LANES + lane), np.uint64(finish.triples[seat] * _TABLES)
        place = np.uint64(pattern + seat * steps * _STEP)
        for _ in range(steps):
            for end in range(np.uint64(_STEP)):
                finish.words[target + end] = finish.ends[seat, source + finish.patterns[place + end]]
            target += np.uint64(_STEP)
            place += np.uint64(_STEP)
        seat = seat + 1 if seat + 1 < frame[SEATS] else 0


@lean_kernel((ROW, FLOATS, I8, I8, FINISH, FLOATS))
def score_block(frame: Any, reals: Any, contests: Any, many: Any, finish: Any, out: Any) -> Any:
    """Score the first ``many`` lanes and write each end's utilities in a row; ``contests`` has bits for maki and
    puddings."""
    score_lanes(frame, reals, finish.words, many, contests & 1 == 1, contests & 2 == 2, finish.sums, finish.utilities)
    kept = 1 if frame[OWN] >= 0 else frame[SEATS]
    for plane in range(kept):
        utilities = finish.utilities[plane * LANES : plane * LANES + many]
        for lane in range(many):
            out[lane * kept + plane] = utilities[lane]


@lean_kernel(numba.types.UniTuple(I8, 2)(ROW, FLOATS, LEVEL, I8, I8, WORK, FINISH, BATCHES, BATCHES))
def fill_finish(
    frame: Any,
    reals: Any,
    level: Any,
    start: Any,
    stop: Any,
    work: Any,
    finish: Any,
    games: Any,
    boards: Any,
) -> Any:
    """Fill ``games`` with the stage games that follow boards ``start`` to ``stop`` of three cards, joint pick by joint
    pick, and ``boards`` with the sizes of these boards' own; the values of the first are the utilities of the second.

    Returns the first board that does not fit, and how many games there are.
    """
    board, moves, scratch = work.board, work.moves, work.scratch
    seats, kept = frame[SEATS], 1 if frame[OWN] >= 0 else frame[SEATS]
    many = 0
    set_prizes(frame, finish.sums.prizes)
    for seat in range(seats):
        finish.givers[seat] = (seat + frame[UPSTREAM] + seats) % seats
    games.starts[0] = 0
    boards.starts[0] = 0
    for item in range(min(stop - start, boards.sizes.shape[0])):
        unpack(level.rows, start + item, seats, board)
        list_moves(frame, board, 3, moves)
        following = count_choices(frame, moves)
        before = many
        if many + following > games.sizes.shape[0] or (many + following) * kept > boards.tensor.shape[0]:
            return start + item, before
        list_seconds(frame, work.child, moves, finish)
        list_tables(frame, moves, finish)
        contests = I8(maki_is_open(frame, board)) + 2 * I8(puddings_are_open(frame, board))
        scratch[CHOICE] = 0
        finish.triples[:] = 0
        lanes, place = 0, games.starts[many]
        more = True
        while more:
            ends, code = 1, 0
            for seat in range(seats):
                size = finish.sizes[seat, finish.triples[seat]]
                games.sizes[many, seat] = size
                ends *= size
                code = _SECONDS * code + size - 1
            if lanes and lanes + ends > _BLOCK:
                score_block(frame, reals, contests, lanes, finish, games.tensor[place:])
                place += lanes * kept
                lanes = 0
            if games.starts[many] + ends * kept > games.tensor.shape[0]:
                return start + item, before
            pattern = finish.pattern_of[code]
            if pattern < 0:
                pattern = make_pattern(seats, finish.givers, games.sizes[many], finish.patterns, finish.pattern_of)
                finish.pattern_of[code] = pattern
            lay_out(frame, finish, pattern, ends, lanes)
            lanes += ends
            games.starts[many + 1] = games.starts[many] + ends * kept
            many += 1
            more = next_game(moves, seats, scratch, finish.steps, finish.triples)
        score_block(frame, reals, contests, lanes, finish, games.tensor[place:])
        boards.starts[item + 1] = many * kept
        for seat in range(seats):
            boards.sizes[item, seat] = moves[MANY, seat, 0]
    return min(stop, start + boards.sizes.shape[0]), many


def new_games(kept: int, room: int = 4096) -> tuple[Batch, Batch]:
    """Batches for the games that follow boards of three cards, so many of them, and for those boards' own."""
    return new_batch(room * kept * 32, room), new_batch(room * kept, room)
