"""``sushigo solve --compare``: a position under every assumption about the other seats, side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

from analysis.cli_common import announce_compiling, console, print_json, spaced
from analysis.cli_progress import progress_line
from analysis.cli_question import Question
from analysis.cli_tables import TIE, loss_text, number_text, pick_text, rules_text, share_text
from solvers.game.cards import letters
from solvers.game.position import Position

if TYPE_CHECKING:
    from analysis.compare import Comparison

_MOST_WITH_WORDS = 5
"""More beliefs leave no room for card names on a screen of 80 columns."""


def run_comparison(question: Question, position: Position, show: Callable[[Comparison], None]) -> bool:
    """Solve and show; whether a limit left a belief out. What is solved is shown on Ctrl-C, too."""
    announce_compiling()
    from analysis.compare import BELIEFS, compare_steps

    found = None
    try:
        with progress_line() as progress:
            steps = compare_steps(
                position,
                question.objective,
                question.seat,
                rules=question.rules,
                pudding_value=question.pudding_value,
                beliefs=tuple(dict.fromkeys((*BELIEFS, question.against))),
                limits=question.limits,
                progress=progress,
            )
            for step in steps:
                found = step
    finally:
        if found is not None:
            show(found)
    return found is not None and found.limited


def print_comparison_json(found: Comparison) -> None:
    """One line of JSON."""
    print_json(found.as_dict())


def printer_of_comparisons(language: str) -> Callable[[Comparison], None]:
    """A function that prints comparisons as tables, with an empty line between two of them."""
    screen = console()
    return spaced(screen, lambda found: print_comparison(screen, found, language))


def print_comparison(screen: Console, found: Comparison, language: str = "en") -> None:
    """The picks under each belief, and the costs of acting on a wrong one."""
    screen.print(str(found.position), style="bold", soft_wrap=True)
    proven = "proven" if all(belief.solution.proven for belief in found.beliefs) else "not all proven (see --json)"
    screen.print(f"{found.objective} of seat {found.seat} by belief, {rules_text(found.rules)}: {proven}")
    screen.print("\nWhat each pick is worth by how the others play (*: what to play then):")
    screen.print(_values_table(found, language))
    for line in _mixes(found):
        screen.print(line)
    screen.print("\nWhat it costs to act on the belief of the row when that of the column is true:")
    screen.print(_costs_table(found))
    worst = max(max(row) for acted_on, row in zip(found.beliefs, found.costs, strict=True) if acted_on is found.safest)
    most = "nothing" if worst <= TIE else f"at most {loss_text(worst, found.objective)}"
    screen.print(f"\nSafest: act on {found.safest.against}; it costs {most}, whichever of these is true.")
    for against, reason in found.left_out.items():
        screen.print(f"Left out: {against}: {reason}")


def _values_table(found: Comparison, language: str) -> Table:
    in_words = len(found.beliefs) <= _MOST_WITH_WORDS
    table = _table(found, "pick", *(["cards"] if in_words else []))
    for place, pick in enumerate(found.picks):
        cells = []
        for belief in found.beliefs:
            played = "*" if belief.plays[place] > TIE else " "
            cells.append(f"{number_text(belief.pick_values[place], found.objective)} {played}")
        table.add_row(letters(pick), *([pick_text(pick, language)] if in_words else []), *cells)
    return table


def _costs_table(found: Comparison) -> Table:
    table = _table(found, "")
    for acted_on, row in zip(found.beliefs, found.costs, strict=True):
        table.add_row(acted_on.against, *(loss_text(cost, found.objective) for cost in row))
    return table


def _table(found: Comparison, *first: str) -> Table:
    """A table with a column for each belief after the ``first`` ones."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in first:
        table.add_column(name, no_wrap=name != "cards")
    for belief in found.beliefs:
        table.add_column(belief.against, justify="right", no_wrap=True)
    return table


def _mixes(found: Comparison) -> list[str]:
    """A line for each belief whose play is a mix."""
    lines = []
    for belief in found.beliefs:
        played = [
            (letters(pick), chance) for pick, chance in zip(found.picks, belief.plays, strict=True) if chance > TIE
        ]
        if len(played) > 1:
            mix = ", ".join(f"{pick} {share_text(chance)}" for pick, chance in played)
            lines.append(f"To play for {belief.against}: {mix}")
    return lines
