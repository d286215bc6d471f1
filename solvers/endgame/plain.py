"""The reference engine for two seats: plain backward induction over full states.

Nothing is dropped from a state, nothing is pruned and every matrix game is solved in full, so that there is little to
get wrong; the fast engine is held to its values. First all positions that can arise are listed, turn by turn, then
they are valued from the last turn back.

A state is four 64-bit words, ``(hand of seat 0, hand of seat 1, table of seat 0, table of seat 1)``. A hand word holds
a 4-bit count for each of the twelve kinds, in card order. A table word holds what scoring and legality look at::

    bits 0-3 tempura   4-7 sashimi   8-11 dumplings   12-16 maki icons   17-20 puddings laid this round
    bits 21-23 open wasabi   24-26 chopsticks   27-33 points of nigiri

Every number a table is worth comes from the game room, as small tables made by :func:`_worth`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from solvers.endgame.jit import kernel
from solvers.endgame.limits import Limits
from solvers.endgame.matrix import game_value, make_workspace
from solvers.endgame.packing_table import StateTable, find_all, insert_all
from solvers.endgame.packing_watch import Progress, Watch
from solvers.errors import UsageError
from solvers.game.cards import MAKI_ICONS, NIGIRI_POINTS, Card
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules
from solvers.game.scoring import (
    WASABI_FACTOR,
    dumpling_points,
    maki_icons,
    maki_points,
    nigiri_points,
    open_wasabi,
    pudding_points,
    sashimi_points,
    tempura_points,
)

_TEMPURA, _SASHIMI, _DUMPLING, _MAKI, _PUDDING, _WASABI, _CHOPSTICKS, _NIGIRI = 0, 4, 8, 12, 17, 21, 24, 27
_WORDS = 4
_MAX_PICKS = 96
_SLICE = 1 << 11
_SETS, _MAKI_MARGIN, _PUDDING_MARGIN, _TIE_BREAK = range(4)
_EGG, _SQUID, _W, _C = map(int, (Card.EGG_NIGIRI, Card.SQUID_NIGIRI, Card.WASABI, Card.CHOPSTICKS))
_KINDS = 12

_ADDS = np.array(
    [
        1 << _TEMPURA,
        1 << _SASHIMI,
        1 << _DUMPLING,
        *(MAKI_ICONS[card] << _MAKI for card in (Card.MAKI1, Card.MAKI2, Card.MAKI3)),
        *(NIGIRI_POINTS[card] << _NIGIRI for card in (Card.EGG_NIGIRI, Card.SALMON_NIGIRI, Card.SQUID_NIGIRI)),
        1 << _PUDDING,
        1 << _WASABI,
        1 << _CHOPSTICKS,
    ],
    dtype=np.int64,
)
"""What laying a card of each kind adds to a table word (a nigiri on a wasabi adds more and takes the wasabi)."""


@kernel("i8(i8, i8)", inline=True)
def _held(hand: Any, kind: Any) -> Any:
    return (hand >> (4 * kind)) & 15


@kernel("i8(i8, i8)")
def _lay(table: Any, kind: Any) -> Any:
    """The table word after a card is laid."""
    if _EGG <= kind <= _SQUID and (table >> _WASABI) & 7:
        return table + WASABI_FACTOR * _ADDS[kind] - _ADDS[_W]
    return table + _ADDS[kind]


@kernel("i8(i8, i8, b1, i8[:,::1])")
def _list_picks(hand: Any, table: Any, strict: Any, picks: Any) -> Any:
    """The distinct picks (first card, second card or -1) in card order; returns how many."""
    count = 0
    cards = 0
    for kind in range(_KINDS):
        cards += _held(hand, kind)
        if _held(hand, kind):
            picks[count, 0] = kind
            picks[count, 1] = -1
            count += 1
    if (table >> _CHOPSTICKS) & 7 == 0 or cards < 2:
        return count
    waiting = (table >> _WASABI) & 7
    for first in range(_KINDS):
        for second in range(_KINDS):
            if first == _C or second == _C or not _held(hand, first) or not _held(hand, second):
                continue
            if first == second and _held(hand, first) < 2:
                continue
            two_nigiri = _EGG <= first <= _SQUID and _EGG <= second <= _SQUID and waiting == 1
            wasabi_first = first == _W and _EGG <= second <= _SQUID and waiting == 0 and not strict
            if first <= second or two_nigiri or wasabi_first:
                picks[count, 0] = first
                picks[count, 1] = second
                count += 1
    return count


@kernel("UniTuple(i8, 2)(i8, i8, i8, i8)")
def _take(hand: Any, table: Any, first: Any, second: Any) -> Any:
    """The rest of the hand and the table after a pick; used chopsticks go into the hand."""
    hand -= 1 << (4 * first)
    table = _lay(table, first)
    if second >= 0:
        hand += (1 << (4 * _C)) - (1 << (4 * second))
        table = _lay(table, second) - _ADDS[_C]
    return hand, table


@kernel("f8(i8, i8, f8[:,:,::1], b1)")
def _final(table0: Any, table1: Any, worth: Any, win: Any) -> Any:
    """Seat 0's utility when the round is over (``worth`` is that of :func:`_worth`)."""
    margin = worth[_SETS, 0, 0]
    for table, sign in ((table0, 1.0), (table1, -1.0)):
        points = worth[_SETS, 1, (table >> _TEMPURA) & 15] + worth[_SETS, 2, (table >> _SASHIMI) & 15]
        points += worth[_SETS, 3, (table >> _DUMPLING) & 15] + ((table >> _NIGIRI) & 127)
        margin += sign * points
    margin += worth[_MAKI_MARGIN, (table0 >> _MAKI) & 31, (table1 >> _MAKI) & 31]
    pudding0, pudding1 = (table0 >> _PUDDING) & 15, (table1 >> _PUDDING) & 15
    margin += worth[_PUDDING_MARGIN, pudding0, pudding1]
    if not win:
        return margin
    if margin == 0.0:
        return worth[_TIE_BREAK, pudding0, pudding1]
    return 1.0 if margin > 0.0 else 0.0


