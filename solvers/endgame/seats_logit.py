"""The logit equilibrium of a stage game, on the branch that starts at equal chances (``--against quantal:L``).

In a logit (quantal response) equilibrium of precision L every seat takes each of its picks with a chance proportional
to exp(L x the pick's utility against the others' mixes). At L = 0 all picks are equally likely; from there exactly one
branch of equilibria leads on, for almost all games (McKelvey and Palfrey 1995), and the answer is the first point where
it reaches L.

Write y for the log-odds of each pick against the seat's first one and w for its utility less the first one's: the
equations are F(y, L) = y - L w(y) = 0. They are solved in one of two ways:

- *Contraction.* When L is so small that the responses contract, the solution is unique and so is every one on the way
  from 0; Newton's method finds it. The test: let D[i, j] be the most that a change of seat j's pick can change what one
  pick of seat i earns against the average of its picks. A change of mixes moves seat i's response by at most
  L/2 x the sum of D[i, j] x the move of seat j (in the sum of absolute changes), so they contract when the matrix
  (L/2) D has spectral radius below 1, which a power of it with row sums below 1 proves.
- *Continuation.* Otherwise the branch is followed from the largest precision at which they surely contract, by
  pseudo-arclength steps, which also pass points where it turns back in L: a step along the tangent, then Newton's
  method back to the branch, at right angles to the tangent; the step shrinks when the way back is long (Turocy, "A
  dynamic homotopy interpretation of the logistic quantal response equilibrium correspondence", 2005). The derivatives
  of F and the tangent, in one matrix, have a determinant that is 1 at L = 0 and keeps its sign along the branch: where
  it has the other one, a step has landed on another branch, and is taken back. Only where branches cross does the sign
  change however short the step. That takes a symmetry of the game, such as two seats in the same situation: the branch
  on which equals are treated alike throws off arms on which they are not, and is itself followed straight on.

Many small games are first tried side by side (:mod:`solvers.endgame.seats_logit_many`).
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOOL, F8, FLOATS, I8
from solvers.endgame.seats_mixes import (
    COUNTER,
    FIRST,
    FULL_SIZE,
    PROFILE,
    SIZE,
    STRIDE,
    fill_expected,
    fill_pairs,
    fill_utilities,
    next_counter,
    solve_linear,
    support_everything,
)

_NEWTON_STEPS = 12
SQUARINGS = 4
NEARLY = 0.999
"""How near to the precision up to which they surely contract the responses are solved directly."""
_MOST_STEPS = 4000
_LEAST_STEP = 1e-9
LONGEST, LARGE = 1.0, 0.3
"""The most that a log-odds may change in a step along the branch, or this share of what it is if that is more. With
longer steps another branch was met now and then: at one in 2,000 games of four seats with two cards left whose
responses do not contract at precision 1, and still at one in 20,000 where the sign of the determinant was heeded."""
WAY_BACK, SHORT = 0.3, 0.1
"""Newton's method may move a point back to the branch by this share of the change of a log-odds in the step, or of
``SHORT`` if that is more."""
CROSSING = 1e-4
"""A change of sign in a step in which no log-odds changes by more than this is a crossing of the branch by another."""
_CLOSE = 1e-7
"""Newton's method is at rest after a step of this size relative to the log-odds: what is left is about its square."""

ODDS, TANGENT, TRIAL, START, PATH_ROWS = range(5)
"""Rows of ``path``, each with a place for every log-odds and the precision last: the current point, the direction of
the branch there, the point being corrected, and where its correction began."""
PATH = numba.float64[:, ::1]


def new_path(picks: int) -> np.ndarray:
    """Room to follow a branch of a game with ``picks`` picks, all seats together."""
    return np.zeros((PATH_ROWS, picks + 1))


@lean_kernel((I8, PROFILE, PATH, I8))
def set_weights(seats: Any, profile: Any, path: Any, row: Any) -> Any:
    """The mixes of the log-odds in a row of ``path``."""
    game, weights = profile.game, profile.weights
    place = 0
    for seat in range(seats):
        start, size = game[FIRST, seat], game[SIZE, seat]
        most = 0.0
        for pick in range(1, size):
            most = max(most, path[row, place + pick - 1])
        total = 0.0
        for pick in range(size):
            odds = path[row, place + pick - 1] if pick else 0.0
            weights[start + pick] = np.exp(odds - most)
            total += weights[start + pick]
        for pick in range(size):
            weights[start + pick] /= total
        place += size - 1


