"""Keeping a long solve within its limits and telling how far it is, between two slices of kernel work."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import psutil

from solvers.endgame.limits import Limits
from solvers.errors import LimitReached

Progress = Callable[[Mapping[str, Any]], None]
"""Told a few times a second how far a solve is: ``phase``, ``cards_left``, ``states``, ``seconds`` and, while a level
of known size is worked through, ``done`` and ``total``."""

_INTERVAL = 0.2
_FREE_SHARE = 0.75


class Watch:
    """Holds a solve against its :class:`Limits`; every check raises :class:`LimitReached` when one is passed."""

    def __init__(self, limits: Limits, progress: Progress | None = None) -> None:
        self._limits = limits
        self._progress = progress
        self._started = time.perf_counter()
        self._reported = self._started
        self.memory = limits.memory if limits.memory is not None else free_memory()

    @property
    def seconds(self) -> float:
        """Wall time since the solve started."""
        return time.perf_counter() - self._started

    def check(self, states: int, **where: Any) -> None:
        """Call between slices: checks time and states, and reports progress."""
        now = time.perf_counter()
        limits = self._limits
        if limits.timeout is not None and now - self._started > limits.timeout:
            raise LimitReached(f"stopped after {limits.timeout:g} s with {states} states", self._stats(states, where))
        self.check_states(states, **where)
        if self._progress is not None and now - self._reported >= _INTERVAL:
            self._reported = now
            self._progress(self._stats(states, where))

    def check_states(self, states: int, **where: Any) -> None:
        """Raise when more states than allowed are stored."""
        most = self._limits.max_states
        if most is not None and states > most:
            raise LimitReached(f"stopped at the limit of {most} states", self._stats(states, where))

    def room(self, rows: int) -> int:
        """How many of so many rows a table needs: no more than one beyond the states allowed."""
        most = self._limits.max_states
        return rows if most is None else min(rows, most + 1)

    def check_memory(self, needed: int, states: int, **where: Any) -> None:
        """Raise when the tables would take more than ``needed`` bytes allows."""
        if needed > self.memory:
            raise LimitReached(
                f"stopped at {states} states: the tables need {needed >> 20} MiB and may use {self.memory >> 20} MiB",
                self._stats(states, where),
            )

    def _stats(self, states: int, where: Mapping[str, Any]) -> dict[str, Any]:
        return {"states": states, "seconds": round(self.seconds, 3), **where}


def free_memory() -> int:
    """The bytes a solve may use where no limit is set: three quarters of what is free."""
    return int(_FREE_SHARE * psutil.virtual_memory().available)
