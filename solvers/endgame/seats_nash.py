"""One equilibrium of each stage game: the selection rule of ``--against equilibrium`` for any number of seats.

Backward induction needs one equilibrium a stage. The rule, applied at every board:

1. *Pure equilibria first.* Among all joint picks from which no seat gains by another pick (more than ``TIE``):

   a. the greatest sum of utilities,
   b. then the most even: the greatest smallest gain of any seat over the middle between its best and worst utility
      among the equilibria left after (a),
   c. then the greatest utility of seat 0, of seat 1, and so on, then the first in card order.

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
from solvers.endgame.packing import F8, FLOATS, FULL_REDUCTION, I8, MAX_SEATS, Frame
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
from solvers.endgame.seats_pure import TIE, cut_down, drop_needless, pure_equilibrium
from solvers.endgame.seats_supports import AS_THEY_ARE, find_support, solve_support

REGRET, PURE, MIXED, HARD, UNRESOLVED, TALLY_LENGTH = range(6)
"""Places in a worker's tally: the largest regret, and stages solved by rule 1, by rule 2, by rule 3, and not at all."""

_DOUBLINGS = 24
_FIRST_PRECISION = 8.0
_CARRIED = 1e-3
_STARTS = 40
_PATIENCE, _LONG_PATIENCE = 20_000, 400_000
"""Supports, whole or part, looked at by rule 2, and once more where rule 3 has found nothing."""
_NO_PURE, _NO_SUPPORT = -1, -2
"""In ``chosen``: rule 1, or rules 1 and 2, found no equilibrium."""


class Arrays(NamedTuple):
    """One worker's arrays for stage games.

    ``chosen`` has the joint pick that rule 1 selects in each game of a batch; ``small`` is a game cut down to the picks
    ``origin``; ``mixes`` and ``values`` are the answer to the last game solved by rule 2 or 3.
    """

    chosen: np.ndarray
    marks: np.ndarray
    small: np.ndarray
    origin: np.ndarray
    profile: Profile
    path: np.ndarray
    mixes: np.ndarray
    values: np.ndarray
    tally: np.ndarray


def new_arrays(cells: int, picks: int, games: int) -> Arrays:
    """Room for games of ``cells`` utilities and ``picks`` picks of all seats together, ``games`` in a batch."""
    return Arrays(
        chosen=np.zeros(games, dtype=np.int64),
        marks=np.zeros(cells, dtype=np.int64),
        small=np.empty(cells),
        origin=np.zeros((MAX_SEATS, MAX_PICKS), dtype=np.int64),
        profile=new_profile(picks),
        path=new_path(picks),
        mixes=np.zeros((MAX_SEATS, MAX_PICKS)),
        values=np.zeros(MAX_SEATS),
        tally=np.zeros(TALLY_LENGTH),
    )


ARRAYS = numba.typeof(new_arrays(1, 1, 1))


@lean_kernel((I8, BATCHES, I8, MATRIX, ARRAYS))
def apply_rule_1(seats: Any, batch: Any, games: Any, values: Any, arrays: Any) -> Any:
    """Value the games that have a pure equilibrium, and note in ``chosen`` which one, or that there is none."""
    tensor, starts, sizes = batch
    described, tally = arrays.profile.game, arrays.tally
    for game in range(games):
        for seat in range(seats):
            described[FULL_SIZE, seat] = sizes[game, seat]
        cells = set_strides(described, seats)
        start = starts[game]
        chosen, regret = pure_equilibrium(
            tensor[start:], seats, described, cells, arrays.marks, arrays.profile.deviation
        )
        arrays.chosen[game] = chosen
        if chosen >= 0:
            tally[PURE] += 1
            tally[REGRET] = max(tally[REGRET], regret)
            for seat in range(seats):
                values[game, seat] = tensor[start + chosen * seats + seat]


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


@lean_kernel((FLOATS, I8, BATCHES, I8, MATRIX, ARRAYS))
def judge(tensor: Any, seats: Any, batch: Any, game: Any, values: Any, arrays: Any) -> Any:
    """Take ``mixes`` as the answer to a game: write its values, and tally the largest gain by a deviation."""
    profile = arrays.profile
    described = profile.game
    for seat in range(seats):
        described[FULL_SIZE, seat] = batch.sizes[game, seat]
        size = 0
        for pick in range(described[FULL_SIZE, seat]):
            if arrays.mixes[seat, pick] > 0.0:
                profile.support[seat, size] = pick
                size += 1
        described[SIZE, seat] = size
    set_strides(described, seats)
    set_starts(described, seats)
    for seat in range(seats):
        for place in range(described[SIZE, seat]):
            profile.weights[described[FIRST, seat] + place] = arrays.mixes[seat, profile.support[seat, place]]
    regret = fill_deviations(tensor, seats, profile, arrays.values)
    arrays.tally[REGRET] = max(arrays.tally[REGRET], regret)
    for seat in range(seats):
        values[game, seat] = arrays.values[seat]


