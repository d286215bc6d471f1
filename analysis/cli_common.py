"""What the commands share: options, reading positions and rules, printing JSON and errors."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from solvers.endgame.limits import Limits
from solvers.errors import LimitReached, UsageError, shown
from solvers.game.rules import ALLOWED, Rules

if TYPE_CHECKING:
    from rich.console import Console

PositionArgument = Annotated[list[str], typer.Argument(metavar="POSITION", help="Hands and tables, like 'TP/SW W/D'.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
LanguageOption = Annotated[
    str, typer.Option("--lang", metavar="LANGUAGE", help="Card names in tables: en, pt, es, fr, de, it.")
]
RulesOption = Annotated[
    str, typer.Option("--rules", metavar="PRESET", help="A rules preset, or a TOML file with an options table.")
]
SingleRulesOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Change one rules option; may be repeated."),
]
MaxStatesOption = Annotated[int | None, typer.Option(min=1, help="Stop at this many stored states.")]
TimeoutOption = Annotated[float | None, typer.Option(metavar="SECONDS", help="Stop after this time, per position.")]
MemoryOption = Annotated[
    str | None, typer.Option(metavar="SIZE", help="Most memory for states, like 800M or 2G (default: 3/4 of free).")
]

EXAMPLE = "TP/SW W/D p=0/1 s=21/20"
COMPILING = "compiling the kernels, once (half a minute for two seats, one to two minutes for more)"
Shown = TypeVar("Shown")
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


@dataclass(frozen=True, slots=True)
class Item:
    """One position to work on, as typed; ``place`` says where it stood when there may be several."""

    text: str
    place: str = ""
    line: int | None = None


def read_items(arguments: Sequence[str], file: Path | None = None) -> Iterator[Item]:
    """The positions of a command line: quoted ones, one left unquoted, those of ``file``, and ``-`` for standard input.

    Lines are read as they are asked for; empty ones and what follows a ``#`` are skipped. Raises :class:`UsageError`
    for a file that cannot be read, or when there is no position at all.
    """
    typed = join_unquoted(arguments)
    if not typed and file is None:
        raise UsageError(f"no position: write one in quotes, like {EXAMPLE!r}, or give --file F, or - for stdin")
    alone = len(typed) == 1 and file is None
    for number, text in enumerate(typed, start=1):
        if text == "-":
            yield from _items_of_lines(sys.stdin, "standard input")
        else:
            yield Item(text) if alone else Item(text, f"position {number}")
    if file is not None:
        try:
            with file.open(encoding="utf-8") as lines:
                yield from _items_of_lines(lines, str(file))
        except OSError as error:
            raise UsageError(f"cannot read {file}: {error.strerror}") from None


def _items_of_lines(lines: Iterator[str] | Any, name: str) -> Iterator[Item]:
    number = 0
    try:
        for number, line in enumerate(lines, start=1):
            text = line.partition("#")[0].strip()
            if text:
                yield Item(text, f"line {number} of {name}", number)
    except UnicodeDecodeError:
        raise UsageError(f"{name} is not text in UTF-8 (after line {number})") from None


def join_unquoted(arguments: Sequence[str]) -> list[str]:
    """Arguments as positions: one with a space in it is whole; words without are one position left unquoted."""
    stripped = [word.strip() for word in arguments]
    if any(" " in word for word in stripped) or not stripped:
        return stripped
    return ["-"] if stripped == ["-"] else [" ".join(stripped)]


def one_position(arguments: Sequence[str]) -> str:
    """The one position of a command that takes no more; raises :class:`UsageError` for several."""
    typed = join_unquoted(arguments)
    if len(typed) > 1:
        raise UsageError(f"{len(typed)} positions: this command takes one; put it in quotes")
    return typed[0]


def read_rules(preset: str, options: Sequence[str] | None) -> Rules:
    """The rules of ``--rules`` with each ``--option name=value`` changed; raises :class:`RulesError`."""
    rules = Rules.from_file(Path(preset)) if preset.endswith(".toml") else Rules.preset(preset)
    changed: dict[str, Any] = {}
    for option in options or ():
        name, equals, value = option.partition("=")
        if not equals:
            raise UsageError(f"--option {shown(option)}: write name=value, for example wasabi_cards=5")
        allowed = ALLOWED.get(name, ())
        changed[name] = next((choice for choice in allowed if str(choice).lower() == value.lower()), value)
    return Rules.from_options({**rules.as_dict(), **changed}) if changed else rules


def read_limits(max_states: int | None, timeout: float | None, memory: str | None) -> Limits:
    """The limits of the command line; raises :class:`UsageError` for one that cannot be read."""
    if timeout is not None and not timeout > 0:
        raise UsageError(f"--timeout {timeout}: write seconds above 0, for example 90")
    size = None
    if memory is not None:
        match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?([KMG]?)(?:I?B)?", memory.strip().upper())
        if not match or not float(match[1]):
            raise UsageError(f"--memory {shown(memory)}: write a size above 0, like 800M or 2G")
        size = int(float(match[1]) * _UNITS[match[2]])
    return Limits(max_states=max_states, timeout=timeout, memory=size)


def check_language(language: str) -> str:
    """``language`` itself; raises :class:`NotationError`, naming the languages, for one without card names."""
    from solvers.game.cards import Card
    from solvers.game.names import card_name

    card_name(Card.TEMPURA, language)
    return language


def print_json(value: Mapping[str, Any] | Sequence[Any]) -> None:
    """One line of JSON on standard output, at once."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False), flush=True)