def _worth(position: Position, rules: Rules, pudding_value: float) -> np.ndarray:
    """Everything a finished pair of tables is worth to seat 0, in four 32×32 tables read off the game room.

    ``[_SETS, 0, 0]`` is the margin of earlier rounds, ``[_SETS, 1..3, n]`` the points of ``n`` tempura, sashimi,
    dumplings; the others take what each seat holds: margin for maki icons, margin for puddings laid this round, and
    the share of the win at equal totals.
    """
    worth = np.zeros((4, 32, 32))
    worth[_SETS, 0, 0] = position.scores[0] - position.scores[1]
    for count in range(16):
        worth[_SETS, 1:4, count] = tempura_points(count), sashimi_points(count), dumpling_points(count)
    for own in range(32):
        for other in range(32):
            won = maki_points((own, other), rules)
            worth[_MAKI_MARGIN, own, other] = won[0] - won[1]
            puddings = own + position.puddings[0], other + position.puddings[1]
            worth[_TIE_BREAK, own, other] = 0.5 * (1 + (puddings[0] > puddings[1]) - (puddings[0] < puddings[1]))
            if position.round == 3:
                won = pudding_points(puddings, rules)
                worth[_PUDDING_MARGIN, own, other] = won[0] - won[1]
            else:
                worth[_PUDDING_MARGIN, own, other] = pudding_value * (puddings[0] - puddings[1])
    return worth


