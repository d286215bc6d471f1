"""Running a study: over all cores with joblib, or on a Dask cluster with the same code, resuming what is stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from importlib import metadata
from typing import Any

import joblib

from analysis.study.model import Chunk, Parameters, Record, Study
from analysis.study.store import Store
from analysis.study.tables import Table
from solvers.errors import UsageError

Progress = Callable[[int, int], None]
"""Told the number of finished chunks and of all chunks, first before any work is done."""


@dataclass(frozen=True, slots=True)
class StudyResult:
    """The tables of a finished run and what they rest on; ``seconds`` is the work of all chunks, on one core each."""

    study: str
    parameters: Parameters
    seed: int
    samples: int
    seconds: float
    tables: tuple[Table, ...]


def run_study(
    study: Study,
    store: Store,
    changes: Parameters | None = None,
    seed: int = 1,
    quick: bool = False,
    workers: int = -1,
    dask: str | None = None,
    progress: Progress | None = None,
) -> StudyResult:
    """Run ``study``, taking finished chunks from ``store``, and sum it up.

    The result depends on the parameters and the seed alone, never on ``workers`` (-1: all cores), on the cluster at
    the address ``dask``, or on how often the run was interrupted. Raises :class:`UsageError` for a parameter the study
    does not have or a cluster that cannot be reached.
    """
    parameters = study.settings(changes or {}, quick)
    chunks = list(study.chunks(parameters, seed))
    waiting = [chunk for chunk in chunks if not store.has(chunk)]
    done = len(chunks) - len(waiting)
    tell = progress or (lambda *_: None)
    tell(done, len(chunks))
    for chunk, records, seconds in _finish(waiting, workers, dask):
        store.add(chunk, records, seconds)
        done += 1
        tell(done, len(chunks))
    return _sum_up(study, parameters, seed, chunks, store, quick)


def run_chunk(chunk: Chunk) -> tuple[Chunk, list[Record], float]:
    """Run one chunk, wherever it was sent, and time it."""
    started = time.perf_counter()
    records = chunk.run()
    return chunk, records, time.perf_counter() - started


def _finish(chunks: Sequence[Chunk], workers: int, dask: str | None) -> Iterator[tuple[Chunk, list[Record], float]]:
    """The chunks with their records, in whatever order they are finished."""
    if not chunks:
        return
    with _backend(dask):
        jobs = joblib.Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")
        with closing(jobs(joblib.delayed(run_chunk)(chunk) for chunk in chunks)) as finished:
            yield from finished


@contextmanager
def _backend(dask: str | None) -> Iterator[None]:
    """Send joblib's work to the Dask scheduler at the address, or leave it on this machine."""
    if dask is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--dask needs the cluster extra: pip install 'sushigo-analysis[cluster]'") from None
    try:
        connect: Callable[..., AbstractContextManager[Any]] = Client
        client = connect(dask, timeout="10s")
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler at {dask}: {error or 'no answer within 10 seconds'}") from None
    with ExitStack() as stack:
        stack.enter_context(client)
        stack.enter_context(joblib.parallel_config(backend="dask"))
        yield


def _sum_up(
    study: Study, parameters: Parameters, seed: int, chunks: Sequence[Chunk], store: Store, quick: bool
) -> StudyResult:
    """The study's tables from the stored chunks, in the order of the chunks, each with its header."""
    records: dict[str, list[Record]] = {}
    seconds = 0.0
    for chunk in chunks:
        rows, took = store.read(chunk)
        records.setdefault(chunk.sampler.name, []).extend(rows)
        seconds += took
    samples = sum(chunk.samples for chunk in chunks)
    header: Mapping[str, Any] = {
        "command": command_line(study, parameters, seed, quick),
        "seed": seed,
        "version": package_version(),
        "samples": ", ".join(f"{len(rows)} {name}" for name, rows in records.items()),
        "seconds": round(seconds, 1),
    }
    tables = tuple(replace(table, header=header) for table in study.summarise(parameters, records))
    return StudyResult(study.name, parameters, seed, samples, seconds, tables)


def command_line(study: Study, parameters: Parameters, seed: int, quick: bool = False) -> str:
    """The command that makes this run again."""
    usual = study.settings({}, quick)
    changed = [f"--set {name}={value}" for name, value in parameters.items() if value != usual[name]]
    words = ["sushigo study run", study.name, *(["--quick"] if quick else []), f"--seed {seed}", *changed]
    return " ".join(words)


def package_version() -> str:
    """The installed version of this toolkit."""
    try:
        return metadata.version("sushigo-analysis")
    except metadata.PackageNotFoundError:
        return "not installed"
