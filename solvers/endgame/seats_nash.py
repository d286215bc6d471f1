"""One equilibrium of each stage game: the selection rule of ``--against equilibrium`` for any number of seats.

Backward induction needs one equilibrium a stage. The rule, applied at every board:

1. *Pure equilibria first:* a joint pick from which no seat gains by another pick (more than ``TIE``).

   a. The one that best replies lead to (:mod:`solvers.endgame.seats_replies`): what players come to who begin with the
      picks that pay most at once and correct the costliest mistake first.
   b. Where they lead to none, all joint picks are looked at. Of several equilibria the one with the
      greatest sum of utilities counts; then the most even (the greatest smallest gain of any seat over the middle
      between its best and worst utility among those left); then the greatest utility of seat 0, of seat 1, and so on,
      then the first in card order.

2. *A mixed one where there is none.* Picks that are copies of another one, or strictly dominated (again and again), are
   left out, and supports are tried from small to large: by the number of picks in all supports together, then by the
   size of seat 0's support, of seat 1's and so on, then in card order; the first that carries an equilibrium counts
   (Porter, Nudelman and Shoham, "Simple search methods for finding a Nash equilibrium", 2004, with its test for
   conditional dominance). The equations of a support are solved by Newton's method from equal weights.
3. *Where no support is found* (a degenerate game, or too many picks): the logit branch is followed to ever higher
   precision, and the support it comes close to is solved (McKelvey and Palfrey 1995). If even that carries no
   equilibrium, rule 2 is tried again, looking at many more supports, and then with Newton's method from up to
   ``_STARTS`` other weights, as an equilibrium may lie where it does not get from equal ones. Else the profile of least
   regret met on the branch is taken, and the stage counts as unresolved.

Neither adding a constant to a seat's utilities nor copies of a pick change what rule 1 selects, and any equilibrium
found without the blank cards' names is one of the full game too: the reductions of
:mod:`solvers.endgame.seats_reduce` are sound here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import BOARD, F8, FLOATS, FULL_REDUCTION, I8, MAX_SEATS, ROW, Frame
from solvers.endgame.seats_layers import KINDS, LARGEST, TALLY_LENGTH
from solvers.endgame.seats_levels import BATCHES, Batch
from solvers.endgame.seats_logit import follow_branch, new_path, set_weights, spread, start_branch
from solvers.endgame.seats_mixes import (
    FIRST,
    FULL_SIZE,
    MATRIX,
    PROFILE,
    RESOLVED,
    SIZE,
    Profile,
    fill_deviations,
    new_profile,
    set_starts,
    set_strides,
    support_everything,
)
from solvers.endgame.seats_moves import MAX_PICKS
from solvers.endgame.seats_pure import TIE, cut_down, deviation_gain, drop_needless, pure_equilibrium
from solvers.endgame.seats_replies import JOINT_PICK, SETTLED, TRAIL_LENGTH, follow_replies, start_trail
from solvers.endgame.seats_supports import AS_THEY_ARE, find_support, solve_support

PURE, MIXED, HARD, UNRESOLVED, NOTHING_YET = range(5)
"""What found the answer to a stage game: rule 1, rule 2, rule 3, or nothing, in the end or so far."""
FOUND_BY, PICK = 0, 1
"""Places of an ``outcome``: one of these, and the joint pick of a pure equilibrium (-1 for a mixed one)."""
_DOUBLINGS = 24
_FIRST_PRECISION = 8.0
_CARRIED = 1e-3
_STARTS = 40
_PATIENCE, _LONG_PATIENCE = 20_000, 400_000
"""Supports, whole or part, looked at by rule 2, and once more where rule 3 has found nothing."""


class Arrays(NamedTuple):
    """One worker's arrays for stage games.

    ``outcome`` says how the last game was solved, and ``regret`` the most that a seat gains by a deviation. If rule 2
    or 3 did it, ``small`` is the game cut down to the picks ``origin``, and the answer is ``mixes`` and ``values``.
    """

    outcome: np.ndarray
    regret: np.ndarray
    marks: np.ndarray
    trail: np.ndarray
    small: np.ndarray
    origin: np.ndarray
    profile: Profile
    path: np.ndarray
    mixes: np.ndarray
    values: np.ndarray
    tally: np.ndarray


def new_arrays(cells: int, picks: int) -> Arrays:
    """Room for games of ``cells`` utilities and ``picks`` picks of all seats together."""
    return Arrays(
        outcome=np.zeros(2, dtype=np.int64),
        regret=np.zeros(1),
        marks=np.zeros(cells, dtype=np.int64),
        trail=np.zeros(TRAIL_LENGTH, dtype=np.int64),
        small=np.empty(cells),
        origin=np.zeros((MAX_SEATS, MAX_PICKS), dtype=np.int64),
        profile=new_profile(picks),
        path=new_path(picks),
        mixes=np.zeros((MAX_SEATS, MAX_PICKS)),
        values=np.zeros(MAX_SEATS),
        tally=np.zeros(TALLY_LENGTH),
    )


ARRAYS = numba.typeof(new_arrays(1, 1))


@lean_kernel(I8(I8, BOARD, ROW))
def describe(seats: Any, game: Any, sizes: Any) -> Any:
    """Make ``game`` one with so many picks a seat; the number of joint picks."""
    for seat in range(seats):
        game[FULL_SIZE, seat] = sizes[seat]
    return set_strides(game, seats)


@lean_kernel((FLOATS, I8, I8, F8, FLOATS, ARRAYS))
def take_pure(tensor: Any, seats: Any, cell: Any, regret: Any, values: Any, arrays: Any) -> Any:
    """Take a joint pick as the answer to a game, and write its values."""
    arrays.outcome[FOUND_BY] = PURE
    arrays.outcome[PICK] = cell
    arrays.regret[0] = regret
    for seat in range(seats):
        values[seat] = tensor[cell * seats + seat]


@lean_kernel((I8, ARRAYS))
def clear_mixes(seats: Any, arrays: Any) -> Any:
    """No weight on any pick."""
    for seat in range(seats):
        for pick in range(MAX_PICKS):
            arrays.mixes[seat, pick] = 0.0


@lean_kernel((I8, ARRAYS))
def keep_mixes(seats: Any, arrays: Any) -> Any:
    """Write the profile's weights to ``mixes``, by the picks of the game before it was cut down."""
    game, profile = arrays.profile.game, arrays.profile
    for seat in range(seats):
        for place in range(game[SIZE, seat]):
            pick = arrays.origin[seat, profile.support[seat, place]]
            arrays.mixes[seat, pick] = profile.weights[game[FIRST, seat] + place]


