"""Rows of numbers, one a game: the arithmetic by which many small stage games are solved side by side.

Games with the same numbers of picks stand in *lanes*. Every number is a row of ``WIDTH`` numbers, one a game, and every
step a loop over a row, which becomes vector instructions (a row's length is read from the arrays: loops of a length
known beforehand would be unrolled instead).

Each seat's utilities are held as *gains*, the utility of a pick less that of the seat's first one, in a table with the
seat's other picks along the first axis and the other seats' along the rest, in seat order. Expected gains are found by
contracting one axis after the other with a seat's weights. :mod:`solvers.endgame.seats_logit_many` puts it together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, F8, FLOATS, I8, MAX_SEATS, ROW
from solvers.endgame.seats_mixes import MATRIX

WIDTH = 32
"""Games side by side: with 16 about a tenth slower, with 8 half as slow again (more turns of short loops)."""
MOST_CELLS, MOST_PICKS = 512, 40
"""The largest games taken: joint picks, and picks of all seats together."""
_CLOSE = 1e-7
CUBE = numba.float64[:, :, ::1]
MANY, START = range(2)
"""Rows of ``shape``: each seat's number of picks, and where its picks begin in a list of all."""
FOUND, MOVING, UNDER_WAY = range(3)
"""Rows of ``marks``, 1 or 0: whether the game is solved, or still may be; whether Newton's method still moves; and
whether a step along the branch is being tried."""
LEVEL, NEXT, STEP, LENGTH, MOVED, DETERMINANT, SPARE_ONE, SPARE_TWO, LEVEL_ROWS = range(9)
"""Rows of ``levels``: the precision reached, the one aimed at, the next step in precision, how far the log-odds were
taken along the branch for it, how far Newton's method has moved them since, the determinant of the last system, and
scratch."""


class Lanes(NamedTuple):
    """What one worker needs to itself. The last axis of all but ``shape`` has a place a game.

    ``games`` are their places in a batch and ``places`` in its tensor; ``cells`` has the utilities of each joint pick
    seat by seat, ``gains[seat]`` a seat's table, ``tables`` room for contracted ones; ``odds``, ``trial`` (log-odds),
    ``weights`` and ``expected`` (gains) run over the picks of all seats, 0 for each seat's first but for weights;
    ``pairs[p, q]`` is the expected gain of ``p`` when another seat takes ``q``; ``system`` is a linear system with its
    right-hand side last; ``change`` holds two square matrices over seats, row by row.
    """

    shape: np.ndarray
    games: np.ndarray
    places: np.ndarray
    cells: np.ndarray
    gains: np.ndarray
    tables: np.ndarray
    odds: np.ndarray
    trial: np.ndarray
    weights: np.ndarray
    expected: np.ndarray
    pairs: np.ndarray
    system: np.ndarray
    change: np.ndarray
    marks: np.ndarray
    levels: np.ndarray


def new_lanes() -> Lanes:
    """Room for ``WIDTH`` games."""
    return Lanes(
        shape=np.zeros((2, MAX_SEATS), dtype=np.int64),
        games=np.zeros(WIDTH, dtype=np.int64),
        places=np.zeros(WIDTH, dtype=np.int64),
        cells=np.zeros((MOST_CELLS * MAX_SEATS, WIDTH)),
        gains=np.zeros((MAX_SEATS, MOST_CELLS, WIDTH)),
        tables=np.zeros((2 + MAX_SEATS, MOST_CELLS, WIDTH)),
        odds=np.zeros((MOST_PICKS, WIDTH)),
        trial=np.zeros((MOST_PICKS, WIDTH)),
        weights=np.zeros((MOST_PICKS, WIDTH)),
        expected=np.zeros((MOST_PICKS, WIDTH)),
        pairs=np.zeros((MOST_PICKS, MOST_PICKS, WIDTH)),
        system=np.zeros((MOST_PICKS, MOST_PICKS + 1, WIDTH)),
        change=np.zeros((2, MAX_SEATS**2, WIDTH)),
        marks=np.zeros((3, WIDTH)),
        levels=np.zeros((LEVEL_ROWS, WIDTH)),
    )


