"""Backward induction over boards, one level (number of cards left) at a time, on all cores.

First every reduced board that can arise is listed, level by level towards the end of the round; then the levels are
valued from the last turn back. A level is a :class:`StateTable`; boards with one card in each hand are scored on the
spot and never stored. Kernels work in short slices without the interpreter lock, so that limits, progress and Ctrl-C
are heeded several times a second. Listing gives each worker a table of its own, merged at the end of the level;
valuing fills batches of stage games from the level below and leaves their solution to a *stage rule*. The values
depend neither on the number of workers nor on their order.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any, NamedTuple, Protocol

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
from solvers.endgame.packing_watch import Watch
from solvers.endgame.seats_moves import (
    CHOICE,
    MANY,
    MOVES,
    SCRATCH_ROWS,
    count_choices,
    follow,
    follow_to_end,
    list_ends,
    list_moves,
    new_moves,
    next_choice,
    utilities,
)
from solvers.endgame.seats_reduce import reduce_board

_SLICE_SECONDS = 0.05
_MOST_ROWS = 1 << 13
_SMALL = 1 << 12
"""Levels up to this size are done by one worker: sharing would cost more than it saves."""
_POLL_SECONDS = 0.1
_BATCH_GAMES = 512


class Level(NamedTuple):
    """A table in the form kernels take: ``values`` is ``rows`` seen as floats."""

    rows: np.ndarray
    values: np.ndarray
    index: np.ndarray  # type: ignore[assignment]


def level_of(table: StateTable) -> Level:
    """The arrays of a table."""
    return Level(table.rows, table.rows.view(np.float64), table.index)


LEVEL = numba.typeof(level_of(StateTable(1, 1)))


BATCH = 256
"""Keys looked up together."""


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


@lean_kernel(numba.types.UniTuple(I8, 3)(ROW, FLOATS, LEVEL, I8, I8, I8, LEVEL, I8, WORK))
def list_level(
    frame: Any, reals: Any, level: Any, start: Any, stop: Any, cards: Any, below: Any, count: Any, work: Any
) -> Any:
    """Put the boards one turn after boards ``start`` to ``stop`` into the table below, which holds ``count``.

    Returns the board to go on from (``stop`` unless the table is full), the new count, and the joint picks followed.
    """
    board, moves, child, keys, hashes, found, scratch, numbers = work
    rows, below_rows, below_index = level.rows, below.rows, below.index
    seats, words = frame[SEATS], 2 * frame[SEATS]
    followed = 0
    for row in range(start, stop):
        unpack(rows, row, seats, board)
        list_considered(frame, reals, board, cards, moves)
        scratch[CHOICE] = 0
        more = True
        while more:
            many = 0
            while more and many < BATCH:
                follow(frame, moves, scratch, child)
                reduce_board(frame, reals, child, cards - 1, scratch, numbers)
                pack(child, seats, keys, many)
                many += 1
                more = next_choice(moves, seats, scratch)
            count = insert_all(below_rows, below_index, keys, many, words, hashes, count)
            if count < 0:
                return row, ~count, followed
            followed += many
    return stop, count, followed


@lean_kernel(BOOL(ROW, FLOATS, I8, LEVEL, WORK, FLOATS))
def fill_values(frame: Any, reals: Any, cards: Any, below: Any, work: Any, out: Any) -> Any:
    """The utilities that follow each joint pick listed in ``work`` at a board of ``cards`` cards.

    The last seat's pick runs fastest. For each joint pick stand every seat's utilities in a row, or ``OWN``'s alone.
    Returns false if a board that follows is not in the level below, which reductions that agree rule out.
    """
    _, moves, child, keys, hashes, found, scratch, numbers = work
    rows, values, index = below
    seats, words = frame[SEATS], 2 * frame[SEATS]
    kept = 1 if frame[OWN] >= 0 else seats
    scratch[CHOICE] = 0
    if cards <= 2:
        list_ends(frame, moves)
    place = 0
    more, known = True, True
    while more:
        many = 0
        while more and many < BATCH:
            if cards <= 2:
                follow_to_end(frame, moves, scratch, child)
                utilities(frame, reals, child, numbers)
            else:
                follow(frame, moves, scratch, child)
                reduce_board(frame, reals, child, cards - 1, scratch, numbers)
                pack(child, seats, keys, many)
            for item in range(kept):
                out[place + many * kept + item] = numbers[item]
            many += 1
            more = next_choice(moves, seats, scratch)
        if cards > 2:
            find_all(rows, index, keys, many, words, hashes, found)
            for child_place in range(many):
                known = known and found[child_place] >= 0
                for item in range(kept):
                    out[place + child_place * kept + item] += values[found[child_place], words + item]
        place += many * kept
    return known


class Batch(NamedTuple):
    """The stage games of consecutive boards: the utilities of their joint picks (in the order of :func:`fill_values`),
    one game after the other, where each begins (and the last ends), and how many picks each seat has in it."""

    tensor: np.ndarray
    starts: np.ndarray
    sizes: np.ndarray

    def game(self) -> tuple[np.ndarray, list[int]]:
        """The first game alone: its utilities in a row, and each seat's number of picks."""
        return self.tensor[: self.starts[1]], [int(size) for size in self.sizes[0] if size]


