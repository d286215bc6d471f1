"""The one decorator for compiled kernels: numba with explicit signatures and an on-disk cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def kernel(*signatures: Any, inline: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function with the given numba signatures; the machine code is kept on disk between runs."""

    def decorate(function: Callable[..., Any]) -> Any:
        options: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
        if inline:
            options["inline"] = "always"
        return numba.njit(list(signatures), **options)(function)

    return decorate
