"""Depth-first search for what one seat can guarantee: only joint picks that its value rests on are looked at.

A board is the zero-sum matrix game of :mod:`solvers.endgame.seats_paranoid`, and its value is found by the double
oracle (McMahan, Gordon and Blum 2003) from both sides. Some of the seat's picks and some of the others' joint picks
span a restricted game, of which all utilities are asked for. Then, in turn,

1. *rows:* against the coalition's mix every other pick of the seat is tried; the best joins if it is worth more than
   the restricted game;
2. *columns:* against the seat's mix every joint pick of the others is tried; the worst for the seat joins if it leaves
   less than the restricted game.

Where nobody joins, the restricted game's value is that of the whole one. Only for picks in the seat's mix all joint
picks of the others are needed, about half of all utilities in the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.matrix import solve_game
from solvers.endgame.packing import BOARD, BOOL, FLOATS, I8, OWN, ROW, SEATS
from solvers.endgame.packing_table import EMPTY
from solvers.endgame.seats_ends import fill_ends
from solvers.endgame.seats_layers import (
    DEPTHS,
    FOLLOWED,
    LAYERS,
    N_WHOLE,
    N_WORKER,
    N_WORKERS,
    TABLE,
    choose,
    close_board,
    note,
    open_board,
    reach,
)
from solvers.endgame.seats_mixes import FULL_SIZE, MATRIX, STRIDE
from solvers.endgame.seats_moves import MAX_PICKS
from solvers.endgame.seats_paranoid import BETTER, SPACE, Space, new_space, solve_against_all

SETTLED = -1
"""What :func:`ask_coalition` says when it needs nothing more."""
PHASE, MANY_ROWS, MANY_COLUMNS, SEEN, ROWS = range(5)
COLUMNS, LISTS_LENGTH = ROWS + MAX_PICKS, ROWS + 2 * MAX_PICKS
"""Places in ``lists``: what is being done, how many rows and columns are in the restricted game, how many columns are
known to be known, and the rows and the columns."""
VALUE, ROW_MIX = 0, 1
COLUMN_MIX, MIXES_LENGTH = ROW_MIX + MAX_PICKS, ROW_MIX + 2 * MAX_PICKS
"""Places in ``mixes``: the value of the restricted game, and both sides' weights on its rows and columns."""
_SOLVE, _TRY_ROWS, _TRY_COLUMNS = range(3)


class Coalition(NamedTuple):
    """One worker's restricted games, a layer for each number of cards, and what matrix games take."""

    lists: np.ndarray
    mixes: np.ndarray
    space: Space


def new_coalition(cells: int) -> Coalition:
    """Room for games of ``cells`` joint picks."""
    return Coalition(
        np.zeros((DEPTHS, LISTS_LENGTH), dtype=np.int64), np.zeros((DEPTHS, MIXES_LENGTH)), new_space(cells)
    )


COALITION = numba.typeof(new_coalition(1))


class CoalitionSpace:
    """What one worker needs to itself; its arrays grow with the games."""

    def __init__(self) -> None:
        self.arrays = new_coalition(1)

    def fit(self, cells: int, picks: int) -> None:
        """Make room for games of ``cells`` joint picks."""
        if len(self.arrays.space.wide) < cells:
            self.arrays = new_coalition(cells)


