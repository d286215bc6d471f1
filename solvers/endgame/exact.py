"""Exact answers in fractions: a readable backward induction over game-room positions.

Two seats with ``margin`` or ``win`` get the zero-sum equilibrium; any number of seats gets the best picks against
uniformly random rivals. Nothing here is compiled or packed, and no kernel is shared with the float engines: it is what
they are held against, and what prints a value as a fraction. It is meant for positions of a few thousand states.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from solvers.endgame.limits import Limits
from solvers.endgame.mixes import canonical_mixes_exact
from solvers.endgame.objective import DEFAULT_PUDDING_VALUE, Number, check_objective, utilities
from solvers.endgame.rational import solve_rational
from solvers.errors import LimitReached, UsageError
from solvers.game.cards import Card, letters, sorted_cards
from solvers.game.picks import Pick
from solvers.game.position import Cards, Position
from solvers.game.rules import Rules
from solvers.game.scoring import nigiri_points, open_wasabi

DEFAULT_MAX_STATES = 20_000
"""States an exact answer may take unless the caller's limits say otherwise; the float engines go further."""

TableKey = tuple[Cards, int, int]
Key = tuple[tuple[Cards, ...], tuple[TableKey, ...]]
Joint = tuple[Pick, ...]


def position_key(position: Position) -> Key:
    """What matters of a position within one round: hands, and of each table what the rest of the round can depend on.

    Two positions of one round with equal keys (and equal round, direction, earlier points and puddings) have the same
    picks, lead to positions with equal keys after the same picks, and score the same at the end. Proof: legality and
    scoring read a table through counts of kinds, except for nigiri and wasabi, whose order matters only through the
    points laid so far and the wasabi still open: a later nigiri goes on an open wasabi or scores plain.
    """
    return position.hands, tuple(map(_table_key, position.tables))


def _table_key(table: Cards) -> TableKey:
    others = (card for card in table if card is not Card.WASABI and not card.is_nigiri)
    return sorted_cards(others), open_wasabi(table), nigiri_points(table)


@dataclass(frozen=True, slots=True)
class ExactPick:
    """One pick of one seat: probability, value and loss as fractions."""

    pick: Pick
    probability: Fraction
    value: Fraction
    loss: Fraction


@dataclass(frozen=True, slots=True)
class ExactSeat:
    """One seat's value and every distinct legal pick, best first (ties in card order)."""

    seat: int
    value: Fraction
    picks: tuple[ExactPick, ...]


