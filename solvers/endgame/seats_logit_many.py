"""Logit equilibria of many small stage games at once, side by side in lanes (:mod:`solvers.endgame.seats_logit_rows`).

The mathematics is that of :mod:`solvers.endgame.seats_logit`. Games whose responses contract are solved by Newton's
method from equal chances. In the others the branch is followed from the precision up to which they surely contract: the
precision is raised in steps, a step along the branch and Newton's method back to it, as long as that way back is short.
Where the branch is too steep for that, as where it turns back, games are left to the way of one game at a time. What a
game gets does not depend on which others are solved beside it.

Measured at two cards left of four seats, one at a time in brackets: some 2 µs a game that contracts (12), 5 to 14 µs
another (35 to 130).
"""

from __future__ import annotations

from typing import Any

import numba

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, BOOL, F8, FLOATS, I8, ROW
from solvers.endgame.seats_levels import BATCHES
from solvers.endgame.seats_logit import LONGEST, NEARLY, SHORT, SQUARINGS, WAY_BACK, weighed
from solvers.endgame.seats_logit_rows import (
    CUBE,
    DETERMINANT,
    FOUND,
    LANES,
    LENGTH,
    LEVEL,
    MANY,
    MOST_CELLS,
    MOST_PICKS,
    MOVED,
    MOVING,
    NEXT,
    SPARE_ONE,
    SPARE_TWO,
    START,
    STEP,
    UNDER_WAY,
    WIDTH,
    aim_along,
    aim_back,
    fill_expected,
    fill_gains,
    fill_pairs_of,
    fill_shares,
    fill_slopes,
    gather_cells,
    move_odds,
    set_weights,
    solve_system,
)
from solvers.endgame.seats_mixes import MATRIX, RESOLVED

_NEWTON_STEPS, _STEPS_BACK = 12, 5
"""The most steps of Newton's method from equal chances, and back to the branch."""
_STEPS_ALONG = 40
"""The most steps along the branch, those taken back included."""
_SHORTEST = 1e-3
"""The shortest step, as a share of the precision aimed at."""


@lean_kernel((I8, I8, MATRIX, MATRIX), vector=True)
def centre(picks: Any, length: Any, gains: Any, table: Any) -> Any:
    """Write the utility of each pick less the average of the seat's picks."""
    width = table.shape[1]
    for row in range(length):
        for lane in range(width):
            table[row, lane] = 0.0
        for pick in range(1, picks):
            for lane in range(width):
                table[row, lane] -= gains[(pick - 1) * length + row, lane] / picks
        for pick in range(1, picks):
            for lane in range(width):
                table[pick * length + row, lane] = table[row, lane] + gains[(pick - 1) * length + row, lane]


@lean_kernel((MATRIX, I8, I8, I8, F8, MATRIX, FLOATS), vector=True)
def widest_range(table: Any, before: Any, size: Any, after: Any, scale: Any, levels: Any, bound: Any) -> Any:
    """Write ``scale`` times the widest range along the axis of ``size`` of a table."""
    width = table.shape[1]
    highest, lowest = levels[SPARE_ONE], levels[SPARE_TWO]
    for lane in range(width):
        bound[lane] = 0.0
    for outer in range(before):
        for inner in range(after):
            place = outer * size * after + inner
            if size == 2:
                for lane in range(width):
                    wide = scale * abs(table[place, lane] - table[place + after, lane])
                    bound[lane] = wide if wide > bound[lane] else bound[lane]
                continue
            for lane in range(width):
                highest[lane] = table[place, lane]
                lowest[lane] = table[place, lane]
            for _ in range(1, size):
                place += after
                for lane in range(width):
                    here = table[place, lane]
                    highest[lane] = here if here > highest[lane] else highest[lane]
                    lowest[lane] = here if here < lowest[lane] else lowest[lane]
            for lane in range(width):
                wide = scale * (highest[lane] - lowest[lane])
                bound[lane] = wide if wide > bound[lane] else bound[lane]


