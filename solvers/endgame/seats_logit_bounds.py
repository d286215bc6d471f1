"""Up to which precision logit responses surely contract, for games side by side in lanes.

The mathematics is that of :mod:`solvers.endgame.seats_logit`: a matrix bounds how far a change of each player's mix
moves each other's response at precision 1, and responses contract where its spectral radius times the precision is
below 1.
"""

from __future__ import annotations

from typing import Any

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, F8, FLOATS, I8
from solvers.endgame.seats_logit import SQUARINGS
from solvers.endgame.seats_logit_rows import CUBE, MANY, ROW_LENGTH, SPARE_ONE, SPARE_TWO, row_of
from solvers.endgame.seats_mixes import MATRIX

_SURELY = 1e-9
"""Pivots as small as this do not count as positive."""


@lean_kernel((I8, I8, FLOATS, FLOATS), vector=True)
def centre(picks: Any, length: Any, gains: Any, table: Any) -> Any:
    """Write the utility of each pick less the average of the player's picks."""
    for row in range(length):
        first = row_of(table, row)
        for lane in range(first.shape[0]):
            first[lane] = 0.0
        for pick in range(1, picks):
            gain = row_of(gains, (pick - 1) * length + row)
            for lane in range(first.shape[0]):
                first[lane] -= gain[lane] / picks
        for pick in range(1, picks):
            gain, out = row_of(gains, (pick - 1) * length + row), row_of(table, pick * length + row)
            for lane in range(first.shape[0]):
                out[lane] = first[lane] + gain[lane]


@lean_kernel(F8(F8, F8), inline=True)
def _more(one: Any, two: Any) -> Any:
    return one if one > two else two


@lean_kernel(F8(F8, F8, F8), inline=True)
def _range(one: Any, two: Any, three: Any) -> Any:
    """The widest difference of three numbers."""
    return _more(_more(abs(one - two), abs(two - three)), abs(one - three))


@lean_kernel((FLOATS, FLOATS, FLOATS), vector=True)
def widen_two_by_two(table: Any, down: Any, across: Any) -> Any:
    """Raise the widest ranges down the columns and across the rows of a table by those of two rows and columns."""
    for lane in range(down.shape[0]):
        a, b, c, d = table[lane], table[ROW_LENGTH + lane], table[2 * ROW_LENGTH + lane], table[3 * ROW_LENGTH + lane]
        down[lane] = _more(down[lane], _more(abs(a - c), abs(b - d)))
        across[lane] = _more(across[lane], _more(abs(a - b), abs(c - d)))


@lean_kernel((FLOATS, FLOATS, FLOATS), vector=True)
def widen_two_by_three(table: Any, down: Any, across: Any) -> Any:
    """The same for two rows and three columns."""
    for lane in range(down.shape[0]):
        a, b, c = table[lane], table[ROW_LENGTH + lane], table[2 * ROW_LENGTH + lane]
        d, e, f = table[3 * ROW_LENGTH + lane], table[4 * ROW_LENGTH + lane], table[5 * ROW_LENGTH + lane]
        down[lane] = _more(down[lane], _more(_more(abs(a - d), abs(b - e)), abs(c - f)))
        across[lane] = _more(across[lane], _more(_range(a, b, c), _range(d, e, f)))


@lean_kernel((FLOATS, I8, I8, I8, MATRIX, FLOATS), vector=True)
def widen(table: Any, before: Any, size: Any, after: Any, levels: Any, widest: Any) -> Any:
    """Raise the widest range to that along the axis of ``size``, with so many places in front of it and behind."""
    highest, lowest = levels[SPARE_ONE], levels[SPARE_TWO]
    for outer in range(before):
        for inner in range(after):
            first = row_of(table, outer * size * after + inner)
            second = row_of(table, (outer * size + 1) * after + inner)
            if size == 2:
                for lane in range(first.shape[0]):
                    widest[lane] = _more(widest[lane], abs(first[lane] - second[lane]))
                continue
            third = row_of(table, (outer * size + 2) * after + inner)
            if size == 3:
                for lane in range(first.shape[0]):
                    widest[lane] = _more(widest[lane], _range(first[lane], second[lane], third[lane]))
                continue
            for lane in range(first.shape[0]):
                highest[lane] = first[lane]
                lowest[lane] = first[lane]
            for place in range(1, size):
                here = row_of(table, (outer * size + place) * after + inner)
                for lane in range(first.shape[0]):
                    highest[lane] = here[lane] if here[lane] > highest[lane] else highest[lane]
                    lowest[lane] = here[lane] if here[lane] < lowest[lane] else lowest[lane]
            for lane in range(first.shape[0]):
                widest[lane] = _more(widest[lane], highest[lane] - lowest[lane])