@dataclass(frozen=True)
class ExactSolution:
    """A position solved in fractions; the fields mean what they mean in :class:`solvers.endgame.solution.Solution`."""

    position: Position
    rules: Rules
    objective: str
    against: str
    value: Fraction
    seats: tuple[ExactSeat, ...]
    line: tuple[Joint, ...]
    stats: Mapping[str, Any]
    pudding_value: Fraction | None = None
    tree: ExactTree | None = field(default=None, repr=False, compare=False)

    def best_pick(self, seat: int = 0) -> Pick:
        """The seat's likeliest pick (ties: card order)."""
        answer = next((answer for answer in self.seats if answer.seat == seat), None)
        if answer is None:
            raise UsageError(f"seat {seat} was not solved for")
        most = max(row.probability for row in answer.picks)
        return min((row.pick for row in answer.picks if row.probability == most), key=lambda pick: (len(pick), pick))

    def strategy(self, position: Position) -> tuple[dict[Pick, Fraction], ...]:
        """Each seat's mix at any position reachable from this one."""
        if self.tree is None:
            raise UsageError("this solution was loaded without its tree: solve the position again for its strategy")
        return self.tree.strategy(position)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form of a solution (interface, section 5); numbers also stand as fractions under ``exact``."""
        answer: dict[str, Any] = {
            "position": str(self.position),
            "rules": self.rules.as_dict(),
            "objective": self.objective,
            "against": self.against,
            "proven": True,
            "value": float(self.value),
            "exact": str(self.value),
            "seats": [
                {
                    "seat": answer.seat,
                    "value": float(answer.value),
                    "exact": str(answer.value),
                    "picks": [_row_dict(row) for row in answer.picks],
                }
                for answer in self.seats
            ],
            "line": [[letters(pick) for pick in turn] for turn in self.line],
            "stats": dict(self.stats),
        }
        if self.pudding_value is not None:
            answer["pudding_value"] = float(self.pudding_value)
        return answer


def _row_dict(row: ExactPick) -> dict[str, Any]:
    numbers = {"probability": row.probability, "value": row.value, "loss": row.loss}
    floats = {name: float(number) for name, number in numbers.items()}
    return {"pick": letters(row.pick), **floats, "exact": {name: str(number) for name, number in numbers.items()}}


def solve_exact(
    position: Position,
    objective: str = "margin",
    rules: Rules | None = None,
    pudding_value: Number = DEFAULT_PUDDING_VALUE,
    limits: Limits | None = None,
    against: str = "equilibrium",
    seat: int = 0,
) -> ExactSolution:
    """Solve a position in fractions, against ``equilibrium`` (two seats, margin or win) or ``uniform`` (any seats).

    A float ``pudding_value`` is read as the decimal it prints as. Raises :class:`UsageError` for a question without an
    exact answer and :class:`LimitReached`, with the count, for a position of too many states.
    """
    rules, limits = rules or Rules(), limits or Limits()
    check_objective(objective, position.round)
    _check_question(position, objective, against, seat)
    started = time.perf_counter()
    worth = pudding_value if isinstance(pudding_value, int | Fraction) else Fraction(str(pudding_value))
    tree = ExactTree(position, objective, rules, Fraction(worth), against, seat, limits)
    answers = tuple(answer for answer in map(tree.answer, range(position.seats)) if answer is not None)
    return ExactSolution(
        position=position,
        rules=rules,
        objective=objective,
        against=against,
        value=answers[0].value,
        seats=answers,
        line=tree.line(),
        stats={"states": tree.states, "seconds": round(time.perf_counter() - started, 6)},
        pudding_value=Fraction(worth) if position.round != 3 else None,
        tree=tree,
    )


def _check_question(position: Position, objective: str, against: str, seat: int) -> None:
    if against not in ("equilibrium", "uniform"):
        raise UsageError(f"no exact answer against {against!r}: in fractions it is equilibrium or uniform")
    if position.contestants != position.seats:
        raise UsageError("no exact answer for the two-player variant with a dummy: use the float solver")
    if against == "equilibrium" and position.seats != 2:
        raise UsageError(f"no exact equilibrium for {position.seats} seats: in fractions it is for two")
    if against == "equilibrium" and objective == "points":
        raise UsageError("points is not zero-sum between two seats: use margin or win, or --against uniform")
    if not 0 <= seat < position.seats:
        raise UsageError(f"seat {seat}: the position has seats 0 to {position.seats - 1}")
    if not position.cards_left:
        raise UsageError("the hands are empty: there is nothing to pick; sushigo score counts the points")
    if any(Card.UNSEEN in hand for hand in position.hands):
        raise UsageError("the hands hold unseen cards (?): this solver needs every hand known")


class ExactTree:
    """Every state reachable from a position, by key, with its exact value to the seat in question.

    ``turns[t]`` holds the states after t turns; ``replies[key]`` the key each joint pick leads to. The seat in
    question is seat 0 in an equilibrium, where seat 1's utility is the opposite (for ``win``, the rest of 1).
    """

    def __init__(
        self,
        root: Position,
        objective: str,
        rules: Rules,
        pudding_value: Fraction,
        against: str,
        seat: int,
        limits: Limits,
    ) -> None:
        self.root, self.objective, self.rules, self.pudding_value = root, objective, rules, pudding_value
        self.against = against
        self.seat = 0 if against == "equilibrium" else seat
        self.replies: dict[Key, dict[Joint, Key]] = {}
        clock = _Clock(limits.timeout)
        self.turns = self._unfold(clock, DEFAULT_MAX_STATES if limits.max_states is None else limits.max_states)
        self.values = self._fold(clock)

    @property
    def states(self) -> int:
        """States with a turn still to play."""
        return len(self.replies)

    def _unfold(self, clock: _Clock, most: int) -> list[dict[Key, Position]]:
        """The states turn by turn; the last turn's are the finished rounds."""
        turns = [{position_key(self.root): self.root}]
        for turn in range(1, self.root.cards_left + 1):
            found: dict[Key, Position] = {}
            for key, position in turns[-1].items():
                clock.check(len(self.replies))
                replies = self.replies[key] = {}
                for picks in product(*position.joint_picks(self.rules)):
                    child = position.play(picks, self.rules)
                    replies[picks] = child_key = position_key(child)
                    found.setdefault(child_key, child)
                if turn < self.root.cards_left and sum(map(len, turns)) + len(found) > most:
                    raise LimitReached(
                        f"more than {most} states, reached in turn {turn} of {self.root.cards_left}: "
                        "too large for an exact answer (--max-states raises the limit)",
                        {"states": most},
                    )
            turns.append(found)
        return turns

    def _fold(self, clock: _Clock) -> dict[Key, Fraction]:
        """The value of every state, from the finished rounds back to the root."""
        values: dict[Key, Fraction] = {}
        for key, position in self.turns[-1].items():
            payoffs = utilities(position, self.objective, self.rules, self.pudding_value)
            values[key] = Fraction(payoffs[self.seat])
        for turn in reversed(self.turns[:-1]):
            for key, position in turn.items():
                clock.check(len(values))
                values[key] = self._value(position, [values[child] for child in self.replies[key].values()])
        return values

    def _value(self, position: Position, payoffs: list[Fraction]) -> Fraction:
        """A state's value from what every joint pick leads to, in the order of the joint picks."""
        if self.against == "uniform":
            return max(self._uniform_values(position, payoffs))
        width = len(position.picks(1, self.rules))
        return solve_rational(_rows(payoffs, width)).value

    def _uniform_values(self, position: Position, payoffs: list[Fraction]) -> tuple[Fraction, ...]:
        """The seat's average after each of its picks, the others picking uniformly."""
        by_pick: dict[Pick, list[Fraction]] = {pick: [] for pick in position.picks(self.seat, self.rules)}
        for picks, payoff in zip(product(*position.joint_picks(self.rules)), payoffs, strict=True):
            by_pick[picks[self.seat]].append(payoff)
        return tuple(sum(found, Fraction(0)) / len(found) for found in by_pick.values())

    def _payoffs(self, position: Position) -> list[Fraction]:
        key = position_key(position)
        if key not in self.replies:
            raise UsageError(f"{position} is not a position with a pick to make that {self.root} can lead to")
        return [self.values[child] for child in self.replies[key].values()]

    def matrix(self, position: Position) -> list[list[Fraction]]:
        """The turn as a matrix game of two seats: seat 0's picks by seat 1's, both in card order."""
        return _rows(self._payoffs(position), len(position.picks(1, self.rules)))

    def stage(self, position: Position) -> tuple[tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]], ...]:
        """For each seat its value, mix and pick values, the picks in card order; a random seat has no pick values."""
        payoffs, joint = self._payoffs(position), position.joint_picks(self.rules)
        if self.against == "uniform":
            values = self._uniform_values(position, payoffs)
            best = values.index(max(values))
            own = (max(values), tuple(Fraction(i == best) for i in range(len(values))), values)
            return tuple(
                own if seat == self.seat else (Fraction(0), (Fraction(1, len(picks)),) * len(picks), ())
                for seat, picks in enumerate(joint)
            )
        matrix = self.matrix(position)
        value, row_mix, column_mix = canonical_mixes_exact(matrix)
        total = Fraction(self.objective == "win")
        row_values = tuple(_dot(row, column_mix) for row in matrix)
        column_values = tuple(total - _dot(column, row_mix) for column in zip(*matrix, strict=True))
        return (value, tuple(row_mix), row_values), (total - value, tuple(column_mix), column_values)

    def answer(self, seat: int) -> ExactSeat | None:
        """The root's answer for a seat; ``None`` for a seat whose play is assumed."""
        value, mix, values = self.stage(self.root)[seat]
        if not values:
            return None
        picks = self.root.picks(seat, self.rules)
        rows = [ExactPick(p, m, v, value - v) for p, m, v in zip(picks, mix, values, strict=True)]
        return ExactSeat(seat, value, tuple(sorted(rows, key=lambda row: row.loss)))

    def strategy(self, position: Position) -> tuple[dict[Pick, Fraction], ...]:
        """Each seat's mix at a reachable position."""
        parts = zip(position.joint_picks(self.rules), self.stage(position), strict=True)
        return tuple(dict(zip(picks, mix, strict=True)) for picks, (_, mix, _) in parts)

    def line(self) -> tuple[Joint, ...]:
        """The likeliest joint pick turn by turn (ties: card order)."""
        line: list[Joint] = []
        position = self.root
        while position.cards_left:
            picks = tuple(max(mix, key=lambda pick, mix=mix: mix[pick]) for mix in self.strategy(position))  # type: ignore[misc]
            line.append(picks)
            position = position.play(picks, self.rules)
        return tuple(line)


class _Clock:
    """Stops the work when its time is over."""

    def __init__(self, timeout: float | None) -> None:
        self.timeout = timeout
        self.end = None if timeout is None else time.monotonic() + timeout

    def check(self, states: int) -> None:
        if self.end is not None and time.monotonic() > self.end:
            raise LimitReached(f"{self.timeout} s were over after {states} states", {"states": states})


def _rows(payoffs: Sequence[Fraction], width: int) -> list[list[Fraction]]:
    return [list(payoffs[start : start + width]) for start in range(0, len(payoffs), width)]


def _dot(numbers: Sequence[Fraction], mix: Sequence[Fraction]) -> Fraction:
    return sum((number * chance for number, chance in zip(numbers, mix, strict=True)), Fraction(0))
