"""The store of finished chunks: one SQLite file, one transaction a chunk, so that a killed run loses nothing done."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any

from analysis.study.model import Chunk, Record
from solvers.errors import SushiGoError

_SCHEMA = """
create table if not exists chunks (
    key text not null, number integer not null, samples integer not null,
    seconds real not null, records blob not null,
    primary key (key, number, samples)
)
"""


def default_store() -> Path:
    """``$SUSHIGO_STORE``, or ``sushigo/studies.sqlite`` in the user's cache folder."""
    if named := os.environ.get("SUSHIGO_STORE"):
        return Path(named)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "sushigo" / "studies.sqlite"


class Store:
    """Finished chunks by what they depend on. Use it as a context manager.

    Raises :class:`SushiGoError` when the file cannot be made or is not such a store.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, timeout=60)
            with self._base:
                self._base.execute(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise SushiGoError(f"cannot use the study store {path}: {error}; name another with --store") from None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._base.close()

    def has(self, chunk: Chunk) -> bool:
        """Whether the chunk is finished."""
        return self._find(chunk, "1") is not None

    def add(self, chunk: Chunk, records: list[Record], seconds: float) -> None:
        """Keep a finished chunk, at once and whole; one that is there already is the same, so it stays."""
        packed = zlib.compress(json.dumps(records, separators=(",", ":")).encode())
        with self._base:
            self._base.execute(
                "insert or ignore into chunks values (?, ?, ?, ?, ?)",
                (chunk.key, chunk.number, chunk.samples, seconds, packed),
            )

    def read(self, chunk: Chunk) -> tuple[list[Record], float]:
        """The records of a finished chunk and the seconds they took; raises ``KeyError`` when it is not there."""
        row = self._find(chunk, "records, seconds")
        if row is None:
            raise KeyError((chunk.key, chunk.number))
        records: list[Record] = json.loads(zlib.decompress(row[0]))
        return records, float(row[1])

    def _find(self, chunk: Chunk, columns: str) -> Any:
        """The named columns of the chunk's row, or ``None``."""
        where = (chunk.key, chunk.number, chunk.samples)
        query = f"select {columns} from chunks where key = ? and number = ? and samples = ?"
        return self._base.execute(query, where).fetchone()
