"""Tasks shared out among threads, each of which spends its time in kernels without the interpreter lock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Generic, Protocol, TypeVar

_POLL_SECONDS = 0.1


class Task(Protocol):
    """A stretch ``range(start, stop)`` of what there is to do."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def stop(self) -> int:
        """Where it ends."""


T = TypeVar("T", bound=Task)


class _Tasks(Generic[T]):
    """Hands out tasks one by one, until none are left or somebody says halt."""

    def __init__(self, tasks: Sequence[T]) -> None:
        self._lock = threading.Lock()
        self._waiting = list(reversed(tasks))
        self._halted = False
        self.taken = 0

    def take(self) -> T | None:
        """The next task, if there is one to be begun."""
        with self._lock:
            if self._halted or not self._waiting:
                return None
            task = self._waiting.pop()
            self.taken += task.stop - task.start
            return task

    def halt(self, rest: T | None = None) -> None:
        """Have no further task begun; ``rest`` is what is left of one."""
        with self._lock:
            self._halted = True
            if rest is not None:
                self._waiting.append(rest)
                self.taken -= rest.stop - rest.start

    def left(self) -> list[T]:
        """The tasks not done."""
        return self._waiting[::-1]


def share(
    tasks: Sequence[T], workers: int, work: Callable[[int, T], T | None], check: Callable[[int], None]
) -> list[T]:
    """Run ``work(worker, task)`` for every task; returns what is not done.

    A ``work`` that returns something, the rest of its task, ends the sharing: no further task is begun. ``check`` is
    called several times a second with how far the tasks taken reach; what it raises ends the sharing too.
    """
    sharing = _Tasks(tasks)

    def run(worker: int) -> None:
        while (task := sharing.take()) is not None:
            rest = work(worker, task)
            if rest is not None:
                sharing.halt(rest)
            if workers == 1:
                check(sharing.taken)

    if workers == 1:
        run(0)
        return sharing.left()
    with ThreadPoolExecutor(workers) as pool:
        try:
            pending = {pool.submit(run, worker) for worker in range(workers)}
            while pending:
                done, pending = wait(pending, timeout=_POLL_SECONDS, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
                check(sharing.taken)
        except BaseException:
            sharing.halt()
            raise
    return sharing.left()
