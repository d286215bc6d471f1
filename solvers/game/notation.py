"""The one-line position notation: ``HANDS TABLES [p=…] [s=…] [r=…] [x=…] [d=…]`` (interface, section 2).

The dummy variant adds two fields to positions of two hands and three tables, the dummy's table last:

- ``c=1``: the controller, the seat that draws this turn; always printed, and 0 where it is not written;
- ``y=P??``: the pile from the top, ``?`` for a card neither seat has seen; left out when all are unseen.

``p=`` and ``s=`` then have three entries as well, and ``d=`` has no place: the two seats swap hands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from solvers.errors import NotationError, shown
from solvers.game.cards import Card, letters
from solvers.game.dummy import DummyPosition
from solvers.game.names import cards_from_text
from solvers.game.position import Position
from solvers.game.rules import Rules

FIELDS = "psrxdyc"
Piles = tuple[tuple[Card, ...], ...]
_DIRECTIONS = {"L": "left", "R": "right"}
EXAMPLE = "TP/SW W/D p=0/1 s=21/20 r=3"


def parse_position(text: str, rules: Rules) -> Position:
    """The position a line describes; raises :class:`NotationError` with what is wrong, where, and what would do."""
    words = text.split()
    if len(words) < 2:
        raise NotationError(f"position {shown(text.strip())}: write hands and tables, for example {EXAMPLE!r}")
    for word in words[:2]:
        if "=" in word:
            raise NotationError(
                f"{shown(word)} comes before hands and tables: write them first, for example {EXAMPLE!r}"
            )
    hands, tables = (_piles(word, name) for word, name in zip(words, ("hands", "tables"), strict=False))
    fields = _fields(words[2:])
    dummy = "y" in fields or "c" in fields or (rules.two_player_variant == "dummy" and len(hands) == 2)
    position = _dummy(hands, tables, fields) if dummy else _ordinary(hands, tables, fields, rules)
    position.check_deck(rules)
    return position


def _ordinary(hands: Piles, tables: Piles, fields: Mapping[str, str], rules: Rules) -> Position:
    return Position(hands, tables, **_history(fields, len(hands)), direction=_direction(fields, rules))


def _dummy(hands: Piles, tables: Piles, fields: Mapping[str, str]) -> DummyPosition:
    if "d" in fields:
        raise NotationError(f"d={fields['d']}: with the dummy the two seats swap hands, so leave d= out")
    if fields.get("c", "0") not in ("0", "1"):
        raise NotationError(f"c={fields['c']}: the controller is seat 0 or seat 1")
    if fields.get("y") == "-" and hands[0]:
        raise NotationError(f"y=-: the pile holds as many cards as each hand, {len(hands[0])}; an unseen card is ?")
    pile = _cards(fields["y"], "y=") if "y" in fields else ()
    return DummyPosition(hands, tables, **_history(fields, 3), pile=pile, controller=int(fields.get("c", "0")))


def _history(fields: Mapping[str, str], entries: int) -> dict[str, Any]:
    """What earlier rounds left, by the name it has in a position; ``entries`` numbers in p= and s=."""
    return {
        "puddings": _numbers(fields, "p", entries),
        "scores": _numbers(fields, "s", entries),
        "round": _round(fields),
        "out": _cards(fields["x"], "x=") if "x" in fields else (),
    }


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
    if isinstance(position, DummyPosition):
        if any(card is not Card.UNSEEN for card in position.pile):
            words.append(f"y={letters(position.pile)}")
        words.append(f"c={position.controller}")
    return " ".join(words)


def _join(piles: Piles) -> str:
    return "/".join(letters(pile) or "-" for pile in piles)


def _piles(word: str, name: str) -> Piles:
    """The cards of each seat; ``name`` says which part of the notation an error is in."""
    return tuple(_cards(part, f"{name}, seat {seat}") for seat, part in enumerate(word.split("/")))


def _cards(text: str, where: str) -> tuple[Card, ...]:
    """The cards of one pile; ``-`` is none, and ``where`` says which pile an error is in."""
    if text == "-":
        return ()
    if not text:
        raise NotationError(f"{where}: nothing between the slashes; write - for no cards")
    try:
        return cards_from_text(text)
    except NotationError as error:
        raise NotationError(f"{where}: {error}") from None


def _fields(words: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in FIELDS or len(name) != 1:
            raise NotationError(
                f"{shown(word)} is not a part of a position: after hands and tables come p= s= r= x= d= "
                "(and y= c= with the dummy)"
            )
        if name in fields:
            raise NotationError(f"{name}= is written twice: once is enough")
        if not value:
            raise NotationError(f"{shown(word)} has no value: leave it out for the default")
        fields[name] = value
    return fields


def _numbers(fields: Mapping[str, str], name: str, seats: int) -> tuple[int, ...]:
    if name not in fields:
        return (0,) * seats
    parts = fields[name].split("/")
    for part in parts:
        if not re.fullmatch(r"-?[0-9]{1,4}", part):
            raise NotationError(
                f"{name}={fields[name]}: {part!r} is not a whole number; write one for each seat, like 2/0"
            )
    return tuple(map(int, parts))


def _round(fields: Mapping[str, str]) -> int:
    text = fields.get("r", "3")
    if text not in ("1", "2", "3"):
        raise NotationError(f"r={text}: the round is 1, 2 or 3")
    return int(text)


def _direction(fields: Mapping[str, str], rules: Rules) -> str:
    if "d" not in fields:
        return rules.direction(_round(fields))
    if fields["d"] not in _DIRECTIONS:
        raise NotationError(f"d={fields['d']}: this round passes left (d=L) or right (d=R)")
    return _DIRECTIONS[fields["d"]]
