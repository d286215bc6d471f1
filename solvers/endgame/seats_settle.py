"""Kernels of a depth-first search for equilibria of several seats: only boards that the rule asks for are looked at.

At a board the utilities of all joint picks are unknown at first. Rule 1a of :mod:`solvers.endgame.seats_nash` names
the next one it needs, which is then searched, until the rule has its answer; only where best replies lead to no
equilibrium are all joint picks searched. What is found of a board is kept in one table, so that it is searched once.

Every board that a seat can come to by deviating alone is among those looked at: that no seat gains at any of them is
all it takes for an equilibrium. What would be played at the others is what the same rule makes of them, worked out when
somebody asks (:meth:`solvers.endgame.seats_deep.DeepSearch.stage`).

Boards below a number of cards are answered on the spot and not stored. Nothing is ever taken back, so a search that was
cut off is begun again at its root and finds all it had finished.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.atomics import load
from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, BOOL, FLOATS, I8, MAX_SEATS, ROW, SEATS, pack
from solvers.endgame.packing_table import EMPTY, MOST_WORDS, hash_key, insert, probe
from solvers.endgame.seats_ends import fill_ends, fill_replies, list_ends
from solvers.endgame.seats_levels import banked_utilities
from solvers.endgame.seats_mixes import FULL_SIZE, GAME_ROWS, STRIDE, set_strides
from solvers.endgame.seats_moves import CHOICE, MANY, MAX_PICKS, MOVE_LAYERS, SCRATCH_ROWS, follow, list_moves
from solvers.endgame.seats_nash import ARRAYS, FOUND_BY, REGRET, TALLY_LENGTH, solve_whole, take_pure
from solvers.endgame.seats_pure import deviation_gain
from solvers.endgame.seats_reduce import reduce_board
from solvers.endgame.seats_replies import (
    CIRCLES,
    JOINT_PICK,
    NEXT_PICK,
    PICKS,
    SEAT,
    SETTLED,
    TRAIL_LENGTH,
    UNKNOWN,
    fill_opening,
    follow_replies,
    start_trail,
)

FOLLOWED = TALLY_LENGTH
"""Place in a layer's tally, behind those of :mod:`solvers.endgame.seats_nash`: joint picks followed."""
N_BUDGET, N_STOP, N_CELLS, N_PICKS, N_STORED_FROM, N_WORKER, N_WORKERS, N_LENGTH = range(8)
"""Places in ``counts``: boards to open before the next stop, why the search stopped, the room that was missing, the
number of cards in each hand from which boards are stored, the worker's number, and how
many there are."""
STOP_NO, STOP_BUDGET, STOP_FULL, STOP_ROOM = range(4)
_DEPTHS = 12


class Layers(NamedTuple):
    """One worker's open boards, one layer for each number of cards in hand; ``tallies[0]`` is the tally of all boards
    that were finished, ``child`` and below are scratch."""

    boards: np.ndarray
    moves: np.ndarray
    tensors: np.ndarray
    marks: np.ndarray
    games: np.ndarray
    trails: np.ndarray
    gains: np.ndarray
    openings: np.ndarray
    banks: np.ndarray
    values: np.ndarray
    keys: np.ndarray
    tallies: np.ndarray
    child: np.ndarray
    scratch: np.ndarray
    numbers: np.ndarray


