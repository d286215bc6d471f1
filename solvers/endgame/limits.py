"""Limits a long solve keeps to, and how it is told to stop."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a solve may use. ``None`` is no limit of that kind.

    ``max_states`` stored states, ``timeout`` seconds of wall time, ``memory`` bytes for the state table (default: three
    quarters of what is free when the solve starts).
    """

    max_states: int | None = None
    timeout: float | None = None
    memory: int | None = None