@kernel("i8(i8[:,::1], i8, i8, i8[:,::1], i8[::1], i8[::1], b1)")
def _expand(rows: Any, start: Any, stop: Any, next_rows: Any, next_index: Any, counter: Any, strict: Any) -> Any:
    """Put the states one turn after states ``start`` to ``stop`` into the next table.

    Returns the state to go on from: ``stop`` unless the table is full.
    """
    picks0 = np.empty((_MAX_PICKS, 2), dtype=np.int64)
    picks1 = np.empty((_MAX_PICKS, 2), dtype=np.int64)
    keys = np.empty((_MAX_PICKS, _WORDS), dtype=np.int64)
    hashes = np.empty(_MAX_PICKS, dtype=np.int64)
    found = np.empty(_MAX_PICKS, dtype=np.int64)
    for row in range(start, stop):
        hand0, hand1, table0, table1 = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3]
        many0, many1 = _list_picks(hand0, table0, strict, picks0), _list_picks(hand1, table1, strict, picks1)
        for i in range(many0):
            rest0, laid0 = _take(hand0, table0, picks0[i, 0], picks0[i, 1])
            for j in range(many1):
                rest1, laid1 = _take(hand1, table1, picks1[j, 0], picks1[j, 1])
                keys[j, 0], keys[j, 1], keys[j, 2], keys[j, 3] = rest1, rest0, laid0, laid1
            if not insert_all(next_rows, next_index, counter, keys, many1, _WORDS, hashes, found):
                return row
    return stop


@kernel("void(i8[::1], i8[:,::1], i8, i8[:,::1], i8, i8[:,::1], f8[:,::1], i8[::1], f8[:,:,::1], b1, f8[:,::1])")
def _fill_matrix(
    state: Any,
    picks0: Any,
    many0: Any,
    picks1: Any,
    many1: Any,
    table: Any,
    values: Any,
    index: Any,
    worth: Any,
    win: Any,
    matrix: Any,
) -> Any:
    """Seat 0's utility after each pair of picks of ``state``.

    ``table`` and ``index`` are those of the next turn, ``values`` is ``table`` seen as floats.
    """
    keys = np.empty((_MAX_PICKS, _WORDS), dtype=np.int64)
    hashes = np.empty(_MAX_PICKS, dtype=np.int64)
    found = np.empty(_MAX_PICKS, dtype=np.int64)
    for i in range(many0):
        rest0, laid0 = _take(state[0], state[2], picks0[i, 0], picks0[i, 1])
        for j in range(many1):
            rest1, laid1 = _take(state[1], state[3], picks1[j, 0], picks1[j, 1])
            keys[j, 0], keys[j, 1], keys[j, 2], keys[j, 3] = rest1, rest0, laid0, laid1
        if rest0 == 0:
            for j in range(many1):
                matrix[i, j] = _final(laid0, keys[j, 3], worth, win)
            continue
        find_all(table, index, keys, many1, _WORDS, hashes, found)
        for j in range(many1):
            matrix[i, j] = values[found[j], _WORDS]


@kernel("void(i8[:,::1], f8[:,::1], i8, i8, i8[:,::1], f8[:,::1], i8[::1], f8[:,:,::1], b1, b1, f8[:,::1])")
def _value(
    rows: Any,
    values: Any,
    start: Any,
    stop: Any,
    table: Any,
    table_values: Any,
    index: Any,
    worth: Any,
    win: Any,
    strict: Any,
    work: Any,
) -> Any:
    """Write the values of states ``start`` to ``stop``; ``values`` is ``rows`` seen as floats, ``table`` the next."""
    picks0 = np.empty((_MAX_PICKS, 2), dtype=np.int64)
    picks1 = np.empty((_MAX_PICKS, 2), dtype=np.int64)
    matrix = np.empty((_MAX_PICKS, _MAX_PICKS))
    for row in range(start, stop):
        state = rows[row]
        many0 = _list_picks(state[0], state[2], strict, picks0)
        many1 = _list_picks(state[1], state[3], strict, picks1)
        _fill_matrix(state, picks0, many0, picks1, many1, table, table_values, index, worth, win, matrix)
        values[row, _WORDS] = game_value(matrix, many0, many1, work)