@lean_kernel((I8, PROFILE))
def keep_likely(seats: Any, profile: Any) -> Any:
    """Drop from a profile's support, which holds every pick, the picks with next to no weight."""
    game, weights = profile.game, profile.weights
    kept = 0
    for seat in range(seats):
        start, size, total = game[FIRST, seat], 0, 0.0
        for pick in range(game[SIZE, seat]):
            if weights[start + pick] > _CARRIED:
                profile.support[seat, size] = pick
                weights[kept + size] = weights[start + pick]
                total += weights[start + pick]
                size += 1
        for place in range(kept, kept + size):
            weights[place] /= total
        game[SIZE, seat] = size
        kept += size


@lean_kernel((FLOATS, I8, ROW, I8, FLOATS, ARRAYS))
def take_mixes(tensor: Any, seats: Any, sizes: Any, found_by: Any, values: Any, arrays: Any) -> Any:
    """Take ``mixes`` as the answer to a game: write its values, and the largest gain by a deviation."""
    profile = arrays.profile
    game = profile.game
    describe(seats, game, sizes)
    for seat in range(seats):
        size = 0
        for pick in range(game[FULL_SIZE, seat]):
            if arrays.mixes[seat, pick] > 0.0:
                profile.support[seat, size] = pick
                size += 1
        game[SIZE, seat] = size
    set_starts(game, seats)
    for seat in range(seats):
        for place in range(game[SIZE, seat]):
            profile.weights[game[FIRST, seat] + place] = arrays.mixes[seat, profile.support[seat, place]]
    arrays.regret[0] = fill_deviations(tensor, seats, profile, arrays.values)
    arrays.outcome[FOUND_BY] = found_by
    arrays.outcome[PICK] = -1
    for seat in range(seats):
        values[seat] = arrays.values[seat]


