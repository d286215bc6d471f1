"""What the depth-first searches for joint picks share: open boards in layers, and one table of what is found.

A worker opens boards one below the other, one layer for each number of cards in hand. At each the utilities of all
joint picks are unknown at first; a *rule* says which one it needs next, the board that follows is looked up or
searched, and so on until the rule has its answer, which goes into the table. Boards below a number of cards are
answered anew each time. Nothing is ever taken back, so a search that was cut off is begun again at its root and finds
all it had finished.

The rules and their searches are :mod:`solvers.endgame.seats_settle` and :mod:`solvers.endgame.seats_coalition`;
:mod:`solvers.endgame.seats_deep` drives them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.atomics import load
from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, BOOL, FLOATS, I8, MAX_SEATS, OWN, ROW, SEATS, pack
from solvers.endgame.packing_table import EMPTY, MOST_WORDS, hash_key, insert, probe
from solvers.endgame.seats_ends import list_ends
from solvers.endgame.seats_levels import banked_utilities
from solvers.endgame.seats_mixes import FULL_SIZE, GAME_ROWS, STRIDE, set_strides
from solvers.endgame.seats_moves import CHOICE, MANY, MAX_PICKS, MOVE_LAYERS, SCRATCH_ROWS, follow, list_moves
from solvers.endgame.seats_reduce import reduce_board
from solvers.endgame.seats_replies import TRAIL_LENGTH, UNKNOWN, fill_opening

FOLLOWED, LARGEST, KINDS, TALLY_LENGTH = 0, 1, 2, 6
"""Places in a *tally*: joint picks followed, the largest of some number of a board, and boards of several kinds, from
``KINDS`` on."""
N_BUDGET, N_STOP, N_CELLS, N_PICKS, N_STORED_FROM, N_WHOLE, N_WORKER, N_WORKERS, N_HARD, N_LENGTH = range(10)
"""Places in ``counts``: boards to search before the next stop, why the search stopped, the room that was missing, the
number of cards in each hand from which boards are stored, and that at which all joint picks are asked for, the
worker's number and how many there are, and the layer of a board that is to be answered outside the search."""
STOP_NO, STOP_BUDGET, STOP_FULL, STOP_ROOM, STOP_HARD = range(5)
DEPTHS = 12
"""Layers: one for each number of cards in hand."""


class Layers(NamedTuple):
    """One worker's open boards, one layer for each number of cards in hand; ``tallies[0]`` is the tally of all boards
    that were finished. ``hard_keys`` and ``hard_values`` are boards answered outside the search: their keys, how many
    they are in the last row's first place, and their values, what found them and their regret. ``child`` and below are
    scratch."""

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
    hard_keys: np.ndarray
    hard_values: np.ndarray
    child: np.ndarray
    scratch: np.ndarray
    numbers: np.ndarray


