"""The one decorator for compiled kernels: numba with explicit signatures and an on-disk cache that cannot go stale.

Numba itself checks only the file a cached function stands in, although the machine code holds every kernel it calls and
every number it took from other modules. Here the stamp of a cache entry covers the file and all files of this package
it imports, directly or not. Where no cache folder can be written, kernels are compiled afresh in every process.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.typeinfer import register_dispatcher

_PACKAGE = "solvers"
_IMPORT = re.compile(rf"^\s*from ({_PACKAGE}[\w.]*) import", re.MULTILINE)


def kernel(*signatures: Any, inline: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function with the given numba signatures; the machine code is kept on disk between runs."""

    def decorate(function: Callable[..., Any]) -> Any:
        compiled: Any = numba.njit(nogil=True, error_model="numpy", inline="always" if inline else "never")(function)
        try:
            compiled.enable_caching()
        except RuntimeError:  # numba found no folder it may write to
            pass
        else:
            compiled._cache._cache_file._source_stamp = source_stamp(inspect.getfile(function))
        with register_dispatcher(compiled):  # so that a kernel may call itself
            for signature in signatures:
                compiled.compile(signature)
        compiled.disable_compile()
        return compiled

    return decorate


@cache
def source_stamp(path: str) -> str:
    """A digest of a source file and of every file of the package that it imports, directly or not."""
    digest = hashlib.sha256()
    for source in sorted(_sources(Path(path), set())):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _sources(path: Path, seen: set[Path]) -> set[Path]:
    if path not in seen:
        seen.add(path)
        for name in _IMPORT.findall(path.read_text(encoding="utf-8")):
            spec = importlib.util.find_spec(name)
            if spec is not None and spec.origin is not None:
                _sources(Path(spec.origin), seen)
    return seen