def write_text(path: Path, text: str) -> None:
    """Write a file the user named; raises :class:`UsageError` when that cannot be done."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def report_error(kind: str, message: str, as_json: bool, **more: Any) -> None:
    """One line on standard error, and with ``--json`` the same as an object on standard output.

    Of ``more``, whatever is not empty goes into that object (a line number, the counters at a limit).
    """
    line = " ".join(message.split())
    if as_json:
        print_json({"error": {"kind": kind, "message": line, **{name: value for name, value in more.items() if value}}})
    print(f"error: {line}", file=sys.stderr, flush=True)


def report_stop(stop: LimitReached, as_json: bool, place: str = "", line: int | None = None) -> None:
    """Say which limit was reached, and what was proven by then."""
    message = f"{place}: {stop}" if place else str(stop)
    told, fields = _proven(stop.bounds)
    report_error(stop.kind, message + told, as_json, line=line, stats=stop.stats, **fields)


def report_interrupt(stop: KeyboardInterrupt, as_json: bool) -> None:
    """Say that the user stopped the work, and what was proven by then."""
    told, fields = _proven(getattr(stop, "bounds", (None, None)))
    report_error("interrupted", "stopped by the user before the work was done" + told, as_json, **fields)


def _proven(bounds: tuple[float | None, float | None]) -> tuple[str, dict[str, Any]]:
    """The bounds of the value as the end of a message, and as fields for JSON; nothing where nothing is proven."""
    low, high = bounds
    if low is None and high is None:
        return "", {}
    if low is not None and low == high:
        told = f"the value is {low:g}"
    else:
        sides = ((word, bound) for word, bound in (("at least", low), ("at most", high)) if bound is not None)
        told = "the value is " + " and ".join(f"{word} {bound:g}" for word, bound in sides)
    return f"; proven so far for seat 0: {told}", {"bounds": [low, high]}


def spaced(screen: Console, show: Callable[[Shown], None]) -> Callable[[Shown], None]:
    """``show`` with an empty line between two calls."""
    calls = count()

    def show_apart(what: Shown) -> None:
        if next(calls):
            screen.print()
        show(what)

    return show_apart


def console() -> Console:
    """Standard output for people: colours on a terminal (unless NO_COLOR is set), 80 columns where there is none."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False, emoji=False, markup=False)


@cache
def announce_compiling() -> None:
    """Have it said once on standard error that kernels are being compiled, if any will be."""
    from solvers.endgame.jit import when_compiling

    when_compiling(_say_compiling)


@cache
def _say_compiling() -> None:
    print(COMPILING, file=sys.stderr, flush=True)
