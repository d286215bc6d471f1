"""Depth-first search for several seats that looks only at what its rule asks for, on all cores.

All workers search the same root and share one table. They go through the joint picks of a board from different ends, so
that each finds much of what it comes to in the table; the first to finish ends the search. Kernels work in short
slices, after each of which limits are looked at and the table grows if it is full. A slice begins at the root again and
is soon back where the last one stopped, as all that was finished is in the table.

What a board is worth depends on nothing but the board, and a board is stored only if the rule asks for it. So neither
values nor counts depend on the number of workers, or on which of them was first.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from solvers.endgame.packing import HANDS, MAX_SEATS, TABLES, Frame, pack
from solvers.endgame.packing_table import MOST_WORDS, StateTable
from solvers.endgame.packing_watch import Watch
from solvers.endgame.seats_coalition import CoalitionSpace, settle_guarantee
from solvers.endgame.seats_layers import (
    FOLLOWED,
    N_BUDGET,
    N_CELLS,
    N_HARD,
    N_LENGTH,
    N_PICKS,
    N_STOP,
    N_STORED_FROM,
    N_WHOLE,
    N_WORKER,
    N_WORKERS,
    STOP_FULL,
    STOP_HARD,
    STOP_NO,
    STOP_ROOM,
    Layers,
    new_layers,
)
from solvers.endgame.seats_levels import Batch, key_of
from solvers.endgame.seats_mixes import FULL_SIZE
from solvers.endgame.seats_nash import FOUND_BY, HARD, UNRESOLVED, Workspace, solve_hard
from solvers.endgame.seats_settle import settle_equilibrium

_FIRST_ROWS = 1 << 12
_FIRST_CELLS = 1 << 12
_SLICE = 40_000
"""Boards searched between two looks at the limits: 0.1 to 0.2 s. More than may follow one board of three cards, which
is never left half done."""
_FEW_SEATS = 3
"""Up to so many seats boards with two cards in each hand are stored, as each is met several times: six cards and three
seats take 5.4 s so, and 6.6 if they are answered anew each time; seven cards 11 and 17. With more seats each is met
once or twice."""


class DeepRule(NamedTuple):
    """The kernel that searches by a rule, a worker's arrays for it (``arrays``, which ``fit(cells, picks)`` lets grow),
    and the kernel that answers a stage game which that one cannot."""

    settle: Any
    space: Callable[[], Any]
    hard: Any = None


EQUILIBRIUM = DeepRule(settle_equilibrium, Workspace, solve_hard)
GUARANTEE = DeepRule(settle_guarantee, CoalitionSpace)


class Worker:
    """What one thread needs to itself; its arrays grow with the games."""

    def __init__(self, rule: DeepRule, number: int, workers: int) -> None:
        self.layers: Layers = new_layers(_FIRST_CELLS)
        self.space = rule.space()
        self.space.fit(_FIRST_CELLS, 1)
        self.counts = np.zeros(N_LENGTH, dtype=np.int64)
        self.counts[N_WORKER], self.counts[N_WORKERS] = number, workers

    def grow(self) -> None:
        """Make the room that was missing."""
        cells, old = max(2 * int(self.counts[N_CELLS]), self.layers.tensors.shape[1]), self.layers
        self.layers = new_layers(cells)._replace(hard_keys=old.hard_keys, hard_values=old.hard_values)
        self.layers.tallies[0] = old.tallies[0]
        self.space.fit(cells, int(self.counts[N_PICKS]))

    def answer_hard(self, hard: Any, seats: int) -> None:
        """Answer the board that the search cannot, and keep the answer for it."""
        layers, cards, arrays = self.layers, int(self.counts[N_HARD]), self.space.arrays
        values = np.zeros(MAX_SEATS + 2)
        hard(layers.tensors[cards], seats, layers.games[cards, FULL_SIZE], values, arrays)
        values[seats : seats + 2] = arrays.outcome[FOUND_BY], arrays.regret[0]
        many = int(layers.hard_keys[-1, 0])
        keys = np.vstack([layers.hard_keys[:many], layers.keys[cards, :MOST_WORDS], layers.hard_keys[-1]])
        keys[-1, 0] = many + 1
        self.layers = layers._replace(hard_keys=keys, hard_values=np.vstack([layers.hard_values[:many], values]))


class DeepSearch:
    """The boards that a rule asks for, from one board on; all of them are known once it is made."""

    def __init__(
        self,
        frame: Frame,
        root: np.ndarray,
        cards: int,
        watch: Watch,
        rule: DeepRule,
        workers: int | None = None,
    ) -> None:
        self.frame = frame
        self.cards = cards
        self._rule = rule
        self._watch = watch
        self._table = StateTable(frame.words, frame.kept, watch.room(_FIRST_ROWS))
        workers = workers or len(os.sched_getaffinity(0))
        self._workers = [Worker(rule, number, workers) for number in range(workers)]
        self.space = self._workers[0].space
        self._halt = np.zeros(1, dtype=np.int64)
        if cards:
            self._settle(key_of(frame, root, cards)[0], cards)

    @property
    def states(self) -> int:
        """Boards stored."""
        return self._table.count

    @property
    def tallies(self) -> np.ndarray:
        """What was met, a tally of :mod:`solvers.endgame.seats_layers` in each row."""
        return np.array([worker.layers.tallies[0] for worker in self._workers])

    @property
    def transitions(self) -> int:
        """Joint picks followed."""
        return int(self.tallies[:, FOLLOWED].sum())

    def stage(self, board: np.ndarray, cards: int, whole: bool = False) -> tuple[Batch, np.ndarray]:
        """The stage game of one board, alone in a batch, and its move list; ``space`` then has the rule's answer to it.

        Utilities that the rule does not ask for are NaN, but for ``GUARANTEE`` they are found too if it is to be
        ``whole``.
        """
        keys = np.zeros((1, self.frame.words), dtype=np.int64)
        pack.interpret(board, self.frame.seats, keys, 0)
        for worker in self._workers:
            worker.counts[N_WHOLE] = cards if whole else 0
        worker = self._settle(keys, cards)
        layers, self.space = worker.layers, worker.space
        if self._rule.hard is not None and self.space.arrays.outcome[FOUND_BY] in (HARD, UNRESOLVED):
            worker.counts[N_HARD] = cards
            worker.answer_hard(self._rule.hard, self.frame.seats)  # once more, for its mixes
        sizes = layers.games[cards, FULL_SIZE : FULL_SIZE + 1]
        starts = np.array([0, int(sizes[0, : self.frame.seats].prod()) * self.frame.kept])
        return Batch(layers.tensors[cards], starts, sizes, layers.openings[cards : cards + 1]), layers.moves[cards]

    def _settle(self, keys: np.ndarray, cards: int) -> Worker:
        """Search the board of the one key; returns a worker whose layer ``cards`` has all that was asked for."""
        with ThreadPoolExecutor(len(self._workers)) as pool:
            while True:
                self._watch.check(self.states, phase="searching", cards_left=cards)
                self._make_room()
                self._halt[0] = 0
                runs = {pool.submit(self._run, worker, keys, cards): worker for worker in self._workers}
                try:
                    wait(runs)
                finally:
                    self._halt[0] = 1
                finished = [worker for run, worker in runs.items() if run.result()]
                if finished:
                    return finished[0]

    def _run(self, worker: Worker, keys: np.ndarray, cards: int) -> bool:
        """One slice; a worker that is done, or needs room, halts the others."""
        seats, layers = self.frame.seats, worker.layers
        layers.keys[cards, : 2 * seats] = keys[0]
        layers.boards[cards, HANDS, :seats] = keys[0, :seats]
        layers.boards[cards, TABLES, :seats] = keys[0, seats:]
        worker.counts[N_BUDGET], worker.counts[N_STOP] = _SLICE, STOP_NO
        worker.counts[N_STORED_FROM] = min(2 if seats <= _FEW_SEATS else 3, self.cards)
        table = (self._table.rows, self._table.index, self._table.counter)
        while True:
            arrays, counts = worker.space.arrays, worker.counts
            done = self._rule.settle(*self.frame, cards, table, worker.layers, arrays, counts, self._halt)
            if counts[N_STOP] != STOP_HARD:
                break
            worker.answer_hard(self._rule.hard, seats)
            counts[N_STOP] = STOP_NO
        if done or worker.counts[N_STOP] in (STOP_FULL, STOP_ROOM):
            self._halt[0] = 1
        return bool(done)

    def _make_room(self) -> None:
        """Grow what was too small."""
        table = self._table
        self._watch.check_memory(table.nbytes, self.states)
        if any(worker.counts[N_STOP] == STOP_FULL for worker in self._workers):
            rows = self._watch.room(2 * table.capacity)
            self._watch.check_memory(table.nbytes + table.bytes_to_grow(rows), self.states)
            table.grow(rows)
        for worker in self._workers:
            if worker.counts[N_STOP] == STOP_ROOM:
                room = 2 * 8 * int(worker.counts[N_CELLS]) * 2 * len(worker.layers.tensors)
                self._watch.check_memory(table.nbytes + room * len(self._workers), self.states)
                worker.grow()
