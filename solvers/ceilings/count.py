"""How many different final tables reach an optimum: each one found is forbidden, and the model is asked again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ortools.sat.python import cp_model

from solvers.ceilings.answers import TableCount
from solvers.ceilings.draft_model import DraftModel, Expression
from solvers.ceilings.search import INFEASIBLE, OPTIMAL, run
from solvers.endgame.limits import Limits
from solvers.game.cards import KINDS


def count_tables(draft: DraftModel, reached: Any, seat: int, most: int, limits: Limits, started: float) -> TableCount:
    """Final tables with which ``reached`` (an equation: the goal has its optimal value) holds, up to ``most``.

    ``started`` is when the whole question began, by ``time.perf_counter``; the timeout runs from there.
    """
    own = _count(draft, reached, (seat,), most, limits, started)
    joint = _count(draft, reached, tuple(draft.seats), most, limits, started)
    return TableCount(own[0], own[1], joint[0], joint[1])


def _count(
    draft: DraftModel, reached: Any, seats: Sequence[int], most: int, limits: Limits, started: float
) -> tuple[int, bool]:
    """How many different tables of these seats there are, and whether that is all of them."""
    model = draft.model.clone()
    model.add(reached)
    numbers = [(draft.final_count(seat, card), draft.most(seat, card)) for seat in seats for card in KINDS]
    return count_different(model, numbers, most, limits, started)


def count_different(
    model: cp_model.CpModel,
    numbers: Sequence[tuple[Expression, int]],
    most: int,
    limits: Limits,
    started: float,
) -> tuple[int, bool]:
    """How many different values ``numbers`` take over all solutions, up to ``most``, and whether that is all.

    Each number comes with an upper limit. The model is changed: what was found is forbidden, its objective dropped.
    """
    model.minimize(0)
    free = [(number, top) for number, top in numbers if not isinstance(number, int)]
    found = 0
    while True:
        outcome = run(model, limits, time.perf_counter() - started)
        if outcome.status != OPTIMAL or found == most:
            return found, outcome.status == INFEASIBLE
        found += 1
        _forbid(model, [(number, top, outcome.number(number)) for number, top in free])


def _forbid(model: cp_model.CpModel, table: Sequence[tuple[Expression, int, int]]) -> None:
    """Ask for a table that differs from this one in at least one count."""
    differs = []
    for number, top, value in table:
        if value > 0:
            fewer = model.new_bool_var("fewer")
            model.add(number <= value - 1).only_enforce_if(fewer)
            differs.append(fewer)
        if value < top:
            more = model.new_bool_var("more")
            model.add(number >= value + 1).only_enforce_if(more)
            differs.append(more)
    model.add_bool_or(differs)