@lean_kernel((I8, I8, BOARD, MATRIX, MATRIX, MATRIX, MATRIX))
def bound_change(seats: Any, seat: Any, shape: Any, gains: Any, table: Any, levels: Any, change: Any) -> Any:
    """Write a seat's row of the matrix that bounds how far a change of other seats' mixes moves its response at
    precision 1."""
    width = change.shape[1]
    picks, length = shape[MANY, seat], 1
    for other in range(seats):
        length *= 1 if other == seat else shape[MANY, other]
    rows, scale = picks, 0.5
    if picks <= 2:  # against the average, each of two picks has half of what lies between them
        table, rows, scale = gains, picks - 1, 0.25
    else:
        centre(picks, length, gains, table)
    before, after = rows, length
    for other in range(seats):
        if other == seat:
            for lane in range(width):
                change[seat * seats + other, lane] = 0.0
            continue
        many = shape[MANY, other]
        after //= many
        widest_range(table, before, many, after, scale, levels, change[seat * seats + other])
        before *= many


@lean_kernel(BOOL(I8, MATRIX, F8, MATRIX, MATRIX), vector=True)
def sums_below(seats: Any, matrix: Any, limit: Any, marks: Any, levels: Any) -> Any:
    """Mark the games in which all row sums of a matrix are below a limit; whether all are. The largest sums are left in
    ``SPARE_TWO``."""
    width, total, largest = marks.shape[1], levels[SPARE_ONE], levels[SPARE_TWO]
    for lane in range(width):
        largest[lane] = 0.0
    for one in range(seats):
        for lane in range(width):
            total[lane] = 0.0
        for two in range(seats):
            for lane in range(width):
                total[lane] += matrix[one * seats + two, lane]
        for lane in range(width):
            largest[lane] = total[lane] if total[lane] > largest[lane] else largest[lane]
    many = 0.0
    for lane in range(width):
        marks[FOUND, lane] = 1.0 if largest[lane] < limit else 0.0
        many += marks[FOUND, lane]
    return many == width


@lean_kernel((I8, MATRIX, MATRIX), vector=True)
def square(seats: Any, matrix: Any, squared: Any) -> Any:
    """Write a matrix times itself."""
    width = matrix.shape[1]
    for one in range(seats):
        for two in range(seats):
            row = one * seats + two
            for lane in range(width):
                squared[row, lane] = 0.0
            for between in range(seats):
                for lane in range(width):
                    squared[row, lane] += matrix[one * seats + between, lane] * matrix[between * seats + two, lane]


@lean_kernel(F8(I8, CUBE, F8, MATRIX, MATRIX))
def find_contracting(seats: Any, change: Any, precision: Any, marks: Any, levels: Any) -> Any:
    """Mark the games in which a power of the matrix of bounds has row sums below 1 at this precision.

    If a power has, so has its square: no more are taken than one of the games needs. Returns the last power; the
    largest row sums are left in ``SPARE_TWO``.
    """
    power, side = 1.0, 0
    for _ in range(SQUARINGS):
        if sums_below(seats, change[side], precision**-power, marks, levels):
            return power
        square(seats, change[side], change[1 - side])
        power *= 2.0
        side = 1 - side
    sums_below(seats, change[side], precision**-power, marks, levels)
    return power


@lean_kernel((I8, LANES, MATRIX))
def respond(seats: Any, lanes: Any, odds: Any) -> Any:
    """Fill ``weights`` from log-odds, and ``pairs`` and ``expected`` from these."""
    shape = lanes.shape
    set_weights(seats, shape, odds, lanes.weights, lanes.levels)
    for seat in range(seats):
        fill_pairs_of(seats, seat, shape, lanes.gains[seat], lanes.tables, lanes.weights, lanes.pairs)
    fill_expected(seats, shape, lanes.pairs, lanes.weights, lanes.expected)


@lean_kernel((I8, LANES, MATRIX, FLOATS, I8))
def settle_rows(seats: Any, lanes: Any, odds: Any, precision: Any, steps: Any) -> Any:
    """Newton's method on log-odds, at a precision a game, in the games marked ``MOVING``; whose mark goes at rest."""
    shape = lanes.shape
    size = shape[START, seats - 1] + shape[MANY, seats - 1] - seats
    for lane in range(lanes.levels.shape[1]):
        lanes.levels[MOVED, lane] = 0.0
    for _ in range(steps):
        respond(seats, lanes, odds)
        fill_slopes(seats, shape, lanes.pairs, lanes.weights, lanes.expected, precision, lanes.system)
        aim_back(seats, shape, lanes.expected, odds, precision, lanes.system)
        solve_system(size, lanes.system, lanes.levels)
        if move_odds(seats, shape, lanes.system, odds, lanes.marks, lanes.levels) == 0.0:
            return


