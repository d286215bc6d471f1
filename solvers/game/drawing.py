"""A position as a drawing: plain SVG text with our own simple cards, for notebooks, files and print.

Kinds of card are told apart by picture, letter and name; the colours (Okabe and Ito's palette, safe for colour-blind
readers) only help. Cards keep their own paper, so that they read the same on a light and on a dark page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from solvers.errors import UsageError
from solvers.game.cards import Card
from solvers.game.dummy import DUMMY, DummyPosition
from solvers.game.names import card_name
from solvers.game.pictures import BANDS, INK, PAPER, picture

if TYPE_CHECKING:
    from solvers.game.position import Position
    from solvers.game.rules import Rules

CARD_WIDTH, CARD_HEIGHT = 56, 76
GAP = 6
DROP = 20
"""How far a nigiri hangs below the wasabi it lies on."""
EMPTY_HEIGHT = 26
LABELS = 132
"""Width of the column with the seats' names."""
LEAST_WIDTH = 400
_GENERIC = re.compile(r"(?i)nigiri (de|di|con|au) |nigiri à l’|[- ](nigiri|rolle|roll)\b")
"""The part of a card's name that its picture says already."""
_FONT = "font-family='DejaVu Sans, Verdana, Helvetica, Arial, sans-serif'"


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours around the cards: the page (``None`` is see-through), its ink, and its faint ink."""

    page: str | None
    ink: str
    faint: str


THEMES: Mapping[str, Theme] = {
    "light": Theme("#ffffff", "#1a1a1a", "#6b6b6b"),
    "dark": Theme("#16181c", "#f2f2f2", "#a8a8a8"),
    "inherit": Theme(None, "currentColor", "currentColor"),
}


def position_svg(position: Position, theme: str = "light", language: str = "en") -> str:
    """The position as one SVG text: each seat's hand and table, its puddings and points, and the way hands pass.

    The dummy of the two-player variant comes last, with the pile for a hand.

    ``theme`` is ``light``, ``dark``, or ``inherit`` (no page of its own, the surrounding text's colour); card names
    are printed in ``language``. A nigiri on a wasabi lies over it. Raises :class:`UsageError` for an unknown theme.
    """
    if theme not in THEMES:
        raise UsageError(f"unknown theme {theme!r}: it is {', '.join(THEMES)}")
    colours = THEMES[theme]
    columns = max(3, position.cards_left, *(len(stacks(table)) for table in position.tables))
    width = max(LEAST_WIDTH, LABELS + columns * (CARD_WIDTH + GAP) + GAP)
    parts: list[str] = [_text(GAP, 18, _headline(position), 13, colours.ink, weight="bold")]
    top = 30
    for place in range(position.contestants):
        block, height = _block(position, place, top, colours, language)
        parts += block
        top += height
    page = f"<rect width='{width}' height='{top}' fill='{colours.page}'/>" if colours.page else ""
    title = f"<title>{escape(str(position))}</title>"
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{top}' viewBox='0 0 {width} {top}' {_FONT}>"
    )
    return "".join([head, title, page, *parts, "</svg>"])


def stacks(table: Sequence[Card]) -> list[tuple[Card, ...]]:
    """A table's cards as they lie: one stack a card, but a nigiri on top of the open wasabi it was laid on."""
    piles: list[tuple[Card, ...]] = []
    for card in table:
        waiting = next((i for i, pile in enumerate(piles) if pile == (Card.WASABI,)), None)
        if card.is_nigiri and waiting is not None:
            piles[waiting] = (Card.WASABI, card)
        else:
            piles.append((card,))
    return piles


def rules_html(rules: Rules) -> str:
    """The rules options as a small HTML table, those that depart from the official game in bold."""
    usual = type(rules)().as_dict()
    rows = []
    for name, value in rules.as_dict().items():
        shown = escape(str(value).lower() if isinstance(value, bool) else str(value))
        rows.append(f"<tr><td>{name}</td><td>{shown if value == usual[name] else f'<b>{shown}</b>'}</td></tr>")
    return f"<table><tr><th>rules option</th><th>value</th></tr>{''.join(rows)}</table>"


def _headline(position: Position) -> str:
    if not position.cards_left:
        return f"Round {position.round} · over"
    cards = "one card" if position.cards_left == 1 else f"{position.cards_left} cards"
    if isinstance(position, DummyPosition):
        return f"Round {position.round} · {cards} in each hand · seat {position.controller} draws, hands are swapped"
    return f"Round {position.round} · {cards} in each hand · hands pass {position.direction}"


def _block(position: Position, place: int, top: int, colours: Theme, language: str) -> tuple[list[str], int]:
    """The drawing of one seat, or of the dummy, from ``top`` down, and its height."""
    kept, points = position.puddings[place], position.scores[place]
    owner, held, cards = f"Seat {place}", "hand", position.hands[place] if place < position.seats else ()
    if isinstance(position, DummyPosition) and place == DUMMY:
        owner, held, cards = "Dummy", "pile", position.pile
    parts = [
        f"<line x1='{GAP}' x2='{LABELS - GAP}' y1='{top + 1}' y2='{top + 1}' stroke='{colours.faint}'/>",
        _text(GAP, top + 20, owner, 14, colours.ink, weight="bold"),
        _text(GAP, top + 38, f"points {points}", 11, colours.faint),
        _text(GAP, top + 53, f"puddings {kept}", 11, colours.faint),
    ]
    height = 0
    for name, piles in ((held, [(card,) for card in cards]), ("table", stacks(position.tables[place]))):
        row, row_height = _row(piles, name, top + height, colours, language)
        parts += row
        height += row_height + 2 * GAP
    return parts, max(height, 64) + GAP


def _row(
    piles: Sequence[tuple[Card, ...]], name: str, top: int, colours: Theme, language: str
) -> tuple[list[str], int]:
    """A row of cards with its name at the left, and its height; an empty row is a dashed place."""
    height = CARD_HEIGHT if piles else EMPTY_HEIGHT
    parts = [_text(LABELS - 10, top + height / 2 + 4, name, 11, colours.faint, anchor="end")]
    if not piles:
        parts.append(
            f"<rect x='{LABELS}' y='{top}' width='{CARD_WIDTH}' height='{height}' rx='6' fill='none' "
            f"stroke='{colours.faint}' stroke-dasharray='4 4'/>"
        )
    for column, pile in enumerate(piles):
        for depth, card in enumerate(pile):
            parts.append(card_svg(card, LABELS + column * (CARD_WIDTH + GAP), top + depth * DROP, language))
    covered = any(len(pile) > 1 for pile in piles)
    return parts, height + DROP * covered


def card_svg(card: Card, x: float, y: float, language: str = "en") -> str:
    """One card as an SVG group with its upper left corner at (x, y)."""
    frame = f"<rect width='{CARD_WIDTH}' height='{CARD_HEIGHT}' rx='6' fill='{PAPER}' stroke='{INK}'/>"
    if card is Card.UNSEEN:
        back = f"<rect x='5' y='5' width='{CARD_WIDTH - 10}' height='{CARD_HEIGHT - 10}' rx='4' fill='#b9c4cc'/>"
        inside = back + _text(CARD_WIDTH / 2, CARD_HEIGHT / 2 + 8, "?", 24, INK, anchor="middle")
    else:
        shape = f"M0.5 17V6a5.5 5.5 0 0 1 5.5-5.5h{CARD_WIDTH - 12}a5.5 5.5 0 0 1 5.5 5.5v11z"
        band = f"<path d='{shape}' fill='{BANDS[card]}'/>"
        letter = _text(CARD_WIDTH / 2, 13.5, card.letter, 12, INK, weight="bold", anchor="middle")
        name = _short_name(card, language)
        size = min(9.0, 1.7 * CARD_WIDTH / max(len(name), 1))
        label = _text(CARD_WIDTH / 2, CARD_HEIGHT - 6, name, round(size, 1), INK, anchor="middle")
        inside = f"{band}{letter}<g transform='translate(0 20)'>{picture(card)}</g>{label}"
    return f"<g transform='translate({x} {y})'>{frame}{inside}</g>"


def _short_name(card: Card, language: str) -> str:
    return _GENERIC.sub("", card_name(card, language))


def _text(x: float, y: float, text: str, size: float, fill: str, weight: str = "normal", anchor: str = "start") -> str:
    return (
        f"<text x='{x:g}' y='{y:g}' font-size='{size:g}' fill='{fill}' font-weight='{weight}' "
        f"text-anchor='{anchor}'>{escape(text)}</text>"
    )
