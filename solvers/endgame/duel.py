"""The fast two-seat engine: exact values of whole rounds, for ``margin`` and ``win``.

It drives the compiled search (:mod:`solvers.endgame.duel_search`) in slices, so that limits, progress and Ctrl-C are
looked after a few times a second, and keeps everything proven in one table for later questions about the same round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from solvers.endgame.duel_estimate import estimate_size
from solvers.endgame.duel_picks import MAX_PICKS, write_pick
from solvers.endgame.duel_search import (
    BIG,
    F_HIGH,
    F_LOW,
    I_COUNT,
    I_FEATURES,
    I_PICKS,
    I_RESTS,
    N_BUDGET,
    N_CAPACITY,
    N_LENGTH,
    N_LOOKUPS,
    N_MIXED,
    N_NODES,
    N_SADDLES,
    N_STOP,
    N_STORED,
    STOP_FULL,
    STOP_NO,
    new_layers,
    place_root,
    search,
)
from solvers.endgame.duel_stage import Entries, settle_entries
from solvers.endgame.duel_state import (
    HAS_MAKI_BIT,
    MAKI_BIT,
    MAKI_ZERO,
    NO_CARD,
    PUDDING_BIT,
    PUDDING_ZERO,
    SCORE_BIT,
    SCORE_ZERO,
    SEAT_BITS,
    lay,
    reduce_state,
    rules_vector,
)
from solvers.endgame.duel_table import EMPTY, LOAD, LOWER, ROW_BYTES, UPPER, copy_rows, find_row, new_table
from solvers.endgame.jit import INTERPRETED_NODES, interpreter_allowance, spend_allowance
from solvers.endgame.limits import Limits
from solvers.endgame.packing_watch import Progress, Watch
from solvers.errors import UsageError
from solvers.game.cards import Card
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules
from solvers.game.scoring import maki_icons

_FIRST_ROWS = 1 << 14
_SLICE = 100_000
"""Compiled nodes between two looks at the limits: 0.2 to 0.4 s."""
_SURE_LEAD = 400
"""No round swings the margin this far, so larger leads from earlier rounds are all the same for ``win``."""


class DuelEngine:
    """Exact values of two-seat positions with all hands known.

    Implements :class:`solvers.endgame.zero_sum.ValueEngine`. Values agree with the plain engine's to 1e-9. Raises
    :class:`UsageError` for other seats or objectives, :class:`solvers.errors.LimitReached` when limits stop a search;
    what was proven by then stays in the table, so asking again goes on from there.
    """

    def __init__(
        self,
        position: Position,
        objective: str,
        rules: Rules,
        pudding_value: float,
        limits: Limits,
        progress: Progress | None = None,
    ) -> None:
        if position.seats != 2 or objective not in ("margin", "win"):
            raise UsageError("the fast engine solves two seats for margin or win")
        self._rules = rules
        self._win = objective == "win"
        self._pudding_value = pudding_value if position.round != 3 else 0.0
        self._vector = rules_vector(position, objective, rules, pudding_value)
        self._watch = Watch(limits, progress)
        self._watch.check_memory(_FIRST_ROWS * ROW_BYTES, 0)
        self._most = limits.max_states
        self._expected = estimate_size(position).states
        self._table = new_table(_FIRST_ROWS)
        self._counts = np.zeros(N_LENGTH, dtype=np.int64)
        self._counts[N_CAPACITY] = self._capacity(_FIRST_ROWS)
        self._layers = new_layers()
        self._searching: Position | None = None

    def set_limits(self, limits: Limits, progress: Progress | None = None) -> None:
        """Start the clock anew with other limits; the table keeps what is proven."""
        self._watch = Watch(limits, progress)
        self._most = limits.max_states
        self._counts[N_CAPACITY] = self._capacity(len(self._table))

    def value(self, position: Position) -> float:
        """Seat 0's utility at a position of the round, exact."""
        hand0, hand1, features, bank = self._reduced(position)
        ints, floats = self._layers[0], self._layers[1]
        place_root.interpret(hand0, hand1, features, self._vector, ints, floats)
        ints[1, I_COUNT] = 0
        self._searching = position
        self._search(0, 0, -BIG, BIG)
        self._searching = None
        return float(floats[0, F_LOW]) + bank

    def bounds(self, position: Position) -> tuple[float | None, float | None]:
        """The least and the most that a position's value can be, as far as it is proven; ``None`` where nothing is.

        The table tells what finished searches proved. Where the position's own search was stopped, the bounds of its
        entries may tell more: seat 0 can be sure of its best row's least, seat 1 of its best column's most.
        """
        hand0, hand1, features, bank = self._reduced(position)
        row = self._table[find_row.interpret(self._table, hand0, hand1, features)]
        least, most = (-BIG, BIG) if row[0] == EMPTY else row[[LOWER, UPPER]].view(np.float64)
        rows, columns = (int(count) for count in self._layers[0][1, I_COUNT : I_COUNT + 2])
        if position == self._searching and rows:
            entries = self._layers[1][1]
            low, high = (entries[start : start + rows * columns].reshape(rows, columns) for start in (F_LOW, F_HIGH))
            least, most = max(least, low.min(axis=1).max()), min(most, high.max(axis=0).min())
        return (float(least) + bank if least > -BIG / 2 else None), (float(most) + bank if most < BIG / 2 else None)

    def stage_matrix(self, position: Position, rows: Sequence[Pick], columns: Sequence[Pick]) -> np.ndarray:
        """Seat 0's utility after each pair of picks, shape ``(len(rows), len(columns))``.

        Every entry that the canonical mixes and the pick values rest on is exact; the others are filled so that they
        change nothing (see :mod:`solvers.endgame.duel_stage`).
        """
        value = self.value(position)
        if position.cards_left == 1:  # the search stops before the forced last turn
            return np.array([[value]])
        bank = self._open(position, rows, columns)
        real = self._layers[1][0]

        def ask(row: int, column: int, low: float, high: float) -> tuple[float, float]:
            self._search(row, column, low - bank, high - bank)
            cell = row * len(columns) + column
            return float(real[F_LOW + cell]) + bank, float(real[F_HIGH + cell]) + bank

        return settle_entries(Entries(len(rows), len(columns), ask), value)

    def stats(self) -> Mapping[str, Any]:
        """Counters so far: ``states`` stored, ``lookups`` in the table, ``nodes`` searched, and how they ended."""
        counts = self._counts
        return {
            "engine": "fast",
            "states": int(counts[N_STORED]),
            "estimated_states": self._expected,
            "lookups": int(counts[N_LOOKUPS]),
            "nodes": int(counts[N_NODES]),
            "saddles": int(counts[N_SADDLES]),
            "mixed": int(counts[N_MIXED]),
            "table_bytes": int(self._table.nbytes),
        }

    def _search(self, row: int, column: int, low: float, high: float) -> None:
        """Search one entry of layer 0 to the end, slice by slice, growing the table as needed."""
        counts = self._counts
        while True:
            self._watch.check(int(counts[N_STORED]), phase="searching", expected=self._expected)
            counts[N_STOP] = STOP_NO
            before = int(counts[N_NODES])
            allowance = interpreter_allowance() if self._expected <= INTERPRETED_NODES else 0
            counts[N_BUDGET] = before + (allowance or _SLICE)
            run = search.interpret if allowance else search
            run(0, row, column, low, high, self._table, counts, self._vector, *self._layers)
            if allowance:
                spend_allowance(int(counts[N_NODES]) - before)
            if counts[N_STOP] == STOP_NO:
                return
            if counts[N_STOP] == STOP_FULL:
                self._grow()

    def _capacity(self, rows: int) -> int:
        """States the table may hold before the search stops to grow it, or to find that it passed the limit."""
        capacity = int(LOAD * rows)
        return capacity if self._most is None else min(capacity, self._most + 1)

    def _grow(self) -> None:
        """Double the table."""
        self._watch.check_states(int(self._counts[N_STORED]))
        rows = 2 * len(self._table)
        self._watch.check_memory(3 * rows * ROW_BYTES // 2, int(self._counts[N_STORED]))
        larger = new_table(rows)
        copy_rows(self._table, larger)
        self._table = larger
        self._counts[N_CAPACITY] = self._capacity(rows)

    def _reduced(self, position: Position) -> tuple[int, int, int, float]:
        """The reduced state of a position, and the points banked outside it."""
        hand0, hand1, features, bank = self._pack(position)
        hand0, hand1, reduced, more = reduce_state.interpret(hand0, hand1, features, self._vector)
        if self._win:
            return hand0, hand1, reduced + (int(2 * more) << SCORE_BIT), bank
        return hand0, hand1, reduced, bank + float(more)

    def _open(self, position: Position, rows: Sequence[Pick], columns: Sequence[Pick]) -> float:
        """Put a position with its picks, in the order given, into layer 0; returns the points banked outside it."""
        hand0, hand1, features, bank = self._pack(position)
        ints, floats = self._layers[0][0], self._layers[1][0]
        ints[I_FEATURES] = features
        for seat, (hand, picks) in enumerate(((hand0, rows), (hand1, columns))):
            table = (features >> (seat * SEAT_BITS)) & ((1 << SEAT_BITS) - 1)
            ints[I_COUNT + seat] = len(picks)
            words = ints[I_PICKS + seat * MAX_PICKS : I_PICKS + (seat + 1) * MAX_PICKS]
            rests = ints[I_RESTS + seat * MAX_PICKS : I_RESTS + (seat + 1) * MAX_PICKS]
            for place, pick in enumerate(picks):
                second = int(pick[1]) if len(pick) == 2 else NO_CARD
                write_pick.interpret(place, int(pick[0]), second, table, hand, words, rests)
        cells = len(rows) * len(columns)
        floats[F_LOW : F_LOW + cells] = 0.0 if self._win else -BIG
        floats[F_HIGH : F_HIGH + cells] = 1.0 if self._win else BIG
        return bank

    def _pack(self, position: Position) -> tuple[int, int, int, float]:
        """The hand words and feature word of a position, unreduced, and seat 0's lead in points already fixed."""
        features, points, icons = 0, [0.0, 0.0], [0, 0]
        for seat in range(2):
            table = 0
            points[seat] = position.scores[seat]
            for card in position.tables[seat]:
                table, gain = lay.interpret(table, int(card))
                points[seat] += gain
            icons[seat] = maki_icons(position.tables[seat])
            features |= table << (seat * SEAT_BITS)
            if icons[seat]:
                features |= 1 << (HAS_MAKI_BIT + seat)
        puddings = position.pudding_counts()
        bank = points[0] - points[1] + self._pudding_value * (puddings[0] - puddings[1])
        features |= (icons[0] - icons[1] + MAKI_ZERO) << MAKI_BIT
        features |= (puddings[0] - puddings[1] + PUDDING_ZERO) << PUDDING_BIT
        if self._win:
            lead = int(max(-_SURE_LEAD, min(_SURE_LEAD, bank)))
            features |= (2 * lead + SCORE_ZERO) << SCORE_BIT
            bank = 0.0
        return _hand_word(position.hands[0]), _hand_word(position.hands[1]), features, bank


def _hand_word(hand: Sequence[Card]) -> int:
    return sum(1 << (4 * int(card)) for card in hand)