LANES = numba.typeof(new_lanes())


@lean_kernel((I8, FLOATS, ROW, BOARD, MATRIX))
def gather_cells(seats: Any, tensor: Any, places: Any, shape: Any, cells: Any) -> Any:
    """Copy the utilities of the games that begin in these places of a tensor into lanes."""
    width = cells.shape[1]
    length = seats
    for seat in range(seats):
        length *= shape[MANY, seat]
    for place in range(length):
        for lane in range(width):
            cells[place, lane] = tensor[np.uint64(places[lane] + place)]


@lean_kernel((I8, I8, BOARD, MATRIX, MATRIX), vector=True)
def fill_gains(seats: Any, seat: Any, shape: Any, cells: Any, gains: Any) -> Any:
    """Write a seat's table of gains."""
    width = cells.shape[1]
    before, after = 1, 1
    for other in range(seat):
        before *= shape[MANY, other]
    for other in range(seat + 1, seats):
        after *= shape[MANY, other]
    picks = shape[MANY, seat]
    for outer in range(before):
        for inner in range(after):
            base = (outer * picks * after + inner) * seats + seat
            for pick in range(1, picks):
                cell = base + pick * after * seats
                row = ((pick - 1) * before + outer) * after + inner
                for lane in range(width):
                    gains[row, lane] = cells[cell, lane] - cells[base, lane]


@lean_kernel((MATRIX, MATRIX, I8, I8, I8, MATRIX, I8), inline=True)
def contract(source: Any, target: Any, before: Any, size: Any, after: Any, weights: Any, first: Any) -> Any:
    """Contract the axis of ``size`` of a table with the weights from ``first`` on; ``before`` and ``after`` are the
    products of the axes on its sides."""
    width = weights.shape[1]
    for outer in range(before):
        for inner in range(after):
            row, place = outer * after + inner, outer * size * after + inner
            if size == 2:
                for lane in range(width):
                    here = source[place, lane]
                    target[row, lane] = here + weights[first + 1, lane] * (source[place + after, lane] - here)
                continue
            for lane in range(width):
                target[row, lane] = weights[first, lane] * source[place, lane]
            for pick in range(1, size):
                place += after
                for lane in range(width):
                    target[row, lane] += weights[first + pick, lane] * source[place, lane]


@lean_kernel((I8, I8, BOARD, MATRIX, CUBE, MATRIX, CUBE), vector=True)
def fill_pairs_of(seats: Any, seat: Any, shape: Any, gains: Any, tables: Any, weights: Any, pairs: Any) -> Any:
    """Write ``pairs`` for the picks of one seat.

    The other seats are contracted from the last on; before each one is, the seats in front of it are, in two tables
    aside, which leaves the pairs with it.
    """
    width = weights.shape[1]
    picks = shape[MANY, seat] - 1
    if picks == 0:
        return
    before = picks
    for other in range(seats):
        before *= 1 if other == seat else shape[MANY, other]
    behind = gains
    for other in range(seats - 1, -1, -1):
        if other == seat:
            continue
        many, first = shape[MANY, other], shape[START, other]
        before //= many
        source, aside, after = behind, 0, before // picks * many
        for front in range(other):
            if front != seat:
                after //= shape[MANY, front]
                contract(source, tables[aside], picks, shape[MANY, front], after, weights, shape[START, front])
                source = tables[aside]
                aside = 1 - aside
        for pick in range(picks):
            p = shape[START, seat] + 1 + pick
            for reply in range(many):
                for lane in range(width):
                    pairs[p, first + reply, lane] = source[pick * many + reply, lane]
        contract(behind, tables[2 + other], before, many, 1, weights, first)
        behind = tables[2 + other]


