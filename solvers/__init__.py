"""Exact solvers for the card game Sushi Go!: the game, the endgame search, and best-possible scores.

The public names are loaded on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvers.ceilings import against_solution, best_draft, best_game, best_hand, best_reply
    from solvers.endgame.limits import Limits
    from solvers.endgame.solution import Solution
    from solvers.endgame.solve import solve
    from solvers.errors import (
        IllegalPick,
        Interrupted,
        LimitReached,
        NotationError,
        RulesError,
        SushiGoError,
        UsageError,
    )
    from solvers.game.cards import Card
    from solvers.game.position import Position
    from solvers.game.rules import Rules

_HOMES = {
    "Card": "solvers.game.cards",
    "IllegalPick": "solvers.errors",
    "Interrupted": "solvers.errors",
    "LimitReached": "solvers.errors",
    "Limits": "solvers.endgame.limits",
    "NotationError": "solvers.errors",
    "Position": "solvers.game.position",
    "Rules": "solvers.game.rules",
    "RulesError": "solvers.errors",
    "Solution": "solvers.endgame.solution",
    "SushiGoError": "solvers.errors",
    "UsageError": "solvers.errors",
    "against_solution": "solvers.ceilings",
    "best_draft": "solvers.ceilings",
    "best_game": "solvers.ceilings",
    "best_hand": "solvers.ceilings",
    "best_reply": "solvers.ceilings",
    "solve": "solvers.endgame.solve",
}

__all__ = [
    "Card",
    "IllegalPick",
    "Interrupted",
    "LimitReached",
    "Limits",
    "NotationError",
    "Position",
    "Rules",
    "RulesError",
    "Solution",
    "SushiGoError",
    "UsageError",
    "against_solution",
    "best_draft",
    "best_game",
    "best_hand",
    "best_reply",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'solvers' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
