"""Depth-first double-oracle search over packed two-seat states, with windows passed down and bounds kept in a table.

At a node the two seats' picks span a matrix game whose entries are the values of child states. Few entries are needed:

1. *Replies.* From the best-looking pair of picks the seats reply to each other in turn. A reply scan asks of each other
   pick only "is it better than the best so far?", so most children are searched with a one-sided window. When neither
   seat finds a better reply there is a saddle, and its value is exact. Before a scan the table is asked for what it
   knows of all the replies: that may settle the node, and it spares a seventh of the nodes searched.
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
from solvers.endgame.jit import lean_kernel
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


@lean_kernel("void(i8, i8, i8, f8[::1], i8[:, ::1], f8[:, ::1])", inner=True)
def place_root(hand0: Any, hand1: Any, features: Any, rules: Any, ints: Any, floats: Any) -> Any:
    """Make a reduced state the one entry of layer 0."""
    ints[0, I_FEATURES] = features
    ints[0, I_COUNT] = 1
    ints[0, I_COUNT + 1] = 1
    ints[0, I_PICKS] = features & SEAT_MASK
    ints[0, I_PICKS + MAX_PICKS] = (features >> SEAT_BITS) & SEAT_MASK
    ints[0, I_RESTS] = hand1
    ints[0, I_RESTS + MAX_PICKS] = hand0
    floats[0, F_LOW] = -BIG
    floats[0, F_HIGH] = BIG


@lean_kernel("Tuple((i8, i8, i8, f8))(i8, i8, i8, f8[::1], i8[:, ::1])", inner=True)
def child_state(depth: Any, i: Any, j: Any, rules: Any, ints: Any) -> Any:
    """The state after row pick ``i`` and column pick ``j`` of a layer, and the points the turn banks.

    For ``win`` they go into the state's score instead, and 0 comes back.
    """
    # plain Python numbers, which are much the fastest when this is interpreted
    word = int(ints[depth, I_FEATURES])
    row, column = int(ints[depth, I_PICKS + i]), int(ints[depth, I_PICKS + MAX_PICKS + j])
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
    bank = float(((row >> GAIN_BIT) & 255) - ((column >> GAIN_BIT) & 255))
    if rules[R_LAST_ROUND] == 0.0:
        bank += float(rules[R_PUDDING_VALUE]) * puddings
    rest0, rest1 = int(ints[depth, I_RESTS + i]), int(ints[depth, I_RESTS + MAX_PICKS + j])
    hand0, hand1, reduced, more = reduce_state(rest1, rest0, after, rules)
    bank += more
    if rules[R_WIN] != 0.0:
        return hand0, hand1, reduced + (int(2.0 * bank) << SCORE_BIT), 0.0
    return hand0, hand1, reduced, bank


@lean_kernel("void(i8, i8, i8, i8, i8, f8[::1], i8[:, ::1], f8[:, ::1])", inner=True)
def open_node(depth: Any, hand0: Any, hand1: Any, features: Any, hint: Any, rules: Any, ints: Any, floats: Any) -> Any:
    """Fill a layer with a state: picks and the order to try them in; nothing is known of its entries yet.

    The pick that decided the last node at this depth is tried second (that order met the fewest states of those tried
    on the 20 whole deals: 10.4 million look-ups against 11.9 without and 12.8 when it was tried first). The first
    column is ``hint`` when the state was searched before.
    """
    layer, real = ints[depth], floats[depth]
    seat0, seat1 = features & SEAT_MASK, (features >> SEAT_BITS) & SEAT_MASK
    layer[I_FEATURES] = features
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
    # the first column stands, the first row is to be found
    layer[I_KNOWN_COUNT], layer[I_KNOWN_COUNT + 1] = 0, 1
    layer[I_KNOWN + MAX_PICKS] = layer[I_ORDER + MAX_PICKS]


@lean_kernel("b1(i8, i8, i8[::1])", inner=True)
def add_known(side: Any, pick: Any, layer: Any) -> Any:
    """Add a pick to a seat's part of the restricted game; False when it was there already."""
    start, count = I_KNOWN + side * MAX_PICKS, layer[I_KNOWN_COUNT + side]
    for place in range(start, start + count):
        if layer[place] == pick:
            return False
    layer[start + count] = pick
    layer[I_KNOWN_COUNT + side] = count + 1
    return True


@lean_kernel("UniTuple(f8, 2)(i8, i8, i8, i8[::1], f8[::1])", inner=True)
def seat_bounds(side: Any, pick: Any, other: Any, layer: Any, real: Any) -> Any:
    """The bounds of an entry, the lower first, as the seat sees them whose ``pick`` meets the rival's ``other``."""
    columns = layer[I_COUNT + 1]
    if side == 0:
        cell = pick * columns + other
        return real[F_LOW + cell], real[F_HIGH + cell]
    cell = other * columns + pick
    return -real[F_HIGH + cell], -real[F_LOW + cell]


