"""Mixed profiles of a stage game: expected utilities, regret, and the linear algebra to change them.

A stage game of several seats is a *tensor*: the utilities of every joint pick, the last seat's pick running fastest and
each joint pick's utilities, seat by seat, in a row. A *profile* gives every seat weights on some of its picks, its
support. Whatever is kept for picks in support (weights, utilities, rows of a matrix) stands in one list, seat after
seat; ``first[seat]`` is where a seat's part begins.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, BOOL, F8, FLOATS, I8, MAX_SEATS
from solvers.endgame.seats_moves import MAX_PICKS

MATRIX = numba.float64[:, ::1]
RESOLVED = 1e-6
"""Regret, or difference from a logit response, up to which a stage game counts as solved."""
SIZE, STRIDE, FIRST, COUNTER, FULL_SIZE, WANTED, PLACE, GAME_ROWS = range(8)
"""Rows of ``game``: picks in each seat's support, the seat's stride in the tensor (in joint picks), the start of its
part of a list, the joint pick now visited, the number of all its picks, the size of support looked for, and where in a
list its pick of the joint pick now visited stands."""


class Profile(NamedTuple):
    """One worker's room for profiles.

    ``game`` has the rows named above; ``support[seat, k]`` is the ``k``-th pick in support; ``weights`` and
    ``utilities`` run over the picks in support; ``pairs[p, q]`` is the utility of ``p``'s seat when it takes ``p``,
    another seat takes ``q`` and the rest mix; ``system`` is a linear system with its right-hand side last;
    ``deviation[seat, pick]`` is a seat's utility for each of all its picks; ``chances`` is scratch, a place a seat.
    """

    game: np.ndarray
    support: np.ndarray
    weights: np.ndarray
    utilities: np.ndarray
    pairs: np.ndarray
    system: np.ndarray
    deviation: np.ndarray
    chances: np.ndarray


def new_profile(picks: int) -> Profile:
    """Room for profiles with ``picks`` picks in support, all seats together."""
    return Profile(
        game=np.zeros((GAME_ROWS, MAX_SEATS), dtype=np.int64),
        support=np.zeros((MAX_SEATS, MAX_PICKS), dtype=np.int64),
        weights=np.zeros(picks),
        utilities=np.zeros(picks),
        pairs=np.zeros((picks, picks)),
        system=np.zeros((picks + 1, picks + 3)),
        deviation=np.zeros((MAX_SEATS, MAX_PICKS)),
        chances=np.zeros(MAX_SEATS),
    )


PROFILE = numba.typeof(new_profile(1))


@lean_kernel(I8(BOARD, I8))
def set_strides(game: Any, seats: Any) -> Any:
    """Fill ``STRIDE`` from ``FULL_SIZE``; the number of joint picks."""
    stride = 1
    for seat in range(seats - 1, -1, -1):
        game[STRIDE, seat] = stride
        stride *= game[FULL_SIZE, seat]
    return stride


@lean_kernel(I8(BOARD, I8))
def set_starts(game: Any, seats: Any) -> Any:
    """Fill ``FIRST`` from ``SIZE``; the number of picks in support."""
    start = 0
    for seat in range(seats):
        game[FIRST, seat] = start
        start += game[SIZE, seat]
    return start


@lean_kernel((BOARD, BOARD, I8))
def support_everything(game: Any, support: Any, seats: Any) -> Any:
    """Put every pick into support."""
    for seat in range(seats):
        game[SIZE, seat] = game[FULL_SIZE, seat]
        for pick in range(game[SIZE, seat]):
            support[seat, pick] = pick
    set_starts(game, seats)


@lean_kernel(BOOL(BOARD, I8))
def next_counter(game: Any, seats: Any) -> Any:
    """Step ``COUNTER`` through the joint picks in support; false after the last."""
    for seat in range(seats - 1, -1, -1):
        game[COUNTER, seat] += 1
        if game[COUNTER, seat] < game[SIZE, seat]:
            return True
        game[COUNTER, seat] = 0
    return False


@lean_kernel(I8(I8, BOARD, BOARD, FLOATS, FLOATS), inline=True)
def visit(seats: Any, game: Any, support: Any, weights: Any, chances: Any) -> Any:
    """The joint pick of ``COUNTER``; fills ``PLACE``, and ``chances`` with the product of weights before a seat."""
    cell, before = 0, 1.0
    for seat in range(seats):
        cell += support[seat, game[COUNTER, seat]] * game[STRIDE, seat]
        game[PLACE, seat] = game[FIRST, seat] + game[COUNTER, seat]
        chances[seat] = before
        before *= weights[game[PLACE, seat]]
    return cell


@lean_kernel((FLOATS, I8, BOARD, BOARD, FLOATS, MATRIX, FLOATS))
def fill_pairs(tensor: Any, seats: Any, game: Any, support: Any, weights: Any, pairs: Any, chances: Any) -> Any:
    """Write ``pairs`` for picks in support (a seat with itself is left alone); ``chances`` is scratch.

    The chance of what all but two seats do is a product of three runs of weights: before both, between, and behind.
    """
    total = game[FIRST, seats - 1] + game[SIZE, seats - 1]
    for one in range(total):
        for two in range(total):
            pairs[one, two] = 0.0
    game[COUNTER] = 0
    more = True
    while more:
        cell = visit(seats, game, support, weights, chances)
        cell *= seats
        behind = 1.0
        for one in range(seats - 1, 0, -1):
            p, between = game[PLACE, one], behind
            for two in range(one - 1, -1, -1):
                q = game[PLACE, two]
                chance = chances[two] * between
                pairs[p, q] += chance * tensor[cell + one]
                pairs[q, p] += chance * tensor[cell + two]
                between *= weights[q]
            behind *= weights[p]
        more = next_counter(game, seats)


@lean_kernel((FLOATS, I8, BOARD, BOARD, FLOATS, FLOATS, FLOATS))
def fill_expected(tensor: Any, seats: Any, game: Any, support: Any, weights: Any, utilities: Any, chances: Any) -> Any:
    """Write the utility of each pick in support against the others' mixes; ``chances`` is scratch.

    A third of the work of :func:`fill_pairs`, for when the pairs are not needed.
    """
    for p in range(game[FIRST, seats - 1] + game[SIZE, seats - 1]):
        utilities[p] = 0.0
    game[COUNTER] = 0
    more = True
    while more:
        cell = visit(seats, game, support, weights, chances)
        behind = 1.0
        for seat in range(seats - 1, -1, -1):
            p = game[PLACE, seat]
            utilities[p] += chances[seat] * behind * tensor[cell * seats + seat]
            behind *= weights[p]
        more = next_counter(game, seats)


@lean_kernel((I8, BOARD, FLOATS, MATRIX, FLOATS))
def fill_utilities(seats: Any, game: Any, weights: Any, pairs: Any, utilities: Any) -> Any:
    """Write the utility of each pick in support against the others' mixes, from ``pairs``."""
    for seat in range(seats):
        other = 0 if seat else 1
        start, stop = game[FIRST, other], game[FIRST, other] + game[SIZE, other]
        for p in range(game[FIRST, seat], game[FIRST, seat] + game[SIZE, seat]):
            total = 0.0
            for q in range(start, stop):
                total += weights[q] * pairs[p, q]
            utilities[p] = total


