"""Logit equilibria of many small stage games at once, side by side in lanes (:mod:`solvers.endgame.seats_logit_rows`).

The mathematics is that of :mod:`solvers.endgame.seats_logit`. Games whose responses contract are solved by Newton's
method from equal chances. In the others the branch is followed from the precision up to which they surely contract: the
precision is raised in steps, a step along the branch and Newton's method back to it, as long as that way back is short.
Where the branch is too steep for that, as where it turns back, games are left to the way of one game at a time. What a
game gets does not depend on which others are solved beside it.

Measured at two cards left of four seats, one at a time in brackets: some 1 µs a game that contracts (12), 4 to 10 µs
another (35 to 130).

Tried without gain: keeping the mixes of games by their gains (of neighbouring games of four seats a sixth to a half
were met before, but to find them took as long as it saved), 64 games side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOOL, F8, FLOATS, I8, ROW
from solvers.endgame.seats_levels import BATCHES
from solvers.endgame.seats_logit import LONGEST, NEARLY, SHORT, WAY_BACK, weighed
from solvers.endgame.seats_logit_bounds import bound_change, find_sure_precision, mark_contracting
from solvers.endgame.seats_logit_rows import (
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
    ROW_LENGTH,
    SEAT,
    SPARE_TWO,
    START,
    STEP,
    UNDER_WAY,
    Lanes,
    aim_along,
    aim_back,
    fill_gains,
    fill_slopes,
    find_players,
    gather_cells,
    move_odds,
    set_weights,
    solve_system,
    take_alike,
)
from solvers.endgame.seats_logit_tables import fill_pairs_of, fill_values
from solvers.endgame.seats_mixes import MATRIX, RESOLVED

_NEWTON_STEPS, _STEPS_BACK = 12, 5
"""The most steps of Newton's method from equal chances, and back to the branch."""
_STEPS_ALONG = 40
"""The most steps along the branch, those taken back included."""
_SHORTEST = 1e-3
"""The shortest step, as a share of the precision aimed at."""


@lean_kernel((I8, LANES, MATRIX), inline=True)
def respond(players: Any, lanes: Any, odds: Any) -> Any:
    """Fill ``weights`` from log-odds, and ``pairs`` from these."""
    set_weights(players, lanes.shape, odds, lanes.weights, lanes.levels)
    for player in range(players):
        fill_pairs_of(players, player, lanes.shape, lanes.gains[player], lanes.tables, lanes.weights, lanes.pairs)


@lean_kernel((I8, LANES, MATRIX, FLOATS, I8))
def settle_rows(players: Any, lanes: Any, odds: Any, precision: Any, steps: Any) -> Any:
    """Newton's method on log-odds, at a precision a game, in the games marked ``MOVING``; whose mark goes at rest."""
    shape = lanes.shape
    size = shape[START, players - 1] + shape[MANY, players - 1] - players
    for lane in range(lanes.levels.shape[1]):
        lanes.levels[MOVED, lane] = 0.0
    for _ in range(steps):
        respond(players, lanes, odds)
        fill_slopes(players, shape, lanes.pairs, lanes.weights, precision, lanes.system)
        aim_back(players, shape, lanes.pairs, odds, precision, lanes.system)
        solve_system(size, lanes.system, lanes.levels)
        if move_odds(players, shape, lanes.system, odds, lanes.marks, lanes.levels) == 0.0:
            return


@lean_kernel((I8, LANES, F8), inline=True)
def step_forward(players: Any, lanes: Any, precision: Any) -> Any:
    """Put ``trial`` a step along the branch from ``odds``, no further than to this precision, and mark as ``MOVING``
    the games that are not there yet."""
    shape, levels, system = lanes.shape, lanes.levels, lanes.system
    size = shape[START, players - 1] + shape[MANY, players - 1] - players
    respond(players, lanes, lanes.odds)
    fill_slopes(players, shape, lanes.pairs, lanes.weights, levels[LEVEL], system)
    aim_along(players, shape, lanes.pairs, system)
    solve_system(size, system, levels)
    for lane in range(levels.shape[1]):
        steepest, line = 1e-300, 0
        for player in range(players):
            for p in range(shape[START, player] + 1, shape[START, player] + shape[MANY, player]):
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
        for player in range(players):
            for p in range(shape[START, player] + 1, shape[START, player] + shape[MANY, player]):
                lanes.trial[p, lane] = lanes.odds[p, lane] + step * system[line, size, lane]
                line += 1


@lean_kernel(BOOL(I8, LANES, F8), inline=True)
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


@lean_kernel((I8, I8, LANES, F8), inline=True)
def follow_rows(players: Any, picks: Any, lanes: Any, precision: Any) -> Any:
    """Follow the branch of each game to this precision, from where its responses surely contract; marks those found."""
    levels, marks = lanes.levels, lanes.marks
    find_sure_precision(players, lanes.change, levels[LEVEL], levels)
    for lane in range(levels.shape[1]):
        levels[LEVEL, lane] = min(precision, NEARLY * levels[LEVEL, lane])
        levels[STEP, lane] = precision
        marks[MOVING, lane] = 1.0
    settle_rows(players, lanes, lanes.odds, levels[LEVEL], _NEWTON_STEPS)
    for lane in range(levels.shape[1]):
        marks[FOUND, lane] = 1.0 - marks[MOVING, lane]
    for _ in range(_STEPS_ALONG):
        step_forward(players, lanes, precision)
        settle_rows(players, lanes, lanes.trial, levels[NEXT], _STEPS_BACK)
        if not accept_steps(picks, lanes, precision):
            break
    for lane in range(levels.shape[1]):
        marks[FOUND, lane] = 1.0 if marks[FOUND, lane] > 0.0 and levels[LEVEL, lane] == precision else 0.0


