"""A long solve's progress: one line on standard error that goes away again, and only where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from solvers.endgame.solve import Progress


@contextmanager
def progress_line(wanted: bool = True) -> Iterator[Progress | None]:
    """A function to be told how far a solve is, or ``None`` where nobody would see it or it is not ``wanted``.

    It is called a few times a second with ``states`` and ``seconds``, and where they are known ``cards_left``,
    ``done`` and ``total``. Nothing is shown before the first call, so short solves stay quiet.
    """
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    status = Console(stderr=True, highlight=False).status("solving")

    def report(where: Mapping[str, Any]) -> None:
        status.update(progress_text(where))
        status.start()

    try:
        yield report
    finally:
        status.stop()


def progress_text(where: Mapping[str, Any]) -> str:
    """What has been done and how fast, and where it is known how much of it is left."""
    states, seconds = int(where.get("states", 0)), float(where.get("seconds", 0.0))
    parts = [f"solving: {states:,} states in {seconds:.0f} s"]
    if seconds > 0:
        parts.append(f"{states / seconds:,.0f} a second")
    if where.get("expected"):
        parts.append(f"about {where['expected']:,} expected" if states <= where["expected"] else "more than expected")
        if 0 < states < where["expected"]:
            parts.append(f"perhaps {seconds * (where['expected'] / states - 1):.0f} s left")
    if where.get("cards_left") is not None:
        parts.append(f"{where['cards_left']} cards left")
    done, total = where.get("done"), where.get("total")
    if done and total:
        parts.append(f"{done / total:.0%} of this level")
    return ", ".join(parts)