@lean_kernel(F8(FLOATS, I8, PROFILE, PATH, I8, F8))
def linearise(tensor: Any, seats: Any, profile: Any, path: Any, row: Any, unit: Any) -> Any:
    """Write F, its derivatives and the mixes at a row of ``path`` whose precision is per ``unit`` of utility.

    In ``profile.system`` row ``p`` gets the derivatives of F[p] by every log-odds and by the precision, then -F[p].
    Returns the largest of F.
    """
    game, weights, pairs, system = profile.game, profile.weights, profile.pairs, profile.system
    set_weights(seats, profile, path, row)
    fill_pairs(tensor, seats, game, profile.support, weights, pairs, profile.chances)
    fill_utilities(seats, game, weights, pairs, profile.utilities)
    size = game[FIRST, seats - 1] + game[SIZE, seats - 1] - seats
    precision = path[row, size] / unit
    largest = 0.0
    line = 0
    for seat in range(seats):
        base = game[FIRST, seat]
        for p in range(base + 1, base + game[SIZE, seat]):
            gain = profile.utilities[p] - profile.utilities[base]
            column = 0
            for other in range(seats):
                for q in range(game[FIRST, other] + 1, game[FIRST, other] + game[SIZE, other]):
                    slope = 0.0
                    if other != seat:
                        slope = -precision * weights[q] * (pairs[p, q] - pairs[base, q] - gain)
                    system[line, column] = slope + (1.0 if p == q else 0.0)
                    column += 1
            system[line, size] = -gain / unit
            residual = path[row, line] - precision * gain
            system[line, size + 1] = -residual
            largest = max(largest, abs(residual))
            line += 1
    return largest


@lean_kernel(BOOL(FLOATS, I8, PROFILE, PATH, I8, F8))
def settle(tensor: Any, seats: Any, profile: Any, path: Any, size: Any, unit: Any) -> Any:
    """Newton's method on the log-odds in ``TRIAL`` at fixed precision; whether it came to rest."""
    system = profile.system
    for _ in range(_NEWTON_STEPS):
        residual = linearise(tensor, seats, profile, path, TRIAL, unit)
        if not residual < 1e12:
            return False
        for line in range(size):
            system[line, size] = system[line, size + 1]
        if not solve_linear(system, size):
            return False
        step, largest = 0.0, 1.0
        for line in range(size):
            path[TRIAL, line] += system[line, size]
            step = max(step, abs(system[line, size]))
            largest = max(largest, abs(path[TRIAL, line]))
        if step <= _CLOSE * largest:
            return True
    return linearise(tensor, seats, profile, path, TRIAL, unit) <= 1e-10 * (1.0 + path[TRIAL, size])


@lean_kernel(F8(FLOATS, I8, PROFILE, I8, I8))
def most_change(tensor: Any, seats: Any, profile: Any, seat: Any, other: Any) -> Any:
    """D[seat, other] of the module's text."""
    game, highest, lowest = profile.game, profile.deviation[0], profile.deviation[1]
    many, replies = game[SIZE, seat], game[SIZE, other]
    step, stride = game[STRIDE, other] * seats, game[STRIDE, seat] * seats
    game[SIZE, seat], game[SIZE, other] = 1, 1  # so that the counter runs over the rest only
    game[COUNTER] = 0
    largest = 0.0
    more = True
    while more:
        here = seat
        for place in range(seats):
            here += game[COUNTER, place] * game[STRIDE, place] * seats
        for pick in range(many):
            highest[pick] = -np.inf
            lowest[pick] = np.inf
        for _ in range(replies):
            mean = 0.0
            for pick in range(many):
                mean += tensor[here + pick * stride] / many
            for pick in range(many):
                gain = tensor[here + pick * stride] - mean
                highest[pick] = max(highest[pick], gain)
                lowest[pick] = min(lowest[pick], gain)
            here += step
        for pick in range(many):
            largest = max(largest, highest[pick] - lowest[pick])
        more = next_counter(game, seats)
    game[SIZE, seat], game[SIZE, other] = many, replies
    return largest


