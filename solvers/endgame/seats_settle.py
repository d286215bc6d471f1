"""Depth-first search for equilibria of several seats: only boards that the rule asks for are looked at.

Rule 1a of :mod:`solvers.endgame.seats_nash` names one joint pick after the other; only where best replies lead to no
equilibrium are all of them searched. How boards are opened and stored is in :mod:`solvers.endgame.seats_layers`.

Every board that a seat can come to by deviating alone is among those looked at: that no seat gains at any of them is
all it takes for an equilibrium. What would be played at the others is what the same rule makes of them, worked out when
somebody asks (:meth:`solvers.endgame.seats_deep.DeepSearch.stage`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, BOOL, FLOATS, I8, ROW, SEATS, pack
from solvers.endgame.packing_table import EMPTY
from solvers.endgame.seats_ends import fill_ends, fill_replies
from solvers.endgame.seats_layers import (
    FOLLOWED,
    KINDS,
    LARGEST,
    LAYERS,
    N_HARD,
    N_STOP,
    N_WORKER,
    N_WORKERS,
    STOP_HARD,
    TABLE,
    choose,
    close_board,
    note,
    open_board,
    reach,
)
from solvers.endgame.seats_mixes import FULL_SIZE
from solvers.endgame.seats_moves import CHOICE
from solvers.endgame.seats_nash import ARRAYS, FOUND_BY, NOTHING_YET, PICK, solve_whole, take_pure
from solvers.endgame.seats_pure import deviation_gain
from solvers.endgame.seats_replies import (
    CIRCLES,
    JOINT_PICK,
    NEXT_PICK,
    PICKS,
    SEAT,
    SETTLED,
    follow_replies,
    start_trail,
)


@lean_kernel((I8, ROW, BOARD))
def choose_next(seats: Any, trail: Any, scratch: Any) -> Any:
    """Make ``CHOICE`` the picks of the joint pick that a trail needs next; no division, which would take long."""
    for seat in range(seats):
        scratch[CHOICE, seat] = trail[PICKS + seat]
    scratch[CHOICE, trail[SEAT]] = trail[NEXT_PICK]


@lean_kernel((ROW, I8, LAYERS, ARRAYS))
def find_hard(frame: Any, cards: Any, layers: Any, arrays: Any) -> Any:
    """Answer a layer's board from those answered outside the search, if it is among them."""
    seats, keys, known = frame[SEATS], layers.hard_keys, layers.hard_values
    pack(layers.boards[cards], seats, layers.keys, cards)
    for place in range(keys[-1, 0]):
        same = True
        for word in range(2 * seats):
            same = same and keys[place, word] == layers.keys[cards, word]
        if same:
            for seat in range(seats):
                layers.values[cards, seat] = known[place, seat]
            arrays.outcome[FOUND_BY] = I8(known[place, seats])
            arrays.outcome[PICK] = -1
            arrays.regret[0] = known[place, seats + 1]


@lean_kernel(BOOL(ROW, I8, LAYERS, ARRAYS, ROW, BOOL), inline=True)
def answer_board(frame: Any, cards: Any, layers: Any, arrays: Any, counts: Any, whole: Any) -> Any:
    """Write the values of a layer's board whose rule has all it asked for, and tally the board.

    False if it takes rule 3, which is not part of the search.
    """
    seats = frame[SEATS]
    tensor, game, tally = layers.tensors[cards], layers.games[cards], layers.tallies[cards]
    if whole:
        solve_whole(tensor, seats, game[FULL_SIZE], layers.values[cards], arrays)
        if arrays.outcome[FOUND_BY] == NOTHING_YET:
            find_hard(frame, cards, layers, arrays)
    else:
        cell = layers.trails[cards, JOINT_PICK]
        take_pure(tensor, seats, cell, deviation_gain(tensor, seats, game, cell), layers.values[cards], arrays)
    answered = arrays.outcome[FOUND_BY] != NOTHING_YET
    if answered:
        tally[KINDS + arrays.outcome[FOUND_BY]] += 1.0
        tally[LARGEST] = max(tally[LARGEST], arrays.regret[0])
    else:
        counts[N_STOP], counts[N_HARD] = STOP_HARD, cards
    return answered


@lean_kernel((ROW, FLOATS, I8, LAYERS, BOOL))
def ask_ends(frame: Any, reals: Any, cards: Any, layers: Any, whole: Any) -> Any:
    """Make utilities at a board of one or two cards known: all, or what the trail will need next."""
    moves, tensor, game, trail = layers.moves[cards], layers.tensors[cards], layers.games[cards], layers.trails[cards]
    board, child, scratch, numbers = layers.boards[cards], layers.child, layers.scratch, layers.numbers
    if whole:
        fill_ends(frame, reals, board, moves, child, scratch, numbers, tensor)
    else:
        found = fill_replies(frame, reals, board, moves, game, trail, child, scratch, numbers, tensor)
        layers.tallies[cards, FOLLOWED] += found


@lean_kernel(BOOL(ROW, FLOATS, I8, TABLE, LAYERS, ARRAYS, ROW, ROW))
def settle_equilibrium(
    frame: Any, reals: Any, cards: Any, table: Any, layers: Any, arrays: Any, counts: Any, halt: Any
) -> Any:
    """Find the values of the reduced board in layer ``cards``, whose key stands in ``keys``.

    False if the search had to stop first; ``counts`` says why. Every board that was finished is in the table then. It
    is one function, long as it is, because numba compiles recursion only of a function that calls itself.
    """
    seats = frame[SEATS]
    cells = open_board(frame, cards, layers, counts, halt, arrays.profile.weights.shape[0])
    if cells == 0:
        return False
    tensor, game, trail = layers.tensors[cards], layers.games[cards], layers.trails[cards]
    marks, gains = layers.marks[cards], layers.gains[cards]
    start_trail(seats, game, layers.openings[cards], marks, trail, cells)
    first = seats * counts[N_WORKER] // counts[N_WORKERS]
    whole, start, done, cell = False, cells * counts[N_WORKER] // counts[N_WORKERS], 0, 0
    while True:
        if whole:
            cell = (start + done) % cells
            while done < cells and not np.isnan(tensor[cell * seats]):
                done += 1
                cell = cell + 1 if cell + 1 < cells else 0
            if done == cells:
                break
        else:
            cell = follow_replies(tensor, seats, game, marks, trail, gains, first)
            if cell == SETTLED:
                break
            if cell == CIRCLES:
                whole = True
                continue
        if cards <= 2:
            ask_ends(frame, reals, cards, layers, whole)
            continue
        if whole:
            choose(seats, game, cell, layers.scratch)
        else:
            choose_next(seats, trail, layers.scratch)
        row = reach(frame, reals, cards, table, layers, counts)
        if row == EMPTY and not settle_equilibrium(frame, reals, cards - 1, table, layers, arrays, counts, halt):
            return False
        note(frame, cards, table, layers, cell, row)
    return answer_board(frame, cards, layers, arrays, counts, whole) and close_board(
        frame, cards, table, layers, counts
    )
