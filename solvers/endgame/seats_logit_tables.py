"""Tables of gains and utilities contracted with the players' mixes, for games side by side in lanes
(:mod:`solvers.endgame.seats_logit_rows`).

A player's table of gains has an axis for every other player. The axes are contracted from the last on. Before each is,
the table has for every place of the axes still left a few rows: the expected gain there, and what it would be for each
reply but the first of every player contracted so far. Contracting an axis of ``size`` places adds ``size - 1`` rows:
the expected gains at each of them but the first. The last two or three axes, of two or three places nearly
always, are contracted at once, in registers.
"""

from __future__ import annotations

from typing import Any

import numba

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, F8, FLOATS, I8
from solvers.endgame.seats_logit_rows import LANES, MANY, ROW_LENGTH, START, row_of
from solvers.endgame.seats_mixes import MATRIX


@lean_kernel(F8(F8, F8, F8), inline=True)
def _between(one: Any, two: Any, share: Any) -> Any:
    return one + share * (two - one)


@lean_kernel(F8(F8, F8, F8, F8, F8), inline=True)
def _among(one: Any, two: Any, three: Any, second: Any, third: Any) -> Any:
    return one + second * (two - one) + third * (three - one)


@lean_kernel(numba.types.UniTuple(F8, 3)(FLOATS, I8, F8, F8), inline=True)
def _two_by_two(table: Any, place: Any, x: Any, y: Any) -> Any:
    """Of two rows and two columns, by the weights of the second ones: the mean, and those of the second row and of the
    second column."""
    a, b = table[place], table[ROW_LENGTH + place]
    c, d = table[2 * ROW_LENGTH + place], table[3 * ROW_LENGTH + place]
    second = _between(c, d, y)
    return _between(_between(a, b, y), second, x), second, _between(b, d, x)


@lean_kernel(numba.types.UniTuple(F8, 4)(FLOATS, I8, F8, F8, F8), inline=True)
def _two_by_three(table: Any, place: Any, x: Any, two: Any, three: Any) -> Any:
    """The same of three columns: the mean, and those of the second row and of the second and third column."""
    a, b, c = table[place], table[ROW_LENGTH + place], table[2 * ROW_LENGTH + place]
    d, e, f = table[3 * ROW_LENGTH + place], table[4 * ROW_LENGTH + place], table[5 * ROW_LENGTH + place]
    second = _among(d, e, f, two, three)
    return _between(_among(a, b, c, two, three), second, x), second, _between(b, e, x), _between(c, f, x)


@lean_kernel((FLOATS, FLOATS, FLOATS, FLOATS), vector=True)
def contract_two_by_two(table: Any, x: Any, y: Any, out: Any) -> Any:
    """Contract a table of two rows and two columns with the weights of the second of either."""
    for lane in range(x.shape[0]):
        mean, row, column = _two_by_two(table, lane, x[lane], y[lane])
        out[lane] = mean
        out[ROW_LENGTH + lane] = row
        out[2 * ROW_LENGTH + lane] = column


@lean_kernel((FLOATS, FLOATS, FLOATS, FLOATS, FLOATS), vector=True)
def contract_two_by_two_by_two(table: Any, w: Any, x: Any, y: Any, out: Any) -> Any:
    """The same for two such tables, one behind the other."""
    for lane in range(w.shape[0]):
        one, row_one, column_one = _two_by_two(table, lane, x[lane], y[lane])
        two, row_two, column_two = _two_by_two(table, 4 * ROW_LENGTH + lane, x[lane], y[lane])
        out[lane] = _between(one, two, w[lane])
        out[ROW_LENGTH + lane] = two
        out[2 * ROW_LENGTH + lane] = _between(row_one, row_two, w[lane])
        out[3 * ROW_LENGTH + lane] = _between(column_one, column_two, w[lane])


@lean_kernel((FLOATS, FLOATS, FLOATS, FLOATS), vector=True)
def contract_two_by_three(table: Any, x: Any, y: Any, out: Any) -> Any:
    """The same for a table of two rows and three columns; ``y`` has the weights of the second, then of the third."""
    for lane in range(x.shape[0]):
        mean, row, second, third = _two_by_three(table, lane, x[lane], y[lane], y[ROW_LENGTH + lane])
        out[lane] = mean
        out[ROW_LENGTH + lane] = row
        out[2 * ROW_LENGTH + lane] = second
        out[3 * ROW_LENGTH + lane] = third