@lean_kernel("f8(i8, i8, i8, i8[::1], f8[::1])", inner=True)
def promise(side: Any, pick: Any, support: Any, layer: Any, real: Any) -> Any:
    """The most a seat's pick can be worth to it against the rival's mix, as far as the entries' bounds tell.

    ``support`` counts the rival's known picks that its mix is spread over.
    """
    known, mix = I_KNOWN + (1 - side) * MAX_PICKS, F_MIXES + (1 - side) * MAX_PICKS
    total = 0.0
    for place in range(support):
        _, most = seat_bounds(side, pick, layer[known + place], layer, real)
        total += real[mix + place] * most
    return total


@lean_kernel("f8(i8, i8[:, ::1], f8[:, ::1], f8[:, :, ::1], f8[:, ::1])", inline=True)
def solve_known(depth: Any, ints: Any, floats: Any, games: Any, work: Any) -> Any:
    """Solve a layer's restricted game, all of whose entries are exact, and leave the mixes in the layer."""
    layer, real = ints[depth], floats[depth]
    rows, columns = layer[I_KNOWN_COUNT], layer[I_KNOWN_COUNT + 1]
    for row in range(rows):
        for column in range(columns):
            cell = layer[I_KNOWN + row] * layer[I_COUNT + 1] + layer[I_KNOWN + MAX_PICKS + column]
            games[depth, row, column] = real[F_LOW + cell]
    row_mix = real[F_MIXES : F_MIXES + MAX_PICKS]
    column_mix = real[F_MIXES + MAX_PICKS : F_MIXES + 2 * MAX_PICKS]
    return solve_game(games[depth], rows, columns, row_mix, column_mix, work)


@lean_kernel("i8(i8, i8, i8, i8[:, ::1], i8[::1], f8[::1])", inner=True)
def find_or_add(hand0: Any, hand1: Any, features: Any, table: Any, counts: Any, rules: Any) -> Any:
    """The table's row of a state, new with nothing proven yet if need be; -1 when the table is full."""
    counts[N_LOOKUPS] += 1
    row = find_row(table, hand0, hand1, features)
    if table[row, 0] == EMPTY:
        if counts[N_STORED] >= counts[N_CAPACITY]:
            counts[N_STOP] = STOP_FULL
            return -1
        counts[N_STORED] += 1
        table[row, 0], table[row, 1], table[row, 2] = hand0, hand1, features
        table[row, LOWER] = np.float64(-BIG if rules[R_WIN] == 0.0 else 0.0).view(np.int64)
        table[row, UPPER] = np.float64(BIG if rules[R_WIN] == 0.0 else 1.0).view(np.int64)
        table[row, HINT] = 0
    return row


@lean_kernel("void(i8, f8, f8, i8, i8, i8[::1], i8[:, ::1])", inner=True)
def close_node(row: Any, low: Any, high: Any, pivot0: Any, pivot1: Any, layer: Any, table: Any) -> Any:
    """Keep the bounds proven of a state, and the picks that decided it to be tried early next time."""
    layer[I_KILLER] = layer[I_PICKS + pivot0] >> FIRST_BIT
    layer[I_KILLER + 1] = layer[I_PICKS + MAX_PICKS + pivot1] >> FIRST_BIT
    table[row, HINT] = pivot1 + 1
    table[row, LOWER] = np.float64(low).view(np.int64)
    table[row, UPPER] = np.float64(high).view(np.int64)


@lean_kernel("i8(i8, i8, i8, f8, i8[:, ::1], i8[::1], f8[::1], i8[:, ::1], f8[:, ::1])", inner=True)
def probe_replies(
    depth: Any,
    side: Any,
    other: Any,
    enough: Any,
    table: Any,
    counts: Any,
    rules: Any,
    ints: Any,
    floats: Any,
) -> Any:
    """Look up the children a seat's picks lead to against the rival's ``other``, and keep what the table has of them.

    Returns a pick that is worth ``enough`` as it stands, or -1.
    """
    layer, real = ints[depth], floats[depth]
    columns = layer[I_COUNT + 1]
    for step in range(layer[I_COUNT + side]):
        pick = layer[I_ORDER + side * MAX_PICKS + step]
        row, column = (pick, other) if side == 0 else (other, pick)
        cell = row * columns + column
        if real[F_HIGH + cell] - real[F_LOW + cell] > TIE:
            counts[N_LOOKUPS] += 1
            hand0, hand1, features, bank = child_state(depth, row, column, rules, ints)
            place = find_row(table, hand0, hand1, features)
            if table[place, 0] != EMPTY:
                low = np.int64(table[place, LOWER]).view(np.float64) + bank
                high = np.int64(table[place, UPPER]).view(np.float64) + bank
                real[F_LOW + cell] = max(real[F_LOW + cell], low)
                real[F_HIGH + cell] = min(real[F_HIGH + cell], high)
        if (real[F_LOW + cell] if side == 0 else -real[F_HIGH + cell]) >= enough:
            return pick
    return -1