@lean_kernel((I8, BATCHES, I8, MATRIX, ARRAYS))
def apply_rule_2(seats: Any, batch: Any, games: Any, values: Any, arrays: Any) -> Any:
    """Value the games without a pure equilibrium by supports, and note in ``chosen`` where none is found."""
    described, support = arrays.profile.game, arrays.profile.support
    for game in range(games):
        if arrays.chosen[game] != _NO_PURE:
            continue
        tensor = batch.tensor[batch.starts[game] :]
        for seat in range(seats):
            described[FULL_SIZE, seat] = batch.sizes[game, seat]
        set_strides(described, seats)
        drop_needless(tensor, seats, described, support)
        cut_down(tensor, seats, described, support, arrays.small, arrays.origin)
        if find_support(arrays.small, seats, arrays.profile, arrays.values, 0, _PATIENCE):
            arrays.tally[MIXED] += 1
            clear_mixes(seats, arrays)
            keep_mixes(seats, arrays)
            judge(tensor, seats, batch, game, values, arrays)
        else:
            arrays.chosen[game] = _NO_SUPPORT


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


@lean_kernel((I8, BATCHES, I8, MATRIX, ARRAYS))
def apply_rule_3(seats: Any, batch: Any, game: Any, values: Any, arrays: Any) -> Any:
    """Value one game for which rule 2 found no support."""
    tensor = batch.tensor[batch.starts[game] :]
    described, support = arrays.profile.game, arrays.profile.support
    for seat in range(seats):
        described[FULL_SIZE, seat] = batch.sizes[game, seat]
    set_strides(described, seats)
    drop_needless(tensor, seats, described, support)
    cut_down(tensor, seats, described, support, arrays.small, arrays.origin)
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
    arrays.tally[HARD if regret <= RESOLVED else UNRESOLVED] += 1
    judge(tensor, seats, batch, game, values, arrays)


class Workspace:
    """What one worker needs to itself; its arrays grow with the games."""

    def __init__(self) -> None:
        self.arrays = new_arrays(1 << 10, 32, 1)

    def fit(self, batch: Batch, games: int) -> Arrays:
        """Arrays with room for the games of a batch; the tally goes on."""
        old = self.arrays
        cells = int(np.diff(batch.starts[: games + 1]).max())
        picks = int(batch.sizes[:games].sum(axis=1).max())
        if cells > len(old.small) or picks > len(old.profile.weights) or games > len(old.chosen):
            self.arrays = new_arrays(
                max(cells, len(old.small)), max(picks, len(old.profile.weights)), max(games, len(old.chosen))
            )
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
        arrays = workspace.fit(batch, games)
        apply_rule_1(frame.seats, batch, games, values, arrays)
        chosen = arrays.chosen[:games]
        if chosen.min() >= 0:
            return
        apply_rule_2(frame.seats, batch, games, values, arrays)
        for game in np.flatnonzero(chosen == _NO_SUPPORT):
            apply_rule_3(frame.seats, batch, game, values, arrays)

    def mixes(self, workspace: Workspace, sizes: Sequence[int]) -> list[np.ndarray]:
        """Every seat's mix in the one game just valued."""
        arrays = workspace.arrays
        if arrays.chosen[0] < 0:
            return [arrays.mixes[seat, :size].copy() for seat, size in enumerate(sizes)]
        picks = np.unravel_index(arrays.chosen[0], sizes)
        return [np.eye(1, size, int(pick))[0] for size, pick in zip(sizes, picks, strict=True)]

    def stats(self, workspaces: Sequence[Workspace]) -> dict[str, Any]:
        """The largest regret of any seat at any board, and how many boards each part of the rule decided."""
        tallies = np.array([workspace.arrays.tally for workspace in workspaces])
        counts = tallies.sum(axis=0)
        return {
            "largest_regret": float(tallies[:, REGRET].max()),
            "pure_stages": int(counts[PURE]),
            "mixed_stages": int(counts[MIXED]),
            "logit_stages": int(counts[HARD]),
            "unresolved_stages": int(counts[UNRESOLVED]),
        }
