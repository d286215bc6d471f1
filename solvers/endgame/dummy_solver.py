"""The last turns of the dummy variant, solved exactly for ``margin`` and ``win``.

The controller's draw is private until both have picked, and only until then: the rival sees the hand it is given, and
with the cards laid that tells it the draw. From there on both know the same again, so each position is the root of a
proper subgame and backward induction over what both see is exact; ``analysis/docs/dummy.md`` has the argument in full.
Each turn is a :class:`solvers.endgame.dummy_stage.DrawGame`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from solvers.endgame.dummy_answer import DrawStage
from solvers.endgame.dummy_search import search
from solvers.endgame.dummy_stage import DrawGame
from solvers.endgame.dummy_state import SEAT_MASK, ending_vector, hand_word, table_word
from solvers.endgame.limits import Limits
from solvers.endgame.matrix_work import make_workspace
from solvers.endgame.objective import utilities
from solvers.endgame.packing_watch import Watch
from solvers.endgame.solution import SeatStage, Solver, Stage, likeliest
from solvers.errors import LimitReached, UsageError
from solvers.game.cards import KINDS, Card
from solvers.game.dummy import DUMMY, ControllerPick, DummyPosition
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules

COMPILED_TURNS = 3
"""Positions with at most so many cards in each hand are searched in one compiled call, a fraction of a second long."""

MOST_LAST_TURNS = 2 * 10**9
"""A search that may meet more last turns than this is refused unless the caller sets limits of its own."""


class DummySolver:
    """The equilibrium between the two seats at every position reachable from ``position``.

    Inside, utilities are those of the controller and add up to zero between the seats; ``win`` is scaled to run from -1
    to 1 there. Raises :class:`LimitReached` when the search is too long for the limits.
    """

    def __init__(
        self, position: DummyPosition, objective: str, rules: Rules, pudding_value: float, limits: Limits
    ) -> None:
        self.objective = objective
        self.rules = rules
        self._pudding_value = pudding_value
        self._ending = ending_vector(position.round, objective, rules, pudding_value)
        self._watch = Watch(limits)
        self._counter = np.zeros(1, dtype=np.int64)
        self._work = make_workspace()
        self._games: dict[DummyPosition, DrawGame] = {}
        self._values: dict[DummyPosition, float] = {}
        if limits.max_states is None and limits.timeout is None:
            _refuse_the_endless(position, rules)

    def stage(self, position: Position) -> Stage:
        """Both seats' picks, mixes and pick values at ``position``; the controller's stand under each of its draws."""
        if not isinstance(position, DummyPosition):
            raise UsageError(f"{position} is not a position of the dummy variant: it needs c= and the dummy's table")
        if not position.cards_left:
            raise UsageError("no cards are left to pick: the round is over")
        game = self._game(position)
        value = game.value()
        controller_mixes, rival_mix = game.mixes()
        draws = []
        rival_values = np.zeros(len(rival_mix))
        for (card, chance), matrix, mix in zip(position.draws(self.rules), game.payoffs, controller_mixes, strict=True):
            replies = matrix @ rival_mix
            rival_values -= float(chance) * (mix @ matrix)
            picks = position.reveal(card, self.rules).controller_picks(self.rules)
            draws.append(
                DrawStage(
                    card, float(chance), self._shown(max(replies)), picks, _plain(mix), tuple(map(self._shown, replies))
                )
            )
        parts = (
            SeatStage(position.controller, self._shown(value), (), (), (), draws=tuple(draws)),
            SeatStage(
                position.rival,
                self._shown(-value),
                position.picks(position.rival, self.rules),
                _plain(rival_mix),
                tuple(map(self._shown, rival_values)),
            ),
        )
        return Stage(parts if position.controller == 0 else parts[::-1])

    def stats(self) -> Mapping[str, Any]:
        """``states`` is the number of turns met in the search; a turn met twice counts twice."""
        return {"states": int(self._counter[0])}

    def _shown(self, utility: float) -> float:
        """A utility as the objective defines it."""
        if self.objective == "win":
            return min(max(0.5 + 0.5 * float(utility), 0.0), 1.0)
        return float(utility) + 0.0

    def _game(self, position: DummyPosition) -> DrawGame:
        """The stage game at a position, found once."""
        if position not in self._games:
            draws = position.draws(self.rules)
            columns = position.picks(position.rival, self.rules)
            self._games[position] = DrawGame(
                np.array([float(chance) for _, chance in draws]),
                tuple(self._payoffs(position.reveal(card, self.rules), columns) for card, _ in draws),
            )
            self._counter[0] += 1
        return self._games[position]

    def _payoffs(self, position: DummyPosition, columns: tuple[Pick, ...]) -> np.ndarray:
        """The controller's utility after each pair of picks, once the draw is known: shape ``(rows, columns)``."""
        rows = position.controller_picks(self.rules)
        payoffs = np.empty((len(rows), len(columns)))
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                after = position.play(joint_pick(position, row, column), self.rules)
                payoffs[i, j] = -self.value(after)
        return payoffs

    def value(self, position: DummyPosition) -> float:
        """The controller's utility at a reachable position, in the scale used inside; found once."""
        if position not in self._values:
            self._watch.check(int(self._counter[0]), cards_left=position.cards_left)
            if not position.cards_left:
                self._values[position] = self._final(position)
            elif position.cards_left > COMPILED_TURNS:
                self._values[position] = self._game(position).value()
            else:
                self._values[position] = self._search(position)
        return self._values[position]

    def _final(self, position: DummyPosition) -> float:
        own = utilities(position, self.objective, self.rules, self._pudding_value)[position.controller]
        return float(2 * own - 1 if self.objective == "win" else own)

    def _search(self, position: DummyPosition) -> float:
        own, points = table_word(position, position.controller)
        rival, rival_points = table_word(position, position.rival)
        dummy, _ = table_word(position, DUMMY)
        lead = points + position.scores[position.controller] - rival_points - position.scores[position.rival]
        unseen = position.unseen(self.rules)
        return float(
            search(
                position.cards_left,
                hand_word(position.hands[position.controller]),
                hand_word(position.hands[position.rival]),
                own,
                rival,
                dummy & ~SEAT_MASK,
                float(lead),
                np.array([unseen[kind] for kind in KINDS], dtype=np.int64),
                np.array(position.pile, dtype=np.int64),
                self._ending,
                self._work,
                self._counter,
            )
        )