@lean_kernel((I8, BOARD, MATRIX, MATRIX, MATRIX), vector=True)
def set_weights(seats: Any, shape: Any, odds: Any, weights: Any, levels: Any) -> Any:
    """Write the weights with these log-odds."""
    width = weights.shape[1]
    top, total = levels[SPARE_ONE], levels[SPARE_TWO]
    for seat in range(seats):
        first, many = shape[START, seat], shape[MANY, seat]
        if many == 2:
            for lane in range(width):
                weights[first, lane] = np.exp(-abs(odds[first + 1, lane]))
            for lane in range(width):
                less = weights[first, lane]
                more, less = 1.0 / (1.0 + less), less / (1.0 + less)
                up = odds[first + 1, lane] > 0.0
                weights[first, lane] = less if up else more
                weights[first + 1, lane] = more if up else less
            continue
        for lane in range(width):
            top[lane] = 0.0
            total[lane] = 0.0
        for p in range(first + 1, first + many):
            for lane in range(width):
                top[lane] = odds[p, lane] if odds[p, lane] > top[lane] else top[lane]
        for p in range(first, first + many):
            for lane in range(width):
                weights[p, lane] = np.exp(odds[p, lane] - top[lane])
                total[lane] += weights[p, lane]
        for p in range(first, first + many):
            for lane in range(width):
                weights[p, lane] /= total[lane]


@lean_kernel((I8, BOARD, CUBE, MATRIX, MATRIX), vector=True)
def fill_expected(seats: Any, shape: Any, pairs: Any, weights: Any, expected: Any) -> Any:
    """Write the expected gain of every pick, from ``pairs``."""
    width = weights.shape[1]
    for seat in range(seats):
        other = 0 if seat else 1
        start, stop = shape[START, other], shape[START, other] + shape[MANY, other]
        for lane in range(width):
            expected[shape[START, seat], lane] = 0.0
        for p in range(shape[START, seat] + 1, shape[START, seat] + shape[MANY, seat]):
            for lane in range(width):
                expected[p, lane] = 0.0
            for q in range(start, stop):
                for lane in range(width):
                    expected[p, lane] += weights[q, lane] * pairs[p, q, lane]


@lean_kernel((I8, BOARD, CUBE, MATRIX, MATRIX, FLOATS, CUBE), vector=True)
def fill_slopes(seats: Any, shape: Any, pairs: Any, weights: Any, expected: Any, precision: Any, system: Any) -> Any:
    """Write the derivatives of the equations by the log-odds, at a precision a game."""
    width = weights.shape[1]
    line = 0
    for seat in range(seats):
        for p in range(shape[START, seat] + 1, shape[START, seat] + shape[MANY, seat]):
            column = 0
            for other in range(seats):
                for q in range(shape[START, other] + 1, shape[START, other] + shape[MANY, other]):
                    if other == seat:
                        for lane in range(width):
                            system[line, column, lane] = 1.0 if p == q else 0.0
                    else:
                        for lane in range(width):
                            slope = precision[lane] * weights[q, lane] * (pairs[p, q, lane] - expected[p, lane])
                            system[line, column, lane] = -slope
                    column += 1
            line += 1


@lean_kernel((I8, BOARD, MATRIX, MATRIX, FLOATS, CUBE), vector=True)
def aim_back(seats: Any, shape: Any, expected: Any, odds: Any, precision: Any, system: Any) -> Any:
    """Write the right-hand sides of a step of Newton's method."""
    width, line = odds.shape[1], 0
    size = shape[START, seats - 1] + shape[MANY, seats - 1] - seats
    for seat in range(seats):
        for p in range(shape[START, seat] + 1, shape[START, seat] + shape[MANY, seat]):
            for lane in range(width):
                system[line, size, lane] = precision[lane] * expected[p, lane] - odds[p, lane]
            line += 1


