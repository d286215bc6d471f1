"""Mixed equilibria of a stage game by their supports, from small to large.

This is rule 2 of :mod:`solvers.endgame.seats_nash`.
"""

from __future__ import annotations

from typing import Any

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, BOOL, FLOATS, I8
from solvers.endgame.seats_mixes import (
    COUNTER,
    FIRST,
    FULL_SIZE,
    PROFILE,
    SIZE,
    STRIDE,
    WANTED,
    fill_deviations,
    fill_pairs,
    fill_utilities,
    next_counter,
    set_starts,
    solve_linear,
)
from solvers.endgame.seats_pure import TIE

AS_THEY_ARE = -1
FOUND = -1
_GOLDEN = 0.6180339887498949
"""Its multiples, less their whole parts, are spread evenly."""
_NEWTON_STEPS = 30
_EXACT = 1e-14
_NOTHING = 1e-12


@lean_kernel(BOOL(FLOATS, I8, BOARD, BOARD, I8))
def has_dominated(tensor: Any, seats: Any, game: Any, support: Any, chosen: Any) -> Any:
    """Whether a pick in support of the first ``chosen`` seats is strictly worse than another one of its seat, whatever
    they take of their supports and the seats behind them of all their picks."""
    for seat in range(chosen):
        size = game[SIZE, seat]
        for place in range(size):
            pick = support[seat, place]
            for other in range(game[FULL_SIZE, seat]):
                if other == pick:
                    continue
                game[SIZE, seat] = 1
                game[COUNTER] = 0
                worse, more = True, True
                while worse and more:
                    cell = 0
                    for rival in range(seats):
                        if rival != seat:
                            cell += support[rival, game[COUNTER, rival]] * game[STRIDE, rival]
                    mine = tensor[(cell + pick * game[STRIDE, seat]) * seats + seat]
                    worse = mine < tensor[(cell + other * game[STRIDE, seat]) * seats + seat] - TIE
                    more = next_counter(game, seats)
                game[SIZE, seat] = size
                if worse:
                    return True
    return False


@lean_kernel((I8, PROFILE, I8))
def set_start(seats: Any, profile: Any, start: Any) -> Any:
    """The weights that Newton's method begins with: equal ones for start 0, other fixed ones for starts from 1."""
    game, weights = profile.game, profile.weights
    for seat in range(seats):
        first, total = game[FIRST, seat], 0.0
        for p in range(first, first + game[SIZE, seat]):
            weights[p] = 1.0 if start == 0 else 0.02 + start * (p + 1) * _GOLDEN % 1.0
            total += weights[p]
        for p in range(first, first + game[SIZE, seat]):
            weights[p] /= total


@lean_kernel(BOOL(FLOATS, I8, PROFILE, I8))
def solve_support(tensor: Any, seats: Any, profile: Any, start: Any) -> Any:
    """Newton's method for weights that make every seat indifferent among its picks in support; whether it came to rest
    with no weight below zero. From the weights as they are if ``start`` is ``AS_THEY_ARE``, else see ``set_start``."""
    game, weights, pairs, system = profile.game, profile.weights, profile.pairs, profile.system
    total = set_starts(game, seats)
    size = total - seats
    if start != AS_THEY_ARE:
        set_start(seats, profile, start)
    step = 0.0 if size == 0 else 1.0
    for _ in range(_NEWTON_STEPS):
        if step <= _EXACT:
            break
        fill_pairs(tensor, seats, game, profile.support, weights, pairs, profile.chances)
        fill_utilities(seats, game, weights, pairs, profile.utilities)
        line = 0
        for seat in range(seats):
            base = game[FIRST, seat]
            for p in range(base + 1, base + game[SIZE, seat]):
                column = 0
                for other in range(seats):
                    start = game[FIRST, other]
                    for q in range(start + 1, start + game[SIZE, other]):
                        system[line, column] = 0.0
                        if other != seat:
                            system[line, column] = pairs[p, q] - pairs[base, q] - pairs[p, start] + pairs[base, start]
                        column += 1
                system[line, size] = profile.utilities[base] - profile.utilities[p]
                line += 1
        if not solve_linear(system, size):
            return False
        step, line = 0.0, 0
        for seat in range(seats):
            base = game[FIRST, seat]
            for p in range(base + 1, base + game[SIZE, seat]):
                weights[p] += system[line, size]
                weights[base] -= system[line, size]
                step = max(step, abs(system[line, size]))
                line += 1
        if not step < 10.0:
            return False
    for p in range(total):
        if weights[p] < -_NOTHING:
            return False
        weights[p] = max(weights[p], 0.0)
    return step <= 1e-9


