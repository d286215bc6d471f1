"""All seats answered: ``equilibrium`` for three to five seats, ``quantal:L`` for two to five (contract, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from solvers.endgame.limits import Limits
from solvers.endgame.packing import BLANK, HANDS, board_of, held, make_frame, pick_columns, unpack
from solvers.endgame.packing_watch import Progress, Watch
from solvers.endgame.seats_deep import EQUILIBRIUM, DeepSearch
from solvers.endgame.seats_levels import key_of
from solvers.endgame.seats_moves import FIRST, SECOND
from solvers.endgame.seats_nash import Nash, report
from solvers.endgame.seats_search import Search, StageRule
from solvers.endgame.solution import SeatStage, Stage
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules


class TableRule(StageRule, Protocol):
    """A stage rule for all seats at once."""

    reduce: int
    """How far boards may be reduced."""

    def mixes(self, workspace: Any, sizes: Sequence[int]) -> list[np.ndarray]:
        """Every seat's mix in the game that this workspace valued last, the first of its batch."""

    def stats(self, workspaces: Sequence[Any]) -> dict[str, Any]:
        """What is to be said of the stages solved in these workspaces."""


class SeatGame(NamedTuple):
    """One seat's side of the stage of a reduced board: its picks as pairs of hand fields, their utilities, its mix."""

    picks: list[tuple[int, int]]
    mix: np.ndarray
    utilities: np.ndarray


class TableSolver:
    """A solution for every seat at once, by backward induction with one rule for the stage games.

    An equilibrium is searched for depth first unless ``deep`` is false.

    What is shown of a position is what the search did at its reduced board: a pick of a card that matters to nobody
    stands for all such picks, and its weight is shown on the first of them in card order.
    """

    def __init__(
        self,
        position: Position,
        objective: str,
        rule: TableRule,
        rules: Rules,
        pudding_value: float,
        limits: Limits,
        progress: Progress | None = None,
        reduce: int | None = None,
        workers: int | None = None,
        deep: bool = True,
    ) -> None:
        self._rules = rules
        self._rule = rule
        self._frame = make_frame(
            position, objective, rules, pudding_value, -1, rule.reduce if reduce is None else reduce
        )
        watch = Watch(limits, progress)
        self._search: Search | DeepSearch
        root, cards = board_of(position), position.cards_left
        if isinstance(rule, Nash) and deep:
            self._search = DeepSearch(self._frame, root, cards, watch, EQUILIBRIUM, workers)
            self._stats = report(self._search.tallies)
        else:
            self._search = Search(self._frame, root, cards, watch, workers)
            self._stats = rule.stats(self._search.value(rule))

    def stage(self, position: Position) -> Stage:
        """Every seat's picks, mix and pick values."""
        board, bank = self._reduced(position)
        raw = board_of(position)
        parts = []
        for seat, game in enumerate(self._games(board, position.cards_left)):
            picks = position.picks(seat, self._rules)
            known = {pair: place for place, pair in enumerate(game.picks)}
            places = [_place(known, int(raw[HANDS, seat]), int(board[HANDS, seat]), pick) for pick in picks]
            first = {place: at for at, place in reversed(list(enumerate(places)))}
            mix = tuple(float(game.mix[place]) if first[place] == at else 0.0 for at, place in enumerate(places))
            values = tuple(float(game.utilities[place] + bank[seat]) for place in places)
            parts.append(SeatStage(seat, float(game.mix @ game.utilities + bank[seat]), picks, mix, values))
        return Stage(tuple(parts))

    def stats(self) -> Mapping[str, Any]:
        """Boards stored and joint picks followed, and what the stage rule has to say of itself."""
        search = self._search
        return {"engine": "seats", "states": search.states, "transitions": search.transitions, **self._stats}

    def _reduced(self, position: Position) -> tuple[np.ndarray, np.ndarray]:
        """The reduced board of a position and what was banked; with one card left nothing is reduced."""
        board = board_of(position)
        if position.cards_left == 1:
            return board, np.zeros(position.seats)
        key, bank = key_of(self._frame, board, position.cards_left)
        unpack(key, 0, position.seats, board)
        return board, bank

    def _games(self, board: np.ndarray, cards: int) -> list[SeatGame]:
        """Solve the stage of a board once more, and look at it from every seat."""
        batch, moves = self._search.stage(board, cards)
        tensor, sizes = batch.game()
        if isinstance(self._search, DeepSearch):
            workspace = self._search.space
        else:
            workspace = self._rule.workspace()
            self._rule.value(self._frame, batch, 1, np.zeros((1, self._frame.kept)), workspace)
        mixes = self._rule.mixes(workspace, sizes)
        shaped = np.nan_to_num(tensor.reshape(*sizes, len(sizes)))  # what is unknown has no weight in any mix
        return [
            SeatGame(
                [(int(moves[FIRST, seat, at]), int(moves[SECOND, seat, at])) for at in range(size)],
                mixes[seat],
                pick_utilities(shaped[..., seat], mixes, seat),
            )
            for seat, size in enumerate(sizes)
        ]


def pick_utilities(utilities: np.ndarray, mixes: Sequence[np.ndarray], seat: int) -> np.ndarray:
    """What each pick of a seat earns against the others' mixes; ``utilities`` are its own, an axis a seat."""
    for rival in range(len(mixes) - 1, -1, -1):
        if rival != seat:
            utilities = np.tensordot(utilities, mixes[rival], axes=([rival], [0]))
    return utilities


def _place(known: Mapping[tuple[int, int], int], raw: int, reduced: int, pick: Pick) -> int:
    """Where among the picks of the reduced board a pick stands: cards of a kind that became blank count as blank."""
    first, second = (
        BLANK if column >= 0 and held(raw, column) and not held(reduced, column) else column
        for column in pick_columns(pick)
    )
    place = known.get((first, second))
    return known[second, first] if place is None else place
