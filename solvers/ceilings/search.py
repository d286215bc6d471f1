"""How every model is solved, what a solve reports, and the settings that make it the same from run to run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ortools.sat.python import cp_model

from solvers.endgame.limits import Limits
from solvers.errors import UsageError

SEED = 1
WORKERS = 1
"""One worker and a fixed seed: CP-SAT then takes the same path from run to run, so the same optimum is shown.

One worker that searches from the objective's bound, with every constraint in the linear relaxation and no generic cuts,
also proved more deals in less processor time than any portfolio of two workers that was tried.
"""

OPTIMAL, FEASIBLE, UNKNOWN, INFEASIBLE = "optimal", "feasible", "unknown", "infeasible"
_STATUS = {
    cp_model.OPTIMAL: OPTIMAL,
    cp_model.FEASIBLE: FEASIBLE,
    cp_model.UNKNOWN: UNKNOWN,
    cp_model.INFEASIBLE: INFEASIBLE,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one solve; ``value`` and ``bound`` are in the model's whole-number units.

    ``status`` is ``optimal`` (value = bound, proven), ``feasible`` (stopped: value found, bound proven), ``unknown``
    (stopped with a bound only) or ``infeasible``. ``bound`` is never on the wrong side of the true optimum.
    ``interrupted`` says that something other than the timeout stopped it: the user.
    """

    status: str
    value: int | None
    bound: int | None
    stats: dict[str, Any]
    interrupted: bool
    solver: cp_model.CpSolver = field(repr=False)

    def number(self, expression: cp_model.LinearExpr | int) -> int:
        """The value of an expression in the solution found."""
        return int(self.solver.value(expression))


def run(model: cp_model.CpModel, limits: Limits | None = None, spent: float = 0.0) -> Outcome:
    """Solve a model; ``limits.timeout`` seconds, less those ``spent`` already, end it with what was found by then.

    A model without an objective is a question of yes or no: its value and bound are 0. Raises :class:`UsageError` for
    a limit this kind of search does not have.
    """
    limits = limits or Limits()
    if limits.max_states is not None or limits.memory is not None:
        raise UsageError("best-possible scores come from CP-SAT, which has no states to limit: use --timeout")
    solver = cp_model.CpSolver()
    settings = solver.parameters
    settings.random_seed = SEED
    settings.num_workers = WORKERS
    settings.linearization_level = 2
    settings.cut_level = 0
    settings.use_objective_lb_search = True
    if limits.timeout is not None:
        settings.max_time_in_seconds = max(limits.timeout - spent, 0.001)
    status = _STATUS[solver.solve(model)]
    stopped = status in (FEASIBLE, UNKNOWN)
    in_time = limits.timeout is None or solver.wall_time < 0.9 * settings.max_time_in_seconds
    found = status in (OPTIMAL, FEASIBLE)
    proven = status in (OPTIMAL, FEASIBLE, UNKNOWN)
    return Outcome(
        status=status,
        value=round(solver.objective_value) if found else None,
        bound=round(solver.best_objective_bound) if proven else None,
        stats={
            "seconds": round(solver.wall_time, 6),
            "deterministic_time": round(solver.deterministic_time, 6),
            "branches": solver.num_branches,
            "conflicts": solver.num_conflicts,
            "workers": WORKERS,
            "seed": SEED,
        },
        interrupted=stopped and in_time,
        solver=solver,
    )
