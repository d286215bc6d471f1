"""Rows of numbers, one a game: the arithmetic by which many small stage games are solved side by side.

Games with the same numbers of picks stand in *lanes*. Every number is a row of ``WIDTH`` numbers, one a game, and every
step a loop over a row, which becomes vector instructions (a row's length is read from the arrays: loops of a length
known beforehand would be unrolled instead).

Only seats with a choice take part, as *players*, those with fewer picks first. Each player's utilities are held as
*gains*, the utility of a pick less that of the player's first one, in a table with its other picks along the first axis
and the other players' along the rest, in order. Expected gains are found by contracting these
(:mod:`solvers.endgame.seats_logit_tables`); :mod:`solvers.endgame.seats_logit_many` puts it together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, F8, FLOATS, I8, MAX_SEATS, ROW
from solvers.endgame.seats_levels import BATCHES
from solvers.endgame.seats_mixes import MATRIX

WIDTH = 32
"""Games side by side: 16 take a fifth to a half longer each (more turns of short loops), 64 about as long."""
MOST_CELLS, MOST_PICKS = 512, 40
"""The largest games taken: joint picks, and picks of all seats together."""
_CLOSE = 1e-7
ROW_LENGTH = np.int64(WIDTH)
"""From a row to the next in arrays that hold several one after the other, so that the compiler can tell them apart."""
CUBE = numba.float64[:, :, ::1]
MANY, START, SEAT, STRIDE, COUNT = range(5)
"""Rows of ``shape``: each player's number of picks, where its picks begin in a list of all players', which seat it is,
by how many joint picks of the game its next pick is further on, and a counter."""
FOUND, MOVING, UNDER_WAY = range(3)
"""Rows of ``marks``, 1 or 0: whether the game is solved, or still may be; whether Newton's method still moves; and
whether a step along the branch is being tried."""
LEVEL, NEXT, STEP, LENGTH, MOVED, DETERMINANT, SPARE_ONE, SPARE_TWO, LEVEL_ROWS = range(9)
"""Rows of ``levels``: the precision reached, the one aimed at, the next step in precision, how far the log-odds were
taken along the branch for it, how far Newton's method has moved them since, the determinant of the last system, and
scratch."""


class Lanes(NamedTuple):
    """What one worker needs to itself. All but ``shape`` consist of rows of ``WIDTH``, a place a game.

    ``games`` are their places in a batch and ``places`` in its tensor; ``cells[seat]`` has a seat's utilities by the
    players' joint picks, ``gains[player]`` a player's table, ``tables`` room for contracted ones; ``odds``, ``trial``
    (log-odds) and ``weights`` run over the picks of all players, log-odds 0 for each player's first; ``pairs[p]`` has
    the expected gain of pick ``p`` and then what it is for each of the other players' replies but their first ones;
    ``system`` is a linear system with its right-hand side last; ``change`` holds two square matrices over players, row
    by row.
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
    pairs: np.ndarray
    system: np.ndarray
    change: np.ndarray
    marks: np.ndarray
    levels: np.ndarray


def new_lanes() -> Lanes:
    """Room for ``WIDTH`` games."""
    return Lanes(
        shape=np.zeros((5, MAX_SEATS), dtype=np.int64),
        games=np.zeros(WIDTH, dtype=np.int64),
        places=np.zeros(WIDTH, dtype=np.int64),
        cells=np.zeros((MAX_SEATS, MOST_CELLS * WIDTH)),
        gains=np.zeros((MAX_SEATS, MOST_CELLS * WIDTH)),
        tables=np.zeros((2, MOST_CELLS * WIDTH)),
        odds=np.zeros((MOST_PICKS, WIDTH)),
        trial=np.zeros((MOST_PICKS, WIDTH)),
        weights=np.zeros(MOST_PICKS * WIDTH),
        pairs=np.zeros((MOST_PICKS, MOST_PICKS * WIDTH)),
        system=np.zeros((MOST_PICKS, MOST_PICKS + 1, WIDTH)),
        change=np.zeros((2, MAX_SEATS**2, WIDTH)),
        marks=np.zeros((3, WIDTH)),
        levels=np.zeros((LEVEL_ROWS, WIDTH)),
    )


LANES = numba.typeof(new_lanes())


