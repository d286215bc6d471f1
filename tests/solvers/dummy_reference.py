"""Slow, obvious references for the dummy variant: one linear program a turn, and one for the whole game.

:func:`stage_recursion` is backward induction over what both seats see, as the solver has it. :func:`whole_game` assumes
nothing of the kind: each seat knows only what it has itself seen (its own draws, the picks laid, the hands it was
given), and the game is solved at once in sequence form (Koller, Megiddo and von Stengel 1996).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import linprog

from solvers.endgame.objective import utilities
from solvers.game.dummy import DummyPosition
from solvers.game.rules import Rules

Joint = tuple[Any, ...]


@dataclass(frozen=True)
class Question:
    """What is asked of a position: utilities are seat 0's, and seat 1's are ``total`` less them."""

    objective: str
    rules: Rules
    pudding_value: float

    def final(self, position: DummyPosition) -> float:
        return float(utilities(position, self.objective, self.rules, self.pudding_value)[0])


def joint(position: DummyPosition, own: Any, given: Any, rival: Any) -> Joint:
    return (own, rival, (given,)) if position.controller == 0 else (rival, own, (given,))


def stage_recursion(position: DummyPosition, question: Question) -> float:
    """Seat 0's value, one linear program a turn from the controller's side."""
    if not position.cards_left:
        return question.final(position)
    sign = 1.0 if position.controller == 0 else -1.0
    columns = position.picks(position.rival, question.rules)
    games = []
    for card, chance in position.draws(question.rules):
        shown = position.reveal(card, question.rules)
        games.append(
            [
                [
                    sign
                    * float(chance)
                    * stage_recursion(shown.play(joint(shown, own, given, column), question.rules), question)
                    for column in columns
                ]
                for own, given in shown.controller_picks(question.rules)
            ]
        )
    return sign * controller_value([np.array(game) for game in games])


def controller_value(games: list[np.ndarray]) -> float:
    """The most the controller can guarantee; ``games`` are its payoffs after each draw times the draw's chance."""
    sizes = [len(game) for game in games]
    payoffs = np.vstack(games)
    rows, width = payoffs.shape
    sums = np.zeros((len(games), rows + 1))
    start = 0
    for draw, size in enumerate(sizes):
        sums[draw, start : start + size] = 1.0
        start += size
    result = linprog(
        [0.0] * rows + [-1.0],
        np.hstack((-payoffs.T, np.ones((width, 1)))),
        np.zeros(width),
        sums,
        np.ones(len(games)),
        [(0, 1)] * rows + [(None, None)],
    )
    assert result.success, result.message
    return float(result.x[-1])


@dataclass
class Sequences:
    """One seat's sequences: 0 is the empty one; every information set extends one by each of its choices."""

    number: dict[Hashable, int] = field(default_factory=lambda: {(): 0})
    sets: dict[Hashable, tuple[int, list[int]]] = field(default_factory=dict)

    def extend(self, seen: Hashable, before: int, choices: list[Any]) -> list[int]:
        """The sequences that go on with each choice at the information set where ``seen`` was seen."""
        if seen not in self.sets:
            first = len(self.number)
            for place, choice in enumerate(choices):
                self.number[seen, choice] = first + place
            self.sets[seen] = (before, list(range(first, first + len(choices))))
        assert self.sets[seen][0] == before, "perfect recall"
        assert len(self.sets[seen][1]) == len(choices), "an information set has one list of choices"
        return self.sets[seen][1]

    def plan(self) -> tuple[np.ndarray, np.ndarray]:
        """``F`` and ``f`` with ``F x = f`` for the realization plans ``x`` of this seat."""
        matrix, right = np.zeros((1 + len(self.sets), len(self.number))), np.zeros(1 + len(self.sets))
        matrix[0, 0] = right[0] = 1.0
        for row, (before, after) in enumerate(self.sets.values(), start=1):
            matrix[row, before] = -1.0
            matrix[row, after] = 1.0
        return matrix, right


Leaf = tuple[int, int, float]


def whole_game(position: DummyPosition, question: Question) -> float:
    """Seat 0's value of the whole rest of the round, in sequence form."""
    seats = (Sequences(), Sequences())
    leaves = list(_leaves(position, question, seats, (("start",), ("start",)), (0, 0), 1.0))
    payoffs = np.zeros((len(seats[0].number), len(seats[1].number)))
    for row, column, utility in leaves:
        payoffs[row, column] += utility
    mine, right = seats[0].plan()
    theirs, their_right = seats[1].plan()
    # Seat 1's best reply to a plan x is min {x A y : F y = f, y >= 0} = max {f.q : F'q <= A'x}.
    width, duals = payoffs.shape[0], len(their_right)
    result = linprog(
        np.concatenate((np.zeros(width), -their_right)),
        np.hstack((-payoffs.T, theirs.T)),
        np.zeros(payoffs.shape[1]),
        np.hstack((mine, np.zeros((len(right), duals)))),
        right,
        [(0, None)] * width + [(None, None)] * duals,
    )
    assert result.success, result.message
    return float(-result.fun)


def _leaves(
    position: DummyPosition,
    question: Question,
    seats: tuple[Sequences, Sequences],
    seen: tuple[tuple[Any, ...], tuple[Any, ...]],
    at: tuple[int, int],
    chance: float,
) -> Iterator[Leaf]:
    """Every end of the round: both seats' sequences, and seat 0's utility times the chance of the draws."""
    if not position.cards_left:
        yield at[0], at[1], chance * question.final(position)
        return
    controller, rival = position.controller, position.rival
    for card, likely in position.draws(question.rules):
        shown = position.reveal(card, question.rules)
        choices: dict[int, list[Any]] = {
            controller: list(shown.controller_picks(question.rules)),
            rival: list(position.picks(rival, question.rules)),
        }
        after_draw = {controller: (*seen[controller], "drew", card), rival: seen[rival]}
        numbers = {seat: seats[seat].extend(after_draw[seat], at[seat], choices[seat]) for seat in (0, 1)}
        for i, (own, given) in enumerate(choices[controller]):
            for j, other in enumerate(choices[rival]):
                laid = joint(position, own, given, other)
                after = shown.play(laid, question.rules)
                knows = [(*after_draw[seat], "laid", laid, "holds", after.hands[seat]) for seat in (0, 1)]
                place = {controller: numbers[controller][i], rival: numbers[rival][j]}
                yield from _leaves(
                    after, question, seats, (knows[0], knows[1]), (place[0], place[1]), chance * float(likely)
                )
