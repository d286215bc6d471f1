"""Depth-first double-oracle search over packed two-seat states, with windows passed down and bounds kept in a table.

At a node the two seats' picks span a matrix game whose entries are the values of child states. Few entries are needed:

1. *Replies.* From the best-looking pair of picks the seats reply to each other in turn. A reply scan asks of each other
   pick only "is it better than the best so far?", so most children are searched with a one-sided window. When neither
   seat finds a better reply there is a saddle, and its value is exact.
2. *Double oracle* (McMahan, Gordon and Blum 2003; for trees of simultaneous moves Bosansky et al. 2016): when replies
   go round in a circle, the picks met so far span a restricted game, which is solved exactly; a pick outside it joins
   if it improves on the restricted mixes, which the bounds of its entries often exclude without a search.

Windows work as in alpha-beta: an answer at or below ``alpha`` is an upper bound of the value, one at or above ``beta``
a lower bound, anything between is exact (fail-soft). Both scans are one piece of code: for seat 1 every number is
negated, so that each seat maximises.

The search writes to layers of two arrays, one layer for each depth (the ``I_…`` and ``F_…`` places below). Layer 0
holds a node with one entry, the state that was asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.duel_ends import forced_value, last_choice
from solvers.endgame.duel_picks import (
    FIRST_BIT,
    GAIN_BIT,
    ICONS_BIT,
    MAX_PICKS,
    PUDDINGS_BIT,
    WORTHS,
    list_picks,
    rough_worths,
)
from solvers.endgame.duel_state import (
    CHOPSTICKS_BIT,
    HAS_MAKI_BIT,
    MAKI_BIT,
    PUDDING_BIT,
    R_LAST_ROUND,
    R_PUDDING_VALUE,
    R_WIN,
    SCORE_BIT,
    SEAT_BITS,
    SEAT_MASK,
    hand_size,
    reduce_state,
)
from solvers.endgame.duel_table import EMPTY, HINT, LOWER, UPPER, find_row
from solvers.endgame.jit import kernel
from solvers.endgame.matrix import make_workspace, solve_game

DEPTHS = 12
BIG = 1.0e4
"""Larger than any margin; stands for "no bound"."""
TIE = 1e-12
"""Bounds this close count as met."""
BETTER = 1e-11
"""A pick must promise this much more to count as better, so a value is off by at most about this much a turn."""

# Places in an integer layer: for each seat (rows, then columns) how many picks, the picks, the hands they pass on, the
# order they are tried in, the picks of the restricted game and how many, and the pick that decided the last node there.
I_FEATURES, I_COUNT, I_KNOWN_COUNT, I_KILLER = 0, 1, 3, 5
I_PICKS, I_RESTS, I_ORDER, I_KNOWN = 8, 8 + 2 * MAX_PICKS, 8 + 4 * MAX_PICKS, 8 + 6 * MAX_PICKS
I_LENGTH = 8 + 8 * MAX_PICKS
# Places in a float layer: rough worths, the seats' mixes over the restricted game, bounds of the entries row by row.
F_WORTHS, F_MIXES = 0, 2 * WORTHS
F_LOW = F_MIXES + 2 * MAX_PICKS
F_HIGH = F_LOW + MAX_PICKS * MAX_PICKS
F_LENGTH = F_HIGH + MAX_PICKS * MAX_PICKS

N_NODES, N_STORED, N_BUDGET, N_STOP, N_LOOKUPS, N_SADDLES, N_MIXED, N_CAPACITY, N_LENGTH = range(9)
STOP_NO, STOP_BUDGET, STOP_FULL = range(3)

_CHOPSTICKS_IN_FRONT = (7 << CHOPSTICKS_BIT) | (7 << (CHOPSTICKS_BIT + SEAT_BITS))


def new_layers() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The arrays a search writes to: integer layers, float layers, restricted games, the matrix kernels' workspace."""
    return (
        np.zeros((DEPTHS, I_LENGTH), dtype=np.int64),
        np.zeros((DEPTHS, F_LENGTH)),
        np.zeros((DEPTHS, MAX_PICKS, MAX_PICKS)),
        make_workspace(),
    )


@kernel("void(u8, u8, u8, f8[::1], i8[:, ::1], f8[:, ::1])")
def place_root(hand0: Any, hand1: Any, features: Any, rules: Any, ints: Any, floats: Any) -> Any:
    """Make a reduced state the one entry of layer 0."""
    word = np.int64(features)
    ints[0, I_FEATURES] = word
    ints[0, I_COUNT] = 1
    ints[0, I_COUNT + 1] = 1
    ints[0, I_PICKS] = word & SEAT_MASK
    ints[0, I_PICKS + MAX_PICKS] = (word >> SEAT_BITS) & SEAT_MASK
    ints[0, I_RESTS] = np.int64(hand1)
    ints[0, I_RESTS + MAX_PICKS] = np.int64(hand0)
    floats[0, F_LOW] = -BIG
    floats[0, F_HIGH] = BIG