@lean_kernel(I8(I8, ROW, BOARD))
def find_players(seats: Any, sizes: Any, shape: Any) -> Any:
    """Set ``shape`` for games in which the seats have these numbers of picks; how many players they have."""
    players, stride = 0, 1
    for seat in range(seats - 1, -1, -1):
        many = sizes[seat]
        if many > 1:
            place = players
            while place > 0 and shape[MANY, place - 1] > many:
                for row in (MANY, SEAT, STRIDE):
                    shape[row, place] = shape[row, place - 1]
                place -= 1
            shape[MANY, place], shape[SEAT, place], shape[STRIDE, place] = many, seat, stride
            players += 1
        stride *= many
    picks = 0
    for player in range(players):
        shape[START, player] = picks
        picks += shape[MANY, player]
    return players


@lean_kernel(I8(I8, BATCHES, ROW, I8, LANES))
def take_alike(seats: Any, batch: Any, order: Any, start: Any, lanes: Any) -> Any:
    """Put the next games of ``order`` into lanes, as long as they have the same numbers of picks; how many. Lanes left
    over get the last one, too."""
    sizes, taken, alike = batch.sizes[order[start]], 0, True
    while alike and taken < WIDTH:
        lanes.games[taken] = order[start + taken]
        taken += 1
        alike = start + taken < order.shape[0]
        for seat in range(seats):
            alike = alike and batch.sizes[order[start + taken], seat] == sizes[seat]
    for lane in range(WIDTH):
        lanes.places[lane] = batch.starts[lanes.games[min(lane, taken - 1)]]
    return taken


@lean_kernel((I8, I8, FLOATS, ROW, BOARD, MATRIX))
def gather_cells(seats: Any, players: Any, tensor: Any, places: Any, shape: Any, cells: Any) -> Any:
    """Copy the utilities of the games that begin in these places of a tensor into lanes."""
    width = places.shape[0]
    for player in range(players):
        shape[COUNT, player] = 0
    cell, offset, player = 0, 0, 0
    while player >= 0:
        for seat in range(seats):
            place = offset * seats + seat
            for lane in range(width):
                cells[seat, cell * ROW_LENGTH + lane] = tensor[np.uint64(places[lane] + place)]
        cell += 1
        player = players - 1
        while player >= 0:
            shape[COUNT, player] += 1
            offset += shape[STRIDE, player]
            if shape[COUNT, player] < shape[MANY, player]:
                break
            offset -= shape[MANY, player] * shape[STRIDE, player]
            shape[COUNT, player] = 0
            player -= 1


@lean_kernel(FLOATS(FLOATS, I8), inline=True)
def row_of(rows: Any, place: Any) -> Any:
    """One of several rows that stand one after the other."""
    return rows[place * ROW_LENGTH : (place + 1) * ROW_LENGTH]


@lean_kernel((I8, I8, BOARD, FLOATS, FLOATS), vector=True)
def fill_gains(players: Any, player: Any, shape: Any, cells: Any, gains: Any) -> Any:
    """Write a player's table of gains."""
    before, after = 1, 1
    for other in range(player):
        before *= shape[MANY, other]
    for other in range(player + 1, players):
        after *= shape[MANY, other]
    picks = shape[MANY, player]
    for outer in range(before):
        for inner in range(after):
            base = row_of(cells, outer * picks * after + inner)
            for pick in range(1, picks):
                cell = row_of(cells, (outer * picks + pick) * after + inner)
                gain = row_of(gains, ((pick - 1) * before + outer) * after + inner)
                for lane in range(gain.shape[0]):
                    gain[lane] = cell[lane] - base[lane]


_LOG2E, _LN2_HIGH, _LN2_LOW = 1.4426950408889634, 6.93147180369123816490e-01, 1.90821492927058770002e-10
_ROUND = 1.5 * 2.0**52
"""Added to a small number, this leaves it rounded in the lowest bits."""
_EXPONENT, _ONE = np.uint64(52), np.uint64(1023 << 52)


@lean_kernel(F8(F8), inline=True)
def exp_of_minus(number: Any) -> Any:
    """exp(-number) to 4e-16 of itself, for numbers from 0 to 700, and exp(-700) beyond.

    The series after taking out the powers of two: for loops that are to become vector code, which a call of the
    library's function would not (3.5 ns a number instead of 10).
    """
    number = number if number < 700.0 else 700.0
    rounded = number * _LOG2E + _ROUND
    twos = rounded - _ROUND
    rest = (twos * _LN2_HIGH - number) + twos * _LN2_LOW
    series = 1 / 479001600
    series = series * rest + 1 / 39916800
    series = series * rest + 1 / 3628800
    series = series * rest + 1 / 362880
    series = series * rest + 1 / 40320
    series = series * rest + 1 / 5040
    series = series * rest + 1 / 720
    series = series * rest + 1 / 120
    series = series * rest + 1 / 24
    series = series * rest + 1 / 6
    series = (series * rest + 0.5) * rest + 1.0
    bits = np.float64(rounded).view(np.uint64)
    return (series * rest + 1.0) * np.uint64(_ONE - (bits << _EXPONENT)).view(np.float64)


