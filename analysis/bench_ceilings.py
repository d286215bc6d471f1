"""How long the best-draft models take: random whole rounds for every number of seats and every goal."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.study.deals import random_deal
from solvers.ceilings.answers import Number
from solvers.ceilings.draft import best_draft
from solvers.ceilings.goals import GOALS
from solvers.endgame.limits import Limits

SEED = 5
SEATS = (2, 3, 4, 5)
TIMEOUT = 30.0


@dataclass(frozen=True, slots=True)
class Timing:
    """One deal asked for one goal: ``seconds`` on the clock (everything, the line included), ``cpu`` of one core."""

    seats: int
    goal: str
    deal: int
    position: str
    status: str
    value: Number | None
    bound: Number | None
    seconds: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Summary:
    """The deals of one number of seats and one goal together; ``widest_gap`` is over the deals left open."""

    seats: int
    goal: str
    deals: int
    proven: int
    median_seconds: float
    worst_seconds: float
    median_cpu: float
    worst_cpu: float
    widest_gap: Number


def time_deals(
    deals: int = 20,
    seats: Sequence[int] = SEATS,
    goals: Sequence[str] = tuple(GOALS),
    round: int = 3,
    seed: int = SEED,
    timeout: float = TIMEOUT,
) -> Iterator[Timing]:
    """Time the best draft of seat 0 on random whole rounds, one row as each is done.

    The same ``deals`` hands are used for every goal; in round 3 the pudding contest is part of the model, in round 1 or
    2 a pudding is worth the default value.
    """
    for count in seats:
        random = np.random.default_rng([seed, count])
        positions = [random_deal(random, count, round) for _ in range(deals)]
        for goal in goals:
            for deal, position in enumerate(positions):
                started, cpu = time.perf_counter(), time.process_time()
                answer = best_draft(position, 0, goal, limits=Limits(timeout=timeout))
                yield Timing(
                    seats=count,
                    goal=goal,
                    deal=deal,
                    position=str(position),
                    status=answer.status,
                    value=answer.value,
                    bound=answer.bound,
                    seconds=time.perf_counter() - started,
                    cpu=time.process_time() - cpu,
                )


def summarise(timings: Iterable[Timing]) -> list[Summary]:
    """One row for each number of seats and goal, in the order they came."""
    groups: dict[tuple[int, str], list[Timing]] = {}
    for timing in timings:
        groups.setdefault((timing.seats, timing.goal), []).append(timing)
    return [
        Summary(
            seats=seats,
            goal=goal,
            deals=len(rows),
            proven=sum(row.status == "optimal" for row in rows),
            median_seconds=statistics.median(row.seconds for row in rows),
            worst_seconds=max(row.seconds for row in rows),
            median_cpu=statistics.median(row.cpu for row in rows),
            worst_cpu=max(row.cpu for row in rows),
            widest_gap=max((_gap(row) for row in rows), default=0),
        )
        for (seats, goal), rows in groups.items()
    ]


def _gap(row: Timing) -> Number:
    """The bound less the value; infinite where no solution was found."""
    return float("inf") if row.value is None or row.bound is None else abs(row.bound - row.value)
