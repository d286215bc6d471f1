"""Kernels over a level: the boards with one number of cards in each hand, all of them in one table.

:func:`list_level` puts the boards that follow into the table of the level below, and notes for each joint pick which
row that was; :func:`fill_batch` makes the stage games of boards from the values of the level below, along those notes
or, where none were kept, by working the boards out again. :mod:`solvers.endgame.seats_search` drives both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.greedy import keep_greedy
from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import (
    BOARD,
    BOOL,
    FLOATS,
    GREEDY,
    I8,
    MAX_SEATS,
    OWN,
    ROW,
    SEATS,
    Frame,
    pack,
    unpack,
)
from solvers.endgame.packing_table import StateTable, find_all, insert_all
from solvers.endgame.seats_ends import fill_ends, list_ends
from solvers.endgame.seats_moves import (
    BANKED,
    BANKED_PUDDINGS,
    CHOICE,
    MANY,
    MOVES,
    SCRATCH_ROWS,
    count_choices,
    follow,
    list_moves,
    new_moves,
    next_choice,
)
from solvers.endgame.seats_reduce import reduce_board
from solvers.endgame.seats_replies import fill_opening

_BATCH_GAMES = 2048
BATCH = 256
"""Keys looked up together."""


class Level(NamedTuple):
    """A level as kernels take it: the arrays of its table, and an array ``(rows, utilities kept)`` of values, which is
    empty until they are known."""

    rows: np.ndarray
    index: np.ndarray  # type: ignore[assignment]
    counter: np.ndarray
    values: np.ndarray


def level_of(table: StateTable, values: np.ndarray | None = None) -> Level:
    """The arrays of a table, and the values of its rows."""
    return Level(table.rows, table.index, table.counter, np.zeros((0, 1)) if values is None else values)


LEVEL = numba.typeof(level_of(StateTable(1, 0, 1)))


class Links(NamedTuple):
    """What listing notes of every joint pick of a stretch of boards, one after the other.

    ``rows`` (uint32) is the row in the level below of the board that follows; ``banked`` (int16) has for each utility
    kept the points that were banked, then in rounds 1 and 2 for each the puddings; no column where nothing ever is.
    """

    rows: np.ndarray
    banked: np.ndarray

    @property
    def nbytes(self) -> int:
        """Bytes of both arrays."""
        return self.rows.nbytes + self.banked.nbytes

    def first(self, many: int) -> Links:
        """A copy of the first ``many``."""
        return Links(self.rows[:many].copy(), self.banked[:many].copy())


def new_links(room: int, columns: int) -> Links:
    """Room for so many joint picks."""
    return Links(np.empty(room, dtype=np.uint32), np.empty((room, columns), dtype=np.int16))


LINKS = numba.typeof(new_links(1, 1))


class Work(NamedTuple):
    """What one worker needs to itself: the board at hand, its picks, the board after a joint pick, a batch of keys with
    their hashes and rows, and scratch."""

    board: np.ndarray
    moves: np.ndarray
    child: np.ndarray
    keys: np.ndarray
    hashes: np.ndarray
    found: np.ndarray
    scratch: np.ndarray
    numbers: np.ndarray


def new_work() -> Work:
    """Room for any board."""
    return Work(
        board=np.zeros((2, MAX_SEATS), dtype=np.int64),
        moves=new_moves(),
        child=np.zeros((2, MAX_SEATS), dtype=np.int64),
        keys=np.zeros((BATCH, 2 * MAX_SEATS), dtype=np.int64),
        hashes=np.zeros(BATCH, dtype=np.int64),
        found=np.zeros(BATCH, dtype=np.int64),
        scratch=np.zeros((SCRATCH_ROWS, MAX_SEATS), dtype=np.int64),
        numbers=np.zeros(2 * MAX_SEATS),
    )


WORK = numba.typeof(new_work())


@lean_kernel((ROW, FLOATS, BOARD, I8, MOVES))
def list_considered(frame: Any, reals: Any, board: Any, cards: Any, moves: Any) -> Any:
    """List the picks the question considers: all, or of seats that follow the greedy rule only that one."""
    list_moves(frame, board, cards, moves)
    if frame[GREEDY]:
        keep_greedy(frame, reals, moves)


@lean_kernel((ROW, BOARD, numba.int16[:, ::1], I8))
def note_banked(frame: Any, scratch: Any, banked: Any, place: Any) -> Any:
    """Write what the last reduction banked to a row of :class:`Links`."""
    columns = banked.shape[1]
    if columns:
        kept = 1 if frame[OWN] >= 0 else frame[SEATS]
        for item in range(kept):
            banked[place, item] = scratch[BANKED, item]
            if columns > kept:
                banked[place, kept + item] = scratch[BANKED_PUDDINGS, item]


@lean_kernel(numba.types.UniTuple(I8, 2)(ROW, FLOATS, LEVEL, I8, I8, I8, LEVEL, LINKS, WORK))
def list_level(
    frame: Any,
    reals: Any,
    level: Any,
    start: Any,
    stop: Any,
    cards: Any,
    below: Any,
    links: Any,
    work: Any,
) -> Any:
    """Put the boards one turn after boards ``start`` to ``stop`` into the table below, and write their links.

    Returns the board to go on from (``stop`` unless the table is full, or there is no room for more links), and the
    joint picks followed from the boards before it.
    """
    board, moves, child, keys, hashes, found, scratch, numbers = work
    seats, words = frame[SEATS], 2 * frame[SEATS]
    followed = 0
    for row in range(start, stop):
        unpack(level.rows, row, seats, board)
        list_considered(frame, reals, board, cards, moves)
        if followed + count_choices(frame, moves) > links.rows.shape[0]:
            return row, followed
        scratch[CHOICE] = 0
        place = followed
        more = True
        while more:
            many = 0
            while more and many < BATCH:
                follow(frame, moves, scratch, child)
                reduce_board(frame, reals, child, cards - 1, scratch, numbers)
                pack(child, seats, keys, many)
                note_banked(frame, scratch, links.banked, place + many)
                many += 1
                more = next_choice(moves, seats, scratch)
            if not insert_all(below.rows, below.index, below.counter, keys, many, words, hashes, found):
                return row, followed
            for item in range(many):
                links.rows[place + item] = found[item]
            place += many
        followed = place
    return stop, followed


@lean_kernel((ROW, FLOATS, BOARD, FLOATS))
def banked_utilities(frame: Any, reals: Any, scratch: Any, numbers: Any) -> Any:
    """Write to ``numbers`` what the last reduction banked."""
    for item in range(1 if frame[OWN] >= 0 else frame[SEATS]):
        numbers[item] = scratch[BANKED, item] + reals[0] * scratch[BANKED_PUDDINGS, item]


def key_of(frame: Frame, board: np.ndarray, cards: int) -> tuple[np.ndarray, np.ndarray]:
    """The reduced form of a board made from a position, as an array of one key, and the constants banked."""
    reduced = board.copy()
    work = new_work()
    reduce_board(*frame, reduced, cards, work.scratch, work.numbers)
    pack(reduced, frame.seats, work.keys, 0)
    banked_utilities(*frame, work.scratch, work.numbers)
    return work.keys[:1, : frame.words], work.numbers[: frame.kept]


@lean_kernel(BOOL(ROW, FLOATS, I8, LEVEL, WORK, FLOATS))
def fill_values(frame: Any, reals: Any, cards: Any, below: Any, work: Any, out: Any) -> Any:
    """The utilities that follow each joint pick listed in ``work`` at a board of ``cards`` cards.

    The last seat's pick runs fastest. For each joint pick stand every seat's utilities in a row, or ``OWN``'s alone.
    Returns false if a board that follows is not in the level below, which reductions that agree rule out.
    """
    board, moves, child, keys, hashes, found, scratch, numbers = work
    seats, words = frame[SEATS], 2 * frame[SEATS]
    kept = 1 if frame[OWN] >= 0 else seats
    if cards <= 2:
        list_ends(frame, moves)
        fill_ends(frame, reals, board, moves, child, scratch, numbers, out)
        return True
    scratch[CHOICE] = 0
    place = 0
    more, known = True, True
    while more:
        many = 0
        while more and many < BATCH:
            follow(frame, moves, scratch, child)
            reduce_board(frame, reals, child, cards - 1, scratch, numbers)
            pack(child, seats, keys, many)
            banked_utilities(frame, reals, scratch, numbers)
            for item in range(kept):
                out[place + many * kept + item] = numbers[item]
            many += 1
            more = next_choice(moves, seats, scratch)
        find_all(below.rows, below.index, keys, many, words, hashes, found)
        for child_place in range(many):
            known = known and found[child_place] >= 0
            for item in range(kept):
                out[place + child_place * kept + item] += below.values[found[child_place], item]
        place += many * kept
    return known


@lean_kernel((ROW, FLOATS, LEVEL, LINKS, I8, I8, FLOATS))
def gather_values(frame: Any, reals: Any, below: Any, links: Any, first: Any, many: Any, out: Any) -> Any:
    """The same along ``many`` links from ``first`` on, to the last bit."""
    kept = 1 if frame[OWN] >= 0 else frame[SEATS]
    columns = links.banked.shape[1]
    for item in range(many):
        row = links.rows[first + item]
        for utility in range(kept):
            banked = 0.0
            if columns:
                banked += links.banked[first + item, utility]
            if columns > kept:
                banked += reals[0] * links.banked[first + item, kept + utility]
            out[item * kept + utility] = banked + below.values[row, utility]


class Batch(NamedTuple):
    """The stage games of consecutive boards: the utilities of their joint picks (in the order of :func:`fill_values`),
    one game after the other, where each begins (and the last ends), and how many picks each seat has in it and which of
    them is the greedy one (:func:`solvers.endgame.seats_replies.fill_opening`)."""

    tensor: np.ndarray
    starts: np.ndarray
    sizes: np.ndarray
    openings: np.ndarray

    def game(self) -> tuple[np.ndarray, list[int]]:
        """The first game alone: its utilities in a row, and each seat's number of picks."""
        return self.tensor[: self.starts[1]], [int(size) for size in self.sizes[0] if size]


