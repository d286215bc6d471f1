"""A position drawn as text: cards grouped, wasabi under its nigiri, points so far, who passes to whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.text import Text

from solvers.game.cards import NIGIRI_POINTS, Card, letters
from solvers.game.drawing import stacks
from solvers.game.dummy import DummyPosition
from solvers.game.names import card_name
from solvers.game.position import Position
from solvers.game.rules import Rules
from solvers.game.scoring import Breakdown, maki_icons

STYLES = {
    "tempura": "magenta",
    "sashimi": "bright_red",
    "dumpling": "blue",
    "maki": "red",
    "nigiri": "yellow",
    "wasabi": "green",
    "pudding": "bright_magenta",
    "chopsticks": "cyan",
    "unseen": "dim",
}
"""The groups in the order they are drawn, and their colours on a terminal that has any."""

_LABEL_WIDTH = 8


@dataclass(frozen=True, slots=True)
class Group:
    """Cards of one sort lying together, each stack from the top: a squid on wasabi is ``(SQUID_NIGIRI, WASABI)``."""

    kind: str
    stacks: tuple[tuple[Card, ...], ...]


def group_of(card: Card) -> str:
    """The group a single card lies in: all maki rolls together, all nigiri together, any other kind by itself."""
    if card.icons:
        return "maki"
    return "nigiri" if card in NIGIRI_POINTS else card.name.lower()


def group_cards(cards: Iterable[Card]) -> tuple[Group, ...]:
    """Cards in hand, sorted into groups."""
    return _grouped([(card,) for card in sorted(cards)])


def group_table(table: Sequence[Card]) -> tuple[Group, ...]:
    """The cards on a table, sorted into groups; a nigiri lies on the wasabi that was open when it was laid."""
    piles = [pile[::-1] for pile in stacks(table)]
    return _grouped(sorted(piles, key=lambda pile: (-len(pile), pile)))


def _grouped(piles: Sequence[tuple[Card, ...]]) -> tuple[Group, ...]:
    kinds = [group_of(pile[0]) for pile in piles]
    return tuple(
        Group(kind, tuple(pile for pile, own in zip(piles, kinds, strict=True) if own == kind))
        for kind in STYLES
        if kind in kinds
    )


def draw_position(position: Position, rules: Rules | None = None, language: str = "en", width: int = 80) -> Text:
    """The whole position as text no wider than ``width``, in plain characters with colours added.

    Card names are in ``language``; points are those of ``rules`` if the round ended now.
    """
    rules = rules or Rules()
    lines = [Text(_headline(position), style="bold"), Text()]
    for place, table in enumerate(position.tables):
        lines.append(Text(_seat_line(position, place)))
        if place < position.seats:
            lines += _block("hand", group_cards(position.hands[place]), {}, language, width)
        notes = _notes(position, place, position.breakdown(rules)[place])
        lines += _block("table", group_table(table), notes, language, width)
        lines.append(Text())
    lines += [Text(line) for line in (_points_line(position, rules), _turn_line(position, rules))]
    return Text("\n").join(lines)


def seat_name(position: Position, place: int) -> str:
    """``Seat 1``, or ``Dummy`` for the third table of the two-player variant."""
    return f"Seat {place}" if place < position.seats else "Dummy"


def passes_to(position: Position, seat: int) -> int:
    """The seat that gets this seat's hand after the turn."""
    return (seat + (1 if position.direction == "left" else -1)) % position.seats


def _headline(position: Position) -> str:
    left = position.cards_left
    cards = "no cards left" if not left else "1 card in each hand" if left == 1 else f"{left} cards in each hand"
    if position.seats == 2:
        way = "the two seats swap hands"
    else:
        to = "+ 1" if position.direction == "left" else "- 1"
        way = f"hands pass {position.direction}, seat i to seat i {to}"
    return f"Round {position.round} of 3, {cards}, {way}"


