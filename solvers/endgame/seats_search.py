"""Backward induction over boards, one level (number of cards left) at a time, on all cores.

First every reduced board that can arise is listed, level by level towards the end of the round; then the levels are
valued from the last turn back. Boards with one card in each hand are scored on the spot and never stored.

Listing finds the row of every board that follows, which takes most of the time. It is noted (:class:`Links`, 4 bytes a
joint pick and 2 for each number that is banked), as long as that leaves room for the tables, so that valuing need not
find it again. (Going through boards in the order of their hands, for the sake of the processor's
caches, was tried and gained nothing: the order in which they are first met is as good.)

The lowest level has far the most boards, each with few ends. Where they can be, they are valued *straight* from the
boards of three cards (:mod:`solvers.endgame.seats_finish`): never made, never stored.

The threads share one table a level (:mod:`solvers.endgame.packing_table`), and each fills batches of stage games that a
*stage rule* solves. Kernels work in short stretches without the interpreter lock, so that limits, progress and Ctrl-C
are heeded several times a second. Values depend neither on the number of threads nor on their order.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from solvers.endgame.packing import KEEP_PICKS, LAST_ROUND, OWN, REDUCE, Frame, pack
from solvers.endgame.packing_table import StateTable
from solvers.endgame.packing_watch import Watch
from solvers.endgame.seats_finish import Finish, fill_finish, new_finish, new_games
from solvers.endgame.seats_levels import (
    Batch,
    Level,
    Links,
    fill_batch,
    key_of,
    level_of,
    list_level,
    new_batch,
    new_links,
    new_work,
)
from solvers.endgame.seats_reduce import banks_nothing
from solvers.endgame.sharing import share

_FEWEST_BOARDS, _MOST_BOARDS = 64, 1 << 12
"""Boards in a stretch of work."""
_FIRST_ROOM = 1 << 12
_STRETCHES = 8
"""Stretches a worker, at least, unless boards are few."""
_LINKS = 1 << 16
"""Joint picks in a stretch of listing: some 20 ms."""
_FEW_SEATS = 3
"""Where every seat is answered, a stage game takes so long that it is better to store the boards of two cards that are
met many times: with up to three seats. (Six cards and three seats, `quantal`: 14 s, and 37 s without storing them.)"""
_STRAIGHT, _STRAIGHT_OF_MANY = 1 << 8, 1 << 5
"""Boards of three cards in a stretch of work whose ends are valued straight, with few seats and with many."""
_SHARE_OF_LINKS = 0.6
"""Links are noted as long as all that is stored takes no more than this share of the memory allowed."""


class Stretch(NamedTuple):
    """Boards ``start`` to ``stop`` of a level, and their links: none if there was no room for them."""

    start: int
    stop: int
    links: Links


class Boards:
    """A level: the table of its boards, the stretches in which what follows them was listed, and an array ``(boards,
    utilities kept)`` of values once they are known."""

    def __init__(self, words: int, capacity: int = 1) -> None:
        self.table = StateTable(words, 0, capacity)
        self.stretches: list[Stretch] = []
        self.values: np.ndarray | None = None
        self.followed = 0
        self.link_bytes = 0

    @property
    def nbytes(self) -> int:
        """Bytes of all that is stored."""
        return self.table.nbytes + self.link_bytes + (0 if self.values is None else self.values.nbytes)

    @property
    def level(self) -> Level:
        """The arrays that kernels take."""
        return level_of(self.table, self.values)

    def note(self, stretch: Stretch, followed: int) -> None:
        """Keep a stretch from which so many joint picks were followed."""
        self.stretches.append(stretch)
        self.followed += followed
        self.link_bytes += stretch.links.nbytes

    def forget_links(self) -> None:
        """Drop the links, which only serve to value this level."""
        self.stretches = []
        self.link_bytes = 0


class StageRule(Protocol):
    """How one way of playing values stage games."""

    def workspace(self) -> Any:
        """What one worker needs to itself."""

    def value(self, frame: Frame, batch: Batch, games: int, values: np.ndarray, workspace: Any) -> None:
        """Value the first ``games`` games of a batch: write a row of utilities for each to ``values``."""


class Worker:
    """What one thread needs to itself; its arrays grow with the boards."""

    def __init__(self, columns: int) -> None:
        self.work = new_work()
        self.links = new_links(_LINKS, columns)
        self.batch = new_batch()
        self.finish: Finish | None = None
        self.games: tuple[Batch, Batch] | None = None


class Search:
    """All boards that can follow from one board, and their values once :meth:`value` has run.

    ``levels[cards]`` has the boards with that many cards in each hand; the one of the root holds just it.
    """

    def __init__(self, frame: Frame, root: np.ndarray, cards: int, watch: Watch, workers: int | None = None) -> None:
        self.frame = frame
        self.cards = cards
        self.levels: dict[int, Boards] = {}
        self.transitions = 0
        self._watch = watch
        self._columns = 0 if banks_nothing(frame.ints) else frame.kept * (1 if frame.ints[LAST_ROUND] else 2)
        self._workers = [Worker(self._columns) for _ in range(workers or len(os.sched_getaffinity(0)))]
        self._lock = threading.Lock()
        self._rule: StageRule | None = None
        self._straight = self._goes_straight
        self._list(root)

    @property
    def _may_go_straight(self) -> bool:
        """Whether boards of two cards may be left as they are: the rule counts all picks."""
        return self.cards > 2 and self.frame.ints[REDUCE] == KEEP_PICKS

    @property
    def _goes_straight(self) -> bool:
        """Whether they are from the beginning, not only where memory is short."""
        return self._may_go_straight and (self.frame.ints[OWN] >= 0 or self.frame.seats > _FEW_SEATS)

    @property
    def states(self) -> int:
        """Boards stored."""
        return sum(boards.table.count for boards in self.levels.values())

    @property
    def nbytes(self) -> int:
        """Bytes of all levels."""
        return sum(boards.nbytes for boards in self.levels.values())

    def below(self, cards: int) -> Level:
        """The level one turn on, or an empty one at the end."""
        return self.levels[cards - 1].level if cards > 2 else level_of(StateTable(self.frame.words, 0, 1))

    def value(self, rule: StageRule) -> list[Any]:
        """Value every board by backward induction; returns the rule's workspaces, one a worker."""
        self._rule = rule
        spaces = [rule.workspace() for _ in self._workers]
        for cards in range(3 if self._straight else 2, self.cards + 1):
            self._value_level(cards, rule, spaces)
        return spaces

    def stage(self, board: np.ndarray, cards: int) -> tuple[Batch, np.ndarray]:
        """The stage game of one (reduced) board, alone in a batch, and its move list."""
        single = Boards(self.frame.words)
        single.table.rows = np.zeros((1, self.frame.words), dtype=np.int64)
        pack(board, self.frame.seats, single.table.rows, 0)
        worker, task = Worker(self._columns), Stretch(0, 1, new_links(0, self._columns))
        if cards == 3 and self._straight and self._rule:
            _, game = self._finish(worker, single.level, task, self._rule, self._rule.workspace())
            return game, worker.work.moves
        self._fill(worker, single.level, task, cards, self.below(cards))
        return worker.batch, worker.work.moves

    def _list(self, root: np.ndarray) -> None:
        top = self.levels[self.cards] = Boards(self.frame.words)
        if self.cards >= 2:
            top.table.add(key_of(self.frame, root, self.cards)[0])
        for cards in range(self.cards, 3 if self._straight else 2, -1):
            self._list_below(cards)

    def _list_below(self, cards: int) -> None:
        """List the boards that follow those of one level, making room in their table whenever it is full."""
        boards = self.levels[cards]
        below = Boards(self.frame.words, max(_FIRST_ROOM, 2 * boards.table.count))
        self.levels[cards - 1] = below
        level, table = boards.level, below.table

        def work(worker: int, task: Stretch) -> Stretch | None:
            tools = self._workers[worker]
            start = task.start
            while start < task.stop:
                stop, followed = list_level(
                    *self.frame, level, start, task.stop, cards, below.level, tools.links, tools.work
                )
                if stop > start:
                    with self._lock:
                        noted = tools.links.first(followed if self._may_note() else 0)
                        boards.note(Stretch(start, stop, noted), followed)
                    start = stop
                elif table.count >= table.capacity:
                    return task._replace(start=start)
                else:
                    tools.links = self._larger_links(tools.links)
            return None

        tasks = self._stretches(boards)
        while tasks := self._share(tasks, work, phase="listing", cards_left=cards - 1, total=boards.table.count):
            needed = self.nbytes + table.bytes_to_grow(2 * table.capacity)  # old and new arrays are there for a moment
            if cards == 3 and self._may_go_straight and needed > self._watch.memory:
                self._straight = True
                boards.forget_links()
                del self.levels[2]
                return
            self._watch.check_memory(needed, self.states)
            table.grow(2 * table.capacity)
        self.transitions += boards.followed

    def _value_level(self, cards: int, rule: StageRule, spaces: Sequence[Any]) -> None:
        boards = self.levels[cards]
        total = boards.table.count
        self._watch.check_memory(self.nbytes + 8 * self.frame.kept * total, self.states)
        boards.values = np.empty((total, self.frame.kept))
        level, values = boards.level, boards.values

        def work(worker: int, task: Stretch) -> None:
            tools, space = self._workers[worker], spaces[worker]
            if cards == 3 and self._straight:
                start = task.start
                while start < task.stop:
                    stop, batch = self._finish(tools, level, task._replace(start=start), rule, space)
                    rule.value(self.frame, batch, stop - start, values[start:stop], space)
                    with self._lock:
                        self.transitions += int(batch.starts[stop - start]) // self.frame.kept
                    start = stop
            else:
                self._solve(tools, level, task, cards, self.below(cards), rule, space, values)

        tasks = boards.stretches or self._stretches(boards)
        if cards == 3 and self._straight:
            tasks = self._stretches(boards, _STRAIGHT if self.frame.seats <= _FEW_SEATS else _STRAIGHT_OF_MANY)
        self._share(tasks, work, phase="valuing", cards_left=cards, total=total)
        boards.forget_links()

    def _finish(self, tools: Worker, level: Level, task: Stretch, rule: StageRule, space: Any) -> tuple[int, Batch]:
        """Value what follows boards of three cards from the first of a stretch on, one at least.

        Returns the first board left, and the batch of those boards' own games, still to be valued.
        """
        tools.finish = tools.finish or new_finish()
        tools.games = tools.games or new_games(self.frame.kept)
        while True:
            games, boards = tools.games
            stop, many = fill_finish(*self.frame, level, task.start, task.stop, tools.work, tools.finish, games, boards)
            if stop > task.start:
                values = boards.tensor[: many * self.frame.kept].reshape(many, self.frame.kept)
                rule.value(self.frame, games, many, values, space)
                return stop, boards
            self._watch.check_memory(self.nbytes + 8 * games.tensor.nbytes, self.states)
            tools.games = new_games(self.frame.kept, 4 * len(games.sizes))

    def _solve(
        self,
        tools: Worker,
        level: Level,
        task: Stretch,
        cards: int,
        below: Level,
        rule: StageRule,
        space: Any,
        values: np.ndarray,
    ) -> None:
        """Value the boards of a stretch, batch by batch."""
        start, link = task.start, 0
        while start < task.stop:
            stop, link = self._fill(tools, level, task._replace(start=start), cards, below, link)
            rule.value(self.frame, tools.batch, stop - start, values[start:stop], space)
            start = stop

    def _fill(
        self, tools: Worker, level: Level, task: Stretch, cards: int, below: Level, link: int = 0
    ) -> tuple[int, int]:
        """Fill a worker's batch with games from the first of a stretch on, one at least."""
        while True:
            stop, after = fill_batch(
                *self.frame,
                level,
                task.start,
                task.stop,
                cards,
                below,
                task.links,
                link,
                tools.work,
                tools.batch,
            )
            if stop < 0:  # a mistake in the reductions must not pass for a value
                raise RuntimeError("a board that follows was not listed: two ways to it were reduced differently")
            if stop > task.start:
                return stop, after
            room = 4 * len(tools.batch.tensor)
            self._watch.check_memory(self.nbytes + 8 * room, self.states)
            tools.batch = new_batch(room)

    def _may_note(self) -> bool:
        """Whether links may be kept."""
        return self.nbytes <= _SHARE_OF_LINKS * self._watch.memory

    def _larger_links(self, links: Links) -> Links:
        room = 4 * len(links.rows)
        self._watch.check_memory(self.nbytes + 4 * links.nbytes, self.states)
        return new_links(room, self._columns)

    def _stretches(self, boards: Boards, most: int = _MOST_BOARDS) -> list[Stretch]:
        """Even stretches of all boards of a level, without links."""
        none, total = new_links(0, self._columns), boards.table.count
        step = min(max(total // (_STRETCHES * len(self._workers)), _FEWEST_BOARDS), most)
        return [Stretch(start, min(start + step, total), none) for start in range(0, total, step)]

    def _share(
        self, tasks: list[Stretch], work: Callable[[int, Stretch], Stretch | None], **where: Any
    ) -> list[Stretch]:
        """Share the work out, holding the watch's checks in between; returns what is left to do."""
        workers = min(len(self._workers), len(tasks))
        return share(tasks, workers, work, lambda done: self._watch.check(self.states, done=done, **where))