@lean_kernel("f8(i8, i8, i8, f8, f8, i8[:, ::1], i8[::1], f8[::1], i8[:, ::1], f8[:, ::1], f8[:, :, ::1], f8[:, ::1])")
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
    if size == 1 or (size == 2 and features & _CHOPSTICKS_IN_FRONT == 0):
        if size == 1:
            value = bank + forced_value(hand0, hand1, features, rules)
        else:
            value = bank + last_choice(hand0, hand1, features, rules)
        floats[parent, F_LOW + cell] = value
        floats[parent, F_HIGH + cell] = value
        return value

    row = find_or_add(hand0, hand1, features, table, counts, rules)
    if row < 0:
        return 0.0
    low = np.int64(table[row, LOWER]).view(np.float64)
    high = np.int64(table[row, UPPER]).view(np.float64)
    alpha, beta = alpha - bank, beta - bank
    answer = low if low >= beta or high - low <= TIE else high
    if high - low > TIE and low < beta and high > alpha:
        counts[N_NODES] += 1
        if counts[N_NODES] > counts[N_BUDGET]:
            counts[N_STOP] = STOP_BUDGET
            return 0.0
        alpha, beta = max(alpha, low), min(beta, high)
        depth = parent + 1
        open_node(depth, hand0, hand1, features, int(table[row, HINT]), rules, ints, floats)
        layer, real = ints[depth], floats[depth]
        pivots0, pivots1 = layer[I_ORDER], layer[I_ORDER + MAX_PICKS]  # the seats' standing picks in the pure phase
        mixed = False
        circling = 0
        value = alpha
        side = 1
        idle = 0
        while True:
            side = 1 - side
            rival = 1 - side
            sign = 1.0 - 2.0 * side
            # the window as this seat sees it: below `least` it does not matter, at `enough` the node is decided
            least = alpha if side == 0 else -beta
            enough = beta if side == 0 else -alpha
            standing = sign * value
            if mixed and idle == 0 and standing >= enough:
                idle = 1  # nothing this seat finds can bring the node back into the window
                continue
            target = max(least, standing)
            best = -1
            ceiling = -BIG
            support = layer[I_KNOWN_COUNT + rival] if mixed else 1
            standing_rival = pivots1 if side == 0 else pivots0
            steps = layer[I_COUNT + side]
            if size > 4:
                for place in range(support):
                    other = layer[I_KNOWN + rival * MAX_PICKS + place] if mixed else standing_rival
                    best = probe_replies(
                        depth, side, other, BIG if mixed else enough, table, counts, rules, ints, floats
                    )
                if best >= 0:
                    target, _ = seat_bounds(side, best, standing_rival, layer, real)
                    steps = 0
            for step in range(steps):
                pick = layer[I_ORDER + side * MAX_PICKS + step]
                sure, hope = seat_bounds(side, pick, standing_rival, layer, real)
                if mixed:
                    hope = promise(side, pick, support, layer, real)
                place = 0
                while place < support and hope > target + BETTER:
                    share = 1.0
                    other = standing_rival
                    if mixed:
                        share = real[F_MIXES + rival * MAX_PICKS + place]
                        other = layer[I_KNOWN + rival * MAX_PICKS + place]
                    sure, most = seat_bounds(side, pick, other, layer, real)
                    if share > 0.0 and most - sure > TIE and (mixed or sure < enough):
                        rest = hope - share * most
                        needed = (target - rest) / share
                        ample = BIG if mixed else enough
                        entry_row, entry_column, above, below = pick, other, needed, ample
                        if side == 1:
                            entry_row, entry_column, above, below = other, pick, -ample, -needed
                        search(
                            depth,
                            entry_row,
                            entry_column,
                            above,
                            below,
                            table,
                            counts,
                            rules,
                            ints,
                            floats,
                            games,
                            work,
                        )
                        if counts[N_STOP]:
                            return 0.0
                        sure, most = seat_bounds(side, pick, other, layer, real)
                        hope = rest + share * most
                    if not mixed and sure >= enough:
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
                for step in range(layer[I_KNOWN_COUNT]):
                    for place in range(layer[I_KNOWN_COUNT + 1]):
                        pick, other = layer[I_KNOWN + step], layer[I_KNOWN + MAX_PICKS + place]
                        sure, most = seat_bounds(0, pick, other, layer, real)
                        if most - sure > TIE:
                            search(depth, pick, other, -BIG, BIG, table, counts, rules, ints, floats, games, work)
                            if counts[N_STOP]:
                                return 0.0
                value = solve_known(depth, ints, floats, games, work)
                idle = 0
        low = max(low, value) if value > alpha else low
        high = min(high, value) if value < beta else high
        close_node(row, low, high, pivots0, pivots1, layer, table)
        answer = value
    floats[parent, F_LOW + cell] = max(floats[parent, F_LOW + cell], low + bank)
    floats[parent, F_HIGH + cell] = min(floats[parent, F_HIGH + cell], high + bank)
    return answer + bank