@lean_kernel((I8, LANES, F8))
def step_forward(seats: Any, lanes: Any, precision: Any) -> Any:
    """Put ``trial`` a step along the branch from ``odds``, no further than to this precision, and mark as ``MOVING``
    the games that are not there yet."""
    shape, levels, system = lanes.shape, lanes.levels, lanes.system
    size = shape[START, seats - 1] + shape[MANY, seats - 1] - seats
    respond(seats, lanes, lanes.odds)
    fill_slopes(seats, shape, lanes.pairs, lanes.weights, lanes.expected, levels[LEVEL], system)
    aim_along(seats, shape, lanes.expected, system)
    solve_system(size, system, levels)
    for lane in range(levels.shape[1]):
        steepest, line = 1e-300, 0
        for seat in range(seats):
            for p in range(shape[START, seat] + 1, shape[START, seat] + shape[MANY, seat]):
                steepest = max(steepest, weighed(system[line, size, lane], lanes.odds[p, lane]))
                line += 1
        on_the_way = lanes.marks[FOUND, lane] > 0.0 and levels[LEVEL, lane] < precision
        lanes.marks[UNDER_WAY, lane] = 1.0 if on_the_way else 0.0
        lanes.marks[MOVING, lane] = lanes.marks[UNDER_WAY, lane]
        step = min(levels[STEP, lane], LONGEST / steepest)
        rest = precision - levels[LEVEL, lane]
        step = rest if rest < step else step
        levels[NEXT, lane] = precision if step == rest else levels[LEVEL, lane] + step
        levels[STEP, lane] = step
        levels[LENGTH, lane] = step * steepest
        line = 0
        for seat in range(seats):
            for p in range(shape[START, seat] + 1, shape[START, seat] + shape[MANY, seat]):
                lanes.trial[p, lane] = lanes.odds[p, lane] + step * system[line, size, lane]
                line += 1


@lean_kernel(BOOL(I8, LANES, F8))
def accept_steps(picks: Any, lanes: Any, precision: Any) -> Any:
    """Accept the steps from which the way back was short and ended on the same branch, and shorten the others; whether
    any game is under way."""
    levels, marks = lanes.levels, lanes.marks
    more = False
    for lane in range(levels.shape[1]):
        if marks[UNDER_WAY, lane] == 0.0:
            continue
        short = levels[MOVED, lane] <= WAY_BACK * max(levels[LENGTH, lane], SHORT)
        if marks[MOVING, lane] == 0.0 and short and levels[DETERMINANT, lane] > 0.0:
            levels[LEVEL, lane] = levels[NEXT, lane]
            levels[STEP, lane] *= 2.0
            for p in range(picks):
                lanes.odds[p, lane] = lanes.trial[p, lane]
        else:
            levels[STEP, lane] *= 0.5
            marks[FOUND, lane] = 1.0 if levels[STEP, lane] > _SHORTEST * precision else 0.0
        more = more or (marks[FOUND, lane] > 0.0 and levels[LEVEL, lane] < precision)
    return more


@lean_kernel((I8, I8, LANES, F8, F8))
def follow_rows(seats: Any, picks: Any, lanes: Any, precision: Any, power: Any) -> Any:
    """Follow the branch of each game to this precision, from where its responses surely contract; marks those found.

    The largest row sums of a ``power`` of the matrix of bounds must stand in ``SPARE_TWO``.
    """
    levels, marks = lanes.levels, lanes.marks
    for lane in range(levels.shape[1]):
        sure = NEARLY * levels[SPARE_TWO, lane] ** (-1.0 / power)
        levels[LEVEL, lane] = min(precision, sure)
        levels[STEP, lane] = precision
        marks[FOUND, lane] = 1.0
        marks[MOVING, lane] = 1.0
    settle_rows(seats, lanes, lanes.odds, levels[LEVEL], _NEWTON_STEPS)
    for lane in range(levels.shape[1]):
        marks[FOUND, lane] = 1.0 - marks[MOVING, lane]
    for _ in range(_STEPS_ALONG):
        step_forward(seats, lanes, precision)
        settle_rows(seats, lanes, lanes.trial, levels[NEXT], _STEPS_BACK)
        if not accept_steps(picks, lanes, precision):
            break
    for lane in range(levels.shape[1]):
        marks[FOUND, lane] = 1.0 if marks[FOUND, lane] > 0.0 and levels[LEVEL, lane] == precision else 0.0


