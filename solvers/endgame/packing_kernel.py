"""The decorator for the kernels of the several-seat engine, which make no arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solvers.endgame.jit import kernel


def lean_kernel(*signatures: Any, inline: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """A :func:`solvers.endgame.jit.kernel` compiled without numba's counting of references to arrays.

    Numba counts them wherever an array is handed on, with atomic additions, to know when to free one. That took a fifth
    of the time of small kernels, and some of the time to compile them. A kernel that makes an array (``np.empty``,
    ``np.zeros``, ``copy``) does not compile so, nor can a lean one call it: numba hands the choice on to the kernels
    that are compiled because a lean one calls them.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        made = kernel(*signatures, inline=inline)(function)
        made.targetoptions["_nrt"] = False
        return made

    return decorate
