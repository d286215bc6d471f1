"""The stage rule of ``--against quantal:L``: the logit equilibrium of precision L at every board.

The mathematics is in :mod:`solvers.endgame.seats_logit`; small games are first tried side by side
(:mod:`solvers.endgame.seats_logit_many`). Boards keep every seat's number of distinct picks
(``KEEP_PICKS``), as the chance of a pick depends on how many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import F8, I8, KEEP_PICKS, MAX_SEATS, ROW, Frame
from solvers.endgame.seats_levels import BATCHES, Batch
from solvers.endgame.seats_logit import new_path, solve_logit
from solvers.endgame.seats_logit_many import first_mixes, solve_many
from solvers.endgame.seats_logit_rows import new_lanes
from solvers.endgame.seats_mixes import FIRST, FULL_SIZE, MATRIX, RESOLVED, Profile, new_profile, set_strides
from solvers.endgame.seats_moves import MAX_PICKS

_KEYS = 65521
"""The largest prime of 16 bits."""
RESIDUAL, UNRESOLVED, TALLY_LENGTH = range(3)
"""Places in a worker's tally: the largest residual met, and the stages whose residual was too large."""


class Arrays(NamedTuple):
    """One worker's arrays: mixes, the branch followed, and the tally."""

    profile: Profile
    path: np.ndarray
    tally: np.ndarray


def new_arrays(picks: int) -> Arrays:
    """Room for games of ``picks`` picks of all seats together."""
    return Arrays(new_profile(picks), new_path(picks), np.zeros(TALLY_LENGTH))


@lean_kernel((I8, BATCHES, ROW, MATRIX, numba.typeof(new_arrays(1)), F8))
def value_one_by_one(seats: Any, batch: Any, games: Any, values: Any, arrays: Any, precision: Any) -> Any:
    """Every seat's value in each listed game's logit equilibrium; the profile keeps the last one."""
    profile, path, tally = arrays
    described = profile.game
    for game in games:
        for seat in range(seats):
            described[FULL_SIZE, seat] = batch.sizes[game, seat]
        set_strides(described, seats)
        residual = solve_logit(batch.tensor[batch.starts[game] :], seats, profile, path, precision)
        tally[RESIDUAL] = max(tally[RESIDUAL], residual)
        tally[UNRESOLVED] += residual > RESOLVED
        for seat in range(seats):
            value, start = 0.0, described[FIRST, seat]
            for p in range(start, start + described[FULL_SIZE, seat]):
                value += profile.weights[p] * profile.utilities[p]
            values[game, seat] = value


class Workspace:
    """What one worker needs to itself; its arrays grow with the games."""

    def __init__(self) -> None:
        self.arrays = new_arrays(32)
        self.lanes = new_lanes()

    def fit(self, picks: int) -> Arrays:
        """Arrays with room for ``picks`` picks of all seats together; the tally goes on."""
        if picks > len(self.arrays.profile.weights):
            tally = self.arrays.tally
            self.arrays = new_arrays(picks)
            self.arrays.tally[:] = tally
        return self.arrays


def by_shape(sizes: np.ndarray) -> np.ndarray:
    """Order games by the seats' numbers of picks, nearly always: a short key takes less than half the time to sort."""
    return np.argsort((sizes @ (MAX_PICKS ** np.arange(MAX_SEATS)) % _KEYS).astype(np.uint16), kind="stable")


class Quantal:
    """The stage rule: the logit equilibrium on the branch from equal chances."""

    reduce = KEEP_PICKS

    def __init__(self, precision: float) -> None:
        self.precision = precision

    def workspace(self) -> Workspace:
        """What one worker needs to itself."""
        return Workspace()

    def value(self, frame: Frame, batch: Batch, games: int, values: np.ndarray, workspace: Workspace) -> None:
        """Write every seat's value of each game. The mixes of a game that is alone are kept."""
        left, lanes, tally = np.arange(games), workspace.lanes, workspace.arrays.tally
        if self.precision > 0:
            left = by_shape(batch.sizes[:games])
            for follow in (False, True):
                many, residual = solve_many(frame.seats, batch, left, values, lanes, self.precision, follow, left)
                left = left[:many]
                tally[RESIDUAL] = max(tally[RESIDUAL], residual)
        arrays = workspace.fit(int(batch.sizes[:games].sum(axis=1).max()))
        if len(left):
            value_one_by_one(frame.seats, batch, left, values, arrays, self.precision)
        elif games == 1:
            mixes = first_mixes(lanes, batch.sizes[0, : frame.seats].tolist())
            arrays.profile.weights[: batch.sizes[0].sum()] = np.concatenate(mixes)

    def mixes(self, workspace: Workspace, sizes: Sequence[int]) -> list[np.ndarray]:
        """Every seat's mix in the game just valued, alone in its batch."""
        weights = workspace.arrays.profile.weights[: sum(sizes)].copy()
        return np.split(weights, np.cumsum(sizes)[:-1])

    def stats(self, workspaces: Sequence[Workspace]) -> dict[str, Any]:
        """The largest difference, at any board, between a chance and the logit response to the others' chances (of
        games side by side a bound on it: :func:`solvers.endgame.seats_logit_many.value_rows`), and at how many
        boards it is too large for the branch to have been followed."""
        tallies = np.array([workspace.arrays.tally for workspace in workspaces])
        return {
            "largest_residual": float(tallies[:, RESIDUAL].max()),
            "unresolved_stages": int(tallies[:, UNRESOLVED].sum()),
        }