@lean_kernel((FLOATS, FLOATS, FLOATS, FLOATS, FLOATS), vector=True)
def contract_two_by_two_by_three(table: Any, w: Any, x: Any, y: Any, out: Any) -> Any:
    """The same for two such tables, one behind the other."""
    for lane in range(w.shape[0]):
        two, three, share = y[lane], y[ROW_LENGTH + lane], w[lane]
        mean, row, second, third = _two_by_three(table, lane, x[lane], two, three)
        other, other_row, other_second, other_third = _two_by_three(table, 6 * ROW_LENGTH + lane, x[lane], two, three)
        out[lane] = _between(mean, other, share)
        out[ROW_LENGTH + lane] = other
        out[2 * ROW_LENGTH + lane] = _between(row, other_row, share)
        out[3 * ROW_LENGTH + lane] = _between(second, other_second, share)
        out[4 * ROW_LENGTH + lane] = _between(third, other_third, share)


@lean_kernel((FLOATS, FLOATS, FLOATS, FLOATS), vector=True)
def contract_three_by_three(table: Any, x: Any, y: Any, out: Any) -> Any:
    """Contract a table of three rows and three columns."""
    for lane in range(x.shape[0] - ROW_LENGTH):
        a, b, c = table[lane], table[ROW_LENGTH + lane], table[2 * ROW_LENGTH + lane]
        d, e, f = table[3 * ROW_LENGTH + lane], table[4 * ROW_LENGTH + lane], table[5 * ROW_LENGTH + lane]
        g, h, i = table[6 * ROW_LENGTH + lane], table[7 * ROW_LENGTH + lane], table[8 * ROW_LENGTH + lane]
        two, three, middle, low = y[lane], y[ROW_LENGTH + lane], x[lane], x[ROW_LENGTH + lane]
        first, second, third = _among(a, b, c, two, three), _among(d, e, f, two, three), _among(g, h, i, two, three)
        out[lane] = _among(first, second, third, middle, low)
        out[ROW_LENGTH + lane] = second
        out[2 * ROW_LENGTH + lane] = third
        out[3 * ROW_LENGTH + lane] = _among(b, e, h, middle, low)
        out[4 * ROW_LENGTH + lane] = _among(c, f, i, middle, low)


@lean_kernel((FLOATS, I8, I8, I8, FLOATS, FLOATS), vector=True)
def contract_axis(source: Any, before: Any, size: Any, rows: Any, weights: Any, target: Any) -> Any:
    """Contract the last axis of a table with so many rows a place and ``before`` places of the axes in front."""
    for outer in range(before):
        for row in range(rows):
            out = row_of(target, outer * (rows + size - 1) + (row + size - 1 if row else 0))
            first, second = row_of(source, outer * size * rows + row), row_of(source, (outer * size + 1) * rows + row)
            share = row_of(weights, 1)
            for lane in range(out.shape[0]):
                out[lane] = _between(first[lane], second[lane], share[lane])
            for reply in range(2, size):
                there, share = row_of(source, (outer * size + reply) * rows + row), row_of(weights, reply)
                for lane in range(out.shape[0]):
                    out[lane] += share[lane] * (there[lane] - first[lane])
        for reply in range(1, size):
            here = row_of(source, (outer * size + reply) * rows)
            out = row_of(target, outer * (rows + size - 1) + reply)
            for lane in range(out.shape[0]):
                out[lane] = here[lane]


@lean_kernel((FLOATS, I8, I8, I8, FLOATS, FLOATS, FLOATS))
def contract_pair(source: Any, before: Any, one: Any, two: Any, x: Any, y: Any, target: Any) -> Any:
    """Contract the last two axes, of ``one`` and ``two`` places, of a table with a row a place; ``x`` and ``y`` have
    the weights of all of these but the first."""
    cells, rows = one * two * ROW_LENGTH, (one + two - 1) * ROW_LENGTH
    for outer in range(before):
        table, out = source[outer * cells : (outer + 1) * cells], target[outer * rows : (outer + 1) * rows]
        if two == 2:
            contract_two_by_two(table, x, y, out)
        elif one == 2:
            contract_two_by_three(table, x, y, out)
        else:
            contract_three_by_three(table, x, y, out)


@lean_kernel(FLOATS(FLOATS, I8, I8), inline=True)
def _rows(rows: Any, first: Any, stop: Any) -> Any:
    return rows[first * ROW_LENGTH : stop * ROW_LENGTH]


