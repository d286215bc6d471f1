"""``sushigo score`` and ``sushigo show``: a position counted and drawn."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.cli_common import (
    JsonOption,
    LanguageOption,
    PositionArgument,
    RulesOption,
    SingleRulesOption,
    check_language,
    console,
    one_position,
    print_json,
    read_rules,
    write_text,
)
from solvers.game.cards import Card, letters
from solvers.game.drawing import position_svg
from solvers.game.dummy import DUMMY, DummyPosition
from solvers.game.position import Position
from solvers.game.rules import Rules

if TYPE_CHECKING:
    from rich.table import Table


def mount(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    app.command("score")(score)
    app.command("show")(show)


def score(
    position: PositionArgument,
    rules: RulesOption = "official",
    option: SingleRulesOption = None,
    json: JsonOption = False,
) -> None:
    """Score the tables of a position as if the round ended now."""
    chosen = read_rules(rules, option)
    parsed = Position.parse(one_position(position), chosen)
    if json:
        print_json(score_dict(parsed, chosen))
    else:
        console().print(score_table(parsed, chosen))


def show(
    position: PositionArgument,
    rules: RulesOption = "official",
    option: SingleRulesOption = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture to this file instead.")] = None,
    theme: Annotated[str, typer.Option(metavar="THEME", help="Of the picture: light, dark or inherit.")] = "light",
    lang: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Draw a position: cards grouped, wasabi under its nigiri, points so far, who passes to whom."""
    chosen = read_rules(rules, option)
    parsed = Position.parse(one_position(position), chosen)
    check_language(lang)
    if svg is not None:
        write_text(svg, position_svg(parsed, theme, lang))
        return
    if json:
        print_json(position_dict(parsed, chosen))
        return
    from analysis.show import draw_position

    screen = console()
    screen.print(draw_position(parsed, chosen, lang, screen.width))


def score_dict(position: Position, rules: Rules) -> dict[str, Any]:
    """The JSON of ``score`` (interface, section 5)."""
    return {
        "round": list(position.round_points(rules)),
        "breakdown": [part.as_dict() for part in position.breakdown(rules)],
        "pudding": _list_or_none(position.pudding_points(rules)),
        "total": list(position.totals(rules)),
        "winners": _list_or_none(position.winners(rules)),
    }


def score_table(position: Position, rules: Rules) -> Table:
    """One column a seat: points by card, this round, puddings, the total, and who wins."""
    from rich import box
    from rich.table import Table

    from analysis.show import seat_name

    places = range(len(position.tables))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column(f"Round {position.round}")
    for place in places:
        table.add_column(seat_name(position, place), justify="right")
    parts = position.breakdown(rules)
    for name in parts[0].as_dict():
        table.add_row(name, *(str(part.as_dict()[name]) for part in parts))
    table.add_section()
    table.add_row("this round", *map(str, position.round_points(rules)))
    table.add_row("earlier rounds", *map(str, position.scores))
    counts, bonus = position.pudding_counts(), position.pudding_points(rules)
    if bonus is None:
        table.add_row("puddings kept", *map(str, counts))
    else:
        cells = (f"{points} ({count})" for points, count in zip(bonus, counts, strict=True))
        table.add_row("puddings (cards)", *cells)
    table.add_section()
    table.add_row("total", *map(str, position.totals(rules)), style="bold")
    winners = position.winners(rules)
    if winners is not None:
        table.add_row("wins", *(("yes" if place in winners else "") for place in places))
    return table


def position_dict(position: Position, rules: Rules) -> dict[str, Any]:
    """The JSON of ``show``: the position with every card named in full."""
    from analysis.show import passes_to

    answer: dict[str, Any] = {
        "position": str(position),
        "round": position.round,
        "direction": position.direction,
        "cards_left": position.cards_left,
        "seats": [
            {
                "seat": seat,
                "hand": _named(position.hands[seat]),
                "table": _named(position.tables[seat]),
                "puddings": position.puddings[seat],
                "score": position.scores[seat],
                "passes_to": passes_to(position, seat),
                "picks": _picks(position, seat, rules),
            }
            for seat in range(position.seats)
        ],
    }
    if isinstance(position, DummyPosition):
        answer["controller"] = position.controller
        answer["pile"] = _named(position.pile)
        answer["dummy"] = {
            "table": _named(position.tables[DUMMY]),
            "puddings": position.puddings[DUMMY],
            "score": position.scores[DUMMY],
        }
    return {**answer, "points": score_dict(position, rules)}


def _named(cards: Iterable[Card]) -> list[str]:
    return [card.name.lower() for card in cards]


def _picks(position: Position, seat: int, rules: Rules) -> list[str] | None:
    """The seat's distinct picks, or ``None`` where they depend on a card that is not seen."""
    unseen = Card.UNSEEN in position.hands[seat]
    if isinstance(position, DummyPosition) and position.controller == seat and position.pile[:1] == (Card.UNSEEN,):
        unseen = True
    return None if unseen else [letters(pick) for pick in position.picks(seat, rules)]


def _list_or_none(values: tuple[int, ...] | None) -> list[int] | None:
    return None if values is None else list(values)