@lean_kernel((I8, I8, BOARD, FLOATS, FLOATS, MATRIX, MATRIX), vector=True)
def bound_change(players: Any, player: Any, shape: Any, gains: Any, table: Any, levels: Any, change: Any) -> Any:
    """Write a player's row of the matrix that bounds how far a change of the others' mixes moves its response at
    precision 1."""
    width = change.shape[1]
    picks, length = shape[MANY, player], 1
    for other in range(players):
        length *= 1 if other == player else shape[MANY, other]
        for lane in range(width):
            change[player * players + other, lane] = 0.0
    rows, scale = picks, 0.5
    if picks == 2:  # against the average, each of two picks has half of what lies between them
        table, rows, scale = gains, 1, 0.25
    else:
        centre(picks, length, gains, table)
    other, after = players - 1 - I8(player == players - 1), 1
    ahead = other - 1 - I8(other - 1 == player)
    if ahead >= 0 and shape[MANY, ahead] == 2 and shape[MANY, other] <= 3:
        after = 2 * shape[MANY, other]
        down, across = change[player * players + ahead], change[player * players + other]
        for outer in range(rows * length // after):
            part = table[outer * after * ROW_LENGTH : (outer + 1) * after * ROW_LENGTH]
            if shape[MANY, other] == 2:
                widen_two_by_two(part, down, across)
            else:
                widen_two_by_three(part, down, across)
        other = ahead - 1 - I8(ahead - 1 == player)
    while other >= 0:
        many = shape[MANY, other]
        widen(table, rows * length // (many * after), many, after, levels, change[player * players + other])
        after *= many
        other = other - 1 - I8(other - 1 == player)
    for other in range(players):
        for lane in range(width):
            change[player * players + other, lane] *= scale


@lean_kernel(F8(I8, CUBE, F8, FLOATS, MATRIX), vector=True)
def mark_contracting(players: Any, change: Any, precision: Any, found: Any, levels: Any) -> Any:
    """Mark the games in which the matrix of bounds times the precision has spectral radius below 1; how many have.

    For a matrix without negative entries that is so if and only if 1 less the matrix can be eliminated with positive
    pivots throughout (it is a nonsingular M-matrix; Berman and Plemmons 1994, chapter 6).
    """
    bounds, rest, factor = change[0], change[1], levels[SPARE_ONE]
    width, many = rest.shape[1], 0.0
    for place in range(players * players):
        one = 1.0 if place % (players + 1) == 0 else 0.0
        for lane in range(width):
            rest[place, lane] = one - precision * bounds[place, lane]
    for lane in range(width):
        found[lane] = 1.0
    for column in range(players):
        pivot = column * players + column
        for lane in range(width):
            found[lane] = found[lane] if rest[pivot, lane] > _SURELY else 0.0
        for row in range(column + 1, players):
            for lane in range(width):
                factor[lane] = rest[row * players + column, lane] / rest[pivot, lane]
            for place in range(column + 1, players):
                for lane in range(width):
                    rest[row * players + place, lane] -= factor[lane] * rest[column * players + place, lane]
    for lane in range(width):
        many += found[lane]
    return many


@lean_kernel((I8, MATRIX, MATRIX), vector=True)
def square(players: Any, matrix: Any, squared: Any) -> Any:
    """Write a matrix times itself."""
    width = matrix.shape[1]
    for one in range(players):
        for two in range(players):
            row = one * players + two
            for lane in range(width):
                squared[row, lane] = 0.0
            for between in range(players):
                for lane in range(width):
                    squared[row, lane] += matrix[one * players + between, lane] * matrix[between * players + two, lane]


@lean_kernel((I8, CUBE, FLOATS, MATRIX), vector=True)
def find_sure_precision(players: Any, change: Any, sure: Any, levels: Any) -> Any:
    """Write for each game a precision below which responses surely contract: a power of the matrix of bounds has row
    sums below 1 there."""
    side, power, total = 0, 1.0, levels[SPARE_ONE]
    width = total.shape[0]
    for _ in range(SQUARINGS):
        square(players, change[side], change[1 - side])
        side = 1 - side
        power *= 2.0
    for lane in range(width):
        sure[lane] = 0.0
    for one in range(players):
        for lane in range(width):
            total[lane] = 0.0
        for two in range(players):
            for lane in range(width):
                total[lane] += change[side, one * players + two, lane]
        for lane in range(width):
            sure[lane] = _more(sure[lane], total[lane])
    for lane in range(width):
        sure[lane] = sure[lane] ** (-1.0 / power)
