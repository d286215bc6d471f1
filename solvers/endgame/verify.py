"""``verify``: check a solution by best responses, with plain code that shares no kernel with the solvers.

The solution's full strategy is read through its public ``strategy`` at every position the check meets. Following it,
each solved seat gets some value; deviating as well as it can while the others follow it, the seat gets its best
response. The difference is the seat's gain, and the sum of the gains is the *exploitability* (NashConv in Lanctot et
al., NeurIPS 2017): zero exactly when nobody can do better by deviating. The claimed value is checked apart from that,
against the value of following the strategy.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Protocol

from solvers.endgame.exact import Key, position_key
from solvers.endgame.limits import Limits
from solvers.endgame.objective import Number, utilities
from solvers.errors import LimitReached, UsageError
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules

TOLERANCE = 1e-9
"""Largest difference, in utility, that still counts as none: float answers sum a few hundred rounded terms."""

PROGRESS_EVERY = 1000
"""Positions between two reports of progress."""

Mix = Mapping[Pick, Number]
Progress = Callable[[int], None]
"""Told the number of positions visited so far, every :data:`PROGRESS_EVERY` positions."""


class Answered(Protocol):
    """One seat's claimed value."""

    @property
    def seat(self) -> int: ...  # noqa: D102
    @property
    def value(self) -> Number: ...  # noqa: D102


class Solved(Protocol):
    """What the check reads of an answer; :class:`Solution` and :class:`ExactSolution` both have it."""

    @property
    def position(self) -> Position: ...  # noqa: D102
    @property
    def rules(self) -> Rules: ...  # noqa: D102
    @property
    def objective(self) -> str: ...  # noqa: D102
    @property
    def against(self) -> str: ...  # noqa: D102
    @property
    def pudding_value(self) -> Number | None: ...  # noqa: D102
    @property
    def seats(self) -> Sequence[Answered]: ...  # noqa: D102

    def strategy(self, position: Position) -> Sequence[Mix]:
        """Each seat's mix at a reachable position."""


@dataclass(frozen=True, slots=True)
class SeatCheck:
    """One solved seat: the value claimed, the value of following the strategy, and of the best deviation from it.

    ``gain`` is the best response less the value of following. Both are ``None`` for a paranoid answer with three or
    more seats, where the rest play as one and have no mixes of their own to respond to.
    """

    seat: int
    claimed: Number
    followed: Number
    best_response: Number | None
    gain: Number | None


@dataclass(frozen=True, slots=True)
class Verification:
    """What a check found.

    ``exploitability`` is the sum of the seats' gains (``None`` when none could be computed). ``value_error`` is the
    largest difference between a claimed value and the value of following the strategy. ``positions`` counts the
    positions visited, ``strategies`` those at which the solution was asked for its mixes. ``ok`` says whether both
    numbers are within ``tolerance``; for a quantal answer, which is meant to be exploitable, only the second.
    """

    seats: tuple[SeatCheck, ...]
    exploitability: Number | None
    value_error: Number
    positions: int
    strategies: int
    seconds: float
    tolerance: float
    ok: bool

    def as_dict(self) -> dict[str, Any]:
        """The JSON form; fractions become floats."""
        answer = {name: _plain(value) for name, value in asdict(self).items()}
        answer["seats"] = [{name: _plain(value) for name, value in asdict(check).items()} for check in self.seats]
        return answer


def verify(solution: Solved, limits: Limits | None = None, progress: Progress | None = None) -> Verification:
    """Hold a solution's value and strategy against best responses; exact when the solution is in fractions.

    Each seat's gain assumes the others follow the solution, so it proves an equilibrium; for ``uniform`` and
    ``greedy`` it proves the answered seat's picks the best against that play. A ``paranoid`` answer is a guarantee:
    its seat follows the strategy while the others together do the worst to it they can. Raises :class:`LimitReached`
    when ``limits.max_states`` positions or ``limits.timeout`` seconds are passed, and :class:`UsageError` for the dummy
    variant.
    """
    if solution.position.contestants != solution.position.seats:
        raise UsageError("the check does not cover the two-player variant with a dummy")
    started = time.perf_counter()
    check = _Check(solution, limits or Limits(), progress)
    seats = tuple(check.seat(answer) for answer in solution.seats)
    gains = [seat.gain for seat in seats if seat.gain is not None]
    exploitability = sum(gains) if gains else None
    value_error = max(_distance(seat.claimed, seat.followed) for seat in seats)
    exploitable = exploitability is not None and exploitability > TOLERANCE and "quantal" not in solution.against
    return Verification(
        seats=seats,
        exploitability=exploitability,
        value_error=value_error,
        positions=check.positions,
        strategies=len(check.mixes),
        seconds=round(time.perf_counter() - started, 6),
        tolerance=TOLERANCE,
        ok=value_error <= TOLERANCE and not exploitable,
    )