def new_layers(cells: int) -> Layers:
    """Layers for games of ``cells`` utilities."""
    return Layers(
        boards=np.zeros((DEPTHS, 2, MAX_SEATS), dtype=np.int64),
        moves=np.zeros((DEPTHS, MOVE_LAYERS, MAX_SEATS, MAX_PICKS), dtype=np.int64),
        tensors=np.empty((DEPTHS, cells)),
        marks=np.empty((DEPTHS, cells), dtype=np.int64),
        games=np.zeros((DEPTHS, GAME_ROWS, MAX_SEATS), dtype=np.int64),
        trails=np.zeros((DEPTHS, TRAIL_LENGTH), dtype=np.int64),
        gains=np.zeros((DEPTHS, MAX_SEATS)),
        openings=np.zeros((DEPTHS, MAX_SEATS), dtype=np.int64),
        banks=np.zeros((DEPTHS, MAX_SEATS)),
        values=np.zeros((DEPTHS, MAX_SEATS)),
        keys=np.zeros((DEPTHS, MOST_WORDS + MAX_SEATS), dtype=np.int64),
        tallies=np.zeros((DEPTHS, TALLY_LENGTH)),
        hard_keys=np.zeros((2, MOST_WORDS), dtype=np.int64),
        hard_values=np.zeros((1, MAX_SEATS + 2)),
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


@lean_kernel(I8(ROW, I8, LAYERS, ROW, ROW, I8))
def open_board(frame: Any, cards: Any, layers: Any, counts: Any, halt: Any, picks_room: Any) -> Any:
    """List the picks at a layer's board, all utilities unknown; returns how many joint picks there are.

    0 comes back if there is no room or it is time to stop.
    """
    seats, kept = frame[SEATS], 1 if frame[OWN] >= 0 else frame[SEATS]
    moves, game = layers.moves[cards], layers.games[cards]
    if cards > 2 and (counts[N_BUDGET] < 0 or load(halt, 0)):
        counts[N_STOP] = STOP_BUDGET
        return 0
    list_moves(frame, layers.boards[cards], cards, moves)
    picks = 0
    for seat in range(seats):
        game[FULL_SIZE, seat] = moves[MANY, seat, 0]
        picks += moves[MANY, seat, 0]
    cells = set_strides(game, seats)
    if cells * kept > layers.tensors.shape[1] or picks > picks_room:
        counts[N_STOP], counts[N_CELLS], counts[N_PICKS] = STOP_ROOM, cells * kept, picks
        return 0
    fill_opening(seats, moves, layers.openings[cards])
    for place in range(cells * kept):
        layers.tensors[cards, place] = UNKNOWN
    for place in range(TALLY_LENGTH):
        layers.tallies[cards, place] = 0.0
    if cards <= 2:
        list_ends(frame, moves)
    return cells


@lean_kernel(I8(ROW, FLOATS, I8, TABLE, LAYERS, ROW))
def reach(frame: Any, reals: Any, cards: Any, table: Any, layers: Any, counts: Any) -> Any:
    """Put the board after the joint pick ``CHOICE`` into the layer below, reduced; its row, or ``EMPTY``.

    Only a board that is not in the table costs of the budget, so that a search begun again gets further than before.
    """
    seats, words = frame[SEATS], 2 * frame[SEATS]
    child, keys, scratch = layers.boards[cards - 1], layers.keys, layers.scratch
    layers.tallies[cards, FOLLOWED] += 1.0
    follow(frame, layers.moves[cards], scratch, child)
    reduce_board(frame, reals, child, cards - 1, scratch, layers.numbers)
    banked_utilities(frame, reals, scratch, layers.banks[cards])
    row = EMPTY
    if cards > counts[N_STORED_FROM]:
        pack(child, seats, keys, cards - 1)
        row, _ = probe(table[0], table[1], keys, cards - 1, words, hash_key(keys, cards - 1, words))
    if row == EMPTY:
        counts[N_BUDGET] -= 1
    return row


@lean_kernel((ROW, I8, TABLE, LAYERS, I8, I8))
def note(frame: Any, cards: Any, table: Any, layers: Any, cell: Any, row: Any) -> Any:
    """Make the utilities of a joint pick known: those in a row of the table, or else those just found in the layer
    below, with what is banked."""
    kept, words = 1 if frame[OWN] >= 0 else frame[SEATS], 2 * frame[SEATS]
    for item in range(kept):
        value = layers.values[cards - 1, item]
        if row != EMPTY:
            value = np.int64(table[0][row, words + item]).view(np.float64)
        layers.tensors[cards, cell * kept + item] = layers.banks[cards, item] + value


@lean_kernel((FLOATS, FLOATS))
def add_tally(tally: Any, total: Any) -> Any:
    """Add a tally to another one."""
    for place in range(TALLY_LENGTH):
        if place == LARGEST:
            total[place] = max(total[place], tally[place])
        else:
            total[place] += tally[place]


@lean_kernel(BOOL(ROW, I8, TABLE, LAYERS, ROW))
def close_board(frame: Any, cards: Any, table: Any, layers: Any, counts: Any) -> Any:
    """Store a layer's board with its values, and count it if nobody else did; false if the table is full."""
    if cards < counts[N_STORED_FROM]:
        add_tally(layers.tallies[cards], layers.tallies[cards + 1])
        return True
    kept, words = 1 if frame[OWN] >= 0 else frame[SEATS], 2 * frame[SEATS]
    for item in range(kept):
        layers.keys[cards, words + item] = np.float64(layers.values[cards, item]).view(np.int64)
    rows, index, counter = table
    row, new = insert(rows, index, counter, layers.keys, cards, words, hash_key(layers.keys, cards, words))
    if row == EMPTY:
        counts[N_STOP] = STOP_FULL
        return False
    if new:
        add_tally(layers.tallies[cards], layers.tallies[0])
    return True
