"""``best draft``: the legal picks of all seats together that do the most for one seat, its lead, or the whole table.

Every hand is open and every seat cooperates, so the answer is a ceiling: no play of the others can give the seat more
(with ``least``: less). The proof is CP-SAT's; the line is played through the game room before it is returned.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ortools.sat.python import cp_model

from solvers.ceilings import goals
from solvers.ceilings.answers import DraftAnswer, Line, plain_number
from solvers.ceilings.count import count_tables
from solvers.ceilings.draft_model import DraftModel, Expression
from solvers.ceilings.lines import read_line
from solvers.ceilings.search import OPTIMAL, Outcome, run
from solvers.endgame.limits import Limits
from solvers.endgame.objective import DEFAULT_PUDDING_VALUE
from solvers.errors import UsageError
from solvers.game.cards import KINDS, Card
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules


def best_draft(
    position: Position,
    seat: int = 0,
    goal: str = "seat",
    rules: Rules | None = None,
    pudding_value: Fraction | float | str = DEFAULT_PUDDING_VALUE,
    limits: Limits | None = None,
    count: int = 0,
) -> DraftAnswer:
    """The proven best for ``seat`` from a position, with all hands open and every seat cooperating.

    ``goal`` is one of :data:`solvers.ceilings.goals.GOALS`. Points are final totals: with puddings in round 3, and with
    ``pudding_value`` a pudding before. ``count`` above 0 also counts the final tables that reach the optimum, up to
    that many. Of the optimal lines one is shown: see ``analysis/docs/ceilings.md``. A timeout in ``limits`` gives an
    answer whose ``status`` is not ``optimal``, with the bound proven by then. Raises :class:`UsageError` for a
    question without an answer.
    """
    rules = rules or Rules()
    check_question(position, seat, rules)
    if goal not in goals.GOALS:
        raise UsageError(f"unknown goal {goal!r}: it is {', '.join(goals.GOALS)}")
    question = Question(position, seat, goal, rules, goals.exact_pudding_value(pudding_value), limits or Limits())
    return question.answer(count)


def check_question(position: Position, seat: int, rules: Rules) -> None:
    """Raise :class:`UsageError` for a position or seat that no draft can be asked about."""
    if rules.two_player_variant == "dummy" or position.contestants != position.seats:
        raise UsageError("best-possible scores are for the game without the dummy: set two_player_variant=none")
    if any(Card.UNSEEN in hand for hand in position.hands):
        raise UsageError("the hands hold unseen cards (?): a best-possible score needs every hand known")
    if not position.cards_left:
        raise UsageError("the hands are empty, so there is nothing to pick: sushigo score counts the points")
    if not 0 <= seat < position.seats:
        raise UsageError(f"seat {seat}: the position has seats 0 to {position.seats - 1}")


@dataclass(frozen=True)
class Question:
    """One checked question about a draft; ``fixed`` are picks that are already known, by seat and turn."""

    position: Position
    seat: int
    goal: str
    rules: Rules
    pudding_value: Fraction
    limits: Limits
    fixed: Mapping[tuple[int, int], Pick] | None = None

    def answer(self, count: int = 0) -> DraftAnswer:
        """Solve, play the line through the game room, and hold its score against the model's."""
        started = time.perf_counter()
        draft, objective, nigiri = self.model()
        outcome = run(draft.model, self.limits)
        line: Line = ()
        unit = goals.scale(draft, self.pudding_value)
        tables = None
        if outcome.value is not None:
            shown = self._fewest_chopsticks(draft, outcome, nigiri, started)
            line = read_line(draft, shown, {seat: shown.number(points) for seat, points in nigiri.items()})
            end = play_line(self.position, line, self.rules)
            reached = self.measure(end)
            if reached * unit != outcome.value:
                raise AssertionError(f"the line of {self.position} scores {reached}, the model says {outcome.value}")
            if count and outcome.status == OPTIMAL:
                tables = count_tables(draft, objective == outcome.value, self.seat, count, self.limits, started)
        last = self.position.round == 3
        return DraftAnswer(
            value=_in_points(outcome.value, unit),
            status=outcome.status,
            bound=_in_points(outcome.bound, unit),
            stats={**outcome.stats, "seconds": round(time.perf_counter() - started, 6)},
            interrupted=outcome.interrupted,
            position=self.position,
            rules=self.rules,
            goal=self.goal,
            seat=self.seat,
            line=line,
            tables=end.tables if line else (),
            totals=tuple(map(plain_number, self.totals(end))) if line else (),
            pudding_value=None if last else plain_number(self.pudding_value),
            count=tables,
        )

    def model(self) -> tuple[DraftModel, Expression, dict[int, Expression]]:
        """The model with the goal as its objective, that objective, and the nigiri points of the counted seats."""
        seats = goals.counted_seats(self.position.seats, self.seat, self.goal)
        draft = DraftModel(self.position, self.rules, seats, self.fixed)
        scores = goals.totals(draft, self.pudding_value)
        objective = goals.set_objective(draft, self.goal, self.seat, scores.points, self.pudding_value)
        return draft, objective, scores.nigiri

    def totals(self, end: Position) -> tuple[Fraction, ...]:
        """The seats' points at a finished round, as the goal counts them."""
        points = map(Fraction, end.totals(self.rules))
        if end.round == 3:
            return tuple(points)
        return tuple(
            total + self.pudding_value * puddings for total, puddings in zip(points, end.pudding_counts(), strict=True)
        )

    def measure(self, end: Position) -> Fraction:
        """What the goal makes of a finished round."""
        points = self.totals(end)
        if self.goal == "table":
            return sum(points, Fraction(0))
        if self.goal == "margin":
            return points[self.seat] - max(points[other] for other in range(end.seats) if other != self.seat)
        return points[self.seat]

    def _fewest_chopsticks(
        self, draft: DraftModel, outcome: Outcome, nigiri: Mapping[int, Expression], started: float
    ) -> Outcome:
        """The same final tables and points with as few uses of chopsticks as they allow, by a second solve."""
        uses = sum(draft.use.values())
        if not outcome.number(uses) or outcome.status != OPTIMAL:
            return outcome
        again: cp_model.CpModel = draft.model.clone()
        for seat in draft.seats:
            for card in KINDS:
                count = draft.final_count(seat, card)
                again.add(count == outcome.number(count))
        for points in nigiri.values():
            again.add(points == outcome.number(points))
        again.minimize(uses)
        second = run(again, self.limits, time.perf_counter() - started)
        return outcome if second.value is None else second


def play_line(position: Position, line: Line, rules: Rules) -> Position:
    """The position at the end of a line; raises :class:`IllegalPick` where the rules do not allow a pick."""
    for picks in line:
        position = position.play(picks, rules)
    return position


def _in_points(number: int | None, unit: int) -> float | int | None:
    return None if number is None else plain_number(Fraction(number, unit))