class _Check:
    """The recursions, their memories and the limits they share.

    Positions that differ only in ways the rest of the round cannot depend on (:func:`position_key`) are checked once,
    with the solution's strategy at the first of them: the strategy checked is the one that plays so at all of them.
    """

    def __init__(self, solution: Solved, limits: Limits, progress: Progress | None) -> None:
        self.solution, self.limits, self.progress = solution, limits, progress
        self.rules = solution.rules
        self.mixes: dict[Key, Sequence[Mix]] = {}
        self.positions = 0
        self.end = None if limits.timeout is None else time.monotonic() + limits.timeout

    def seat(self, answer: Answered) -> SeatCheck:
        """The check of one seat's value and strategy."""
        root, seat = self.solution.position, answer.seat
        paranoid = self.solution.against == "paranoid"
        followed = self._floor(root, seat, {}) if paranoid else self._follow(root, seat, {})
        if paranoid and root.seats > 2:
            return SeatCheck(seat, answer.value, followed, None, None)
        best = self._respond(root, seat, {})
        return SeatCheck(seat, answer.value, followed, best, best - followed)

    def _follow(self, position: Position, seat: int, memo: dict[Key, Number]) -> Number:
        """The seat's utility when every seat follows the strategy."""
        if not position.cards_left:
            return self._payoff(position, seat)
        key = position_key(position)
        if key not in memo:
            self._visit()
            memo[key] = sum(
                chance * self._follow(position.play(picks, self.rules), seat, memo)
                for picks, chance in _joint(self._mixes(position, key))
            )
        return memo[key]

    def _respond(self, position: Position, seat: int, memo: dict[Key, Number]) -> Number:
        """The seat's utility when it plays as well as it can and the others follow the strategy."""
        if not position.cards_left:
            return self._payoff(position, seat)
        key = position_key(position)
        if key not in memo:
            self._visit()
            mixes = list(self._mixes(position, key))
            values = []
            for pick in position.picks(seat, self.rules):
                mixes[seat] = {pick: 1}
                values.append(
                    sum(
                        chance * self._respond(position.play(picks, self.rules), seat, memo)
                        for picks, chance in _joint(mixes)
                    )
                )
            memo[key] = max(values)
        return memo[key]

    def _floor(self, position: Position, seat: int, memo: dict[Key, Number]) -> Number:
        """The seat's utility when it follows the strategy and the others do the worst to it they can."""
        if not position.cards_left:
            return self._payoff(position, seat)
        key = position_key(position)
        if key not in memo:
            self._visit()
            own = self._mixes(position, key)[seat]
            picks = position.joint_picks(self.rules)
            memo[key] = min(
                sum(
                    chance * self._floor(position.play((*others[:seat], pick, *others[seat:]), self.rules), seat, memo)
                    for pick, chance in own.items()
                    if chance
                )
                for others in product(*picks[:seat], *picks[seat + 1 :])
            )
        return memo[key]

    def _mixes(self, position: Position, key: Key) -> Sequence[Mix]:
        if key not in self.mixes:
            self.mixes[key] = self.solution.strategy(position)
        return self.mixes[key]

    def _payoff(self, position: Position, seat: int) -> Number:
        worth = self.solution.pudding_value or 0
        return utilities(position, self.solution.objective, self.rules, worth)[seat]

    def _visit(self) -> None:
        self.positions += 1
        most = self.limits.max_states
        if most is not None and self.positions > most:
            raise LimitReached(f"the check needs more than {most} positions", {"positions": most})
        if self.end is not None and time.monotonic() > self.end:
            raise LimitReached(
                f"the check was not done after {self.limits.timeout} s and {self.positions} positions",
                {"positions": self.positions},
            )
        if self.progress is not None and self.positions % PROGRESS_EVERY == 0:
            self.progress(self.positions)


def _joint(mixes: Sequence[Mix]) -> Iterator[tuple[tuple[Pick, ...], Number]]:
    """Every joint pick that can happen, with its chance; the seats mix independently."""
    supports = ([(pick, chance) for pick, chance in mix.items() if chance] for mix in mixes)
    for combination in product(*supports):
        yield tuple(pick for pick, _ in combination), prod(chance for _, chance in combination)


def _distance(one: Number, other: Number) -> Number:
    return one - other if one > other else other - one


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value