@lean_kernel(F8(I8, ARRAYS))
def follow_to_equilibrium(seats: Any, arrays: Any) -> Any:
    """Rule 3 on the game cut down; writes ``mixes`` and returns the regret."""
    small, profile, path, values = arrays.small, arrays.profile, arrays.path, arrays.values
    game, support = profile.game, profile.support
    cells = set_strides(game, seats)
    support_everything(game, support, seats)
    start_branch(path, set_starts(game, seats) - seats)
    unit = spread(small, cells * seats)
    least, goal = np.inf, _FIRST_PRECISION
    for _ in range(_DOUBLINGS):
        support_everything(game, support, seats)
        followed = follow_branch(small, seats, profile, path, unit, goal)
        set_weights(seats, profile, path, 0)
        regret = fill_deviations(small, seats, profile, values)
        if regret < least:
            least = regret
            keep_mixes(seats, arrays)
        keep_likely(seats, profile)
        if solve_support(small, seats, profile, AS_THEY_ARE):
            regret = fill_deviations(small, seats, profile, values)
            if regret < least:
                least = regret
                clear_mixes(seats, arrays)
                keep_mixes(seats, arrays)
            if regret <= TIE:
                return regret
        if followed < 0:
            break
        goal *= 2.0
    return least


@lean_kernel((FLOATS, I8, ROW, FLOATS, ARRAYS), inline=True)
def solve_whole(tensor: Any, seats: Any, sizes: Any, values: Any, arrays: Any) -> Any:
    """Answer a game in which best replies lead to nothing (rules 1b and 2); all its utilities must be known.

    Where that finds no answer, ``FOUND_BY`` is ``NOTHING_YET``.
    """
    game, support = arrays.profile.game, arrays.profile.support
    cells = describe(seats, game, sizes)
    cell, regret = pure_equilibrium(tensor, seats, game, cells, arrays.marks, arrays.profile.deviation)
    if cell >= 0:
        take_pure(tensor, seats, cell, regret, values, arrays)
    else:
        drop_needless(tensor, seats, game, support)
        cut_down(tensor, seats, game, support, arrays.small, arrays.origin)
        if find_support(arrays.small, seats, arrays.profile, arrays.values, 0, _PATIENCE):
            clear_mixes(seats, arrays)
            keep_mixes(seats, arrays)
            take_mixes(tensor, seats, sizes, MIXED, values, arrays)
        else:
            arrays.outcome[FOUND_BY] = NOTHING_YET


@lean_kernel((FLOATS, I8, ROW, FLOATS, ARRAYS))
def solve_hard(tensor: Any, seats: Any, sizes: Any, values: Any, arrays: Any) -> Any:
    """Answer a game for which rule 2 found nothing (rule 3).

    A kernel of its own for Python to call, so that nobody waits for it to be compiled who does not need it.
    """
    game, support = arrays.profile.game, arrays.profile.support
    describe(seats, game, sizes)
    drop_needless(tensor, seats, game, support)
    cut_down(tensor, seats, game, support, arrays.small, arrays.origin)
    clear_mixes(seats, arrays)
    regret = follow_to_equilibrium(seats, arrays)
    start = 0
    while regret > RESOLVED and start <= _STARTS:
        patience = _PATIENCE if start else _LONG_PATIENCE
        if find_support(arrays.small, seats, arrays.profile, arrays.values, start, patience):
            regret = 0.0
            clear_mixes(seats, arrays)
            keep_mixes(seats, arrays)
        start += 1
    take_mixes(tensor, seats, sizes, HARD if regret <= RESOLVED else UNRESOLVED, values, arrays)


