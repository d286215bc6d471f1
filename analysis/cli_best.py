"""``sushigo best``: the most anyone could have scored, proven with CP-SAT."""

from __future__ import annotations

import json as json_module
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.cli_common import (
    JsonOption,
    LanguageOption,
    PositionArgument,
    RulesOption,
    SingleRulesOption,
    TimeoutOption,
    announce_compiling,
    check_language,
    console,
    one_position,
    print_json,
    read_limits,
    read_rules,
)
from analysis.cli_question import PuddingOption
from analysis.exit_status import DONE, INTERRUPTED, LIMIT
from solvers.endgame.objective import DEFAULT_PUDDING_VALUE
from solvers.errors import NotationError, UsageError, shown
from solvers.game.cards import Card, cards_from_letters
from solvers.game.names import card_from_name
from solvers.game.picks import Pick, parse_pick
from solvers.game.position import Position

if TYPE_CHECKING:
    from solvers.ceilings.answers import Ceiling

app = typer.Typer(help="The most anyone could have scored, proven: a hand, a draft, a reply in hindsight, a game.")

SeatOption = Annotated[int, typer.Option(metavar="S", help="The seat it is about.")]
AllOption = Annotated[bool, typer.Option("--all", help="Also count the optimal final tables.")]
MostOption = Annotated[int, typer.Option("--at-most", metavar="N", min=1, help="With --all: stop counting here.")]

COUNTED = 100
"""How far ``--all`` counts unless told otherwise: every table found costs a solve."""


def mount(parent: typer.Typer) -> None:
    """Add the commands to the main app."""
    parent.add_typer(app, name="best")


