"""``sushigo solve``: positions answered one after the other, as tables or JSON lines."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli import DONE, LIMIT, WRONG_INPUT
from analysis.cli_common import (
    Item,
    JsonOption,
    LanguageOption,
    MaxStatesOption,
    MemoryOption,
    RulesOption,
    SingleRulesOption,
    TimeoutOption,
    announce_compiling,
    check_language,
    console,
    print_json,
    read_items,
    read_limits,
    read_rules,
    report_error,
)
from solvers.endgame.limits import Limits
from solvers.endgame.objective import DEFAULT_PUDDING_VALUE
from solvers.errors import LimitReached, SushiGoError, UsageError
from solvers.game.position import Position
from solvers.game.rules import Rules

if TYPE_CHECKING:
    from analysis.cli_tables import Answer, MatrixGame
    from solvers.endgame.exact import ExactSolution
    from solvers.endgame.solution import Solution
    from solvers.endgame.verify import Verification


@dataclass(frozen=True, slots=True)
class Question:
    """The options of one ``solve`` command, read once for all its positions."""

    objective: str
    against: str
    rules: Rules
    seat: int
    pudding_value: float
    engine: str
    limits: Limits
    verify: bool
    exact: bool
    matrix: bool


def mount(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("solve")(solve)


def solve(
    positions: Annotated[
        list[str] | None, typer.Argument(metavar="POSITION...", help="Positions in quotes; - reads standard input.")
    ] = None,
    file: Annotated[Path | None, typer.Option(metavar="F", help="A file of positions, one a line; # comments.")] = None,
    objective: Annotated[str, typer.Option(metavar="NAME", help="margin, win or points.")] = "margin",
    against: Annotated[
        str,
        typer.Option(metavar="NAME", help="How the others play: equilibrium, paranoid, uniform, greedy, quantal:L."),
    ] = "equilibrium",
    seat: Annotated[int, typer.Option(metavar="S", help="Whose view, where the answer is one seat's.")] = 0,
    pudding_value: Annotated[
        float, typer.Option(metavar="V", help="Points a pudding is worth at the end of round 1 or 2.")
    ] = DEFAULT_PUDDING_VALUE,
    rules: RulesOption = "official",
    option: SingleRulesOption = None,
    engine: Annotated[str, typer.Option(metavar="NAME", help="fast, or plain (the reference search).")] = "fast",
    exact: Annotated[bool, typer.Option("--exact", help="Solve in fractions, by slow plain code.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check the answer by best responses, by slow plain code.")
    ] = False,
    matrix: Annotated[bool, typer.Option("--matrix", help="Show the matrix game of this turn.")] = False,
    max_states: MaxStatesOption = None,
    timeout: TimeoutOption = None,
    memory: MemoryOption = None,
    lang: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Solve positions: the value, every pick's probability, value and loss, and the likeliest line of play."""
    check_language(lang)
    if not math.isfinite(pudding_value):
        raise UsageError(f"--pudding-value {pudding_value}: write a number of points, for example 1.5")
    question = Question(
        objective=objective,
        against=against,
        rules=read_rules(rules, option),
        seat=seat,
        pudding_value=pudding_value,
        engine=engine,
        limits=read_limits(max_states, timeout, memory),
        verify=verify,
        exact=exact,
        matrix=matrix,
    )
    show = _print_json if json else _printer_of_tables(lang)
    status = DONE
    for item in read_items(positions or (), file):
        try:
            show(_solved(question, item))
        except (SushiGoError, LimitReached) as error:
            if not item.place:
                raise
            stats = error.stats if isinstance(error, LimitReached) else None
            report_error(error.kind, f"{item.place}: {error}", json, line=item.line, stats=stats)
            status = WRONG_INPUT if isinstance(error, SushiGoError) else status or LIMIT
    raise typer.Exit(status)


@dataclass(frozen=True, slots=True)
class Solved:
    """An answer with what was asked for beside it."""

    answer: Answer
    check: Verification | None = None
    matrix: MatrixGame | None = None


def _solved(question: Question, item: Item) -> Solved:
    position = Position.parse(item.text, question.rules)
    if not position.cards_left:
        raise UsageError("the hands are empty, so there is nothing to pick: sushigo score counts the points")
    answer = _exact(question, position) if question.exact else _fast(question, position)
    check = None
    if question.verify:
        from solvers.endgame.verify import verify

        check = verify(answer, question.limits)
    if not question.matrix:
        return Solved(answer, check)
    from analysis.cli_tables import matrix_game

    return Solved(answer, check, matrix_game(answer))


def _fast(question: Question, position: Position) -> Solution:
    announce_compiling()
    from solvers.endgame.solve import solve as solve_position

    return solve_position(
        position,
        objective=question.objective,
        against=question.against,
        rules=question.rules,
        seat=question.seat,
        pudding_value=question.pudding_value,
        engine=question.engine,
        limits=question.limits,
    )


def _exact(question: Question, position: Position) -> ExactSolution:
    from solvers.endgame.exact import solve_exact

    return solve_exact(
        position,
        objective=question.objective,
        rules=question.rules,
        pudding_value=question.pudding_value,
        limits=question.limits,
        against=question.against,
        seat=question.seat,
    )


def _print_json(solved: Solved) -> None:
    row = solved.answer.as_dict()
    if solved.check is not None:
        row["verification"] = solved.check.as_dict()
    if solved.matrix is not None:
        row["matrix"] = solved.matrix.as_dict()
    print_json(row)


def _printer_of_tables(language: str) -> Callable[[Solved], None]:
    """A function that prints answers as tables, with an empty line between two of them."""
    from analysis.cli_tables import print_answer, print_check, print_matrix

    screen = console()
    printed = 0

    def show(solved: Solved) -> None:
        nonlocal printed
        if printed:
            screen.print()
        printed += 1
        print_answer(screen, solved.answer, language)
        if solved.matrix is not None:
            print_matrix(screen, solved.matrix, solved.answer.objective)
        if solved.check is not None:
            print_check(screen, solved.check)

    return show