@lean_kernel((I8, I8, LANES, F8), inline=True)
def value_rows(seats: Any, players: Any, lanes: Any, precision: Any) -> Any:
    """Fill ``weights``, write each seat's value to ``trial``, and to ``SPARE_TWO`` a bound on how far a weight is from
    the logit response to the others': half of how far a log-odds is, as weights move by no more than that."""
    levels, shape = lanes.levels, lanes.shape
    respond(players, lanes, lanes.odds)
    apart = levels[SPARE_TWO]
    for lane in range(levels.shape[1]):
        apart[lane] = 0.0
    for player in range(players):
        for p in range(shape[START, player] + 1, shape[START, player] + shape[MANY, player]):
            for lane in range(levels.shape[1]):
                here = 0.5 * abs(precision * lanes.pairs[p, lane] - lanes.odds[p, lane])
                apart[lane] = apart[lane] if here <= apart[lane] else here  # not a number counts as far
    fill_values(seats, players, lanes)


@lean_kernel((I8, I8, I8, FLOATS, LANES, F8, BOOL), inline=True)
def solve_rows(seats: Any, players: Any, picks: Any, tensor: Any, lanes: Any, precision: Any, follow: Any) -> Any:
    """Solve games of one shape that begin in ``places`` of a tensor; what is found is as :func:`value_rows` leaves it.

    With ``follow`` none of them may contract at this precision.
    """
    shape, levels, marks = lanes.shape, lanes.levels, lanes.marks
    gather_cells(seats, players, tensor, lanes.places, shape, lanes.cells)
    for player in range(players):
        fill_gains(players, player, shape, lanes.cells[shape[SEAT, player]], lanes.gains[player])
        bound_change(players, player, shape, lanes.gains[player], lanes.tables[0], levels, lanes.change[0])
    lanes.odds[:picks] = 0.0
    lanes.trial[:picks] = 0.0
    if players == 0:
        marks[FOUND] = 1.0
    elif follow:
        follow_rows(players, picks, lanes, precision)
    else:
        mark_contracting(players, lanes.change, precision, marks[FOUND], levels)
        for lane in range(levels.shape[1]):
            levels[LEVEL, lane] = precision
            marks[MOVING, lane] = marks[FOUND, lane]
        settle_rows(players, lanes, lanes.odds, levels[LEVEL], _NEWTON_STEPS)
        for lane in range(levels.shape[1]):
            marks[FOUND, lane] *= 1.0 - marks[MOVING, lane]
    value_rows(seats, players, lanes, precision)


@lean_kernel(numba.types.Tuple((I8, F8))(I8, BATCHES, ROW, MATRIX, LANES, F8, BOOL, ROW))
def solve_many(
    seats: Any, batch: Any, order: Any, values: Any, lanes: Any, precision: Any, follow: Any, left: Any
) -> Any:
    """Write the values of the games listed in ``order``, those of one shape together: of small ones that contract, or
    with ``follow`` (of which none may) of those whose branch could be followed.

    Returns how many games are ``left``, listed there in the same order, and the largest residual of the others.
    ``left`` may be ``order`` itself.
    """
    shape, marks = lanes.shape, lanes.marks
    many, residual, place = 0, 0.0, 0
    while place < order.shape[0]:
        players = find_players(seats, batch.sizes[order[place]], shape)
        picks, cells = 0, 1
        for player in range(players):
            picks += shape[MANY, player]
            cells *= shape[MANY, player]
        taken = take_alike(seats, batch, order, place, lanes)
        place += taken
        if cells <= MOST_CELLS and picks <= MOST_PICKS:
            solve_rows(seats, players, picks, batch.tensor, lanes, precision, follow)
            for lane in range(taken):
                marks[FOUND, lane] *= 1.0 if lanes.levels[SPARE_TWO, lane] <= RESOLVED else 0.0
        else:
            marks[FOUND] = 0.0
        for lane in range(taken):
            game = lanes.games[lane]
            if marks[FOUND, lane] > 0.0:
                residual = max(residual, lanes.levels[SPARE_TWO, lane])
                for seat in range(seats):
                    values[game, seat] = lanes.trial[seat, lane]
            else:
                left[many] = game
                many += 1
    return many, residual


def first_mixes(lanes: Lanes, sizes: Sequence[int]) -> list[np.ndarray]:
    """Every seat's mix in the first of the games just valued, in which the seats have so many picks."""
    mixes = [np.ones(1) for _ in sizes]
    for player in range(sum(size > 1 for size in sizes)):
        start, many = lanes.shape[START, player], lanes.shape[MANY, player]
        mixes[lanes.shape[SEAT, player]] = lanes.weights.reshape(-1, ROW_LENGTH)[start : start + many, 0].copy()
    return mixes