@lean_kernel((I8, BOARD, MATRIX, FLOATS, MATRIX), vector=True)
def set_weights(players: Any, shape: Any, odds: Any, weights: Any, levels: Any) -> Any:
    """Write the weights with these log-odds."""
    width = odds.shape[1]
    top, total = levels[SPARE_ONE], levels[SPARE_TWO]
    for player in range(players):
        first, many = shape[START, player], shape[MANY, player]
        if many == 2:
            ratio, one, two = odds[first + 1], row_of(weights, first), row_of(weights, first + 1)
            for lane in range(width):
                less = exp_of_minus(abs(ratio[lane]))
                more = 1.0 / (1.0 + less)
                less *= more
                up = ratio[lane] > 0.0
                one[lane] = less if up else more
                two[lane] = more if up else less
            continue
        for lane in range(width):
            top[lane] = 0.0
            total[lane] = 0.0
        for p in range(first + 1, first + many):
            for lane in range(width):
                top[lane] = odds[p, lane] if odds[p, lane] > top[lane] else top[lane]
        for p in range(first, first + many):
            weight = row_of(weights, p)
            for lane in range(width):
                weight[lane] = exp_of_minus(top[lane] - odds[p, lane])
                total[lane] += weight[lane]
        for p in range(first, first + many):
            weight = row_of(weights, p)
            for lane in range(width):
                weight[lane] /= total[lane]


@lean_kernel((I8, BOARD, MATRIX, FLOATS, FLOATS, CUBE), vector=True)
def fill_slopes(players: Any, shape: Any, pairs: Any, weights: Any, precision: Any, system: Any) -> Any:
    """Write the derivatives of the equations by the log-odds, at a precision a game."""
    width = precision.shape[0]
    line = 0
    for player in range(players):
        for p in range(shape[START, player] + 1, shape[START, player] + shape[MANY, player]):
            column, reply = 0, 1
            expected = row_of(pairs[p], 0)
            for other in range(players):
                for q in range(shape[START, other] + 1, shape[START, other] + shape[MANY, other]):
                    slope = system[line, column]
                    if other == player:
                        for lane in range(width):
                            slope[lane] = 1.0 if p == q else 0.0
                    else:
                        weight, pair = row_of(weights, q), row_of(pairs[p], reply)
                        for lane in range(width):
                            slope[lane] = precision[lane] * weight[lane] * (expected[lane] - pair[lane])
                        reply += 1
                    column += 1
            line += 1


@lean_kernel((I8, BOARD, MATRIX, MATRIX, FLOATS, CUBE), vector=True)
def aim_back(players: Any, shape: Any, pairs: Any, odds: Any, precision: Any, system: Any) -> Any:
    """Write the right-hand sides of a step of Newton's method."""
    width, line = odds.shape[1], 0
    size = shape[START, players - 1] + shape[MANY, players - 1] - players
    for player in range(players):
        for p in range(shape[START, player] + 1, shape[START, player] + shape[MANY, player]):
            for lane in range(width):
                system[line, size, lane] = precision[lane] * pairs[p, lane] - odds[p, lane]
            line += 1


@lean_kernel((I8, BOARD, MATRIX, CUBE), vector=True)
def aim_along(players: Any, shape: Any, pairs: Any, system: Any) -> Any:
    """Write the right-hand sides that lead to the change of the log-odds with the precision."""
    width, line = system.shape[2], 0
    size = shape[START, players - 1] + shape[MANY, players - 1] - players
    for player in range(players):
        for p in range(shape[START, player] + 1, shape[START, player] + shape[MANY, player]):
            for lane in range(width):
                system[line, size, lane] = pairs[p, lane]
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
def move_odds(players: Any, shape: Any, system: Any, odds: Any, marks: Any, levels: Any) -> Any:
    """Take the step in the games that still move, and mark those that come to rest; how many still move."""
    width = odds.shape[1]
    step, largest, moving = levels[SPARE_ONE], levels[SPARE_TWO], 0.0
    size = shape[START, players - 1] + shape[MANY, players - 1] - players
    for lane in range(width):
        step[lane] = 0.0
        largest[lane] = 1.0
    line = 0
    for player in range(players):
        for p in range(shape[START, player] + 1, shape[START, player] + shape[MANY, player]):
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