@lean_kernel((I8, BOARD, MATRIX, CUBE), vector=True)
def aim_along(seats: Any, shape: Any, expected: Any, system: Any) -> Any:
    """Write the right-hand sides that lead to the change of the log-odds with the precision."""
    width, line = expected.shape[1], 0
    size = shape[START, seats - 1] + shape[MANY, seats - 1] - seats
    for seat in range(seats):
        for p in range(shape[START, seat] + 1, shape[START, seat] + shape[MANY, seat]):
            for lane in range(width):
                system[line, size, lane] = expected[p, lane]
            line += 1


@lean_kernel((I8, CUBE, MATRIX), vector=True)
def solve_system(size: Any, system: Any, levels: Any) -> Any:
    """Solve the systems into their last columns, without exchanging rows: where responses contract, what is left of the
    diagonal never vanishes (the matrix of bounds makes it an H-matrix); elsewhere nonsense is noticed afterwards."""
    width, factor = levels.shape[1], levels[SPARE_ONE]
    for lane in range(width):
        levels[DETERMINANT, lane] = 1.0
    for column in range(size):
        for lane in range(width):
            levels[DETERMINANT, lane] *= system[column, column, lane]
        for row in range(column + 1, size):
            for lane in range(width):
                factor[lane] = system[row, column, lane] / system[column, column, lane]
            for place in range(column + 1, size + 1):
                for lane in range(width):
                    system[row, place, lane] -= factor[lane] * system[column, place, lane]
    for row in range(size - 1, -1, -1):
        for column in range(row + 1, size):
            for lane in range(width):
                system[row, size, lane] -= system[row, column, lane] * system[column, size, lane]
        for lane in range(width):
            system[row, size, lane] /= system[row, row, lane]


@lean_kernel(F8(I8, BOARD, CUBE, MATRIX, MATRIX, MATRIX), vector=True)
def move_odds(seats: Any, shape: Any, system: Any, odds: Any, marks: Any, levels: Any) -> Any:
    """Take the step in the games that still move, and mark those that come to rest; how many still move."""
    width = odds.shape[1]
    step, largest, moving = levels[SPARE_ONE], levels[SPARE_TWO], 0.0
    size = shape[START, seats - 1] + shape[MANY, seats - 1] - seats
    for lane in range(width):
        step[lane] = 0.0
        largest[lane] = 1.0
    line = 0
    for seat in range(seats):
        for p in range(shape[START, seat] + 1, shape[START, seat] + shape[MANY, seat]):
            for lane in range(width):
                moved = system[line, size, lane]
                moved = moved if marks[MOVING, lane] > 0.0 else 0.0
                odds[p, lane] += moved
                far, near = abs(odds[p, lane]), abs(moved)
                largest[lane] = far if far > largest[lane] else largest[lane]
                step[lane] = step[lane] if near <= step[lane] else near  # not a number counts as far
            line += 1
    for lane in range(width):
        levels[MOVED, lane] += step[lane]
        at_rest = step[lane] <= _CLOSE * largest[lane]
        marks[MOVING, lane] = 0.0 if at_rest else marks[MOVING, lane]
        moving += marks[MOVING, lane]
    return moving


@lean_kernel((I8, BOARD, MATRIX, MATRIX, MATRIX, MATRIX), vector=True)
def fill_shares(seats: Any, shape: Any, cells: Any, weights: Any, levels: Any, values: Any) -> Any:
    """Write each seat's expected utility to a row of ``values``."""
    width = weights.shape[1]
    length = 1
    for seat in range(seats):
        length *= shape[MANY, seat]
        for lane in range(width):
            values[seat, lane] = 0.0
    chance = levels[SPARE_ONE]
    for cell in range(length):
        rest = cell
        for lane in range(width):
            chance[lane] = 1.0
        for seat in range(seats - 1, -1, -1):
            p = shape[START, seat] + rest % shape[MANY, seat]
            rest //= shape[MANY, seat]
            for lane in range(width):
                chance[lane] *= weights[p, lane]
        for seat in range(seats):
            for lane in range(width):
                values[seat, lane] += chance[lane] * cells[cell * seats + seat, lane]