@kernel("Tuple((u8, u8, u8, f8))(i8, i8, i8, f8[::1], i8[:, ::1])")
def child_state(depth: Any, i: Any, j: Any, rules: Any, ints: Any) -> Any:
    """The state after row pick ``i`` and column pick ``j`` of a layer, and the points the turn banks.

    For ``win`` they go into the state's score instead, and 0 comes back.
    """
    word = ints[depth, I_FEATURES]
    row, column = ints[depth, I_PICKS + i], ints[depth, I_PICKS + MAX_PICKS + j]
    icons0, icons1 = (row >> ICONS_BIT) & 15, (column >> ICONS_BIT) & 15
    puddings = ((row >> PUDDINGS_BIT) & 15) - ((column >> PUDDINGS_BIT) & 15)
    after = (row & SEAT_MASK) | ((column & SEAT_MASK) << SEAT_BITS) | (word & (3 << HAS_MAKI_BIT))
    after |= (((word >> MAKI_BIT) & 127) + icons0 - icons1) << MAKI_BIT
    if icons0:
        after |= 1 << HAS_MAKI_BIT
    if icons1:
        after |= 1 << (HAS_MAKI_BIT + 1)
    after |= (((word >> PUDDING_BIT) & 63) + puddings) << PUDDING_BIT
    after |= (word >> SCORE_BIT) << SCORE_BIT
    bank = np.float64(((row >> GAIN_BIT) & 255) - ((column >> GAIN_BIT) & 255))
    if rules[R_LAST_ROUND] == 0.0:
        bank += rules[R_PUDDING_VALUE] * puddings
    rest0, rest1 = np.uint64(ints[depth, I_RESTS + i]), np.uint64(ints[depth, I_RESTS + MAX_PICKS + j])
    hand0, hand1, reduced, more = reduce_state(rest1, rest0, np.uint64(after), rules)
    bank += more
    if rules[R_WIN] != 0.0:
        return hand0, hand1, np.uint64(np.int64(reduced) + (np.int64(2.0 * bank) << SCORE_BIT)), 0.0
    return hand0, hand1, reduced, bank


@kernel("void(i8, u8, u8, u8, i8, f8[::1], i8[:, ::1], f8[:, ::1])")
def open_node(depth: Any, hand0: Any, hand1: Any, features: Any, hint: Any, rules: Any, ints: Any, floats: Any) -> Any:
    """Fill a layer with a state: picks and the order to try them in; nothing is known of its entries yet.

    The pick that decided the last node at this depth is tried second (that order met the fewest states of those tried
    on the 20 whole deals: 10.4 million look-ups against 11.9 without and 12.8 when it was tried first). The first
    column is ``hint`` when the state was searched before.
    """
    layer, real = ints[depth], floats[depth]
    word = np.int64(features)
    seat0, seat1 = word & SEAT_MASK, (word >> SEAT_BITS) & SEAT_MASK
    layer[I_FEATURES] = word
    rough_worths(hand0 + hand1, seat0, seat1, rules, real)
    for side in range(2):
        picks = layer[I_PICKS + side * MAX_PICKS : I_PICKS + (side + 1) * MAX_PICKS]
        rests = layer[I_RESTS + side * MAX_PICKS : I_RESTS + (side + 1) * MAX_PICKS]
        order = layer[I_ORDER + side * MAX_PICKS : I_ORDER + (side + 1) * MAX_PICKS]
        worths = real[F_WORTHS + side * WORTHS : F_WORTHS + (side + 1) * WORTHS]
        hand, seat = (hand0, seat0) if side == 0 else (hand1, seat1)
        count = list_picks(hand, seat, rules, worths, picks, rests, order)
        layer[I_COUNT + side] = count
        for step in range(2, count):
            if picks[order[step]] >> FIRST_BIT == layer[I_KILLER + side]:
                killer = order[step]
                for place in range(step, 1, -1):
                    order[place] = order[place - 1]
                order[1] = killer
                break
    if hint:
        order = layer[I_ORDER + MAX_PICKS : I_ORDER + 2 * MAX_PICKS]
        step = 0
        while order[step] != hint - 1:
            step += 1
        for place in range(step, 0, -1):
            order[place] = order[place - 1]
        order[0] = hint - 1
    lowest = -BIG if rules[R_WIN] == 0.0 else 0.0
    highest = BIG if rules[R_WIN] == 0.0 else 1.0
    for place in range(layer[I_COUNT] * layer[I_COUNT + 1]):
        real[F_LOW + place] = lowest
        real[F_HIGH + place] = highest


