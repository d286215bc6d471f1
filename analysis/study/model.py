"""What a study is: a sampler that answers one seeded question, and a summary that turns the answers into tables.

The expensive part (solving deals) is the sampler's. Several studies may sum up the same sample in different ways, and
then share its stored chunks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis.study.tables import Table
from solvers.errors import UsageError

Parameters = Mapping[str, Any]
Record = dict[str, Any]
Answer = Callable[[Parameters, np.random.Generator], Record]
Summary = Callable[[Parameters, Mapping[str, Sequence[Record]]], list[Table]]


@dataclass(frozen=True, slots=True)
class Sampler:
    """One kind of question, asked again and again with fresh random numbers.

    ``answer`` maps (parameters, random generator) to one record of plain JSON values and must depend on nothing else;
    it is a function at the top of a module, so that it can be sent to another process. ``uses`` names the study
    parameters it reads. ``version`` goes up whenever its records change meaning, so that stored ones are not mixed.
    """

    name: str
    version: int
    answer: Answer
    uses: tuple[str, ...]
    chunk_size: int = 4


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a sample: ``samples`` records made with the random stream ``number`` of the study's seed."""

    sampler: Sampler
    parameters: Parameters
    seed: int
    number: int
    samples: int

    @property
    def key(self) -> str:
        """What the chunk's records depend on beside its number and size, as text: the store's key."""
        return json.dumps(
            [self.sampler.name, self.sampler.version, self.seed, self.sampler.chunk_size, dict(self.parameters)],
            sort_keys=True,
        )

    def run(self) -> list[Record]:
        """The chunk's records, the same wherever and whenever they are made.

        The chunk has its own child of the study's seed and each sample a child of the chunk's
        (:class:`numpy.random.SeedSequence`), so no two samples share random numbers.
        """
        seeds = np.random.SeedSequence(self.seed, spawn_key=(self.number,)).spawn(self.samples)
        return [self.sampler.answer(self.parameters, np.random.default_rng(seed)) for seed in seeds]


@dataclass(frozen=True, slots=True)
class Study:
    """A question worth a table, with the sample it needs.

    ``sizes`` maps each sampler to the parameter that says how many samples it gives. ``parameters`` are the values of
    the shipped run, ``quick`` those changed for a run of some seconds.
    """

    name: str
    question: str
    sizes: tuple[tuple[Sampler, str], ...]
    summarise: Summary
    parameters: Parameters
    quick: Parameters = field(default_factory=dict)
    tables: tuple[str, ...] = ()

    def settings(self, changes: Parameters, quick: bool = False) -> dict[str, Any]:
        """The parameters of a run; raises :class:`UsageError` for a name or a kind of value the study does not have."""
        values = {**self.parameters, **(self.quick if quick else {})}
        for name, value in changes.items():
            if name not in values:
                raise UsageError(f"study {self.name} has no parameter {name!r}: it has {', '.join(values)}")
            values[name] = _as_kind(name, value, values[name])
        for _, size in self.sizes:
            if values[size] < 1:
                raise UsageError(f"{size}={values[size]}: a study needs at least one sample")
        return values

    def chunks(self, parameters: Parameters, seed: int) -> Iterator[Chunk]:
        """Every chunk of a run, sampler by sampler."""
        for sampler, size in self.sizes:
            used = {name: parameters[name] for name in sampler.uses}
            for number, start in enumerate(range(0, parameters[size], sampler.chunk_size)):
                samples = min(sampler.chunk_size, parameters[size] - start)
                yield Chunk(sampler, used, seed, number, samples)


def _as_kind(name: str, value: Any, like: Any) -> Any:
    """``value`` (perhaps typed by a person) as the same kind of thing as ``like``."""
    try:
        return type(like)(value)
    except (TypeError, ValueError):
        raise UsageError(f"{name}={value}: it must be a {_KINDS.get(type(like), 'value')}, such as {like}") from None


_KINDS: Mapping[type, str] = {int: "whole number", float: "number", str: "word"}