def new_layers(cells: int) -> Layers:
    """Layers for games of ``cells`` utilities."""
    return Layers(
        boards=np.zeros((_DEPTHS, 2, MAX_SEATS), dtype=np.int64),
        moves=np.zeros((_DEPTHS, MOVE_LAYERS, MAX_SEATS, MAX_PICKS), dtype=np.int64),
        tensors=np.empty((_DEPTHS, cells)),
        marks=np.empty((_DEPTHS, cells), dtype=np.int64),
        games=np.zeros((_DEPTHS, GAME_ROWS, MAX_SEATS), dtype=np.int64),
        trails=np.zeros((_DEPTHS, TRAIL_LENGTH), dtype=np.int64),
        gains=np.zeros((_DEPTHS, MAX_SEATS)),
        openings=np.zeros((_DEPTHS, MAX_SEATS), dtype=np.int64),
        banks=np.zeros((_DEPTHS, MAX_SEATS)),
        values=np.zeros((_DEPTHS, MAX_SEATS)),
        keys=np.zeros((_DEPTHS, MOST_WORDS + MAX_SEATS), dtype=np.int64),
        tallies=np.zeros((_DEPTHS, TALLY_LENGTH + 1)),
        child=np.zeros((2, MAX_SEATS), dtype=np.int64),
        scratch=np.zeros((SCRATCH_ROWS, MAX_SEATS), dtype=np.int64),
        numbers=np.zeros(2 * MAX_SEATS),
    )


LAYERS = numba.typeof(new_layers(1))
TABLE = numba.typeof((np.zeros((1, 1), dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)))


@lean_kernel((I8, BOARD, I8, BOARD))
def choose(seats: Any, game: Any, cell: Any, scratch: Any) -> Any:
    """Make ``CHOICE`` the picks of a joint pick."""
    for seat in range(seats):
        scratch[CHOICE, seat] = cell // game[STRIDE, seat]
        cell -= scratch[CHOICE, seat] * game[STRIDE, seat]


@lean_kernel((I8, ROW, BOARD))
def choose_next(seats: Any, trail: Any, scratch: Any) -> Any:
    """Make ``CHOICE`` the picks of the joint pick that a trail needs next; no division, which would take long."""
    for seat in range(seats):
        scratch[CHOICE, seat] = trail[PICKS + seat]
    scratch[CHOICE, trail[SEAT]] = trail[NEXT_PICK]


@lean_kernel(BOOL(ROW, I8, LAYERS, ROW, ROW, I8))
def open_board(frame: Any, cards: Any, layers: Any, counts: Any, halt: Any, picks_room: Any) -> Any:
    """List the picks at a layer's board, all utilities unknown; false if there is no room or it is time to stop."""
    seats = frame[SEATS]
    moves, game = layers.moves[cards], layers.games[cards]
    if cards > 2:
        counts[N_BUDGET] -= 1
        if counts[N_BUDGET] < 0 or load(halt, 0):
            counts[N_STOP] = STOP_BUDGET
            return False
    list_moves(frame, layers.boards[cards], cards, moves)
    picks = 0
    for seat in range(seats):
        game[FULL_SIZE, seat] = moves[MANY, seat, 0]
        picks += moves[MANY, seat, 0]
    cells = set_strides(game, seats)
    if cells * seats > layers.tensors.shape[1] or picks > picks_room:
        counts[N_STOP], counts[N_CELLS], counts[N_PICKS] = STOP_ROOM, cells * seats, picks
        return False
    fill_opening(seats, moves, layers.openings[cards])
    start_trail(seats, game, layers.openings[cards], layers.marks[cards], layers.trails[cards], cells)
    for place in range(cells * seats):
        layers.tensors[cards, place] = UNKNOWN
    for place in range(TALLY_LENGTH + 1):
        layers.tallies[cards, place] = 0.0
    if cards <= 2:
        list_ends(frame, moves)
    return True


@lean_kernel((ROW, I8, LAYERS, ARRAYS, BOOL))
def answer_board(frame: Any, cards: Any, layers: Any, arrays: Any, whole: Any) -> Any:
    """Write the values of a layer's board whose rule has all it asked for, and tally the board."""
    seats = frame[SEATS]
    tensor, game, tally = layers.tensors[cards], layers.games[cards], layers.tallies[cards]
    if whole:
        solve_whole(tensor, seats, game[FULL_SIZE], layers.values[cards], arrays)
    else:
        cell = layers.trails[cards, JOINT_PICK]
        take_pure(tensor, seats, cell, deviation_gain(tensor, seats, game, cell), layers.values[cards], arrays)
    tally[arrays.outcome[FOUND_BY]] += 1.0
    tally[REGRET] = max(tally[REGRET], arrays.regret[0])


