"""The pictures on the cards: a few shapes each, drawn for this project, in a field 56 wide and 40 high."""

from __future__ import annotations

from collections.abc import Mapping

from solvers.game.cards import Card

PAPER, INK = "#fffdf6", "#222222"
ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PURPLE, GREY = (
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#F0E442",
    "#0072B2",
    "#D55E00",
    "#CC79A7",
    "#b5b5b5",
)
_LIGHT_BLUE, _LIGHT_GREEN, _LIGHT_RED = "#8fc1e3", "#6fcbb0", "#f0a070"

BANDS: Mapping[Card, str] = {
    Card.TEMPURA: ORANGE,
    Card.SASHIMI: _LIGHT_RED,
    Card.DUMPLING: SKY,
    Card.MAKI1: _LIGHT_BLUE,
    Card.MAKI2: _LIGHT_BLUE,
    Card.MAKI3: _LIGHT_BLUE,
    Card.EGG_NIGIRI: YELLOW,
    Card.SALMON_NIGIRI: YELLOW,
    Card.SQUID_NIGIRI: YELLOW,
    Card.PUDDING: PURPLE,
    Card.WASABI: _LIGHT_GREEN,
    Card.CHOPSTICKS: GREY,
}
"""The colour of the band at the top of each card; dark letters read well on all of them."""

_LINE = f"stroke='{INK}' stroke-width='1.2' stroke-linejoin='round' stroke-linecap='round'"


def picture(card: Card) -> str:
    """The SVG shapes of a kind of card."""
    if card.icons:
        return _maki(card.icons)
    if card.is_nigiri:
        return _RICE + _TOPPINGS[card]
    return _PICTURES[card]


def _maki(icons: int) -> str:
    """As many rolls as the card has icons: seaweed around rice around filling."""
    start = 28 - 8.5 * (icons - 1)
    rolls = []
    for number in range(icons):
        x, y = start + 17 * number, 18
        rolls.append(
            f"<circle cx='{x:g}' cy='{y}' r='8' fill='{BLUE}' {_LINE}/>"
            f"<circle cx='{x:g}' cy='{y}' r='5.6' fill='white'/>"
            f"<circle cx='{x:g}' cy='{y}' r='2.4' fill='{RED}'/>"
        )
    return "".join(rolls)


_RICE = f"<rect x='11' y='19' width='34' height='14' rx='7' fill='white' {_LINE}/>"
_TOPPINGS: Mapping[Card, str] = {
    Card.EGG_NIGIRI: (
        f"<rect x='9' y='9' width='38' height='13' rx='2' fill='{YELLOW}' {_LINE}/>"
        f"<rect x='24' y='8' width='8' height='26' fill='{INK}'/>"
    ),
    Card.SALMON_NIGIRI: (
        f"<path d='M7 23q2-16 21-16t21 16q-21-7-42 0z' fill='{_LIGHT_RED}' {_LINE}/>"
        f"<path d='M17 18l5-10M26 17l5-10M35 17.500l5-8' stroke='white' stroke-width='2' fill='none'/>"
    ),
    Card.SQUID_NIGIRI: (
        f"<path d='M7 23q2-16 21-16t21 16q-21-7-42 0z' fill='#f6eef4' {_LINE}/>"
        f"<path d='M14 19l6-9M14 11l7 7M25 17l6-10M24 8l8 9M36 17l5-7M36 9l7 9' stroke='{PURPLE}' fill='none'/>"
    ),
}
_PICTURES: Mapping[Card, str] = {
    Card.TEMPURA: (
        f"<path d='M9 26q-2-9 6-15q10-7 21-2q4 2 5 6l-7 2q-3-3-8-1q-8 3-9 11q-5 3-8-1z' fill='{ORANGE}' {_LINE}/>"
        f"<path d='M40 14l10-6-3 8 5 5-12-2z' fill='{RED}' {_LINE}/>"
        f"<path d='M17 12l3 5M25 8l2 5' {_LINE} fill='none'/>"
    ),
    Card.SASHIMI: "".join(
        f"<path d='M{x} 30l7-22q6-3 9 0l-7 22q-5 3-9 0z' fill='{_LIGHT_RED}' {_LINE}/>"
        f"<path d='M{x + 5} 28l7-20' stroke='white' stroke-width='2'/>"
        for x in (5, 18, 31)
    ),
    Card.DUMPLING: (
        f"<path d='M6 29q1-20 22-20t22 20q-22 6-44 0z' fill='#f7ead0' {_LINE}/>"
        f"<path d='M14 15l4 7M22 11l2 8M34 11l-2 8M42 15l-4 7' {_LINE} fill='none'/>"
    ),
    Card.PUDDING: (
        f"<path d='M16 30l4-19h16l4 19z' fill='#f5d76e' {_LINE}/>"
        f"<path d='M19 16l1-6q8-4 16 0l1 6q-3 4-6 0-3 3-6 0-3 4-6 0z' fill='#8a4b2a' {_LINE}/>"
        f"<path d='M8 31h40' {_LINE}/>"
    ),
    Card.WASABI: (
        f"<path d='M8 30q1-10 9-11q-1-9 10-12q6 2 5 7q9 1 9 7q7 3 7 9q-20 5-40 0z' fill='{GREEN}' {_LINE}/>"
        f"<path d='M18 24q7 4 15-1M23 17q4 3 9 0' stroke='white' fill='none' stroke-linecap='round'/>"
    ),
    Card.CHOPSTICKS: (
        f"<path d='M10 33L40 4l3 2L13 35z' fill='#9c6b3f' {_LINE}/>"
        f"<path d='M20 35L48 10l2 3L22 37z' fill='#9c6b3f' {_LINE}/>"
    ),
}
