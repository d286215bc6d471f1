"""What a best-possible question is answered with: frozen records with value, bound, and the line that reaches it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from solvers.ceilings.search import OPTIMAL
from solvers.game.cards import Card, letters
from solvers.game.picks import Pick
from solvers.game.position import Cards, Position
from solvers.game.rules import Rules

Number = int | float
Line = tuple[tuple[Pick, ...], ...]


def plain_number(number: Fraction | int) -> Number:
    """An int where the number is whole, else a float: the form answers are given in."""
    return int(number) if Fraction(number).denominator == 1 else float(number)


def gap(value: Number | None, bound: Number | None) -> Number | None:
    """How far apart the value found and the bound proven are; 0 for a proven optimum."""
    return None if value is None or bound is None else plain_number(abs(Fraction(bound) - Fraction(value)))


@dataclass(frozen=True)
class Ceiling:
    """Value and bound of any question; ``value`` is the objective, and ``None`` where a limit came before a solution.

    ``status`` is ``optimal`` (proven), ``feasible`` or ``unknown`` (a limit was reached; the bound still holds).
    ``interrupted`` says that the user stopped the search.
    """

    value: Number | None
    status: str
    bound: Number | None
    stats: Mapping[str, Any] = field(repr=False)
    interrupted: bool = field(default=False, kw_only=True, repr=False)

    @property
    def proven(self) -> bool:
        """Whether the value is the optimum."""
        return self.status == OPTIMAL

    @property
    def gap(self) -> Number | None:
        """Bound less value, without sign."""
        return gap(self.value, self.bound)

    def head(self) -> dict[str, Any]:
        """The fields every answer starts its JSON with."""
        return {"value": self.value, "status": self.status, "bound": self.bound, "gap": self.gap}


@dataclass(frozen=True)
class TableCount:
    """How many different final tables reach the optimum: the seat's own, and of all seats together.

    A final table is the cards that lie there, whatever their order. ``complete`` is false for a count that stopped at
    its limit; the true number is then at least as large.
    """

    own: int
    own_complete: bool
    joint: int
    joint_complete: bool

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "own": self.own,
            "own_complete": self.own_complete,
            "joint": self.joint,
            "joint_complete": self.joint_complete,
        }


@dataclass(frozen=True)
class DraftAnswer(Ceiling):
    """The most (or with ``least`` the least) that can happen to a seat from a position, and a line that does it.

    ``line`` holds the picks of all seats turn by turn and ``tables`` what then lies in front of them; both are empty
    when no solution was found in time. ``totals`` are the seats' points at the end of the line as the goal counts them.
    """

    position: Position = field(kw_only=True)
    rules: Rules = field(kw_only=True)
    goal: str = field(kw_only=True)
    seat: int = field(kw_only=True)
    line: Line = field(kw_only=True)
    tables: tuple[Cards, ...] = field(kw_only=True)
    totals: tuple[Number, ...] = field(kw_only=True)
    pudding_value: Number | None = field(default=None, kw_only=True)
    count: TableCount | None = field(default=None, kw_only=True)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        answer: dict[str, Any] = {
            "position": str(self.position),
            "goal": self.goal,
            "seat": self.seat,
            **self.head(),
            "line": spelled_line(self.line),
            "tables": [letters(table) for table in self.tables],
            "totals": list(self.totals),
        }
        if self.pudding_value is not None:
            answer["pudding_value"] = self.pudding_value
        if self.count is not None:
            answer["optimal_tables"] = self.count.as_dict()
        return {**answer, "stats": dict(self.stats)}


@dataclass(frozen=True)
class PickCost:
    """One pick of a played round in hindsight; turns count from 0.

    ``best`` is the most the seat could still have had before it, ``after`` the most after it, and ``cost`` the
    difference; ``better`` is the pick of the best line from there.
    """

    turn: int
    pick: Pick
    better: Pick
    best: Number
    after: Number

    @property
    def cost(self) -> Number:
        """Points the pick gave away, with the others' picks as they were."""
        return self.best - self.after

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "turn": self.turn,
            "pick": letters(self.pick),
            "better": letters(self.better),
            "best": self.best,
            "after": self.after,
            "cost": self.cost,
        }


@dataclass(frozen=True)
class ReplyAnswer(DraftAnswer):
    """The best a seat could have done against the recorded picks of the others, and what each own pick cost.

    ``actual`` is what the seat scored. ``picks`` has one entry a turn, fewer where a limit left a cost unproven.
    """

    actual: Number = field(kw_only=True)
    picks: tuple[PickCost, ...] = field(kw_only=True)

    @property
    def complete(self) -> bool:
        """Whether every pick has its cost."""
        return len(self.picks) == self.position.cards_left

    def as_dict(self) -> dict[str, Any]:
        """The JSON form: that of a draft, with the points really made and the cost of each pick."""
        answer = super().as_dict()
        stats = answer.pop("stats")
        return {**answer, "actual": self.actual, "picks": [pick.as_dict() for pick in self.picks], "stats": stats}


@dataclass(frozen=True)
class HandAnswer(Ceiling):
    """The best table of a number of cards; ``cards`` are in an order that scores the value."""

    cards: Cards = field(kw_only=True)
    count: int | None = field(default=None, kw_only=True)
    count_complete: bool = field(default=True, kw_only=True)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        answer = {**self.head(), "cards": letters(self.cards)}
        if self.count is not None:
            answer["optimal_hands"] = {"count": self.count, "complete": self.count_complete}
        return {**answer, "stats": dict(self.stats)}


@dataclass(frozen=True)
class GameAnswer(Ceiling):
    """The best three rounds for seat 0; ``rounds`` are the tables of every seat, round by round, in scoring order."""

    players: int = field(kw_only=True)
    goal: str = field(kw_only=True)
    rules: Rules = field(kw_only=True)
    rounds: tuple[tuple[Cards, ...], ...] = field(kw_only=True)
    round_points: tuple[tuple[int, ...], ...] = field(kw_only=True)
    pudding_points: tuple[int, ...] = field(kw_only=True)
    totals: tuple[int, ...] = field(kw_only=True)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "goal": self.goal,
            "players": self.players,
            **self.head(),
            "rounds": [
                {"tables": [letters(table) for table in tables], "points": list(points)}
                for tables, points in zip(self.rounds, self.round_points, strict=True)
            ],
            "pudding": list(self.pudding_points),
            "totals": list(self.totals),
            "stats": dict(self.stats),
        }


def spelled_line(line: Line) -> list[list[str]]:
    """A line as letters, turn by turn."""
    return [[letters(pick) for pick in turn] for turn in line]


def spelled_cards(cards: tuple[Card, ...]) -> str:
    """Cards as letters, ``-`` for none."""
    return letters(cards) or "-"
