"""Slow, obvious recursions over the game room's positions, for every way the other seats may play.

Nothing here knows of boards, reductions or kernels: positions are played with :meth:`Position.play`, utilities come
from :mod:`solvers.endgame.objective`, matrices are solved by scipy, and logit equilibria are followed from precision 0
in small steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

import numpy as np
from scipy.optimize import linprog, root

from solvers import Position, Rules
from solvers.endgame.greedy import greedy_pick
from solvers.endgame.objective import utilities

Mixes = Sequence[np.ndarray]


def one_seat_value(
    position: Position, objective: str, against: str, rules: Rules, seat: int, pudding_value: float
) -> float:
    """What one seat gets against ``uniform``, ``greedy`` or ``paranoid`` rivals."""

    @cache
    def value(position: Position) -> float:
        if not position.cards_left:
            return float(utilities(position, objective, rules, pudding_value)[seat])
        picks = list(position.joint_picks(rules))
        if against == "greedy":
            picks = [
                own if rival == seat else (greedy_pick(position, rival, rules),) for rival, own in enumerate(picks)
            ]
        sizes = [len(own) for own in picks]
        tensor = np.array([value(position.play(joint, rules)) for joint in product(*picks)]).reshape(sizes)
        matrix = np.moveaxis(tensor, seat, 0).reshape(sizes[seat], -1)
        return guarantee(matrix) if against == "paranoid" else float(matrix.mean(axis=1).max())

    return value(position)


def guarantee(matrix: np.ndarray) -> float:
    """The value of a matrix game to the row player, by linear programming."""
    rows, columns = matrix.shape
    program = linprog(
        np.r_[np.zeros(rows), -1.0],
        A_ub=np.c_[-matrix.T, np.ones(columns)],
        b_ub=np.zeros(columns),
        A_eq=np.r_[np.ones(rows), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    return -float(program.fun)


def stage_values(
    position: Position, objective: str, rules: Rules, pudding_value: float, stage: Callable[[np.ndarray], Mixes]
) -> tuple[float, ...]:
    """Every seat's value when each stage game is solved by ``stage``, from its tensor to a mix for each seat."""

    @cache
    def values(position: Position) -> tuple[float, ...]:
        if not position.cards_left:
            return tuple(map(float, utilities(position, objective, rules, pudding_value)))
        tensor = stage_tensor(position, rules, values)
        mixes = stage(tensor)
        return tuple(expected(tensor, mixes, seat) for seat in range(position.seats))

    return values(position)


def stage_tensor(position: Position, rules: Rules, values: Callable[[Position], Sequence[float]]) -> np.ndarray:
    """The utilities after every joint pick: an axis for each seat's picks, and one for the seats."""
    picks = position.joint_picks(rules)
    rows = [values(position.play(joint, rules)) for joint in product(*picks)]
    return np.array(rows).reshape(*map(len, picks), position.seats)


def expected(tensor: np.ndarray, mixes: Mixes, seat: int) -> float:
    """A seat's expected utility when all mix independently."""
    return float(pick_utilities(tensor, mixes, seat) @ mixes[seat])


def pick_utilities(tensor: np.ndarray, mixes: Mixes, seat: int) -> np.ndarray:
    """A seat's expected utility for each of its picks, the others mixing independently."""
    utility = tensor[..., seat]
    for rival in range(len(mixes) - 1, -1, -1):
        if rival != seat:
            utility = np.tensordot(utility, mixes[rival], axes=([rival], [0]))
    return utility


def largest_gain(tensor: np.ndarray, mixes: Mixes) -> float:
    """The most any seat can gain by a deviation."""
    gains = []
    for seat, mix in enumerate(mixes):
        utility = pick_utilities(tensor, mixes, seat)
        gains.append(float(utility.max() - utility @ mix))
    return max(gains)


def logit_response(tensor: np.ndarray, mixes: Mixes, precision: float) -> list[np.ndarray]:
    """Every seat's logit response to the others' mixes."""
    responses = []
    for seat in range(len(mixes)):
        utility = precision * pick_utilities(tensor, mixes, seat)
        weights = np.exp(utility - utility.max())
        responses.append(weights / weights.sum())
    return responses


def logit_mixes(tensor: np.ndarray, precision: float, steps: int = 12) -> list[np.ndarray]:
    """The logit equilibrium reached from equal chances by small steps in precision (no turning back of the branch).

    Raises AssertionError where scipy loses the branch.
    """
    sizes = tensor.shape[:-1]
    cuts = np.cumsum(sizes)[:-1]

    def mixes_of(odds: np.ndarray) -> list[np.ndarray]:
        parts = [np.exp(part - part.max()) for part in np.split(odds, cuts)]
        return [part / part.sum() for part in parts]

    odds = np.zeros(sum(sizes))
    for now in np.linspace(0.0, precision, steps + 1):

        def equations(odds: np.ndarray, now: float = now) -> np.ndarray:
            mixes = mixes_of(odds)
            wanted = [now * pick_utilities(tensor, mixes, seat) for seat in range(len(sizes))]
            return odds - np.concatenate([part - part.mean() for part in wanted])

        found = root(equations, odds, tol=1e-13)
        assert np.abs(equations(found.x)).max() < 1e-8, "the branch was lost"
        odds = found.x
    return mixes_of(odds)
