"""A turn's matrix game with every entry exact, for those who look at more than its answer.

An engine's ``stage_matrix`` may leave entries open that the canonical mixes and pick values do not rest on. A heat map,
a maximin, or the game with a pick forbidden rests on all of them.
"""

from __future__ import annotations

import numpy as np

from solvers.endgame.duel import DuelEngine
from solvers.endgame.zero_sum import ZeroSumSolver
from solvers.game.position import Position


def full_matrix(solver: ZeroSumSolver, position: Position) -> np.ndarray:
    """Seat 0's utility after each pair of distinct picks, shape ``(rows, columns)``, every entry exact."""
    rows, columns = position.picks(0, solver.rules), position.picks(1, solver.rules)
    engine = solver.engine
    if position.cards_left < 2 or not isinstance(engine, DuelEngine):
        return engine.stage_matrix(position, rows, columns)
    values = [[engine.value(position.play((row, column), solver.rules)) for column in columns] for row in rows]
    return np.array(values)