@lean_kernel(BOOL(I8, BOARD, I8))
def next_sizes(seats: Any, game: Any, total: Any) -> Any:
    """Step ``WANTED`` to the next sizes of supports with this total, in rising order; false after the last."""
    seat = seats - 1
    left = 0
    while seat >= 0:
        if left > 0 and game[WANTED, seat] < game[FULL_SIZE, seat]:
            game[WANTED, seat] += 1
            left -= 1
            for later in range(seats - 1, seat, -1):
                game[WANTED, later] = 1 + min(left, game[FULL_SIZE, later] - 1)
                left -= game[WANTED, later] - 1
            return True
        left += game[WANTED, seat] - 1
        seat -= 1
    return False


@lean_kernel(BOOL(I8, BOARD, I8))
def first_sizes(seats: Any, game: Any, total: Any) -> Any:
    """Set ``WANTED`` to the first sizes of supports with this total; false if there are none."""
    left = total - seats
    for seat in range(seats - 1, -1, -1):
        game[WANTED, seat] = 1 + min(left, game[FULL_SIZE, seat] - 1)
        left -= game[WANTED, seat] - 1
    return left == 0


@lean_kernel(BOOL(I8, BOARD))
def sizes_can_balance(seats: Any, game: Any) -> Any:
    """Whether the others have enough weights to make each seat indifferent (else only degenerate games do)."""
    weights = 0
    for seat in range(seats):
        weights += game[WANTED, seat] - 1
    most = 0
    for seat in range(seats):
        most = max(most, game[WANTED, seat] - 1)
    return 2 * most <= weights


@lean_kernel((BOARD, BOARD, I8, I8))
def take_first(game: Any, support: Any, seat: Any, size: Any) -> Any:
    """Support a seat's first ``size`` picks."""
    game[SIZE, seat] = size
    for place in range(size):
        support[seat, place] = place


@lean_kernel(BOOL(BOARD, BOARD, I8))
def take_next(game: Any, support: Any, seat: Any) -> Any:
    """Step a seat to its next support of the same size, in card order; false after the last."""
    size, full = game[SIZE, seat], game[FULL_SIZE, seat]
    place = size - 1
    while place >= 0 and support[seat, place] == full - size + place:
        place -= 1
    if place < 0:
        return False
    support[seat, place] += 1
    for later in range(place + 1, size):
        support[seat, later] = support[seat, later - 1] + 1
    return True


@lean_kernel(I8(FLOATS, I8, PROFILE, FLOATS, I8, I8))
def search_sizes(tensor: Any, seats: Any, profile: Any, values: Any, start: Any, patience: Any) -> Any:
    """Look for an equilibrium among the supports of the sizes ``WANTED``, in card order, the last seat's fastest.

    Seat by seat a support is chosen; where one so far holds a pick that is dominated whatever the others choose, those
    of the seats behind it are not gone through. Returns ``FOUND``, or what is left of ``patience``, the number of
    supports, whole or part, to be looked at.
    """
    game, support = profile.game, profile.support
    for seat in range(1, seats):
        take_first(game, support, seat, game[FULL_SIZE, seat])
    take_first(game, support, 0, game[WANTED, 0])
    seat = 0
    while seat >= 0 and patience > 0:
        patience -= 1
        possible = not has_dominated(tensor, seats, game, support, seat + 1)
        if possible and seat + 1 < seats:
            seat += 1
            take_first(game, support, seat, game[WANTED, seat])
            continue
        if (
            possible
            and solve_support(tensor, seats, profile, start)
            and fill_deviations(tensor, seats, profile, values) <= TIE
        ):
            return FOUND
        while seat >= 0 and not take_next(game, support, seat):
            take_first(game, support, seat, game[FULL_SIZE, seat])
            seat -= 1
    return patience


@lean_kernel(BOOL(FLOATS, I8, PROFILE, FLOATS, I8, I8))
def find_support(tensor: Any, seats: Any, profile: Any, values: Any, start: Any, patience: Any) -> Any:
    """Find the first support that carries an equilibrium, if it is among as many as there is ``patience`` for.

    Leaves it in ``profile`` and its values in ``values``. Newton's method begins each time as ``start`` says (see
    :func:`set_start`).
    """
    game = profile.game
    most = 0
    for seat in range(seats):
        most += game[FULL_SIZE, seat]
    for total in range(seats + 2, most + 1):
        more_sizes = first_sizes(seats, game, total)
        while more_sizes and patience > 0:
            if sizes_can_balance(seats, game):
                patience = search_sizes(tensor, seats, profile, values, start, patience)
                if patience == FOUND:
                    return True
            more_sizes = next_sizes(seats, game, total)
    return False