@app.command("hand")
def hand(
    size: Annotated[int, typer.Argument(metavar="N", help="How many cards.")],
    given: Annotated[
        str | None, typer.Option("--from", metavar="CARDS", help="Choose from these cards, not from the deck.")
    ] = None,
    without: Annotated[str, typer.Option(metavar="CARDS", help="Cards left out.")] = "-",
    rivals: Annotated[str, typer.Option(metavar="ICONS", help="Maki icons of each other seat, like 5/3.")] = "0",
    all_: AllOption = False,
    at_most: MostOption = COUNTED,
    rules: RulesOption = "official",
    option: SingleRulesOption = None,
    timeout: TimeoutOption = None,
    lang: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """The highest round score of N cards, laid in any order."""
    check_language(lang)
    from solvers.ceilings.hand import best_hand

    answer = best_hand(
        size,
        None if given is None else read_cards(given, "--from"),
        read_cards(without, "--without"),
        _numbers(rivals),
        read_rules(rules, option),
        read_limits(None, timeout, None),
        at_most if all_ else 0,
    )
    if json:
        print_json(answer.as_dict())
    else:
        from analysis.best_tables import print_hand

        print_hand(console(), answer, lang)
    raise typer.Exit(_status(answer))


@app.command("draft")
def draft(
    position: PositionArgument,
    seat: SeatOption = 0,
    goal: Annotated[str, typer.Option(metavar="GOAL", help="seat, margin, table or least.")] = "seat",
    pudding_value: PuddingOption = DEFAULT_PUDDING_VALUE,
    all_: AllOption = False,
    at_most: MostOption = COUNTED,
    against_solution: Annotated[
        bool, typer.Option("--against-solution", help="Also hold the equilibrium's likeliest line against it.")
    ] = False,
    rules: RulesOption = "official",
    option: SingleRulesOption = None,
    timeout: TimeoutOption = None,
    json: JsonOption = False,
) -> None:
    """The picks of all seats together that do the most for one seat, with every hand open."""
    _check_pudding_value(pudding_value)
    from solvers.ceilings.draft import best_draft

    chosen, limits = read_rules(rules, option), read_limits(None, timeout, None)
    parsed = Position.parse(one_position(position), chosen)
    answer = best_draft(parsed, seat, goal, chosen, pudding_value, limits, at_most if all_ else 0)
    found = None
    if against_solution and answer.proven:
        announce_compiling()
        from solvers.ceilings.against import against_solution as shortfall

        found = shortfall(answer, limits=limits)
    if json:
        print_json({**answer.as_dict(), **({} if found is None else {"against_solution": found.as_dict()})})
    else:
        from analysis.best_tables import print_draft, print_shortfall

        screen = console()
        print_draft(screen, answer)
        if found is not None:
            print_shortfall(screen, found)
    raise typer.Exit(_status(answer))


@app.command("reply")
def reply(
    position: PositionArgument,
    line: Annotated[
        str | None,
        typer.Option(metavar="PICKS", help="The picks of the round: turns apart, seats by /, like 'T/S WQ/D'."),
    ] = None,
    record: Annotated[
        str | None, typer.Option(metavar="FILE", help="Read the line from JSON with a field line; - is stdin.")
    ] = None,
    seat: SeatOption = 0,
    pudding_value: PuddingOption = DEFAULT_PUDDING_VALUE,
    rules: RulesOption = "official",
    option: SingleRulesOption = None,
    timeout: TimeoutOption = None,
    lang: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """The best a seat could have done in a played round, the others' picks as they were, and what each pick cost."""
    check_language(lang)
    _check_pudding_value(pudding_value)
    chosen = read_rules(rules, option)
    parsed = Position.parse(one_position(position), chosen)
    picks = _read_line(line, record)
    from solvers.ceilings.reply import best_reply

    answer = best_reply(parsed, picks, seat, chosen, pudding_value, read_limits(None, timeout, None))
    if json:
        print_json(answer.as_dict())
    else:
        from analysis.best_tables import print_reply

        print_reply(console(), answer, lang)
    raise typer.Exit(_status(answer) or (DONE if answer.complete else LIMIT))


@app.command("game")
def game(
    players: Annotated[int, typer.Option(metavar="N", help="How many play, 2 to 5.")] = 2,
    goal: Annotated[str, typer.Option(metavar="GOAL", help="seat, margin, or both.")] = "both",
    rules: RulesOption = "official",
    option: SingleRulesOption = None,
    timeout: TimeoutOption = None,
    json: JsonOption = False,
) -> None:
    """The highest three-round total of one player, and the widest win, with one deck dealt once through."""
    from solvers.ceilings.game import GAME_GOALS, best_game

    chosen, limits = read_rules(rules, option), read_limits(None, timeout, None)
    goals = list(GAME_GOALS) if goal == "both" else [goal]
    answers = []
    for number, each in enumerate(goals):
        answer = best_game(players, each, chosen, limits)
        answers.append(answer)
        if json:
            print_json(answer.as_dict())
        else:
            from analysis.best_tables import print_game

            screen = console()
            if number:
                screen.print()
            print_game(screen, answer)
        if answer.interrupted:
            break
    raise typer.Exit(max(map(_status, answers)))


def read_cards(text: str, where: str) -> tuple[Card, ...]:
    """Cards as letters, or as full names separated by commas; ``-`` is none. Raises :class:`NotationError`."""
    if text == "-":
        return ()
    try:
        names = "," in text or not text.isupper() and any(letter.isalpha() for letter in text)
        cards = tuple(map(card_from_name, text.split(","))) if names else cards_from_letters(text)
        if Card.UNSEEN in cards:
            raise NotationError("? is no card to choose or to leave out")
    except NotationError as error:
        raise NotationError(f"{where}: {error}") from None
    return cards


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.split("/")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise UsageError(f"--rivals {shown(text)}: write the maki icons of each other seat, like 5/3")
    return tuple(map(int, parts))


def _read_line(line: str | None, record: str | None) -> list[list[Pick]]:
    """The picks turn by turn, from ``--line`` or ``--record``."""
    if (line is None) == (record is None):
        raise UsageError("write the picks of the round as --line 'T/S WQ/D', or give --record FILE, one of the two")
    turns = [word.split("/") for word in line.split()] if line is not None else _recorded(str(record))
    picks = []
    for number, turn in enumerate(turns, start=1):
        try:
            picks.append([parse_pick(pick) for pick in turn])
        except NotationError as error:
            raise NotationError(f"turn {number} of the line: {error}") from None
    return picks


def _recorded(record: str) -> Sequence[Sequence[str]]:
    """The field ``line`` of a JSON file, as ``solve`` and ``best draft`` print it."""
    try:
        text = sys.stdin.read() if record == "-" else Path(record).read_text(encoding="utf-8")
        line: Any = json_module.loads(text)
    except OSError as error:
        raise UsageError(f"cannot read {record}: {error.strerror}") from None
    except ValueError:
        raise UsageError(f"{record} is not JSON in UTF-8: write an object with a field line") from None
    line = line.get("line") if isinstance(line, dict) else line
    right = isinstance(line, list) and all(
        isinstance(turn, list) and all(isinstance(pick, str) for pick in turn) for turn in line
    )
    if not right:
        raise UsageError(f'{record} has no line of picks: write "line": [["T", "S"], ["WQ", "D"]]')
    found: list[list[str]] = line
    return found


def _check_pudding_value(value: float) -> None:
    if not math.isfinite(value):
        raise UsageError(f"--pudding-value {value}: write a number of points, for example 1.5")


def _status(answer: Ceiling) -> int:
    """The exit status an answer ends the command with."""
    if answer.interrupted:
        return INTERRUPTED
    return DONE if answer.proven else LIMIT