def new_batch(room: int = 1 << 15) -> Batch:
    """A batch for ``room`` utilities."""
    return Batch(
        np.empty(room),
        np.zeros(_BATCH_GAMES + 1, dtype=np.int64),
        np.zeros((_BATCH_GAMES, MAX_SEATS), dtype=np.int64),
    )


BATCHES = numba.typeof(new_batch(1))


@lean_kernel(I8(ROW, FLOATS, LEVEL, I8, I8, I8, LEVEL, WORK, BATCHES))
def fill_batch(
    frame: Any, reals: Any, level: Any, start: Any, stop: Any, cards: Any, below: Any, work: Any, batch: Any
) -> Any:
    """Fill the batch with the games of boards ``start`` to ``stop``; returns the first board that does not fit, or -1
    if a board that follows was never listed."""
    seats = frame[SEATS]
    kept = 1 if frame[OWN] >= 0 else seats
    tensor, starts, sizes = batch
    starts[0] = 0
    for game in range(min(stop - start, sizes.shape[0])):
        unpack(level.rows, start + game, seats, work.board)
        list_considered(frame, reals, work.board, cards, work.moves)
        end = starts[game] + kept * count_choices(frame, work.moves)
        if end > tensor.shape[0]:
            return start + game
        if not fill_values(frame, reals, cards, below, work, tensor[starts[game] : end]):
            return -1
        starts[game + 1] = end
        for seat in range(seats):
            sizes[game, seat] = work.moves[MANY, seat, 0]
    return min(stop, start + sizes.shape[0])


class StageRule(Protocol):
    """How one way of playing values stage games."""

    def workspace(self) -> Any:
        """What one worker needs to itself."""

    def value(self, frame: Frame, batch: Batch, games: int, values: np.ndarray, row: int, workspace: Any) -> None:
        """Value the first ``games`` games of a batch: write to ``values``, behind the keys, from ``row`` on."""


