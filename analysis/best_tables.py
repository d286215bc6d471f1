"""Best-possible scores as tables for people: the value and how sure it is, the line turn by turn, the final tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

from analysis.cli_tables import pick_text, rules_text
from solvers.ceilings.answers import Ceiling, spelled_cards
from solvers.ceilings.game import GAME_GOALS
from solvers.ceilings.goals import GOALS
from solvers.game.cards import letters

if TYPE_CHECKING:
    from solvers.ceilings.against import Shortfall
    from solvers.ceilings.answers import DraftAnswer, GameAnswer, HandAnswer, Number, ReplyAnswer, TableCount


def print_hand(screen: Console, answer: HandAnswer, language: str) -> None:
    """The best table of a number of cards."""
    screen.print(f"Best hand: {_value(answer.value)} points", style="bold")
    if answer.cards:
        screen.print(f"{letters(answer.cards)}  ({pick_text(answer.cards, language)})")
    if answer.count is not None:
        screen.print(f"{_at_least(answer.count, answer.count_complete)} hands score as much")
    _print_proof(screen, answer)


def print_draft(screen: Console, answer: DraftAnswer) -> None:
    """The best draft: its value, who lays what when, and the tables it ends with."""
    whose = "all seats" if answer.goal == "table" else f"seat {answer.seat}"
    title = f"Best draft for {whose}: {_value(answer.value)}"
    screen.print(f"{title} ({answer.goal}: {GOALS[answer.goal]}), {rules_text(answer.rules)}", style="bold")
    if answer.line:
        screen.print()
        screen.print(_line_table(answer))
        screen.print()
    if answer.count is not None:
        _print_count(screen, answer.count, answer.seat)
    _print_pudding_value(screen, answer)
    screen.print("All hands open, every seat cooperating.")
    _print_proof(screen, answer)


def print_shortfall(screen: Console, found: Shortfall) -> None:
    """The ceiling beside a solution's likeliest line."""
    screen.print()
    screen.print(
        f"The likeliest line of {found.objective} against {found.against} reaches {found.line_value}: "
        f"{found.shortfall} short of {found.ceiling}"
    )
    screen.print("  ".join("/".join(turn) for turn in found.as_dict()["line"]))


def print_reply(screen: Console, answer: ReplyAnswer, language: str) -> None:
    """A round in hindsight: the best reply, and what each pick of the seat cost."""
    screen.print(
        f"Best reply of seat {answer.seat}: {_value(answer.value)} points, scored {answer.actual}, "
        f"{rules_text(answer.rules)}",
        style="bold",
    )
    if answer.line:
        screen.print()
        screen.print(_cost_table(answer, language))
        screen.print()
        screen.print(_line_table(answer))
        screen.print()
    if not answer.complete:
        screen.print("The time ran out before the cost of every pick was proven.")
    _print_pudding_value(screen, answer)
    screen.print("The others' picks as recorded; on the last turn they lay what is left.")
    _print_proof(screen, answer)


def print_game(screen: Console, answer: GameAnswer) -> None:
    """The best three rounds: every table and its points, puddings and totals."""
    screen.print(
        f"Best game of {answer.players}: {_value(answer.value)} ({answer.goal}: {GAME_GOALS[answer.goal]}), "
        f"{rules_text(answer.rules)}",
        style="bold",
    )
    if answer.rounds:
        screen.print()
        screen.print(_game_table(answer))
        screen.print()
    screen.print("Any deal, one deck without reshuffling, every player cooperating.")
    _print_proof(screen, answer)


def _plain_table() -> Table:
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)


def _line_table(answer: DraftAnswer) -> Table:
    """One row a turn and one column a seat, then the final tables and the points."""
    table = _plain_table()
    table.add_column("turn")
    for seat in range(len(answer.tables)):
        table.add_column(f"seat {seat}", style="bold" if seat == answer.seat and answer.goal != "table" else None)
    for turn, picks in enumerate(answer.line):
        table.add_row(str(turn + 1), *map(letters, picks))
    table.add_section()
    table.add_row("table", *map(spelled_cards, answer.tables))
    table.add_row("points", *map(str, answer.totals))
    return table


def _cost_table(answer: ReplyAnswer, language: str) -> Table:
    """The picks of the seat: what was still possible before and after each."""
    table = _plain_table()
    for name in ("turn", "pick", "cards"):
        table.add_column(name)
    for name in ("best before", "best after", "cost"):
        table.add_column(name, justify="right")
    table.add_column("better")
    for row in answer.picks:
        table.add_row(
            str(row.turn + 1),
            letters(row.pick),
            pick_text(row.pick, language),
            str(row.best),
            str(row.after),
            str(row.cost) if row.cost else "-",
            letters(row.better) if row.cost else "",
            style="bold" if row.cost else None,
        )
    return table


def _game_table(answer: GameAnswer) -> Table:
    table = _plain_table()
    table.add_column("round")
    for seat in range(answer.players):
        table.add_column(f"seat {seat}", style="bold" if seat == 0 else None)
    for number, (tables, points) in enumerate(zip(answer.rounds, answer.round_points, strict=True), start=1):
        cells = [f"{letters(cards)} {score:2}" for cards, score in zip(tables, points, strict=True)]
        table.add_row(str(number), *cells)
    table.add_section()
    table.add_row("puddings", *_right(answer.pudding_points, answer))
    table.add_row("total", *_right(answer.totals, answer))
    return table


def _right(numbers: Sequence[int], answer: GameAnswer) -> list[str]:
    """Numbers set under the points of the rounds."""
    width = len(answer.rounds[0][0]) + 3
    return [str(number).rjust(width) for number in numbers]


def _print_count(screen: Console, count: TableCount, seat: int) -> None:
    own, joint = _at_least(count.own, count.own_complete), _at_least(count.joint, count.joint_complete)
    screen.print(f"Optimal final tables: {own} of seat {seat}, {joint} of all seats together")


def _print_pudding_value(screen: Console, answer: DraftAnswer) -> None:
    if answer.pudding_value is not None:
        when = f"at the end of round {answer.position.round}"
        screen.print(f"Assumed: a pudding is worth {answer.pudding_value} points {when}.")


def _print_proof(screen: Console, answer: Ceiling) -> None:
    """Status, objective, bound and gap, and what the search took."""
    bound, gap = _value(answer.bound), _value(answer.gap)
    state = "optimal, proven" if answer.proven else f"{answer.status}, NOT proven"
    screen.print(f"Status {state}: objective {_value(answer.value)}, bound {bound}, gap {gap}")
    stats = answer.stats
    screen.print(
        f"CP-SAT, {stats['workers']} worker, seed {stats['seed']}: {stats['branches']:,} branches, "
        f"{stats['seconds']:.3f} s"
    )


def _value(number: Number | None) -> str:
    return "none yet" if number is None else str(number)


def _at_least(number: int, complete: bool) -> str:
    return str(number) if complete else f"at least {number}"
