"""``solve``: one door to every way of solving a position."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from solvers.endgame.limits import Limits
from solvers.endgame.objective import DEFAULT_PUDDING_VALUE, check_objective
from solvers.endgame.solution import Solution, Solver, principal_line, seat_answer
from solvers.errors import Interrupted, LimitReached, UsageError
from solvers.game.cards import Card
from solvers.game.dummy import ASSUMPTIONS, DummyPosition, dummy_rules
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules

Progress = Callable[[Mapping[str, Any]], None]
"""Told how far a search is: ``states``, ``seconds``, and if known ``cards_left``, ``done`` and ``total``."""
ENGINES = ("fast", "plain")
AGAINST = ("equilibrium", "paranoid", "uniform", "greedy", "quantal:L")


def solve(
    position: Position,
    objective: str = "margin",
    against: str = "equilibrium",
    rules: Rules | None = None,
    seat: int = 0,
    pudding_value: float = DEFAULT_PUDDING_VALUE,
    engine: str = "fast",
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Solve a position exactly under a named assumption about the other seats (interface, sections 3 and 4).

    ``seat`` is the point of view where the answer is one seat's (``paranoid``, ``uniform``, ``greedy``);
    ``equilibrium`` and ``quantal:L`` answer every seat. The answer is not ``proven`` when some stage game was not
    solved to :data:`solvers.endgame.seats_mixes.RESOLVED` (``unresolved_stages`` in its stats). ``progress`` is told a
    few times a second how far a long search is. Raises :class:`UsageError` for a question without an answer;
    :class:`LimitReached` when ``limits`` stop the search and :class:`Interrupted` when Ctrl-C does, both with what is
    proven of the value by then.
    """
    rules = dummy_rules(rules) if isinstance(position, DummyPosition) else rules or Rules()
    check_objective(objective, position.round)
    _check_question(position, objective, against, rules, seat, engine)
    started = time.perf_counter()
    solver = _solver(position, objective, against, rules, seat, pudding_value, engine, limits or Limits(), progress)
    try:
        solution = _read_off(solver, position, objective, against, rules, seat)
    except LimitReached as stop:
        stop.bounds = _proven(solver, position)
        raise
    except KeyboardInterrupt:
        raise Interrupted(_proven(solver, position)) from None
    stats = {**solver.stats(), "seconds": round(time.perf_counter() - started, 6)}
    return replace(
        solution,
        stats=stats,
        proven=not stats.get("unresolved_stages"),
        pudding_value=pudding_value if position.round != 3 and objective != "win" else None,
    )


def _proven(solver: Solver, position: Position) -> tuple[float | None, float | None]:
    """What a search that was stopped has proven of the value of ``position``."""
    bounds = getattr(solver, "bounds", None)
    return bounds(position) if bounds is not None else (None, None)


def _check_question(position: Position, objective: str, against: str, rules: Rules, seat: int, engine: str) -> None:
    name = against.partition(":")[0]
    if name not in ("equilibrium", "paranoid", "uniform", "greedy", "quantal"):
        raise UsageError(f"unknown opponents {against!r}: --against is {', '.join(AGAINST)}")
    if engine not in ENGINES:
        raise UsageError(f"unknown engine {engine!r}: it is {' or '.join(ENGINES)}")
    if not 0 <= seat < position.seats:
        raise UsageError(f"seat {seat}: the position has seats 0 to {position.seats - 1}")
    if isinstance(position, DummyPosition):
        if name != "equilibrium" or objective == "points":
            raise UsageError("the dummy variant is solved for margin or win against equilibrium, and nothing else yet")
    elif rules.two_player_variant == "dummy" and position.seats == 2:
        raise UsageError("the rules say dummy, but the position has no pile and no third table: add y= or c=")
    if name == "equilibrium" and position.seats == 2 and objective == "points":
        raise UsageError(
            "points is not zero-sum between two seats, so it has no such equilibrium: "
            "use margin or win, or say how the rival plays (--against uniform, greedy, paranoid or quantal:L)"
        )
    if any(Card.UNSEEN in hand for hand in position.hands):
        raise UsageError("the hands hold unseen cards (?): this solver needs every hand known")


def _solver(
    position: Position,
    objective: str,
    against: str,
    rules: Rules,
    seat: int,
    pudding_value: float,
    engine: str,
    limits: Limits,
    progress: Progress | None,
) -> Solver:
    """The solver for a checked question. Imports are local: each room loads its kernels only when asked."""
    if isinstance(position, DummyPosition):
        from solvers.endgame.dummy_solver import DummySolver

        return DummySolver(position, objective, rules, pudding_value, limits)
    if against == "equilibrium" and position.seats == 2:
        from solvers.endgame.zero_sum import ValueEngine, ZeroSumSolver

        values: ValueEngine
        if engine == "plain":
            from solvers.endgame.plain import PlainEngine

            values = PlainEngine(position, objective, rules, pudding_value, limits, progress)
        else:
            from solvers.endgame.duel import DuelEngine

            values = DuelEngine(position, objective, rules, pudding_value, limits, progress)
        return ZeroSumSolver(values, objective, rules)
    from solvers.endgame.seats import seats_solver

    return seats_solver(position, objective, against, rules, seat, pudding_value, limits, progress)


def _read_off(solver: Solver, position: Position, objective: str, against: str, rules: Rules, seat: int) -> Solution:
    """The answer at the root and the principal line."""
    stage = solver.stage(position)
    answers = tuple(seat_answer(part) for part in stage.seats if part.answered)
    line, draws = _line(solver, position, rules)
    own = next((answer for answer in answers if answer.seat == (0 if len(answers) > 1 else seat)), answers[0])
    return Solution(
        position=position,
        rules=rules,
        objective=objective,
        against=against,
        value=own.value,
        seats=answers,
        line=line,
        stats={},
        assumptions=ASSUMPTIONS if isinstance(position, DummyPosition) else {},
        draws=draws,
        solver=solver,
    )


def _line(solver: Solver, position: Position, rules: Rules) -> tuple[tuple[tuple[Pick, ...], ...], tuple[Card, ...]]:
    """The principal line and, in the dummy variant, the cards drawn along it."""
    if isinstance(position, DummyPosition):
        from solvers.endgame.dummy_solver import dummy_line

        return dummy_line(solver, position, rules)
    return principal_line(solver, position, rules), ()
