"""Pure equilibria of a stage game, and the picks that matter where there is none."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, BOOL, F8, FLOATS, I8, ROW
from solvers.endgame.seats_mixes import (
    COUNTER,
    FULL_SIZE,
    MATRIX,
    SIZE,
    STRIDE,
    next_counter,
    set_strides,
    support_everything,
)

TIE = 1e-9
"""Utilities that differ by no more count as equal."""
COPY = 1e-10
"""Two picks of a seat are copies when no utility of any seat differs by more."""


@lean_kernel(numba.types.Tuple((I8, I8, F8))(FLOATS, I8, BOARD, I8, ROW), inline=True)
def mark_equilibria(tensor: Any, seats: Any, game: Any, cells: Any, marks: Any) -> Any:
    """Set ``marks`` to 1 where no seat gains by another pick, else to 0; most joint picks fail by the first seat.

    Returns how many there are, the last one, and the most that any seat gains by leaving it (up to ``TIE``).
    """
    count, last, regret = 0, -1, 0.0
    game[COUNTER] = 0
    for cell in range(cells):
        stable, gain, seat = True, 0.0, 0
        while stable and seat < seats:
            step = game[STRIDE, seat] * seats
            mine = tensor[cell * seats + seat]
            other = cell * seats + seat - game[COUNTER, seat] * step
            for _ in range(game[FULL_SIZE, seat]):
                gain = max(gain, tensor[other] - mine)
                other += step
            stable = gain <= TIE
            seat += 1
        marks[cell] = I8(stable)
        if stable:
            count, last, regret = count + 1, cell, gain
        seat = seats - 1
        game[COUNTER, seat] += 1
        while seat > 0 and game[COUNTER, seat] == game[FULL_SIZE, seat]:
            game[COUNTER, seat] = 0
            seat -= 1
            game[COUNTER, seat] += 1
    return count, last, regret


@lean_kernel(BOOL(FLOATS, I8, I8, I8))
def lexically_better(tensor: Any, seats: Any, one: Any, two: Any) -> Any:
    """Whether joint pick ``one`` is better than ``two`` for the first seat that cares."""
    for seat in range(seats):
        difference = tensor[one * seats + seat] - tensor[two * seats + seat]
        if abs(difference) > TIE:
            return difference > 0.0
    return False


@lean_kernel(F8(FLOATS, I8, BOARD, I8))
def deviation_gain(tensor: Any, seats: Any, game: Any, cell: Any) -> Any:
    """The most any seat gains by leaving a joint pick."""
    largest = 0.0
    for seat in range(seats):
        stride, many = game[STRIDE, seat], game[FULL_SIZE, seat]
        first = cell - cell // stride % many * stride
        for other in range(first, first + stride * many, stride):
            largest = max(largest, tensor[other * seats + seat] - tensor[cell * seats + seat])
    return largest


@lean_kernel(numba.types.Tuple((I8, F8))(FLOATS, I8, BOARD, I8, ROW, MATRIX))
def pure_equilibrium(tensor: Any, seats: Any, game: Any, cells: Any, marks: Any, bounds: Any) -> Any:
    """The joint pick that rule 1b of :mod:`solvers.endgame.seats_nash` selects, or -1 if there is none, and its regret.

    ``marks`` then tells which equilibria had the greatest sum of utilities; two rows of ``bounds`` are scratch.
    """
    count, only, regret = mark_equilibria(tensor, seats, game, cells, marks)
    if count <= 1:
        return only, regret
    best = -np.inf
    for cell in range(cells):
        if marks[cell]:
            total = 0.0
            for seat in range(seats):
                total += tensor[cell * seats + seat]
            best = max(best, total)
    chosen, most_even = -1, -np.inf
    low, high = bounds[0], bounds[1]
    for seat in range(seats):
        low[seat], high[seat] = np.inf, -np.inf
    for cell in range(cells):
        if marks[cell] == 0:
            continue
        total = 0.0
        for seat in range(seats):
            total += tensor[cell * seats + seat]
        marks[cell] = I8(total >= best - TIE)
        if marks[cell]:
            for seat in range(seats):
                low[seat] = min(low[seat], tensor[cell * seats + seat])
                high[seat] = max(high[seat], tensor[cell * seats + seat])
    for cell in range(cells):
        if marks[cell] == 0:
            continue
        even = np.inf
        for seat in range(seats):
            even = min(even, tensor[cell * seats + seat] - 0.5 * (low[seat] + high[seat]))
        better = even > most_even + TIE
        if not better and even >= most_even - TIE:
            better = lexically_better(tensor, seats, cell, chosen)
        if better:
            chosen, most_even = cell, even
    return chosen, deviation_gain(tensor, seats, game, chosen)


@lean_kernel(BOOL(FLOATS, I8, BOARD, BOARD, I8, I8, I8))
def is_needless(tensor: Any, seats: Any, game: Any, support: Any, seat: Any, pick: Any, other: Any) -> Any:
    """Whether ``pick`` is strictly worse for the seat than ``other`` against all picks in support, or a copy of it."""
    size = game[SIZE, seat]
    game[SIZE, seat] = 1
    game[COUNTER] = 0
    worse, copied, more = True, True, True
    while more and (worse or copied):
        cell = 0
        for rival in range(seats):
            if rival != seat:
                cell += support[rival, game[COUNTER, rival]] * game[STRIDE, rival]
        one, two = (cell + pick * game[STRIDE, seat]) * seats, (cell + other * game[STRIDE, seat]) * seats
        worse = worse and tensor[one + seat] < tensor[two + seat] - TIE
        for rival in range(seats):
            copied = copied and abs(tensor[one + rival] - tensor[two + rival]) <= COPY
        more = next_counter(game, seats)
    game[SIZE, seat] = size
    return worse or copied


@lean_kernel((FLOATS, I8, BOARD, BOARD))
def drop_needless(tensor: Any, seats: Any, game: Any, support: Any) -> Any:
    """Leave in support what remains when copies and strictly dominated picks are left out again and again.

    Of copies the first in card order stays.
    """
    support_everything(game, support, seats)
    again = True
    while again:
        again = False
        for seat in range(seats):
            place = 0
            while place < game[SIZE, seat]:
                needless = False
                for rival in range(game[SIZE, seat]):
                    if rival == place or needless:
                        continue
                    pick, other = support[seat, place], support[seat, rival]
                    needless = is_needless(tensor, seats, game, support, seat, pick, other) and (
                        rival < place or not is_needless(tensor, seats, game, support, seat, other, pick)
                    )
                if needless:
                    for later in range(place + 1, game[SIZE, seat]):
                        support[seat, later - 1] = support[seat, later]
                    game[SIZE, seat] -= 1
                    again = True
                else:
                    place += 1


@lean_kernel((FLOATS, I8, BOARD, BOARD, FLOATS, BOARD))
def cut_down(tensor: Any, seats: Any, game: Any, support: Any, small: Any, origin: Any) -> Any:
    """Write the game of the picks in support to ``small``, make ``game`` describe it, and note each pick's origin."""
    game[COUNTER] = 0
    place = 0
    more = True
    while more:
        cell = 0
        for seat in range(seats):
            cell += support[seat, game[COUNTER, seat]] * game[STRIDE, seat]
        for seat in range(seats):
            small[place + seat] = tensor[cell * seats + seat]
        place += seats
        more = next_counter(game, seats)
    for seat in range(seats):
        game[FULL_SIZE, seat] = game[SIZE, seat]
        for pick in range(game[SIZE, seat]):
            origin[seat, pick] = support[seat, pick]
    set_strides(game, seats)