@lean_kernel(I8(I8, BOARD, I8, I8))
def cell_of(own: Any, game: Any, row: Any, column: Any) -> Any:
    """The joint pick of a seat's pick and a joint pick of the others, counted without that seat."""
    inner = game[STRIDE, own]
    return (column // inner) * inner * game[FULL_SIZE, own] + row * inner + column % inner


@lean_kernel((I8, I8, BOARD, ROW, ROW))
def start_coalition(own: Any, seats: Any, game: Any, opening: Any, lists: Any) -> Any:
    """Begin with everybody's greedy pick."""
    column = 0
    for seat in range(seats):
        if seat != own:
            column = column * game[FULL_SIZE, seat] + opening[seat]
    lists[PHASE], lists[MANY_ROWS], lists[MANY_COLUMNS], lists[SEEN] = _SOLVE, 1, 1, 0
    lists[ROWS] = opening[own]
    lists[COLUMNS] = column


@lean_kernel(I8(FLOATS, I8, BOARD, ROW, FLOATS, MATRIX, MATRIX))
def solve_restricted(tensor: Any, own: Any, game: Any, lists: Any, mixes: Any, restricted: Any, work: Any) -> Any:
    """Solve the restricted game; returns a joint pick whose utility is missing, or ``SETTLED``."""
    rows, columns = lists[MANY_ROWS], lists[MANY_COLUMNS]
    for row in range(rows):
        for column in range(columns):
            cell = cell_of(own, game, lists[ROWS + row], lists[COLUMNS + column])
            restricted[row, column] = tensor[cell]
            if np.isnan(tensor[cell]):
                return cell
    row_mix, column_mix = mixes[ROW_MIX:COLUMN_MIX], mixes[COLUMN_MIX:MIXES_LENGTH]
    mixes[VALUE] = solve_game(restricted, rows, columns, row_mix, column_mix, work)
    return SETTLED


@lean_kernel(BOOL(ROW, I8, I8, I8))
def is_listed(lists: Any, start: Any, many: Any, number: Any) -> Any:
    """Whether a row or column is in the restricted game."""
    found = False
    for place in range(start, start + many):
        found = found or lists[place] == number
    return found


@lean_kernel(I8(FLOATS, I8, BOARD, ROW, FLOATS))
def try_rows(tensor: Any, own: Any, game: Any, lists: Any, mixes: Any) -> Any:
    """Add the best pick against the column mix, if it is better; a missing joint pick, or ``SETTLED`` if none is.

    When one was added the phase is ``_SOLVE``.
    """
    best, reply = mixes[VALUE] + BETTER, -1
    for row in range(game[FULL_SIZE, own]):
        if is_listed(lists, ROWS, lists[MANY_ROWS], row):
            continue
        total = 0.0
        for place in range(lists[MANY_COLUMNS]):
            if mixes[COLUMN_MIX + place] > 0.0:
                cell = cell_of(own, game, row, lists[COLUMNS + place])
                if np.isnan(tensor[cell]):
                    return cell
                total += mixes[COLUMN_MIX + place] * tensor[cell]
        if total > best:
            best, reply = total, row
    if reply >= 0:
        lists[ROWS + lists[MANY_ROWS]] = reply
        lists[MANY_ROWS] += 1
        lists[PHASE] = _SOLVE
    return SETTLED


@lean_kernel((ROW, FLOATS, I8))
def add_column(lists: Any, mixes: Any, column: Any) -> Any:
    """Add a column; those without weight make room when the restricted game is full."""
    if lists[MANY_COLUMNS] == MAX_PICKS:
        many = 0
        for place in range(MAX_PICKS):
            if mixes[COLUMN_MIX + place] > 0.0:
                lists[COLUMNS + many] = lists[COLUMNS + place]
                many += 1
        lists[MANY_COLUMNS] = many
    lists[COLUMNS + lists[MANY_COLUMNS]] = column
    lists[MANY_COLUMNS] += 1


@lean_kernel(I8(FLOATS, I8, BOARD, ROW, FLOATS, I8, I8))
def try_columns(tensor: Any, own: Any, game: Any, lists: Any, mixes: Any, columns: Any, first: Any) -> Any:
    """Add the worst of all columns against the row mix, if it is worse for the seat; a missing joint pick, or
    ``SETTLED`` if none is.

    Looks at columns from ``first`` on. When one was added the phase is ``_SOLVE``.
    """
    for step in range(lists[SEEN], columns):
        for place in range(lists[MANY_ROWS]):
            if mixes[ROW_MIX + place] > 0.0:
                cell = cell_of(own, game, lists[ROWS + place], (first + step) % columns)
                if np.isnan(tensor[cell]):
                    lists[SEEN] = step
                    return cell
    lists[SEEN] = 0
    least, reply = mixes[VALUE] - BETTER, -1
    for column in range(columns):
        total = 0.0
        for place in range(lists[MANY_ROWS]):
            if mixes[ROW_MIX + place] > 0.0:
                cell = cell_of(own, game, lists[ROWS + place], column)
                total += mixes[ROW_MIX + place] * tensor[cell]
        if total < least:
            least, reply = total, column
    if reply >= 0 and not is_listed(lists, COLUMNS, lists[MANY_COLUMNS], reply):  # or it was rounding
        add_column(lists, mixes, reply)
        lists[PHASE] = _SOLVE
    return SETTLED


@lean_kernel(I8(FLOATS, I8, BOARD, I8, ROW, FLOATS, SPACE, I8))
def ask_coalition(
    tensor: Any, own: Any, game: Any, columns: Any, lists: Any, mixes: Any, space: Any, first: Any
) -> Any:
    """Go on with a board as far as the utilities known allow: the joint pick to search next, or ``SETTLED``."""
    while True:
        if lists[PHASE] == _SOLVE:
            wanted = solve_restricted(tensor, own, game, lists, mixes, space.game, space.matrix_work)
            if wanted != SETTLED:
                return wanted
            lists[PHASE] = _TRY_ROWS
        if lists[PHASE] == _TRY_ROWS:
            wanted = try_rows(tensor, own, game, lists, mixes)
            if wanted != SETTLED:
                return wanted
            if lists[PHASE] == _SOLVE:
                continue
            lists[PHASE] = _TRY_COLUMNS
        wanted = try_columns(tensor, own, game, lists, mixes, columns, first)
        if wanted != SETTLED or lists[PHASE] != _SOLVE:
            return wanted


@lean_kernel(I8(FLOATS, I8, I8))
def first_unknown(tensor: Any, cells: Any, first: Any) -> Any:
    """A joint pick whose utility is missing, the first from ``first`` on; ``SETTLED`` if there is none."""
    for step in range(cells):
        cell = (first + step) % cells
        if np.isnan(tensor[cell]):
            return cell
    return SETTLED


@lean_kernel(BOOL(ROW, FLOATS, I8, TABLE, LAYERS, COALITION, ROW, ROW))
def settle_guarantee(
    frame: Any, reals: Any, cards: Any, table: Any, layers: Any, coalition: Any, counts: Any, halt: Any
) -> Any:
    """Find the value to ``OWN`` of the reduced board in layer ``cards``, whose key stands in ``keys``.

    False if the search had to stop first, as in :func:`solvers.endgame.seats_settle.settle_equilibrium`.
    """
    seats, own = frame[SEATS], frame[OWN]
    cells = open_board(frame, cards, layers, counts, halt, seats * MAX_PICKS)
    if cells == 0:
        return False
    tensor, game = layers.tensors[cards], layers.games[cards]
    lists, mixes = coalition.lists[cards], coalition.mixes[cards]
    if cards <= 2:
        fill_ends(
            frame,
            reals,
            layers.boards[cards],
            layers.moves[cards],
            layers.child,
            layers.scratch,
            layers.numbers,
            tensor,
        )
        layers.tallies[cards, FOLLOWED] += cells
        layers.values[cards, 0] = solve_against_all(frame, tensor, game[FULL_SIZE], coalition.space)
        return close_board(frame, cards, table, layers, counts)
    start_coalition(own, seats, game, layers.openings[cards], lists)
    columns = cells // game[FULL_SIZE, own]
    first = columns * counts[N_WORKER] // counts[N_WORKERS]
    while True:
        cell = ask_coalition(tensor, own, game, columns, lists, mixes, coalition.space, first)
        if cell == SETTLED and cards == counts[N_WHOLE]:
            cell = first_unknown(tensor, cells, first * game[FULL_SIZE, own])
        if cell == SETTLED:
            break
        choose(seats, game, cell, layers.scratch)
        row = reach(frame, reals, cards, table, layers, counts)
        if row == EMPTY and not settle_guarantee(frame, reals, cards - 1, table, layers, coalition, counts, halt):
            return False
        note(frame, cards, table, layers, cell, row)
    layers.values[cards, 0] = mixes[VALUE]
    return close_board(frame, cards, table, layers, counts)