@lean_kernel((I8, I8, LANES, F8))
def value_rows(seats: Any, picks: Any, lanes: Any, precision: Any) -> Any:
    """Put weights in the place of ``odds``, write each seat's value to ``tables[0]``, and to ``SPARE_TWO`` the largest
    difference between a chance and the logit response to the others'."""
    levels = lanes.levels
    respond(seats, lanes, lanes.odds)
    for p in range(picks):
        for lane in range(levels.shape[1]):
            lanes.odds[p, lane] = lanes.weights[p, lane]
            lanes.trial[p, lane] = precision * lanes.expected[p, lane]
    set_weights(seats, lanes.shape, lanes.trial, lanes.weights, levels)
    for lane in range(levels.shape[1]):
        levels[SPARE_TWO, lane] = 0.0
        for p in range(picks):
            apart = abs(lanes.odds[p, lane] - lanes.weights[p, lane])
            levels[SPARE_TWO, lane] = levels[SPARE_TWO, lane] if apart <= levels[SPARE_TWO, lane] else apart
    fill_shares(seats, lanes.shape, lanes.cells, lanes.odds, levels, lanes.tables[0])


@lean_kernel((I8, I8, FLOATS, LANES, F8, BOOL))
def solve_rows(seats: Any, picks: Any, tensor: Any, lanes: Any, precision: Any, follow: Any) -> Any:
    """Solve games of one shape that begin in ``places`` of a tensor; what is found is as :func:`value_rows` leaves it.

    With ``follow`` none of them may contract at this precision.
    """
    shape, levels, marks = lanes.shape, lanes.levels, lanes.marks
    gather_cells(seats, tensor, lanes.places, shape, lanes.cells)
    for seat in range(seats):
        fill_gains(seats, seat, shape, lanes.cells, lanes.gains[seat])
        bound_change(seats, seat, shape, lanes.gains[seat], lanes.tables[0], levels, lanes.change[0])
    power = find_contracting(seats, lanes.change, precision, marks, levels)
    lanes.odds[:] = 0.0
    lanes.trial[:] = 0.0
    if follow:
        follow_rows(seats, picks, lanes, precision, power)
    else:
        for lane in range(levels.shape[1]):
            levels[LEVEL, lane] = precision
            marks[MOVING, lane] = marks[FOUND, lane]
        settle_rows(seats, lanes, lanes.odds, levels[LEVEL], _NEWTON_STEPS)
        for lane in range(levels.shape[1]):
            marks[FOUND, lane] *= 1.0 - marks[MOVING, lane]
    value_rows(seats, picks, lanes, precision)


@lean_kernel(numba.types.Tuple((I8, F8))(I8, BATCHES, ROW, MATRIX, LANES, F8, BOOL, ROW))
def solve_many(
    seats: Any, batch: Any, order: Any, values: Any, lanes: Any, precision: Any, follow: Any, left: Any
) -> Any:
    """Write the values of the games listed in ``order``, those of one shape together: of small ones that contract, or
    with ``follow`` (of which none may) of those whose branch could be followed.

    Returns how many games are ``left``, listed there in the same order, and the largest residual of the others.
    ``left`` may be ``order`` itself.
    """
    shape = lanes.shape
    many, residual, place = 0, 0.0, 0
    while place < order.shape[0]:
        picks, cells = 0, 1
        for seat in range(seats):
            shape[MANY, seat] = batch.sizes[order[place], seat]
            shape[START, seat] = picks
            picks += shape[MANY, seat]
            cells *= shape[MANY, seat]
        taken = 0
        alike = True
        while alike and taken < WIDTH:
            lanes.games[taken] = order[place]
            taken += 1
            place += 1
            alike = place < order.shape[0]
            for seat in range(seats):
                alike = alike and batch.sizes[order[place], seat] == shape[MANY, seat]
        small = cells <= MOST_CELLS and picks <= MOST_PICKS
        if small:
            for lane in range(WIDTH):
                lanes.places[lane] = batch.starts[lanes.games[min(lane, taken - 1)]]
            solve_rows(seats, picks, batch.tensor, lanes, precision, follow)
        for lane in range(taken):
            game = lanes.games[lane]
            if small and lanes.marks[FOUND, lane] > 0.0 and lanes.levels[SPARE_TWO, lane] <= RESOLVED:
                residual = max(residual, lanes.levels[SPARE_TWO, lane])
                for seat in range(seats):
                    values[game, seat] = lanes.tables[0, seat, lane]
            else:
                left[many] = game
                many += 1
    return many, residual
