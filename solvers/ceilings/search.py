"""How every model is solved, what a solve reports, and the settings that make it the same from run to run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
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
    (stopped without a solution) or ``infeasible``. ``bound`` is never on the wrong side of the true optimum; it is
    ``None`` when the search was stopped before it had any. ``interrupted`` says that the user stopped it.
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
    settings.search_branching = cp_model.LP_SEARCH
    settings.catch_sigint_signal = False
    if limits.timeout is not None:
        settings.max_time_in_seconds = max(limits.timeout - spent, 0.001)
    bounds: list[float] = []
    solver.best_bound_callback = bounds.append
    status, interrupted = _solve(solver, model)
    bound = solver.best_objective_bound if status == OPTIMAL else bounds[-1] if bounds else None
    return Outcome(
        status=status,
        value=round(solver.objective_value) if status in (OPTIMAL, FEASIBLE) else None,
        bound=None if bound is None else round(bound),
        stats={
            "seconds": round(solver.wall_time, 6),
            "deterministic_time": round(solver.deterministic_time, 6),
            "branches": solver.num_branches,
            "conflicts": solver.num_conflicts,
            "workers": WORKERS,
            "seed": SEED,
        },
        interrupted=interrupted,
        solver=solver,
    )


def _solve(solver: cp_model.CpSolver, model: cp_model.CpModel) -> tuple[str, bool]:
    """The status, and whether Ctrl-C ended the search: the solver runs aside so that the main thread can hear it."""
    with ThreadPoolExecutor(max_workers=1) as aside:
        search = aside.submit(solver.solve, model)
        try:
            return _STATUS[search.result()], False
        except KeyboardInterrupt:
            solver.stop_search()
            return _STATUS[search.result()], True