@lean_kernel(F8(FLOATS, I8, PROFILE, FLOATS))
def fill_deviations(tensor: Any, seats: Any, profile: Any, values: Any) -> Any:
    """Write each seat's utility for every one of its picks, and its value; the largest gain by a deviation."""
    game, support, weights, deviation = profile.game, profile.support, profile.weights, profile.deviation
    largest = 0.0
    for seat in range(seats):
        for pick in range(game[FULL_SIZE, seat]):
            deviation[seat, pick] = 0.0
        size = game[SIZE, seat]
        game[SIZE, seat] = 1  # so that the counter runs over the others only
        game[COUNTER] = 0
        more = True
        while more:
            chance, cell = 1.0, 0
            for other in range(seats):
                if other != seat:
                    place = game[COUNTER, other]
                    chance *= weights[game[FIRST, other] + place]
                    cell += support[other, place] * game[STRIDE, other]
            for pick in range(game[FULL_SIZE, seat]):
                deviation[seat, pick] += chance * tensor[(cell + pick * game[STRIDE, seat]) * seats + seat]
            more = next_counter(game, seats)
        game[SIZE, seat] = size
        value, best = 0.0, -np.inf
        for place in range(size):
            value += weights[game[FIRST, seat] + place] * deviation[seat, support[seat, place]]
        for pick in range(game[FULL_SIZE, seat]):
            best = max(best, deviation[seat, pick])
        values[seat] = value
        largest = max(largest, best - value)
    return largest


@lean_kernel(I8(MATRIX, I8))
def solve_linear(system: Any, size: Any) -> Any:
    """Solve ``system[:size, :size] @ z = system[:size, size]`` into the last column.

    Gaussian elimination with row exchanges; the matrix is overwritten. Returns the sign of its determinant, 0 if it is
    (nearly) singular.
    """
    sign = 1
    for column in range(size):
        pivot = column
        for row in range(column + 1, size):
            if abs(system[row, column]) > abs(system[pivot, column]):
                pivot = row
        if abs(system[pivot, column]) < 1e-13:
            return 0
        if system[pivot, column] < 0.0:
            sign = -sign
        if pivot != column:
            sign = -sign
            for place in range(column, size + 1):
                system[pivot, place], system[column, place] = system[column, place], system[pivot, place]
        for row in range(column + 1, size):
            factor = system[row, column] / system[column, column]
            if factor != 0.0:
                for place in range(column + 1, size + 1):
                    system[row, place] -= factor * system[column, place]
    for row in range(size - 1, -1, -1):
        total = system[row, size]
        for column in range(row + 1, size):
            total -= system[row, column] * system[column, size]
        system[row, size] = total / system[row, row]
    return sign
