"""One position under every assumption about the other seats: which pick is best under which belief, and what a wrong
belief costs.

A *belief* is one of the ways of playing of ``solve`` (``against=``). A seat that acts on it *plays* its mix in that
solution; only against ``quantal:L``, where the solution's mix has mistakes in it on purpose, its best pick. The *cost*
of acting on one belief while another is true is what that play earns less than the best pick under the true one. It is
the price of this turn alone: the other seats, and everything later, follow the solution of the true belief. So the
picks of a mix cost nothing under their own belief one by one; that each alone could be met is not part of the price.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from solvers import LimitReached, Limits, Position, Rules, Solution, UsageError, solve
from solvers.endgame.objective import DEFAULT_PUDDING_VALUE
from solvers.endgame.solve import Progress
from solvers.game.cards import letters
from solvers.game.picks import Pick

BELIEFS = ("equilibrium", "paranoid", "uniform", "greedy", "quantal:1")
"""The assumptions compared unless others are named."""

_EFFORT = ("greedy", "uniform", "paranoid", "equilibrium")
"""In this order they are solved, so that a limit or Ctrl-C leaves what is quick; any others come last."""
_TIE = 1e-9


@dataclass(frozen=True)
class Belief:
    """A seat's answer under one assumption; ``pick_values`` and ``plays`` run over its picks in card order."""

    solution: Solution
    pick_values: tuple[float, ...]
    plays: tuple[float, ...]
    """How often a seat that acts on this belief takes each pick."""

    @property
    def against(self) -> str:
        """The name of the assumption."""
        return self.solution.against

    @property
    def value(self) -> float:
        """What the best pick is worth if the belief is true."""
        return max(self.pick_values)

    @property
    def likeliest(self) -> int:
        """The place of the pick played most often (ties: card order)."""
        return _first_greatest(self.plays)

    def losses(self) -> tuple[float, ...]:
        """What each pick gives away if the belief is true."""
        return tuple(self.value - value for value in self.pick_values)

    def cost_of(self, plays: Sequence[float]) -> float:
        """What playing like this gives away if the belief is true."""
        cost = sum(chance * loss for chance, loss in zip(plays, self.losses(), strict=True))
        return cost if cost > _TIE else 0.0


@dataclass(frozen=True)
class Comparison:
    """A position solved under several beliefs, for one seat.

    ``left_out`` gives the reason for each belief without an answer: the question has none, or a limit was reached
    (``limited``).
    """

    position: Position
    rules: Rules
    objective: str
    seat: int
    picks: tuple[Pick, ...]
    beliefs: tuple[Belief, ...]
    left_out: Mapping[str, str]
    limited: bool = False

    @property
    def costs(self) -> tuple[tuple[float, ...], ...]:
        """The cost of each belief acted on (rows) under each true one (columns), in units of the objective."""
        return tuple(tuple(true.cost_of(acted_on.plays) for true in self.beliefs) for acted_on in self.beliefs)

    @property
    def safest(self) -> Belief:
        """The belief whose largest cost under any of these is smallest (ties: the one named first)."""
        worst = [max(row) for row in self.costs]
        return self.beliefs[next(place for place, cost in enumerate(worst) if cost <= min(worst) + _TIE)]

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "position": str(self.position),
            "rules": self.rules.as_dict(),
            "objective": self.objective,
            "seat": self.seat,
            "beliefs": [self._belief_dict(belief) for belief in self.beliefs],
            "costs": {
                acted_on.against: {true.against: cost for true, cost in zip(self.beliefs, row, strict=True)}
                for acted_on, row in zip(self.beliefs, self.costs, strict=True)
            },
            "safest": self.safest.against,
            "left_out": dict(self.left_out),
        }

    def _belief_dict(self, belief: Belief) -> dict[str, Any]:
        rows = zip(self.picks, belief.plays, belief.pick_values, belief.losses(), strict=True)
        return {
            "against": belief.against,
            "proven": belief.solution.proven,
            "value": belief.value,
            "best": letters(self.picks[belief.likeliest]),
            "picks": [
                {"pick": letters(pick), "plays": chance, "value": value, "loss": loss}
                for pick, chance, value, loss in rows
            ],
            "stats": dict(belief.solution.stats),
        }


def compare(position: Position, objective: str = "margin", seat: int = 0, **options: Any) -> Comparison:
    """Solve one position for one seat under each belief; options are those of :func:`compare_steps`."""
    *_, whole = compare_steps(position, objective, seat, **options)
    return whole


def compare_steps(
    position: Position,
    objective: str = "margin",
    seat: int = 0,
    rules: Rules | None = None,
    pudding_value: float = DEFAULT_PUDDING_VALUE,
    beliefs: Sequence[str] = BELIEFS,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Iterator[Comparison]:
    """The comparison as far as it has got, after each belief solved; the last one is the whole.

    ``limits`` hold for each solve, but the time for all together. A belief without an answer (``equilibrium`` for
    ``points`` between two seats, a limit reached) is left out with the reason; raises the :class:`UsageError` or
    :class:`solvers.errors.LimitReached` when that leaves none.
    """
    rules, limits, started = rules or Rules(), limits or Limits(), time.perf_counter()
    found = Comparison(position, rules, objective, seat, position.picks(seat, rules), (), {})
    problems: list[UsageError | LimitReached] = []
    for against in sorted(beliefs, key=lambda name: _EFFORT.index(name) if name in _EFFORT else len(_EFFORT)):
        try:
            left = _time_left(limits, time.perf_counter() - started)
            solution = solve(
                position,
                objective,
                against,
                rules=rules,
                seat=seat,
                pudding_value=pudding_value,
                limits=replace(limits, timeout=left),
                progress=progress,
            )
        except (UsageError, LimitReached) as error:
            problems.append(error)
            limited = found.limited or isinstance(error, LimitReached)
            found = replace(found, left_out={**found.left_out, against: str(error)}, limited=limited)
        else:
            solved = [*found.beliefs, _belief(solution, seat, found.picks)]
            solved.sort(key=lambda belief: beliefs.index(belief.against))
            found = replace(found, beliefs=tuple(solved))
        if found.beliefs:
            yield found
    if not found.beliefs:
        raise problems[0] if problems else UsageError("nothing to compare: name at least one belief")


def _time_left(limits: Limits, seconds: float) -> float | None:
    """What is left of the time for all beliefs; raises :class:`LimitReached` when that is nothing."""
    if limits.timeout is None:
        return None
    if seconds >= limits.timeout:
        raise LimitReached(f"no time left of {limits.timeout:g} s")
    return limits.timeout - seconds


def _belief(solution: Solution, seat: int, picks: Sequence[Pick]) -> Belief:
    known = {row.pick: row for row in solution.seat(seat).picks}
    values = tuple(known[pick].value for pick in picks)
    plays = tuple(known[pick].probability for pick in picks)
    if solution.against.startswith("quantal"):
        best = _first_greatest(values)
        plays = tuple(float(place == best) for place in range(len(picks)))
    return Belief(solution, values, plays)


def _first_greatest(numbers: Sequence[float]) -> int:
    most = max(numbers)
    return next(place for place, number in enumerate(numbers) if number >= most - _TIE)
