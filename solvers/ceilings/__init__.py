"""The ceilings: the most that could have been scored, proven with OR-Tools CP-SAT.

The public names are loaded on first use; OR-Tools is a large import.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvers.ceilings.against import Shortfall, against_solution
    from solvers.ceilings.answers import DraftAnswer, GameAnswer, HandAnswer, ReplyAnswer
    from solvers.ceilings.draft import best_draft
    from solvers.ceilings.game import best_game
    from solvers.ceilings.hand import best_hand
    from solvers.ceilings.reply import best_reply

_HOMES = {
    "DraftAnswer": "solvers.ceilings.answers",
    "GameAnswer": "solvers.ceilings.answers",
    "HandAnswer": "solvers.ceilings.answers",
    "ReplyAnswer": "solvers.ceilings.answers",
    "Shortfall": "solvers.ceilings.against",
    "against_solution": "solvers.ceilings.against",
    "best_draft": "solvers.ceilings.draft",
    "best_game": "solvers.ceilings.game",
    "best_hand": "solvers.ceilings.hand",
    "best_reply": "solvers.ceilings.reply",
}

__all__ = [
    "DraftAnswer",
    "GameAnswer",
    "HandAnswer",
    "ReplyAnswer",
    "Shortfall",
    "against_solution",
    "best_draft",
    "best_game",
    "best_hand",
    "best_reply",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'solvers.ceilings' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