@kernel("b1(i8, i8, i8[::1])")
def add_known(side: Any, pick: Any, layer: Any) -> Any:
    """Add a pick to a seat's part of the restricted game; False when it was there already."""
    start, count = I_KNOWN + side * MAX_PICKS, layer[I_KNOWN_COUNT + side]
    for place in range(start, start + count):
        if layer[place] == pick:
            return False
    layer[start + count] = pick
    layer[I_KNOWN_COUNT + side] = count + 1
    return True


@kernel("f8(i8, i8, i8, i8[::1], f8[::1])")
def promise(side: Any, pick: Any, support: Any, layer: Any, real: Any) -> Any:
    """The most a seat's pick can be worth to it against the rival's mix, as far as the entries' bounds tell.

    ``support`` counts the rival's known picks that its mix is spread over.
    """
    rival = 1 - side
    columns = layer[I_COUNT + 1]
    known, mix = I_KNOWN + rival * MAX_PICKS, F_MIXES + rival * MAX_PICKS
    total = 0.0
    for place in range(support):
        other = layer[known + place]
        if side == 0:
            total += real[mix + place] * real[F_HIGH + pick * columns + other]
        else:
            total -= real[mix + place] * real[F_LOW + other * columns + pick]
    return total


@kernel("f8(i8, i8, i8, f8, f8, u8[:, ::1], i8[::1], f8[::1], i8[:, ::1], f8[:, ::1], f8[:, :, ::1], f8[:, ::1])")
def search(
    parent: Any,
    i: Any,
    j: Any,
    alpha: Any,
    beta: Any,
    table: Any,
    counts: Any,
    rules: Any,
    ints: Any,
    floats: Any,
    games: Any,
    work: Any,
) -> Any:
    """Search entry ``(i, j)`` of the node open in layer ``parent`` within a window, and tighten that entry's bounds.

    Returns the entry's value as the window lets it be known (see the module's text). When ``counts[N_STOP]`` is set on
    return, the search was cut off: the number means nothing, but every bound in the table still holds.

    It is one long function because numba compiles recursion only of a function that calls itself.
    """
    cell = i * ints[parent, I_COUNT + 1] + j
    hand0, hand1, features, bank = child_state(parent, i, j, rules, ints)
    size = hand_size(hand0)
    if size == 1 or (size == 2 and np.int64(features) & _CHOPSTICKS_IN_FRONT == 0):
        if size == 1:
            value = bank + forced_value(hand0, hand1, features, rules)
        else:
            value = bank + last_choice(hand0, hand1, features, rules)
        floats[parent, F_LOW + cell] = value
        floats[parent, F_HIGH + cell] = value
        return value

    counts[N_LOOKUPS] += 1
    row = find_row(table, hand0, hand1, features)
    if table[row, 0] == np.uint64(EMPTY):
        if counts[N_STORED] >= counts[N_CAPACITY]:
            counts[N_STOP] = STOP_FULL
            return 0.0
        counts[N_STORED] += 1
        table[row, 0], table[row, 1], table[row, 2] = hand0, hand1, features
        table[row, LOWER] = np.float64(-BIG if rules[R_WIN] == 0.0 else 0.0).view(np.uint64)
        table[row, UPPER] = np.float64(BIG if rules[R_WIN] == 0.0 else 1.0).view(np.uint64)
        table[row, HINT] = 0
    low = np.uint64(table[row, LOWER]).view(np.float64)
    high = np.uint64(table[row, UPPER]).view(np.float64)
    alpha, beta = alpha - bank, beta - bank
    answer = low if low >= beta or high - low <= TIE else high
    if high - low > TIE and low < beta and high > alpha:
        counts[N_NODES] += 1
        if counts[N_NODES] > counts[N_BUDGET]:
            counts[N_STOP] = STOP_BUDGET
            return 0.0
        alpha, beta = max(alpha, low), min(beta, high)
        depth = parent + 1
        open_node(depth, hand0, hand1, features, np.int64(table[row, HINT]), rules, ints, floats)
        layer, real = ints[depth], floats[depth]
        columns = layer[I_COUNT + 1]
        # pure phase: known[side][0] is the seat's standing pick; the first column stands, the first row is to be found
        pivots0, pivots1 = layer[I_ORDER], layer[I_ORDER + MAX_PICKS]
        layer[I_KNOWN_COUNT], layer[I_KNOWN_COUNT + 1] = 0, 1
        layer[I_KNOWN + MAX_PICKS] = pivots1
        real[F_MIXES], real[F_MIXES + MAX_PICKS] = 1.0, 1.0
        mixed = False
        circling = 0
        value = alpha
        side = 1
        idle = 0
        support = 1
        while True:
            side = 1 - side
            sign = 1.0 - 2.0 * side
            rival = 1 - side
            # the window as this seat sees it: below `least` it does not matter, at `enough` the node is decided
            least = alpha if side == 0 else -beta
            enough = beta if side == 0 else -alpha
            standing = sign * value
            target = max(least, standing)
            best = -1
            ceiling = -BIG
            if (
                mixed and idle == 0 and standing >= enough
            ):  # nothing this seat finds can bring the node back into the window
                idle = 1
                support = layer[I_KNOWN_COUNT + side]
                continue
            if not mixed:
                support = 1
            for step in range(layer[I_COUNT + side]):
                pick = layer[I_ORDER + side * MAX_PICKS + step]
                hope = 0.0
                if mixed:
                    hope = promise(side, pick, support, layer, real)
                else:
                    other = pivots1 if side == 0 else pivots0
                    at = pick * columns + other if side == 0 else other * columns + pick
                    hope = real[F_HIGH + at] if side == 0 else -real[F_LOW + at]
                place = 0
                while place < support and hope > target + BETTER:
                    share = 1.0
                    other = pivots1 if side == 0 else pivots0
                    if mixed:
                        share = real[F_MIXES + rival * MAX_PICKS + place]
                        other = layer[I_KNOWN + rival * MAX_PICKS + place]
                    at = pick * columns + other if side == 0 else other * columns + pick
                    open_entry = share > 0.0 and real[F_HIGH + at] - real[F_LOW + at] > TIE
                    if open_entry and not mixed:
                        open_entry = (real[F_LOW + at] if side == 0 else -real[F_HIGH + at]) < enough
                    if open_entry:
                        rest = hope - share * (real[F_HIGH + at] if side == 0 else -real[F_LOW + at])
                        needed = (target - rest) / share
                        ample = BIG if mixed else enough
                        if side == 0:
                            search(depth, pick, other, needed, ample, table, counts, rules, ints, floats, games, work)
                        else:
                            search(depth, other, pick, -ample, -needed, table, counts, rules, ints, floats, games, work)
                        if counts[N_STOP]:
                            return 0.0
                        hope = rest + share * (real[F_HIGH + at] if side == 0 else -real[F_LOW + at])
                    if not mixed:
                        sure = real[F_LOW + at] if side == 0 else -real[F_HIGH + at]
                        if sure >= enough:
                            hope = sure
                    place += 1
                ceiling = max(ceiling, hope)
                if hope > target + BETTER:
                    target = hope
                    best = pick
                    if not mixed and hope >= enough:
                        break
            new = best >= 0 and add_known(side, best, layer)
            if mixed and not new:
                best = -1  # a pick of the restricted game cannot improve on its own solution: that was rounding
            if best < 0:
                idle += 1
                if standing <= least:
                    value = sign * min(least, ceiling)
                    break
                if idle == 2 or not mixed:
                    counts[N_SADDLES] += 0 if mixed else 1
                    break
            else:
                idle = 0
                circling = 0 if new else circling + 1
                if not mixed:
                    value = sign * target
                    if side == 0:
                        pivots0 = best
                    else:
                        pivots1 = best
            if not mixed and circling >= 2:
                mixed = True
                counts[N_MIXED] += 1
                best = 0
            if mixed and best >= 0:
                rows_known, columns_known = layer[I_KNOWN_COUNT], layer[I_KNOWN_COUNT + 1]
                for r in range(rows_known):
                    for c in range(columns_known):
                        pick, other = layer[I_KNOWN + r], layer[I_KNOWN + MAX_PICKS + c]
                        at = pick * columns + other
                        if real[F_HIGH + at] - real[F_LOW + at] > TIE:
                            search(depth, pick, other, -BIG, BIG, table, counts, rules, ints, floats, games, work)
                            if counts[N_STOP]:
                                return 0.0
                        games[depth, r, c] = real[F_LOW + at]
                value = solve_game(
                    games[depth],
                    rows_known,
                    columns_known,
                    real[F_MIXES : F_MIXES + MAX_PICKS],
                    real[F_MIXES + MAX_PICKS : F_MIXES + 2 * MAX_PICKS],
                    work,
                )
                idle = 0
            support = layer[I_KNOWN_COUNT + side]  # the mix the other seat will answer next
        layer[I_KILLER] = layer[I_PICKS + pivots0] >> FIRST_BIT
        layer[I_KILLER + 1] = layer[I_PICKS + MAX_PICKS + pivots1] >> FIRST_BIT
        table[row, HINT] = np.uint64(pivots1 + 1)
        if value > alpha:
            low = max(low, value)
            table[row, LOWER] = np.float64(low).view(np.uint64)
        if value < beta:
            high = min(high, value)
            table[row, UPPER] = np.float64(high).view(np.uint64)
        answer = value
    floats[parent, F_LOW + cell] = max(floats[parent, F_LOW + cell], low + bank)
    floats[parent, F_HIGH + cell] = min(floats[parent, F_HIGH + cell], high + bank)
    return answer + bank
