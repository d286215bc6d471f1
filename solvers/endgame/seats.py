"""Two to five seats from one seat's point of view: ``uniform``, ``greedy`` and ``paranoid`` (contract, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import Any

import numpy as np

from solvers.endgame.greedy import greedy_vector
from solvers.endgame.limits import Limits
from solvers.endgame.mixes import canonical_mixes
from solvers.endgame.packing import FULL_REDUCTION, KEEP_PICKS, NO_REDUCTION, board_of, make_frame
from solvers.endgame.packing_watch import Progress, Watch
from solvers.endgame.seats_expectimax import Expectimax
from solvers.endgame.seats_levels import Search, fill_values, list_considered, new_work
from solvers.endgame.seats_moves import FIRST, MANY, MAX_PICKS, SECOND, count_choices
from solvers.endgame.seats_paranoid import Paranoid, solve_wide
from solvers.endgame.seats_paranoid import Space as ParanoidSpace
from solvers.endgame.solution import SeatStage, Solver, Stage
from solvers.errors import UsageError
from solvers.game.cards import Card
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules

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
    """The solver for one seat against the others as ``against`` says.

    Raises :class:`UsageError` for opponents that are not there yet, and :class:`solvers.errors.LimitReached` when the
    limits stop the search.
    """
    if against not in _REDUCTION:
        raise UsageError(
            f"--against {against} is not solved for {position.seats} seats yet: it can be {', '.join(_REDUCTION)}"
        )
    return SeatSolver(position, objective, against, rules, seat, pudding_value, limits, progress)


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
        progress: Progress | None,
    ) -> None:
        self._against = against
        self._rules = rules
        self._seat = seat
        greedy = greedy_vector() if against == "greedy" else ()
        self._frame = make_frame(position, objective, rules, pudding_value, seat, _REDUCTION[against], greedy)
        self._search = Search(self._frame, board_of(position), position.cards_left, Watch(limits, progress))
        self._search.value(Paranoid() if against == "paranoid" else Expectimax())

    def stage(self, position: Position) -> Stage:
        """The seat's picks with their values, and the mixes of all seats."""
        picks = position.joint_picks(self._rules)
        utilities, considered = self._utilities(position)
        if self._against == "paranoid":
            own_mix, own_values, mixes = self._coalition(utilities)
        else:
            others = tuple(axis for axis in range(position.seats) if axis != self._seat)
            own_values = utilities.mean(axis=others)
            own_mix = np.zeros(len(own_values))
            own_mix[np.flatnonzero(own_values >= own_values.max() - 1e-9)[0]] = 1.0
            mixes = [np.full(size, 1 / size) for size in utilities.shape]
        seats = []
        for seat, own in enumerate(picks):
            if seat == self._seat:
                values = _in_order(own, considered[seat], own_values)
                mix = _in_order(own, considered[seat], own_mix)
                seats.append(SeatStage(seat, float(own_mix @ own_values), own, mix, values))
            else:
                mix = _in_order(own, considered[seat], mixes[seat])
                seats.append(SeatStage(seat, nan, own, mix, (nan,) * len(own), answered=False))
        return Stage(tuple(seats))

    def stats(self) -> Mapping[str, Any]:
        """Boards stored, and joint picks followed from them."""
        return {"engine": "seats", "states": self._search.states, "transitions": self._search.transitions}

    def _utilities(self, position: Position) -> tuple[np.ndarray, list[list[Pick]]]:
        """The seat's utility after each joint pick considered, one axis a seat, and the picks along each axis."""
        work, frame = new_work(), self._frame
        work.board[:, : position.seats] = board_of(position)
        list_considered(*frame, work.board, position.cards_left, work.moves)
        tensor = np.empty(count_choices(frame.ints, work.moves))
        fill_values(*frame, position.cards_left, self._search.below(position.cards_left), work, tensor)
        sizes = [int(work.moves[MANY, seat, 0]) for seat in range(position.seats)]
        considered = [
            [_pick(work.moves[FIRST, seat, place], work.moves[SECOND, seat, place]) for place in range(size)]
            for seat, size in enumerate(sizes)
        ]
        return tensor.reshape(sizes), considered

    def _coalition(self, utilities: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        """The seat's mix, its pick values against the coalition's joint mix, and what each rival plays of that mix.

        Mixes are canonical where the coalition has few enough joint picks for one matrix game, and otherwise one
        optimal mix, the same from run to run.
        """
        wide = np.moveaxis(utilities, self._seat, 0)
        flat = np.ascontiguousarray(wide.reshape(len(wide), -1))
        if flat.shape[1] <= MAX_PICKS:
            _, own, joint = canonical_mixes(flat)
        else:
            space = ParanoidSpace()
            own, weights, joint = np.zeros(MAX_PICKS), np.zeros(MAX_PICKS), np.zeros(flat.shape[1])
            solve_wide(flat.ravel(), *flat.shape, space.chosen, own, weights, space.game, space.matrix_work)
            used = int(space.chosen[MAX_PICKS])
            joint[space.chosen[:used]] = weights[:used]
            own = own[: len(flat)]
        coalition = joint.reshape(wide.shape[1:])
        mixes = []
        for seat in range(utilities.ndim):
            axis = seat - (seat > self._seat)
            mixes.append(coalition.sum(axis=tuple(place for place in range(coalition.ndim) if place != axis)))
        return own, flat @ joint, mixes


def _pick(first: int, second: int) -> Pick:
    return (Card(int(first)),) if second < 0 else (Card(int(first)), Card(int(second)))


def _in_order(picks: tuple[Pick, ...], considered: list[Pick], numbers: np.ndarray) -> tuple[float, ...]:
    """The numbers of the picks considered, in the order of all distinct picks; 0 for one that is not considered."""
    known = dict(zip(considered, (float(number) for number in numbers), strict=True))
    return tuple(known.get(pick, 0.0) for pick in picks)