class Search:
    """All boards that can follow from one board, and their values once :meth:`value` has run.

    ``levels[cards]`` is the table of the boards with that many cards in each hand; the one of the root holds just it.
    """

    def __init__(self, frame: Frame, root: np.ndarray, cards: int, watch: Watch, workers: int | None = None) -> None:
        self.frame = frame
        self.cards = cards
        self.levels: dict[int, StateTable] = {}
        self.transitions = 0
        self._watch = watch
        self._workers = workers or len(os.sched_getaffinity(0))
        self._lock = threading.Lock()
        self._pending: list[StateTable] = []
        self._list(root)

    def new_table(self, capacity: int = 1 << 10) -> StateTable:
        """An empty table for boards and their values."""
        return StateTable(self.frame.words, self.frame.kept, capacity)

    @property
    def states(self) -> int:
        """Boards listed so far (those not yet merged counted in every worker's table)."""
        return sum(table.count for table in (*self.levels.values(), *self._pending))

    @property
    def nbytes(self) -> int:
        """Bytes of all tables."""
        return sum(table.nbytes for table in (*self.levels.values(), *self._pending))

    def key_of(self, board: np.ndarray, cards: int) -> tuple[np.ndarray, np.ndarray]:
        """The reduced form of a board made from a position, as an array of one key, and the constants banked."""
        reduced = board.copy()
        work = new_work()
        reduce_board(*self.frame, reduced, cards, work.scratch, work.numbers)
        pack(reduced, self.frame.seats, work.keys, 0)
        return work.keys[:1], work.numbers[: self.frame.kept]

    def below(self, cards: int) -> Level:
        """The level one turn on, or an empty one at the end."""
        return level_of(self.levels[cards - 1] if cards > 2 else self.new_table(1))

    def _list(self, root: np.ndarray) -> None:
        top = self.levels[self.cards] = self.new_table(1)
        if self.cards >= 2:
            top.add(self.key_of(root, self.cards)[0])
        for cards in range(self.cards, 2, -1):
            level = self.levels[cards]
            workers = self._workers if level.count > _SMALL else 1
            tables = self._pending = [self.new_table() for _ in range(workers)]
            works = [new_work() for _ in range(workers)]

            def work(
                worker: int,
                start: int,
                stop: int,
                cards: int = cards,
                level: Level = level_of(level),  # noqa: B008
                tables: list[StateTable] = tables,
                works: list[Work] = works,
            ) -> None:
                self._list_slice(level, start, stop, cards, tables[worker], works[worker])

            self._share(level.count, workers, work, phase="listing", cards_left=cards - 1)
            self._pending = []
            self.levels[cards - 1] = self._merge(tables)

    def _list_slice(self, level: Level, start: int, stop: int, cards: int, table: StateTable, scratch: Work) -> None:
        while start < stop:
            start, table.count, followed = list_level(
                *self.frame, level, start, stop, cards, level_of(table), table.count, scratch
            )
            with self._lock:
                self.transitions += followed
            if start < stop:
                capacity = 2 * table.capacity
                more = table.bytes_to_grow(capacity)  # old and new arrays are there together for a moment
                self._watch.check_memory(self.nbytes + more, self.states)
                table.grow(capacity)

    def _merge(self, tables: list[StateTable]) -> StateTable:
        """One table of the boards of all; the largest takes the others in."""
        tables.sort(key=lambda table: -table.count)
        whole = tables[0]
        for table in tables[1:]:
            capacity = whole.count + table.count
            if capacity > whole.capacity:
                self._watch.check_memory(self.nbytes + table.nbytes + whole.bytes_to_grow(capacity), self.states)
                whole.grow(capacity)
            whole.add(table.rows[: table.count])
        return whole

    def value(self, rule: StageRule) -> list[Any]:
        """Value every board by backward induction; returns the rule's workspaces, one a worker."""
        spaces = [rule.workspace() for _ in range(self._workers)]
        works = [(new_work(), new_batch()) for _ in range(self._workers)]
        for cards in range(2, self.cards + 1):
            level, below = level_of(self.levels[cards]), self.below(cards)
            total = self.levels[cards].count
            workers = self._workers if total > _SMALL else 1

            def work(
                worker: int, start: int, stop: int, cards: int = cards, level: Level = level, below: Level = below
            ) -> None:
                scratch, batch = works[worker]
                while start < stop:
                    done = fill_batch(*self.frame, level, start, stop, cards, below, scratch, batch)
                    _check_listed(done)
                    if done == start:
                        works[worker] = scratch, batch = scratch, new_batch(4 * len(batch.tensor))
                        continue
                    rule.value(self.frame, batch, done - start, level.values, start, spaces[worker])
                    start = done

            self._share(total, workers, work, phase="valuing", cards_left=cards)
        return spaces

    def stage(self, board: np.ndarray, cards: int) -> tuple[Batch, np.ndarray]:
        """The stage game of one (reduced) board, alone in a batch, and its move list."""
        scratch, batch = new_work(), new_batch()
        key = np.zeros((1, self.frame.words + self.frame.kept), dtype=np.int64)
        pack(board, self.frame.seats, key, 0)
        level = Level(key, key.view(np.float64), np.zeros(1, dtype=np.int64))
        while not (done := fill_batch(*self.frame, level, 0, 1, cards, self.below(cards), scratch, batch)):
            batch = new_batch(4 * len(batch.tensor))
        _check_listed(done)
        return batch, scratch.moves

    def _share(self, total: int, workers: int, work: Callable[[int, int, int], None], **where: Any) -> None:
        """Run ``work(worker, start, stop)`` over slices of ``range(total)``, holding the watch's checks in between."""
        sharing = _Slices(total)

        def run(worker: int) -> None:
            rows = 1
            while not sharing.stopped:
                start, stop = sharing.take(rows)
                if start == stop:
                    return
                began = time.perf_counter()
                work(worker, start, stop)
                taken = max(time.perf_counter() - began, 1e-5)
                rows = max(1, min(_MOST_ROWS, 4 * rows, int(rows * _SLICE_SECONDS / taken)))
                if workers == 1:
                    self._watch.check(self.states, done=stop, total=total, **where)

        if workers == 1:
            run(0)
            return
        with ThreadPoolExecutor(workers) as pool:
            try:
                pending = {pool.submit(run, worker) for worker in range(workers)}
                while pending:
                    done, pending = wait(pending, timeout=_POLL_SECONDS, return_when=FIRST_EXCEPTION)
                    for future in done:
                        future.result()
                    self._watch.check(self.states, done=sharing.taken, total=total, **where)
            except BaseException:
                sharing.stopped = True
                raise


def _check_listed(done: int) -> None:
    """A mistake in the reductions must not pass for a value."""
    if done < 0:
        raise RuntimeError("a board that follows was not listed: two ways to it were reduced differently")


class _Slices:
    """Hands out consecutive slices of ``range(total)`` to several threads."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.taken = 0
        self.stopped = False
        self._lock = threading.Lock()

    def take(self, rows: int) -> tuple[int, int]:
        with self._lock:
            start = self.taken
            self.taken = min(self.total, start + rows)
            return start, self.taken