class PlainEngine:
    """Exact values of a two-seat position and everything reachable from it, for ``margin`` or ``win``.

    Implements :class:`solvers.endgame.zero_sum.ValueEngine`. Raises :class:`UsageError` for another number of seats and
    :class:`solvers.errors.LimitReached` when ``limits`` stop the search.
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
            raise UsageError("the plain engine solves two seats for margin or win")
        self._win = objective == "win"
        self._strict = rules.chopsticks_order == "strict_prior"
        self._worth = _worth(position, rules, pudding_value)
        self._watch = Watch(limits, progress)
        self._matrices = 0
        self._levels = {0: StateTable(_WORDS, 1, 1)}
        self._list_states(position)
        self._value_states()

    def _list_states(self, position: Position) -> None:
        """Every state that can arise, one table for each number of cards left."""
        level = StateTable(_WORDS, 1, 1)
        level.add(_pack(position)[np.newaxis])
        self._levels[position.cards_left] = level
        for cards in range(position.cards_left - 1, 0, -1):
            following = self._levels[cards] = StateTable(_WORDS, 1)
            done = 0
            while done < level.count:
                stop = min(done + _SLICE, level.count)
                done = _expand(level.rows, done, stop, following.rows, following.index, following.counter, self._strict)
                if done < stop:
                    needed = self._bytes() - following.nbytes + following.bytes_to_grow(2 * following.capacity)
                    self._watch.check_memory(needed, self._states())
                    following.grow(2 * following.capacity)
                self._watch.check(self._states(), phase="listing", cards_left=cards, done=done, total=level.count)
            level = following

    def _value_states(self) -> None:
        """Backward induction from the forced last cards to the root."""
        work = make_workspace()
        for cards in range(1, max(self._levels) + 1):
            level, following = self._levels[cards], self._levels[cards - 1]
            for start in range(0, level.count, _SLICE):
                stop = min(start + _SLICE, level.count)
                _value(
                    level.rows,
                    level.rows.view(np.float64),
                    start,
                    stop,
                    following.rows,
                    following.rows.view(np.float64),
                    following.index,
                    self._worth,
                    self._win,
                    self._strict,
                    work,
                )
                self._matrices += stop - start
                self._watch.check(self._states(), phase="valuing", cards_left=cards, done=stop, total=level.count)

    def stage_matrix(self, position: Position, rows: Sequence[Pick], columns: Sequence[Pick]) -> np.ndarray:
        """Seat 0's utility after each pair of picks, shape ``(len(rows), len(columns))``, float64."""
        matrix = np.empty((len(rows), len(columns)))
        following = self._levels[position.cards_left - 1]
        _fill_matrix(
            _pack(position),
            _pick_array(rows),
            len(rows),
            _pick_array(columns),
            len(columns),
            following.rows,
            following.rows.view(np.float64),
            following.index,
            self._worth,
            self._win,
            matrix,
        )
        return matrix

    def stats(self) -> Mapping[str, Any]:
        """``states`` stored, ``matrices`` solved (one a state) and ``bytes`` of the tables."""
        return {"engine": "plain", "states": self._states(), "matrices": self._matrices, "bytes": self._bytes()}

    def _states(self) -> int:
        return sum(level.count for level in self._levels.values())

    def _bytes(self) -> int:
        return sum(level.nbytes for level in self._levels.values())


def _pick_array(picks: Sequence[Pick]) -> np.ndarray:
    array = np.full((len(picks), 2), -1, dtype=np.int64)
    for row, pick in enumerate(picks):
        array[row, : len(pick)] = pick
    return array


def _pack(position: Position) -> np.ndarray:
    """The state of a position."""
    hands = [sum(1 << (4 * card) for card in hand) for hand in position.hands]
    tables = []
    for table in position.tables:
        tables.append(
            (table.count(Card.TEMPURA) << _TEMPURA)
            | (table.count(Card.SASHIMI) << _SASHIMI)
            | (table.count(Card.DUMPLING) << _DUMPLING)
            | (maki_icons(table) << _MAKI)
            | (table.count(Card.PUDDING) << _PUDDING)
            | (open_wasabi(table) << _WASABI)
            | (table.count(Card.CHOPSTICKS) << _CHOPSTICKS)
            | (nigiri_points(table) << _NIGIRI)
        )
    return np.array([*hands, *tables], dtype=np.int64)
