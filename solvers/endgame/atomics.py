"""Whole numbers in an array that several threads change at once.

Numba has no atomic operations for processors, so here are the four instructions that the shared table needs
(:mod:`solvers.endgame.packing_table`), each on one element of a contiguous int64 array. :func:`load` and :func:`store`
are an acquire and a release: what a thread wrote before it stored a number is seen by a thread that loads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_WORD_BYTES = 8


def _element(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of an array's element; the arguments begin with the array and the place in it."""
    array_type = signature.args[0]
    array = context.make_array(array_type)(context, builder, arguments[0])
    return cgutils.get_item_pointer(context, builder, array_type, array, [arguments[1]], wraparound=False)


def _operation(returns: Any, numbers: int, build: Callable[[Any, Any, Any], Any]) -> Any:
    """What numba wants of an intrinsic: the types, and how to build it from an address and further ``numbers``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return build(builder, _element(context, builder, signature, arguments), arguments[2:])

    return returns(types.int64[::1], types.int64, *[types.int64] * numbers), generate


def _load(typing_context: Any, array: Any, place: Any) -> Any:
    return _operation(types.int64, 0, lambda builder, at, _: builder.load_atomic(at, "acquire", _WORD_BYTES))


def _store(typing_context: Any, array: Any, place: Any, number: Any) -> Any:

    def build(builder: Any, at: Any, numbers: Any) -> Any:
        builder.store_atomic(numbers[0], at, "release", _WORD_BYTES)
        return numbers[0]

    return _operation(types.int64, 1, build)


def _replace(typing_context: Any, array: Any, place: Any, old: Any, new: Any) -> Any:

    def build(builder: Any, at: Any, numbers: Any) -> Any:
        return builder.extract_value(builder.cmpxchg(at, *numbers, "acq_rel", "acquire"), 1)

    return _operation(types.boolean, 2, build)


def _add(typing_context: Any, array: Any, place: Any, number: Any) -> Any:
    return _operation(types.int64, 1, lambda builder, at, numbers: builder.atomic_rmw("add", at, numbers[0], "acq_rel"))


load: Any = intrinsic(_load)
"""``load(array, place)`` is the number at ``array[place]``."""
store: Any = intrinsic(_store)
"""``store(array, place, number)`` sets ``array[place]``."""
replace: Any = intrinsic(_replace)
"""``replace(array, place, old, new)`` sets ``array[place]`` to ``new`` if it is ``old``, and says whether it was."""
add: Any = intrinsic(_add)
"""``add(array, place, number)`` adds to ``array[place]`` and returns what it was before."""
