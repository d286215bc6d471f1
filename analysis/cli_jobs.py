"""Several positions at the same time, each in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import TypeVar

import joblib

from solvers.endgame.packing_watch import free_memory
from solvers.errors import LimitReached, SushiGoError, UsageError

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")


def check_jobs(jobs: int, compare: bool) -> int:
    """How many processes ``--jobs`` stands for; raises :class:`UsageError` for none, or with ``--compare``."""
    if jobs < -1 or jobs == 0:
        raise UsageError(f"--jobs {jobs}: write how many positions to solve at the same time, or -1 for one a core")
    if compare:
        raise UsageError("--jobs does not go with --compare")
    return joblib.cpu_count() if jobs == -1 else jobs


def share_of_memory(memory: int | None, jobs: int) -> int:
    """What one of ``jobs`` processes may use of ``memory`` bytes, or of what a single solve would be allowed."""
    return (memory if memory is not None else free_memory()) // jobs


def in_parallel(
    answer: Callable[[_Item], _Answer], items: Iterable[_Item], jobs: int
) -> Iterator[tuple[_Item, _Answer | Exception]]:
    """Each item with its answer, or with the error that ``answer`` raised on purpose, in the order of the items."""
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator", batch_size=1, pre_dispatch="2*n_jobs")
    with closing(parallel(joblib.delayed(_outcome)(answer, item) for item in items)) as outcomes:
        yield from outcomes


def _outcome(answer: Callable[[_Item], _Answer], item: _Item) -> tuple[_Item, _Answer | Exception]:
    try:
        return item, answer(item)
    except (SushiGoError, LimitReached) as error:
        return item, error
