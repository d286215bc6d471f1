"""The one-line position notation: ``HANDS TABLES [p=…] [s=…] [r=…] [x=…] [d=…]`` (contract, section 2)."""

from __future__ import annotations

import re

from solvers.errors import NotationError
from solvers.game.cards import Card, cards_from_letters, letters
from solvers.game.names import card_from_name
from solvers.game.position import Position
from solvers.game.rules import Rules

FIELDS = "psrxd"
_DIRECTIONS = {"L": "left", "R": "right"}
EXAMPLE = "TP/SW W/D p=0/1 s=21/20 r=3"


def parse_position(text: str, rules: Rules) -> Position:
    """The position a line describes; raises :class:`NotationError` saying what is wrong, where, and what would be right."""
    words = text.split()
    if len(words) < 2:
        raise NotationError(f"position {text.strip()!r}: write hands and tables, for example {EXAMPLE!r}")
    for word in words[:2]:
        if "=" in word:
            raise NotationError(f"{word!r} comes before hands and tables: write them first, for example {EXAMPLE!r}")
    hands, tables = (_piles(word, name) for word, name in zip(words, ("hands", "tables"), strict=False))
    fields = _fields(words[2:])
    seats = len(hands)
    position = Position(
        hands=hands,
        tables=tables,
        puddings=_numbers(fields, "p", seats),
        scores=_numbers(fields, "s", seats),
        round=_round(fields),
        out=_cards(fields["x"], "x=") if "x" in fields else (),
        direction=_direction(fields, rules),
    )
    position.check_deck(rules)
    return position


def format_position(position: Position) -> str:
    """The canonical text: hands in card order, tables as laid, defaults left out."""
    words = [_join(position.hands), _join(position.tables)]
    for name, values in (("p", position.puddings), ("s", position.scores)):
        if any(values):
            words.append(f"{name}={'/'.join(map(str, values))}")
    if position.round != 3:
        words.append(f"r={position.round}")
    if position.out:
        words.append(f"x={letters(position.out)}")
    if position.direction != "left":
        words.append("d=R")
    return " ".join(words)


def _join(piles: tuple[tuple[Card, ...], ...]) -> str:
    return "/".join(letters(pile) or "-" for pile in piles)


def _piles(word: str, name: str) -> tuple[tuple[Card, ...], ...]:
    """The cards of each seat; ``name`` says which part of the notation an error is in."""
    return tuple(_cards(part, f"{name}, seat {seat}") for seat, part in enumerate(word.split("/")))


def _cards(text: str, where: str) -> tuple[Card, ...]:
    """Cards written as letters, or as full names separated by commas; ``-`` is none."""
    if text == "-":
        return ()
    if not text:
        raise NotationError(f"{where}: nothing between the slashes; write - for no cards")
    try:
        if "," in text or re.search(r"[^\W\d_]{2}", text) and not text.isupper():
            return tuple(card_from_name(name) for name in text.split(","))
        return cards_from_letters(text)
    except NotationError as error:
        raise NotationError(f"{where}: {error}") from None


def _fields(words: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in FIELDS or len(name) != 1:
            raise NotationError(f"{word!r} is not a part of a position: after hands and tables come p= s= r= x= d=")
        if name in fields:
            raise NotationError(f"{name}= is written twice: once is enough")
        if not value:
            raise NotationError(f"{word!r} has no value: leave it out for the default")
        fields[name] = value
    return fields


def _numbers(fields: dict[str, str], name: str, seats: int) -> tuple[int, ...]:
    if name not in fields:
        return (0,) * seats
    parts = fields[name].split("/")
    for part in parts:
        if not re.fullmatch(r"-?[0-9]{1,4}", part):
            raise NotationError(f"{name}={fields[name]}: {part!r} is not a whole number; write one for each seat, like 2/0")
    return tuple(map(int, parts))


def _round(fields: dict[str, str]) -> int:
    text = fields.get("r", "3")
    if text not in ("1", "2", "3"):
        raise NotationError(f"r={text}: the round is 1, 2 or 3")
    return int(text)


def _direction(fields: dict[str, str], rules: Rules) -> str:
    if "d" not in fields:
        return rules.direction(_round(fields))
    if fields["d"] not in _DIRECTIONS:
        raise NotationError(f"d={fields['d']}: this round passes left (d=L) or right (d=R)")
    return _DIRECTIONS[fields["d"]]
