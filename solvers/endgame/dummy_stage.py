"""One turn of the dummy variant as a game with a chance move: its value and one defined pair of mixes.

The controller picks knowing the card it drew, the rival without. A controller's strategy is one mix ``x_d`` for each
draw ``d`` of chance ``p_d``, the rival's one mix ``y``; with ``A_d[i, j]`` the controller's utility after draw ``d``
and picks ``i`` and ``j``, the value is

    max over x of min over j of  sum_d p_d (x_d A_d)_j   =   min over y of  sum_d p_d max_i (A_d y)_i,

a linear program (Harsanyi, *Management Science* 14, 1967; in sequence form Koller, Megiddo and von Stengel, *Games and
Economic Behavior* 14, 1996, where each draw is an information set of the controller). The right-hand side has few
variables and is what the compiled search solves.

Where several mixes are optimal, the one shown is defined as in :mod:`solvers.endgame.mixes`: the rival's first pick in
card order that is optimal on its own, else its mix with the most on the first pick, then on the second, and so on; the
controller's first optimal plan without mixing, draws and picks in card order, else the mixes with the most on the
first pick after the first draw, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from solvers.endgame.dummy_search import stage_value
from solvers.endgame.matrix_work import make_workspace
from solvers.endgame.mixes import canonical_mixes

TIE = 1e-9
"""Picks whose values differ by less than this count as equally good."""

_ACCURATE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass(frozen=True, slots=True)
class DrawGame:
    """The chance of each draw and the controller's utilities after it, its picks as rows and the rival's as columns."""

    chances: np.ndarray
    payoffs: tuple[np.ndarray, ...]

    def value(self) -> float:
        """The controller's utility when both play an equilibrium."""
        starts = np.cumsum([0, *(len(matrix) for matrix in self.payoffs)])
        stacked = np.ascontiguousarray(np.vstack(self.payoffs))
        return float(stage_value(stacked, stacked.shape[1], starts, self.chances, len(self.payoffs), make_workspace()))

    def mixes(self) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        """The controller's mix after each draw, and the rival's mix, by the rule of this module."""
        if len(self.payoffs) == 1:
            _, row_mix, column_mix = canonical_mixes(self.payoffs[0])
            return (row_mix,), column_mix
        value = self.value()
        rival = self._rival_mix(value)
        return self._controller_mixes(value, rival), rival

    def _rival_mix(self, value: float) -> np.ndarray:
        """Variables: the mix ``y``, then for each draw a bound ``t_d`` on what the controller's best reply gets."""
        draws, width = len(self.payoffs), self.payoffs[0].shape[1]
        ceilings = self.chances @ np.array([matrix.max(axis=0) for matrix in self.payoffs])
        if min(ceilings) <= value + TIE:
            alone = np.zeros(width)
            alone[np.argmax(ceilings <= value + TIE)] = 1.0
            return alone
        rows = [np.hstack((matrix, -np.eye(draws)[[draw] * len(matrix)])) for draw, matrix in enumerate(self.payoffs)]
        limits = np.vstack((*rows, np.concatenate((np.zeros(width), self.chances))))
        most = np.append(np.zeros(len(limits) - 1), value)
        sums = np.concatenate((np.ones(width), np.zeros(draws)))[None, :]
        return _found(_most_on_the_first(limits, most, sums, width))

    def _controller_mixes(self, value: float, rival: np.ndarray) -> tuple[np.ndarray, ...]:
        """Variables: the weights of the picks after each draw, one draw after another.

        No optimal mix takes anything but best replies to an optimal mix of the rival (complementary slackness), so only
        they are variables.
        """
        replies = [matrix @ rival for matrix in self.payoffs]
        best = [np.flatnonzero(values >= values.max() - TIE) for values in replies]
        parts = zip(self.chances, self.payoffs, best, strict=True)
        payoffs = np.vstack([chance * matrix[rows] for chance, matrix, rows in parts])
        sizes = [len(rows) for rows in best]
        sums = np.repeat(np.eye(len(best)), sizes, axis=1)
        least = np.full(payoffs.shape[1], -value)
        weights = _most_on_the_first(-payoffs.T, least, sums, len(payoffs), whole=True)
        if weights is None or min(weights @ payoffs) < value - TIE:
            weights = _found(_most_on_the_first(-payoffs.T, least, sums, len(payoffs)))
        mixes = tuple(np.zeros(len(matrix)) for matrix in self.payoffs)
        for mix, rows, taken in zip(mixes, best, np.split(weights, np.cumsum(sizes)[:-1]), strict=True):
            mix[rows] = taken
        return mixes


def _most_on_the_first(
    limits: np.ndarray, most: np.ndarray, sums: np.ndarray, chosen: int, whole: bool = False
) -> np.ndarray | None:
    """Of all ``z`` with ``limits z <= most`` and ``sums z = 1`` the one whose first entry is largest, then the second.

    This goes for the first ``chosen`` entries, which are returned; they lie between 0 and 1, and are one of the two
    where ``whole``. ``None`` when there is no such ``z``.
    """
    others = limits.shape[1] - chosen
    bounds: list[tuple[float | None, float | None]] = [(0.0, 1.0)] * chosen + [(None, None)] * others
    answer = np.zeros(chosen)
    for place in range(chosen):
        goal = np.zeros(chosen + others)
        goal[place] = -1.0
        result = linprog(
            goal,
            limits,
            most,
            sums,
            np.ones(len(sums)),
            bounds,
            method="highs" if whole else "highs-ds",
            integrality=[1] * chosen + [0] * others if whole else None,
            options=_ACCURATE,
        )
        if not result.success:
            return None
        answer = np.clip(np.round(result.x[:chosen]) if whole else result.x[:chosen], 0.0, 1.0)
        bounds[place] = (answer[place], answer[place])
    return answer


def _found(mix: np.ndarray | None) -> np.ndarray:
    if mix is None:
        raise ArithmeticError("no mix holds the value of this turn: its payoffs are too large for floats")
    return mix
