"""Best replies in turn: how a pure equilibrium of a stage game is looked for before all its joint picks are.

It begins with each seat's *greedy* pick, the one that lays the most points at once (the first of them in card order, in
which cards that matter to nobody come last).
From there on, every seat's best reply to the others' picks is looked up, the first in card order of those that are
equally good. Where no seat gains, that is an equilibrium. Else the seats that gain most, all that tie for it, change to
their replies. Where that leads to a joint pick met before, the seats that gain next to most change instead, and where
no seats are left one goes back to the joint pick before. Nothing here depends on the seats' numbers.

Few utilities are asked for, which is what makes :mod:`solvers.endgame.seats_deep` fast. Measured on 300 stages of four
seats with four cards each and chopsticks in play: on average 123 of 327 joint picks, although for a fifth of the stages
all are asked for in the end, as nearly all of these have no pure equilibrium.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, BOOL, FLOATS, I8, MAX_SEATS, POINTS, ROW
from solvers.endgame.seats_mixes import FULL_SIZE, STRIDE
from solvers.endgame.seats_moves import AFTER, MANY, MOVES
from solvers.endgame.seats_pure import TIE

SETTLED, CIRCLES = -1, -2
"""What :func:`follow_replies` says: an equilibrium is reached, or no way of replying leads to one."""
JOINT_PICK, STEP, SEAT, NEXT_PICK, PICKS = range(5)
REPLIES, TRAIL_LENGTH = PICKS + MAX_SEATS, PICKS + 2 * MAX_SEATS
"""Places in a *trail*: the joint pick reached; how many seats' replies to it have been looked at, the seat whose
replies are next, and its next pick; each seat's pick in the joint pick reached, and its best reply so far."""
UNKNOWN = np.nan
"""In a tensor: a utility not asked for yet."""
_NEW, _FIRST = 0, 1
"""In ``marks``: a joint pick not met, and the first one; any other has ``_FIRST + 1`` and the one before it."""


@lean_kernel((I8, MOVES, ROW))
def fill_opening(seats: Any, moves: Any, opening: Any) -> Any:
    """Write the place of each seat's greedy pick."""
    for seat in range(seats):
        best = 0
        for pick in range(1, moves[MANY, seat, 0]):
            if moves[AFTER, seat, pick] >> POINTS > moves[AFTER, seat, best] >> POINTS:
                best = pick
        opening[seat] = best


@lean_kernel((I8, BOARD, ROW, ROW, ROW, I8))
def start_trail(seats: Any, game: Any, opening: Any, marks: Any, trail: Any, cells: Any) -> Any:
    """Go to the opening; ``marks`` will tell how each joint pick was come to."""
    for cell in range(cells):
        marks[cell] = _NEW
    cell = 0
    for seat in range(seats):
        trail[PICKS + seat] = opening[seat]
        cell += game[STRIDE, seat] * opening[seat]
    marks[cell] = _FIRST
    trail[JOINT_PICK] = cell
    trail[STEP] = 0
    trail[NEXT_PICK] = 0


@lean_kernel(BOOL(I8, BOARD, ROW, ROW, FLOATS))
def go_on(seats: Any, game: Any, marks: Any, trail: Any, gains: Any) -> Any:
    """Go to the next joint pick, or one back; false if there is none."""
    cell, below = trail[JOINT_PICK], np.inf
    while True:
        most = 0.0
        for seat in range(seats):
            if gains[seat] < below:
                most = max(most, gains[seat])
        if most <= TIE:
            break
        after = cell
        for seat in range(seats):
            if most - TIE <= gains[seat] < below:
                after += (trail[REPLIES + seat] - trail[PICKS + seat]) * game[STRIDE, seat]
        if marks[after] == _NEW:
            for seat in range(seats):
                if most - TIE <= gains[seat] < below:
                    trail[PICKS + seat] = trail[REPLIES + seat]
            marks[after] = _FIRST + 1 + cell
            trail[JOINT_PICK] = after
            return True
        below = most - TIE
    cell = marks[cell] - _FIRST - 1
    if cell < 0:
        return False
    trail[JOINT_PICK] = cell
    for seat in range(seats):
        trail[PICKS + seat] = cell // game[STRIDE, seat]
        cell -= trail[PICKS + seat] * game[STRIDE, seat]
    return True


@lean_kernel(I8(FLOATS, I8, BOARD, ROW, ROW, FLOATS, I8))
def follow_replies(tensor: Any, seats: Any, game: Any, marks: Any, trail: Any, gains: Any, first: Any) -> Any:
    """Go on along the trail as far as the utilities known allow, looking at replies from seat ``first`` on.

    Returns the joint pick whose utilities are to be found before it can go on (the one reached, with the pick
    ``NEXT_PICK`` for ``SEAT``), or ``SETTLED`` or ``CIRCLES``. ``gains`` belongs to the trail.
    """
    step, pick = trail[STEP], trail[NEXT_PICK]
    while True:
        cell, most = trail[JOINT_PICK], 0.0
        while step < seats:
            seat = (first + step) % seats
            stride = game[STRIDE, seat]
            base = cell - trail[PICKS + seat] * stride
            if pick == 0:
                gains[seat] = -np.inf
            while pick < game[FULL_SIZE, seat]:
                utility = tensor[(base + pick * stride) * seats + seat]
                if np.isnan(utility):
                    trail[STEP] = step
                    trail[SEAT] = seat
                    trail[NEXT_PICK] = pick
                    return base + pick * stride
                if utility > gains[seat] + TIE:
                    gains[seat] = utility
                    trail[REPLIES + seat] = pick
                pick += 1
            step += 1
            pick = 0
        for seat in range(seats):
            gains[seat] -= tensor[cell * seats + seat]
            most = max(most, gains[seat])
        if most <= TIE:
            return SETTLED
        if not go_on(seats, game, marks, trail, gains):
            return CIRCLES
        step = 0