@lean_kernel((FLOATS, I8, ROW, ROW, FLOATS, ARRAYS), inline=True)
def solve_stage(tensor: Any, seats: Any, sizes: Any, opening: Any, values: Any, arrays: Any) -> Any:
    """Answer a game by rules 1 and 2."""
    game = arrays.profile.game
    start_trail(seats, game, opening, arrays.marks, arrays.trail, describe(seats, game, sizes))
    if follow_replies(tensor, seats, game, arrays.marks, arrays.trail, arrays.values, 0) == SETTLED:
        cell = arrays.trail[JOINT_PICK]
        take_pure(tensor, seats, cell, deviation_gain(tensor, seats, game, cell), values, arrays)
    else:
        solve_whole(tensor, seats, sizes, values, arrays)


@lean_kernel((ARRAYS,))
def add_to_tally(arrays: Any) -> Any:
    """Tally the game just answered."""
    arrays.tally[KINDS + arrays.outcome[FOUND_BY]] += 1
    arrays.tally[LARGEST] = max(arrays.tally[LARGEST], arrays.regret[0])


@lean_kernel(I8(I8, BATCHES, I8, I8, MATRIX, ARRAYS))
def solve_stages(seats: Any, batch: Any, start: Any, games: Any, values: Any, arrays: Any) -> Any:
    """Answer the games of a batch from ``start`` on; returns the first that rule 3 is needed for, or ``games``."""
    for game in range(start, games):
        tensor = batch.tensor[batch.starts[game] :]
        solve_stage(tensor, seats, batch.sizes[game], batch.openings[game], values[game], arrays)
        if arrays.outcome[FOUND_BY] == NOTHING_YET:
            return game
        add_to_tally(arrays)
    return games


class Workspace:
    """What one worker needs to itself; its arrays grow with the games."""

    def __init__(self) -> None:
        self.arrays = new_arrays(1 << 10, 32)

    def fit(self, cells: int, picks: int) -> Arrays:
        """Arrays with room for games of ``cells`` utilities and ``picks`` picks; the tally goes on."""
        old = self.arrays
        if cells > len(old.small) or picks > len(old.profile.weights):
            self.arrays = new_arrays(max(cells, len(old.small)), max(picks, len(old.profile.weights)))
            self.arrays.tally[:] = old.tally
        return self.arrays


class Nash:
    """The stage rule: the equilibrium selected."""

    reduce = FULL_REDUCTION

    def workspace(self) -> Workspace:
        """What one worker needs to itself."""
        return Workspace()

    def value(self, frame: Frame, batch: Batch, games: int, values: np.ndarray, workspace: Workspace) -> None:
        """Write every seat's value of each game."""
        cells = int(np.diff(batch.starts[: games + 1]).max())
        arrays = workspace.fit(cells, int(batch.sizes[:games].sum(axis=1).max()))
        game = solve_stages(frame.seats, batch, 0, games, values, arrays)
        while game < games:
            solve_hard(batch.tensor[batch.starts[game] :], frame.seats, batch.sizes[game], values[game], arrays)
            add_to_tally(arrays)
            game = solve_stages(frame.seats, batch, game + 1, games, values, arrays)

    def mixes(self, workspace: Workspace, sizes: Sequence[int]) -> list[np.ndarray]:
        """Every seat's mix in the one game just valued."""
        arrays = workspace.arrays
        if arrays.outcome[PICK] < 0:
            return [arrays.mixes[seat, :size].copy() for seat, size in enumerate(sizes)]
        picks = np.unravel_index(arrays.outcome[PICK], sizes)
        return [np.eye(1, size, int(pick))[0] for size, pick in zip(sizes, picks, strict=True)]

    def stats(self, workspaces: Sequence[Workspace]) -> dict[str, Any]:
        """The largest regret of any seat at any board, and how many boards each part of the rule decided."""
        return report(np.array([workspace.arrays.tally for workspace in workspaces]))


def report(tallies: np.ndarray) -> dict[str, Any]:
    """What an answer says of the stages in these tallies, one a row; ``LARGEST`` is the largest regret."""
    counts = tallies.sum(axis=0)
    return {
        "largest_regret": float(tallies[:, LARGEST].max()),
        "pure_stages": int(counts[KINDS + PURE]),
        "mixed_stages": int(counts[KINDS + MIXED]),
        "logit_stages": int(counts[KINDS + HARD]),
        "unresolved_stages": int(counts[KINDS + UNRESOLVED]),
    }