def new_batch(room: int = 1 << 17, games: int = _BATCH_GAMES) -> Batch:
    """A batch for ``room`` utilities of so many games."""
    return Batch(
        np.empty(room),
        np.zeros(games + 1, dtype=np.int64),
        np.zeros((games, MAX_SEATS), dtype=np.int64),
        np.zeros((games, MAX_SEATS), dtype=np.int64),
    )


BATCHES = numba.typeof(new_batch(1))


@lean_kernel(
    numba.types.UniTuple(I8, 2)(ROW, FLOATS, LEVEL, I8, I8, I8, LEVEL, LINKS, I8, WORK, BATCHES),
)
def fill_batch(
    frame: Any,
    reals: Any,
    level: Any,
    start: Any,
    stop: Any,
    cards: Any,
    below: Any,
    links: Any,
    link: Any,
    work: Any,
    batch: Any,
) -> Any:
    """Fill the batch with the games of boards ``start`` to ``stop``, whose links, if there are any, begin at ``link``.

    Returns the first board that does not fit, or -1 if a board that follows was never listed, and the next link.
    """
    seats = frame[SEATS]
    kept = 1 if frame[OWN] >= 0 else seats
    tensor, starts, sizes, openings = batch
    starts[0] = 0
    for game in range(min(stop - start, sizes.shape[0])):
        unpack(level.rows, start + game, seats, work.board)
        list_considered(frame, reals, work.board, cards, work.moves)
        many = count_choices(frame, work.moves)
        end = starts[game] + kept * many
        if end > tensor.shape[0]:
            return start + game, link
        if links.rows.shape[0]:
            gather_values(frame, reals, below, links, link, many, tensor[starts[game] : end])
            link += many
        elif not fill_values(frame, reals, cards, below, work, tensor[starts[game] : end]):
            return -1, link
        starts[game + 1] = end
        fill_opening(seats, work.moves, openings[game])
        for seat in range(seats):
            sizes[game, seat] = work.moves[MANY, seat, 0]
    return min(stop, start + sizes.shape[0]), link