@lean_kernel((FLOATS, FLOATS))
def add_tally(tally: Any, total: Any) -> Any:
    """Add a tally to another one."""
    for place in range(TALLY_LENGTH + 1):
        if place == REGRET:
            total[place] = max(total[place], tally[place])
        else:
            total[place] += tally[place]


@lean_kernel(BOOL(ROW, I8, TABLE, LAYERS, ROW))
def close_board(frame: Any, cards: Any, table: Any, layers: Any, counts: Any) -> Any:
    """Store a layer's board with its values, and count it if nobody else did; false if the table is full."""
    if cards < counts[N_STORED_FROM]:
        add_tally(layers.tallies[cards], layers.tallies[cards + 1])
        return True
    seats, words = frame[SEATS], 2 * frame[SEATS]
    for seat in range(seats):
        layers.keys[cards, words + seat] = np.float64(layers.values[cards, seat]).view(np.int64)
    rows, index, counter = table
    row, new = insert(rows, index, counter, layers.keys, cards, words, hash_key(layers.keys, cards, words))
    if row == EMPTY:
        counts[N_STOP] = STOP_FULL
        return False
    if new:
        add_tally(layers.tallies[cards], layers.tallies[0])
    return True


@lean_kernel(BOOL(ROW, FLOATS, I8, TABLE, LAYERS, ARRAYS, ROW, ROW))
def settle(frame: Any, reals: Any, cards: Any, table: Any, layers: Any, arrays: Any, counts: Any, halt: Any) -> Any:
    """Find the values of the reduced board in layer ``cards``, whose key stands in ``keys``.

    False if the search had to stop first; ``counts`` says why. Every board that was finished is in the table then. It
    is one function, long as it is, because numba compiles recursion only of a function that calls itself.
    """
    if not open_board(frame, cards, layers, counts, halt, arrays.profile.weights.shape[0]):
        return False
    seats, words = frame[SEATS], 2 * frame[SEATS]
    moves, tensor, game, trail = layers.moves[cards], layers.tensors[cards], layers.games[cards], layers.trails[cards]
    marks, gains, bank, scratch = layers.marks[cards], layers.gains[cards], layers.banks[cards], layers.scratch
    rows, index, _ = table
    cells = game[STRIDE, 0] * game[FULL_SIZE, 0]
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
            board, tally = layers.boards[cards], layers.tallies[cards]
            if whole:
                fill_ends(frame, reals, board, moves, layers.child, scratch, layers.numbers, tensor)
                tally[FOLLOWED] = cells
            else:
                tally[FOLLOWED] += fill_replies(
                    frame, reals, board, moves, game, trail, layers.child, scratch, layers.numbers, tensor
                )
            continue
        layers.tallies[cards, FOLLOWED] += 1.0
        if whole:
            choose(seats, game, cell, scratch)
        else:
            choose_next(seats, trail, scratch)
        child = layers.boards[cards - 1]
        follow(frame, moves, scratch, child)
        reduce_board(frame, reals, child, cards - 1, scratch, layers.numbers)
        banked_utilities(frame, reals, scratch, bank)
        row = EMPTY
        if cards > counts[N_STORED_FROM]:
            pack(child, seats, layers.keys, cards - 1)
            hashed = hash_key(layers.keys, cards - 1, words)
            row, _ = probe(rows, index, layers.keys, cards - 1, words, hashed)
        if row != EMPTY:
            for seat in range(seats):
                tensor[cell * seats + seat] = bank[seat] + np.int64(rows[row, words + seat]).view(np.float64)
        elif settle(frame, reals, cards - 1, table, layers, arrays, counts, halt):
            for seat in range(seats):
                tensor[cell * seats + seat] = bank[seat] + layers.values[cards - 1, seat]
        else:
            return False
    answer_board(frame, cards, layers, arrays, whole)
    return close_board(frame, cards, table, layers, counts)