@lean_kernel(F8(FLOATS, I8, PROFILE))
def contracting_below(tensor: Any, seats: Any, profile: Any) -> Any:
    """A precision below which the logit responses contract (see the module's text)."""
    moves, squared = profile.deviation[2], profile.deviation[3]  # square matrices, row by row
    for seat in range(seats):
        for other in range(seats):
            change = 0.0 if other == seat else most_change(tensor, seats, profile, seat, other)
            moves[seat * seats + other] = 0.5 * change
    power = 1.0
    for _ in range(SQUARINGS):
        power *= 2.0
        for one in range(seats):
            for two in range(seats):
                total = 0.0
                for between in range(seats):
                    total += moves[one * seats + between] * moves[between * seats + two]
                squared[one * seats + two] = total
        moves, squared = squared, moves
    largest = 0.0
    for seat in range(seats):
        total = 0.0
        for other in range(seats):
            total += moves[seat * seats + other]
        largest = max(largest, total)
    return largest ** (-1.0 / power) if largest > 0.0 else np.inf


@lean_kernel(F8(FLOATS, I8))
def spread(tensor: Any, length: Any) -> Any:
    """The largest difference of two numbers of a tensor that belong to one seat is at most this; never 0."""
    low, high = tensor[0], tensor[0]
    for place in range(length):
        low, high = min(low, tensor[place]), max(high, tensor[place])
    return high - low if high > low else 1.0


@lean_kernel((PATH, I8, I8))
def _copy(path: Any, source: Any, target: Any) -> Any:
    for place in range(path.shape[1]):
        path[target, place] = path[source, place]


@lean_kernel(BOOL(FLOATS, I8, PROFILE, PATH, I8, F8))
def turn_tangent(tensor: Any, seats: Any, profile: Any, path: Any, size: Any, unit: Any) -> Any:
    """Turn ``TANGENT`` to the direction of the branch at ``ODDS``, onwards; false where the branch is not smooth."""
    system = profile.system
    linearise(tensor, seats, profile, path, ODDS, unit)
    for line in range(size):
        system[line, size + 1] = 0.0
    for place in range(size + 1):
        system[size, place] = path[TANGENT, place]
    system[size, size + 1] = 1.0
    if not solve_linear(system, size + 1):
        return False
    length = 0.0
    for place in range(size + 1):
        length += system[place, size + 1] ** 2
    length = np.sqrt(length)
    for place in range(size + 1):
        path[TANGENT, place] = system[place, size + 1] / length
    return True


@lean_kernel(F8(F8, F8), inline=True)
def weighed(change: Any, odds: Any) -> Any:
    """A change of log-odds as it counts for the length of a step: less where these are large."""
    return abs(change) / max(1.0, LARGE * abs(odds))


@lean_kernel(F8(PATH, I8))
def steepness(path: Any, size: Any) -> Any:
    """The most that a log-odds changes in a unit step along ``TANGENT``, weighed."""
    steepest = 0.0
    for place in range(size):
        steepest = max(steepest, weighed(path[TANGENT, place], path[ODDS, place]))
    return steepest


@lean_kernel(I8(FLOATS, I8, PROFILE, PATH, I8, F8, F8))
def step_along(tensor: Any, seats: Any, profile: Any, path: Any, size: Any, unit: Any, step: Any) -> Any:
    """Put into ``TRIAL`` the point of a branch about ``step`` further on. Returns the sign of the determinant there, or
    0 if the way back to the branch is too long."""
    system, farthest = profile.system, WAY_BACK * max(step * steepness(path, size), SHORT)
    for place in range(size + 1):
        path[TRIAL, place] = path[ODDS, place] + step * path[TANGENT, place]
    moved = 0.0
    for _ in range(6):
        linearise(tensor, seats, profile, path, TRIAL, unit)
        for place in range(size + 1):
            system[size, place] = path[TANGENT, place]
        system[size, size + 1] = 0.0
        sign = solve_linear(system, size + 1)
        if sign == 0:
            return 0
        change, largest = 0.0, 1.0
        for place in range(size + 1):
            path[TRIAL, place] += system[place, size + 1]
            change += system[place, size + 1] ** 2
            largest = max(largest, abs(path[TRIAL, place]))
        moved += np.sqrt(change)
        if not moved <= farthest:
            return 0
        if np.sqrt(change) <= 1e-9 * largest:
            return sign
    return 0


@lean_kernel(BOOL(FLOATS, I8, PROFILE, PATH, I8, F8, F8))
def arrive(tensor: Any, seats: Any, profile: Any, path: Any, size: Any, unit: Any, goal: Any) -> Any:
    """Settle in ``TRIAL`` at precision ``goal`` between ``ODDS`` (before it) and ``TRIAL`` (past it), near both."""
    share = (goal - path[ODDS, size]) / (path[TRIAL, size] - path[ODDS, size])
    distance = 0.0
    for place in range(size + 1):
        change = path[TRIAL, place] - path[ODDS, place]
        distance = max(distance, abs(change))
        path[TRIAL, place] = path[ODDS, place] + share * change
    path[TRIAL, size] = goal
    _copy(path, TRIAL, START)
    if not settle(tensor, seats, profile, path, size, unit):
        return False
    largest = 0.0
    for place in range(size):
        largest = max(largest, abs(path[TRIAL, place] - path[START, place]))
    return largest <= distance


