"""``sushigo puzzle``: the shipped puzzles listed, shown without their answers, and solved afresh."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from analysis.cli_common import (
    JsonOption,
    LanguageOption,
    announce_compiling,
    check_language,
    console,
    print_json,
)
from analysis.puzzles import THEMES, Puzzle, check_puzzle, find_puzzle, list_puzzles, solve_puzzle
from solvers.endgame.solution import Solution
from solvers.errors import UsageError, shown
from solvers.game.cards import letters
from solvers.game.picks import Pick, parse_pick

HELP = "Puzzles: positions with one best pick, where the tempting one is wrong."

NameArgument = Annotated[str, typer.Argument(metavar="PUZZLE", help="A puzzle's number or name.")]


def mount(app: typer.Typer) -> None:
    """Add the commands to ``app`` as a group of their own."""
    group = typer.Typer(help=HELP)
    group.command("list")(list_them)
    group.command("show")(show)
    group.command("solve")(solve)
    app.add_typer(group, name="puzzle")


def list_them(
    theme: Annotated[str | None, typer.Option(metavar="THEME", help="Only puzzles of this theme.")] = None,
    json: JsonOption = False,
) -> None:
    """List the puzzles, easiest first."""
    if theme is not None and theme not in THEMES:
        raise UsageError(f"no theme {shown(theme)}: the themes are {', '.join(THEMES)}")
    puzzles = [puzzle for puzzle in list_puzzles() if theme is None or theme in puzzle.themes]
    if json:
        print_json([question_dict(puzzle) for puzzle in puzzles])
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("#", justify="right")
    table.add_column("puzzle", no_wrap=True)
    table.add_column("level", justify="right")
    table.add_column("themes")
    for puzzle in puzzles:
        table.add_row(str(puzzle.number), puzzle.name[4:], str(puzzle.difficulty), ", ".join(puzzle.themes))
    screen = console()
    screen.print(table)
    screen.print("\nsushigo puzzle show 1 draws a puzzle, sushigo puzzle solve 1 gives its answer.")


def show(name: NameArgument, lang: LanguageOption = "en", json: JsonOption = False) -> None:
    """Draw a puzzle's position and ask its question, without the answer."""
    puzzle = find_puzzle(name)
    check_language(lang)
    if json:
        print_json(question_dict(puzzle))
        return
    from analysis.show import draw_position

    screen = console()
    screen.print(_title(puzzle), style="bold")
    screen.print(str(puzzle.position), soft_wrap=True)
    screen.print()
    screen.print(draw_position(puzzle.position, puzzle.rules, lang, screen.width))
    screen.print()
    screen.print(puzzle.question)


def solve(
    name: NameArgument,
    pick: Annotated[str | None, typer.Option(metavar="PICK", help="Your pick, to be judged, like Q or WQ.")] = None,
    lang: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Solve a puzzle afresh, hold the answer against the stored one, and explain it."""
    puzzle = find_puzzle(name)
    check_language(lang)
    guess = None if pick is None else puzzle.position.find_pick(0, parse_pick(pick), puzzle.rules)
    announce_compiling()
    solution = solve_puzzle(puzzle)
    check_puzzle(puzzle, solution)
    if json:
        print_json({**puzzle.as_dict(), **_judged(solution, guess), "answer": solution.as_dict()})
        return
    from analysis.cli_tables import print_answer

    screen = console()
    screen.print(_title(puzzle), style="bold")
    screen.print(puzzle.question)
    screen.print()
    if guess is not None:
        screen.print(f"{_verdict(puzzle, solution, guess)}\n", style="bold")
    screen.print(puzzle.explanation)
    screen.print()
    print_answer(screen, solution, lang)


def question_dict(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle without its answer, for JSON."""
    hidden = ("solution", "value", "wrong", "loss", "explanation")
    return {name: value for name, value in puzzle.as_dict().items() if name not in hidden}


def _title(puzzle: Puzzle) -> str:
    return f"Puzzle {puzzle.number}: {puzzle.name[4:].replace('-', ' ')} (level {puzzle.difficulty} of 5)"


def _loss(solution: Solution, guess: Pick) -> float:
    return next(row.loss for row in solution.seat(0).picks if row.pick == guess)


def _judged(solution: Solution, guess: Pick | None) -> dict[str, Any]:
    return {} if guess is None else {"pick": letters(guess), "pick_loss": _loss(solution, guess)}


def _verdict(puzzle: Puzzle, solution: Solution, guess: Pick) -> str:
    from analysis.cli_tables import TIE, loss_text

    loss = _loss(solution, guess)
    if loss <= TIE:
        best = "one of the picks to mix" if len(puzzle.solution) > 1 else "the best pick"
        return f"{letters(guess)} is right: {best}."
    of = "of the win" if puzzle.objective == "win" else "points"
    return f"{letters(guess)} is not best: it loses {loss_text(loss, puzzle.objective)} {of}."