def joint_pick(position: DummyPosition, controller: ControllerPick, rival: Pick) -> tuple[Pick, ...]:
    """What a turn lays, as :meth:`DummyPosition.play` takes it and a line prints it: seat 0, seat 1, the dummy."""
    seats = (controller.own, rival) if position.controller == 0 else (rival, controller.own)
    return (*seats, (controller.dummy,))


def dummy_line(
    solver: Solver, position: DummyPosition, rules: Rules
) -> tuple[tuple[tuple[Pick, ...], ...], tuple[Card, ...]]:
    """The likeliest joint pick turn by turn to the end of the round, and the card drawn in each turn.

    The draw is the likeliest one (ties: card order); then each seat's likeliest pick with that draw.
    """
    line, draws = [], []
    while position.cards_left:
        stage = solver.stage(position)
        drawing, rival = (stage.seats[seat] for seat in (position.controller, position.rival))
        draw = drawing.draws[likeliest([part.chance for part in drawing.draws])]
        picks = joint_pick(position, draw.picks[likeliest(draw.mix)], rival.picks[likeliest(rival.mix)])
        line.append(picks)
        draws.append(draw.card)
        position = position.reveal(draw.card, rules).play(picks, rules)
    return tuple(line), tuple(draws)


def _refuse_the_endless(position: DummyPosition, rules: Rules) -> None:
    """Raise :class:`LimitReached` at once for a search that would take hours (chopsticks only add to the count)."""
    kinds = len(position.unseen(rules))
    turns = [
        (kinds if position.pile[-cards] is Card.UNSEEN else 1) * (cards + 1) * cards * cards
        for cards in range(position.cards_left, 1, -1)
    ]
    if prod(turns) > MOST_LAST_TURNS:
        raise LimitReached(
            f"{position.cards_left} cards a hand have about {prod(turns):.0e} last turns, too many to search exactly; "
            "set a limit on time or states to try all the same",
            {"states": 0},
        )


def _plain(numbers: np.ndarray) -> tuple[float, ...]:
    return tuple(float(number) for number in numbers)