@lean_kernel(I8(FLOATS, I8, PROFILE, PATH, F8, F8))
def follow_branch(tensor: Any, seats: Any, profile: Any, path: Any, unit: Any, goal: Any) -> Any:
    """Follow the branch from ``ODDS`` along ``TANGENT`` until its precision (per ``unit``) first reaches ``goal``.

    Leaves the point there in ``TRIAL`` and ``ODDS``. Returns the steps taken, or -1 if it failed.
    """
    game = profile.game
    size = game[FIRST, seats - 1] + game[SIZE, seats - 1] - seats
    step, side = 0.5, 1
    for taken in range(_MOST_STEPS):
        if not turn_tangent(tensor, seats, profile, path, size, unit):
            return -1
        while True:
            if step < _LEAST_STEP:
                return -1
            steepest = max(steepness(path, size), _LEAST_STEP)
            step = min(step, LONGEST / steepest)
            sign = step_along(tensor, seats, profile, path, size, unit, step)
            if sign == -side and step * steepest <= CROSSING:
                side = sign
            if sign == side:
                if path[TRIAL, size] < goal:
                    break
                if arrive(tensor, seats, profile, path, size, unit, goal):
                    _copy(path, TRIAL, ODDS)
                    return taken + 1
            step *= 0.5
        _copy(path, TRIAL, ODDS)
        step *= 2.0
    return -1


@lean_kernel((PATH, I8))
def start_branch(path: Any, size: Any) -> Any:
    """Put ``ODDS`` at equal chances and precision 0, facing higher precision."""
    for place in range(size + 1):
        path[ODDS, place] = 0.0
        path[TANGENT, place] = 0.0
        path[TRIAL, place] = 0.0
    path[TANGENT, size] = 1.0


@lean_kernel(F8(FLOATS, I8, PROFILE, F8))
def logit_residual(tensor: Any, seats: Any, profile: Any, precision: Any) -> Any:
    """The largest difference between a weight and the logit response to the others' weights."""
    game, weights, utilities = profile.game, profile.weights, profile.utilities
    fill_expected(tensor, seats, game, profile.support, weights, utilities, profile.chances)
    largest = 0.0
    for seat in range(seats):
        start, stop = game[FIRST, seat], game[FIRST, seat] + game[SIZE, seat]
        best, total = -np.inf, 0.0
        for p in range(start, stop):
            best = max(best, utilities[p])
        for p in range(start, stop):
            total += np.exp(precision * (utilities[p] - best))
        for p in range(start, stop):
            largest = max(largest, abs(weights[p] - np.exp(precision * (utilities[p] - best)) / total))
    return largest


@lean_kernel(F8(FLOATS, I8, PROFILE, PATH, F8))
def solve_logit(tensor: Any, seats: Any, profile: Any, path: Any, precision: Any) -> Any:
    """Write the logit equilibrium of a stage to ``profile.weights`` (all picks in support).

    ``FULL_SIZE`` and ``STRIDE`` of ``profile.game`` must be set. Returns the fixed-point residual: the largest
    difference between a weight and the logit response to the others' weights.
    """
    game = profile.game
    support_everything(game, profile.support, seats)
    size = game[FIRST, seats - 1] + game[SIZE, seats - 1] - seats
    start_branch(path, size)
    row = TRIAL
    found = size == 0 or precision == 0.0
    if not found:
        sure = contracting_below(tensor, seats, profile)
        path[TRIAL, size] = min(precision, NEARLY * sure)
        found = settle(tensor, seats, profile, path, size, 1.0)
        if not found or path[TRIAL, size] < precision:
            unit = spread(tensor, game[FULL_SIZE, 0] * game[STRIDE, 0] * seats)
            path[TRIAL, size] *= unit
            if found:
                _copy(path, TRIAL, ODDS)
            follow_branch(tensor, seats, profile, path, unit, precision * unit)
            row = ODDS  # the goal, or where the branch was lost
    set_weights(seats, profile, path, row)
    return logit_residual(tensor, seats, profile, precision)
