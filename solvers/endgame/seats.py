"""Two to five seats: the door to every way of playing but the zero-sum one of two seats (interface, section 4).

Here also the answers from one seat's point of view: ``uniform``, ``greedy`` and ``paranoid``.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import inf, nan, prod
from typing import Any

import numpy as np

from solvers.endgame.greedy import greedy_vector
from solvers.endgame.limits import Limits
from solvers.endgame.mixes import canonical_mixes
from solvers.endgame.packing import FULL_REDUCTION, KEEP_PICKS, NO_REDUCTION, board_of, make_frame
from solvers.endgame.packing_watch import Progress, Watch
from solvers.endgame.seats_deep import GUARANTEE, DeepSearch
from solvers.endgame.seats_expectimax import Expectimax
from solvers.endgame.seats_moves import FIRST, SECOND
from solvers.endgame.seats_paranoid import Paranoid, column_search
from solvers.endgame.seats_search import Search
from solvers.endgame.solution import JointWeight, SeatStage, Solver, Stage
from solvers.errors import UsageError
from solvers.game.cards import Card
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules

_WIDEST = 256
"""Different columns of a matrix game up to which its canonical mixes are worked out in exact numbers."""
_REDUCTION = {"uniform": KEEP_PICKS, "greedy": NO_REDUCTION, "paranoid": FULL_REDUCTION}


def seats_solver(
    position: Position,
    objective: str,
    against: str,
    rules: Rules,
    seat: int,
    pudding_value: float,
    limits: Limits,
    progress: Progress | None = None,
) -> Solver:
    """The solver for a question of two to five seats; ``seat`` counts where the answer is one seat's.

    Raises :class:`UsageError` for opponents that do not exist, and :class:`solvers.errors.LimitReached` when the limits
    stop the search.
    """
    if against in _REDUCTION:
        return SeatSolver(position, objective, against, rules, seat, pudding_value, limits, progress)
    from solvers.endgame.seats_nash import Nash
    from solvers.endgame.seats_quantal import Quantal
    from solvers.endgame.seats_table import TableSolver

    rule = Nash() if against == "equilibrium" else Quantal(quantal_precision(against))
    return TableSolver(position, objective, rule, rules, pudding_value, limits, progress)


def quantal_precision(against: str) -> float:
    """The L of ``quantal:L``; raises :class:`UsageError` unless it is a number from 0."""
    name, colon, text = against.partition(":")
    if name != "quantal":
        raise UsageError(f"unknown opponents {against!r}")
    try:
        precision = float(text)
    except ValueError:
        precision = nan
    if not (colon and 0 <= precision < inf):
        raise UsageError(f"{against!r}: write the precision as a number from 0, for example quantal:0.5")
    return precision


class SeatSolver:
    """One seat's optimal play against uniform or greedy rivals, or against a coalition of all others.

    Only that seat is answered. The others' mixes are stated: uniform, greedy, or each rival's share of the coalition's
    joint mix (its members coordinate, so that their joint mix is more than the product of these).
    """

    def __init__(
        self,
        position: Position,
        objective: str,
        against: str,
        rules: Rules,
        seat: int,
        pudding_value: float,
        limits: Limits,
        progress: Progress | None = None,
        reduce: int | None = None,
        workers: int | None = None,
        deep: bool = True,
    ) -> None:
        self._against = against
        self._rules = rules
        self._seat = seat
        greedy = greedy_vector() if against == "greedy" else ()
        reduce = _REDUCTION[against] if reduce is None else reduce
        self._frame = make_frame(position, objective, rules, pudding_value, seat, reduce, greedy)
        watch = Watch(limits, progress)
        self._search: Search | DeepSearch
        root, cards = board_of(position), position.cards_left
        if against == "paranoid" and deep:
            self._search = DeepSearch(self._frame, root, cards, watch, GUARANTEE, workers)
        else:
            self._search = Search(self._frame, root, cards, watch, workers)
            self._search.value(Paranoid() if against == "paranoid" else Expectimax())

    def stage(self, position: Position) -> Stage:
        """The seat's picks with their values, and the mixes of all seats."""
        utilities, considered = self._utilities(position)
        coalition: tuple[JointWeight, ...] = ()
        if self._against == "paranoid":
            own_mix, own_values, joint = self._coalition(utilities)
            mixes = _marginals(joint, self._seat, own_mix)
            others = [picks for seat, picks in enumerate(considered) if seat != self._seat]
            coalition = tuple(
                (picks, float(weight)) for picks, weight in zip(product(*others), joint.flat, strict=True) if weight > 0
            )
        else:
            rivals = tuple(axis for axis in range(position.seats) if axis != self._seat)
            own_values = utilities.mean(axis=rivals)
            own_mix = np.zeros(len(own_values))
            own_mix[np.flatnonzero(own_values >= own_values.max() - 1e-9)[0]] = 1.0
            mixes = [np.full(size, 1 / size) for size in utilities.shape]
            mixes[self._seat] = own_mix
        value = float(own_mix @ own_values)
        parts = []
        for seat, picks in enumerate(position.joint_picks(self._rules)):
            mix = _in_order(picks, considered[seat], mixes[seat])
            if seat == self._seat:
                parts.append(SeatStage(seat, value, picks, mix, _in_order(picks, considered[seat], own_values)))
            else:
                parts.append(SeatStage(seat, nan, picks, mix, (nan,) * len(picks), answered=False))
        return Stage(tuple(parts), coalition)

    def stats(self) -> Mapping[str, Any]:
        """Boards stored, and joint picks followed from them."""
        return {"engine": "seats", "states": self._search.states, "transitions": self._search.transitions}

    def _utilities(self, position: Position) -> tuple[np.ndarray, list[list[Pick]]]:
        """The seat's utility after each joint pick considered, one axis a seat, and the picks along each axis."""
        board, cards = board_of(position), position.cards_left
        if isinstance(self._search, DeepSearch):
            others = (len(picks) for seat, picks in enumerate(position.joint_picks(self._rules)) if seat != self._seat)
            batch, moves = self._search.stage(board, cards, whole=prod(others) <= _WIDEST)
        else:
            batch, moves = self._search.stage(board, cards)
        tensor, sizes = batch.game()
        considered = [
            [_pick(moves[FIRST, seat, place], moves[SECOND, seat, place]) for place in range(size)]
            for seat, size in enumerate(sizes)
        ]
        return tensor.reshape(sizes), considered

    def _coalition(self, utilities: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The seat's mix, its pick values against the coalition, and the coalition's joint mix, an axis a rival.

        Both are canonical. In a game too wide for exact numbers they are so among what the search knows all about: the
        seat's among its picks whose utility is known whatever the others take, the coalition's among the joint picks
        whose utility is known whatever the seat takes.
        """
        wide = np.moveaxis(utilities, self._seat, 0)
        flat = np.ascontiguousarray(wide.reshape(len(wide), -1))
        known = ~np.isnan(flat)
        own, met = known.all(axis=1), np.flatnonzero(known.all(axis=0))
        own_mix, joint = np.zeros(len(flat)), np.zeros(flat.shape[1])
        own_mix[own] = _canonical(flat[own])[0]
        _, weights, columns = _canonical(flat[:, met])
        joint[met[columns]] = weights
        return own_mix, np.nan_to_num(flat) @ joint, joint.reshape(wide.shape[1:])


def _canonical(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Canonical mixes of a game of few rows: the row mix, and the weights of some of the columns with their places.

    Of columns with the same utilities only the first counts. In a game too wide for exact numbers the row mix is the
    one that the column search finds, and the other one is canonical among the columns that it ends with.
    """
    _, first = np.unique(matrix.round(10), axis=1, return_index=True)
    columns = np.sort(first)
    if len(columns) <= _WIDEST:
        _, row_mix, weights = canonical_mixes(np.ascontiguousarray(matrix[:, columns]))
    else:
        row_mix, columns = column_search(np.ascontiguousarray(matrix))
        _, _, weights = canonical_mixes(np.ascontiguousarray(matrix[:, columns]))
    return row_mix, weights, columns


def _marginals(joint: np.ndarray, own: int, own_mix: np.ndarray) -> list[np.ndarray]:
    """Each seat's own mix, its share of the coalition's joint mix for a rival."""
    mixes = []
    for seat in range(joint.ndim + 1):
        axis = seat - (seat > own)
        others = tuple(place for place in range(joint.ndim) if place != axis)
        mixes.append(own_mix if seat == own else joint.sum(axis=others))
    return mixes


def _pick(first: int, second: int) -> Pick:
    return (Card(int(first)),) if second < 0 else (Card(int(first)), Card(int(second)))


def _in_order(picks: tuple[Pick, ...], considered: list[Pick], numbers: np.ndarray) -> tuple[float, ...]:
    """The numbers of the picks considered, in the order of all distinct picks; 0 for one that is not considered."""
    known = dict(zip(considered, (float(number) for number in numbers), strict=True))
    return tuple(known.get(pick, 0.0) for pick in picks)