def _seat_line(position: Position, place: int) -> str:
    parts = [f"{_count(position.scores[place], 'point')} from earlier rounds"] if any(position.scores) else []
    if any(position.puddings):
        parts.append(f"{_count(position.puddings[place], 'pudding')} kept")
    if place < position.seats and position.cards_left > 1:
        parts.append(f"hand goes to seat {passes_to(position, place)}")
    name = seat_name(position, place)
    return f"{name}   {', '.join(parts)}" if parts else name


def _notes(position: Position, place: int, points: Breakdown) -> dict[str, str]:
    """What to say under each group on a table."""
    earned = {"tempura": points.tempura, "sashimi": points.sashimi, "dumpling": points.dumpling}
    notes = {kind: _count(number, "point") for kind, number in {**earned, "nigiri": points.nigiri}.items()}
    notes["maki"] = f"{_count(maki_icons(position.tables[place]), 'icon')}, {_count(points.maki, 'point')}"
    notes["wasabi"] = "open"
    if position.puddings[place]:
        notes["pudding"] = f"{position.pudding_counts()[place]} in all"
    return notes


def _block(label: str, groups: Sequence[Group], notes: dict[str, str], language: str, width: int) -> list[Text]:
    """One row of groups side by side, wrapped where the line is full: cards, wasabi below them, names, notes."""
    if not groups:
        return [Text(f"  {label:<{_LABEL_WIDTH - 2}}-")]
    columns = [_column(group, notes.get(group.kind, ""), language) for group in groups]
    rows: list[list[int]] = [[]]
    used = _LABEL_WIDTH
    for index, column in enumerate(columns):
        space = _column_width(column) + 2
        if rows[-1] and used + space - 2 > width:
            rows.append([])
            used = _LABEL_WIDTH
        rows[-1].append(index)
        used += space
    lines: list[Text] = []
    for number, row in enumerate(rows):
        height = max(len(columns[index]) for index in row)
        for level in range(height):
            first = f"  {label:<{_LABEL_WIDTH - 2}}" if not number and not level else " " * _LABEL_WIDTH
            line = Text(first)
            for index in row:
                cell = columns[index][level] if level < len(columns[index]) else ""
                style = STYLES[groups[index].kind] + (" bold" if level == 0 else "")
                line.append(f"{cell:<{_column_width(columns[index])}}", style=style)
                line.append("  ")
            line.rstrip()
            lines.append(line)
    return lines


def _column(group: Group, note: str, language: str) -> list[str]:
    """A group from the top: its cards, the wasabi under them if any, its name, a note."""
    height = max(map(len, group.stacks))
    levels = [
        " ".join(stack[level].letter if level < len(stack) else " " for stack in group.stacks)
        for level in range(height)
    ]
    name = group.kind if group.kind in ("maki", "nigiri", "unseen") else card_name(_kind(group), language)
    return [*levels, name, note] if note else [*levels, name]


def _kind(group: Group) -> Card:
    return group.stacks[0][0]


def _column_width(column: Sequence[str]) -> int:
    return max(map(len, column))


def _points_line(position: Position, rules: Rules) -> str:
    when = "The game is over" if not position.cards_left and position.round == 3 else "If the round ended now"
    totals = position.totals(rules)
    winners = position.winners(rules)
    text = f"{when}: {'/'.join(map(str, totals))}"
    if winners is None:
        return text
    if len(winners) > 1:
        return f"{text}, seats {' and '.join(map(str, winners))} share the win"
    return f"{text}, seat {winners[0]} wins"


def _turn_line(position: Position, rules: Rules) -> str:
    if not position.cards_left:
        return "The round is over: nobody has a card to pick."
    if isinstance(position, DummyPosition):
        pile = letters(position.pile)
        return f"Seat {position.controller} draws the top of the pile ({pile}) and also picks for the dummy."
    if position.cards_left == 1:
        return "The last cards: each seat lays the one it holds."
    choices = "/".join(_choices(position, seat, rules) for seat in range(position.seats))
    return f"All seats pick at once; distinct picks by seat: {choices}"


def _choices(position: Position, seat: int, rules: Rules) -> str:
    return "?" if Card.UNSEEN in position.hands[seat] else str(len(position.picks(seat, rules)))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
