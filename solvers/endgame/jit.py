"""The one decorator for kernels, and the choice between interpreting and compiling them.

A kernel is written in the part of Python that numba compiles, with its signatures stated. It is compiled when it is
first called, not when its module is imported, and its machine code is kept on disk between runs. The same source also
runs as ordinary Python (:meth:`Kernel.interpret`). That is about a hundred times slower, yet a late endgame is over
in less time than it takes to load numba, let alone to compile: see
:func:`interpreter_allowance`.

Numba itself checks only the file a cached function stands in, although the machine code holds every kernel it calls and
every number it took from other modules. Here the stamp of a cache entry covers the file and all files of this package
it imports, directly or not. Where no cache folder can be written, kernels are compiled afresh in every process.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any

import numpy as np

INTERPRETED_NODES = 4000
"""Search nodes a process may interpret before it compiles: about a second.

Measured on one core: a node takes 0.3 ms interpreted and 2 to 4 µs compiled; loading numba and the machine code of the
search from disk takes 1 to 2 s, compiling it afresh 20 to 30 s. Of 200 random positions with five cards in hand half
took under 170 nodes and the largest 1540.
"""

_PACKAGE = "solvers"
_IMPORT = re.compile(rf"^\s*from ({_PACKAGE}[\w.]*) import", re.MULTILINE)
_compiling = RLock()
_namespaces: dict[int, dict[str, Any]] = {}
_anything_compiled = False
_interpreted_nodes = 0
_listeners: list[Callable[[], None]] = []


class Kernel:
    """A function for numba; calling it from Python runs its machine code.

    To numba, when it compiles a kernel that calls this one, it looks like one of its own dispatchers
    (``_numba_type_``, ``targetoptions`` and ``py_func`` are the names numba asks for).
    """

    def __init__(
        self,
        function: Callable[..., Any],
        signatures: tuple[Any, ...],
        inline: bool,
        inner: bool,
        vector: bool = False,
    ) -> None:
        self.py_func = function
        inlining = "always" if inline else "never"
        self.targetoptions: dict[str, Any] = {"nogil": True, "error_model": "numpy", "inline": inlining}
        if inner:
            self.targetoptions["no_cpython_wrapper"] = True
        self._inner = inner
        self._vector = vector
        self._signatures = signatures
        self._busy = False
        self.ready = False
        """Whether this process has the machine code."""
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        """Run the machine code; an inner kernel, which has none that Python could call, is interpreted."""
        return self.interpret(*arguments) if self._inner else self.compiled(*arguments)

    @property
    def compiled(self) -> Any:
        """Numba's dispatcher, with the stated signatures compiled or read from disk."""
        if not self.ready:
            with _compiling:
                self._compile()
        return self._dispatcher

    def interpret(self, *arguments: Any) -> Any:
        """Run the function, and every kernel it calls, as ordinary Python."""
        with np.errstate(over="ignore"):  # unsigned numbers wrap around, as in machine code
            return self._in_python(*arguments)

    @cached_property
    def _in_python(self) -> Callable[..., Any]:
        """The function with the kernels among its module's names replaced by their own Python functions."""
        home = self.py_func.__globals__
        names = _namespaces.get(id(home))
        if names is None:
            names = _namespaces[id(home)] = dict(home)
            names.update({name: thing._in_python for name, thing in home.items() if isinstance(thing, Kernel)})
        return FunctionType(self.py_func.__code__, names, self.py_func.__name__)

    @property
    def _numba_type_(self) -> Any:
        return self._dispatcher._numba_type_

    @cached_property
    def _dispatcher(self) -> Any:
        """Numba's dispatcher, which compiles the stated signatures when a kernel that calls it first asks for them."""
        import numba

        global _anything_compiled
        _anything_compiled = True
        _listen()
        dispatcher: Any = numba.njit(self.py_func, **self.targetoptions)
        try:
            dispatcher.enable_caching()
        except RuntimeError:  # numba found no folder it may write to
            pass
        else:
            dispatcher._cache._cache_file._source_stamp = source_stamp(inspect.getfile(self.py_func))
        answer = dispatcher.get_call_template

        def compile_and_answer(types: Any, keywords: Any) -> Any:
            self._compile()
            return answer(types, keywords)

        dispatcher.get_call_template = compile_and_answer
        return dispatcher

    def _compile(self) -> None:
        if self._busy or self.ready:  # it is asked again while it is being compiled, if it calls itself
            return
        self._busy = True
        try:
            with _vector_loops(self._vector):
                for signature in self._signatures:
                    self._dispatcher.compile(signature)
        finally:
            self._busy = False
        self._dispatcher.disable_compile()
        self.ready = True


def kernel(*signatures: Any, inline: bool = False, inner: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Make a function a :class:`Kernel` with the given numba signatures.

    An ``inline`` kernel becomes part of each kernel that calls it, which saves compiling it on its own. An ``inner``
    kernel is for other kernels only: it is compiled without what Python would need to call it, an eighth of the work.
    """
    return lambda function: Kernel(function, signatures, inline, inner)


def lean_kernel(
    *signatures: Any, inline: bool = False, inner: bool = False, vector: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """A :func:`kernel` compiled without numba's counting of references to arrays, with ``vector`` to vector code.

    Numba counts them wherever an array is handed on, with atomic additions, to know when to free one. That takes up to
    a fifth of the time of small kernels. A kernel that makes an array (``np.empty``, ``np.zeros``, ``copy``) does not
    compile so, nor can a lean one call it: numba hands the choice on to the kernels that are compiled because a lean
    one calls them.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        made = Kernel(function, signatures, inline, inner, vector)
        made.targetoptions["_nrt"] = False
        return made

    return decorate


@contextmanager
def _vector_loops(wanted: bool) -> Iterator[None]:
    """Leave loops as they are unless vector code is wanted for them: most are a few turns long here, and vector code
    for them takes a fifth of compiling.

    Measured: 24 s instead of 30 s for the two-seat search, which is no slower for it; a 6x6 matrix game takes the same
    0.7 µs, a 30x30 one 27 µs instead of 33.
    """
    from numba.core import config

    settings: Any = config
    before = settings.LOOP_VECTORIZE
    settings.LOOP_VECTORIZE = int(wanted)
    try:
        yield
    finally:
        settings.LOOP_VECTORIZE = before


def interpreter_allowance() -> int:
    """How many more search nodes this process may interpret: none once it has compiled or loaded any kernel."""
    return 0 if _anything_compiled else max(0, INTERPRETED_NODES - _interpreted_nodes)


def spend_allowance(nodes: int) -> None:
    """Note that ``nodes`` search nodes, or matrix games, were interpreted."""
    global _interpreted_nodes
    _interpreted_nodes += nodes


def when_compiling(tell: Callable[[], None]) -> None:
    """Have ``tell`` called whenever a kernel is about to be compiled, which it is not when the disk has its code."""
    _listeners.append(tell)


@cache
def _listen() -> None:
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        """Told of a compilation only after the cache on disk has been asked in vain."""

        def on_start(self, event: object) -> None:
            for tell in _listeners:
                tell()

        def on_end(self, event: object) -> None:
            """Nothing to say."""

    event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]


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