@lean_kernel((I8, I8, BOARD, FLOATS, MATRIX, FLOATS, MATRIX))
def fill_pairs_of(players: Any, player: Any, shape: Any, gains: Any, tables: Any, weights: Any, pairs: Any) -> Any:
    """Write ``pairs`` for the picks of one player; of the others none has fewer picks than those before it."""
    length = 1
    for other in range(players):
        length *= 1 if other == player else shape[MANY, other]
    for pick in range(shape[MANY, player] - 1):
        p = shape[START, player] + 1 + pick
        source, before, rows, side = _rows(gains, pick * length, (pick + 1) * length), length, 1, 0
        other = players - 1 - I8(player == players - 1)
        ahead = other - 1 - I8(other - 1 == player)
        if ahead >= 0 and shape[MANY, other] <= 3:
            one, two = shape[MANY, ahead], shape[MANY, other]
            x = _rows(weights, shape[START, ahead] + 1, shape[START, ahead] + one)
            y = _rows(weights, shape[START, other] + 1, shape[START, other] + two)
            before //= one * two
            if before == 2 and one == 2:
                first = I8(player == 0)
                w = row_of(weights, shape[START, first] + 1)
                if two == 2:
                    contract_two_by_two_by_two(source, w, x, y, pairs[p])
                else:
                    contract_two_by_two_by_three(source, w, x, y, pairs[p])
                continue
            target = tables[0] if before > 1 else pairs[p]
            contract_pair(source, before, one, two, x, y, target)
            source, rows, side = target, one + two - 1, 1
            other = ahead - 1 - I8(ahead - 1 == player)
        while other >= 0:
            many, start = shape[MANY, other], shape[START, other]
            before //= many
            target = tables[side] if before > 1 else pairs[p]
            contract_axis(source, before, many, rows, _rows(weights, start, start + many), target)
            source, rows, side = target, rows + many - 1, 1 - side
            other = other - 1 - I8(other - 1 == player)
        if length == 1:
            for lane in range(ROW_LENGTH):
                pairs[p, lane] = source[lane]


@lean_kernel((I8, BOARD, FLOATS, FLOATS), vector=True)
def fill_chances(players: Any, shape: Any, weights: Any, chances: Any) -> Any:
    """Write the chance of every joint pick."""
    cells = 1
    here = row_of(chances, 0)
    for lane in range(here.shape[0]):
        here[lane] = 1.0
    for player in range(players):
        start, many = shape[START, player], shape[MANY, player]
        for cell in range(cells - 1, -1, -1):
            here = row_of(chances, cell)
            for pick in range(many - 1, -1, -1):
                out, weight = row_of(chances, cell * many + pick), row_of(weights, start + pick)
                for lane in range(out.shape[0]):
                    out[lane] = here[lane] * weight[lane]
        cells *= many


@lean_kernel((FLOATS, FLOATS, I8, FLOATS), vector=True)
def fill_mean(chances: Any, cells: Any, many: Any, out: Any) -> Any:
    """Write the mean of so many cells, by these chances."""
    for lane in range(out.shape[0]):
        out[lane] = 0.0
    cell = 0
    while cell + 4 <= many:
        chance, here = _rows(chances, cell, cell + 4), _rows(cells, cell, cell + 4)
        for lane in range(out.shape[0]):
            a, b = chance[lane] * here[lane], chance[ROW_LENGTH + lane] * here[ROW_LENGTH + lane]
            third, fourth = 2 * ROW_LENGTH + lane, 3 * ROW_LENGTH + lane
            out[lane] += (a + b) + (chance[third] * here[third] + chance[fourth] * here[fourth])
        cell += 4
    while cell < many:
        chance, here = row_of(chances, cell), row_of(cells, cell)
        for lane in range(out.shape[0]):
            out[lane] += chance[lane] * here[lane]
        cell += 1


@lean_kernel((I8, I8, LANES))
def fill_values(seats: Any, players: Any, lanes: Any) -> Any:
    """Write each seat's expected utility under ``weights`` to a row of ``trial``."""
    cells = 1
    for player in range(players):
        cells *= lanes.shape[MANY, player]
    fill_chances(players, lanes.shape, lanes.weights, lanes.tables[0])
    for seat in range(seats):
        fill_mean(lanes.tables[0], lanes.cells[seat], cells, lanes.trial[seat])
