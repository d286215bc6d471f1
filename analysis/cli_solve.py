"""``sushigo solve``: positions answered in their order, as tables or JSON lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli_common import (
    Item,
    JsonOption,
    LanguageOption,
    MaxStatesOption,
    MemoryOption,
    RulesOption,
    SingleRulesOption,
    TimeoutOption,
    check_language,
    console,
    print_json,
    read_items,
    read_limits,
    read_rules,
    report_error,
    report_stop,
    spaced,
)
from analysis.cli_question import (
    AgainstOption,
    EngineOption,
    ObjectiveOption,
    PuddingOption,
    Question,
    SeatOption,
    read_question,
)
from analysis.exit_status import DONE, LIMIT, WRONG_INPUT
from solvers.endgame.objective import DEFAULT_PUDDING_VALUE
from solvers.errors import LimitReached, SushiGoError, UsageError

if TYPE_CHECKING:
    from analysis.cli_tables import Answer, MatrixGame
    from solvers.endgame.verify import Verification


@dataclass(frozen=True, slots=True)
class Asked:
    """What one ``solve`` command asks of each of its positions."""

    question: Question
    verify: bool
    exact: bool
    matrix: bool

    def for_one_of(self, jobs: int) -> Asked:
        """The same for one of several processes: without progress, and with its share of the memory."""
        from analysis.cli_jobs import share_of_memory

        question = self.question
        limits = replace(question.limits, memory=share_of_memory(question.limits.memory, jobs))
        return replace(self, question=replace(question, limits=limits, progress=False))


def mount(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("solve")(solve)


def solve(
    positions: Annotated[
        list[str] | None, typer.Argument(metavar="POSITION...", help="Positions in quotes; - reads standard input.")
    ] = None,
    file: Annotated[Path | None, typer.Option(metavar="F", help="A file of positions, one a line; # comments.")] = None,
    objective: ObjectiveOption = "margin",
    against: AgainstOption = "equilibrium",
    seat: SeatOption = 0,
    pudding_value: PuddingOption = DEFAULT_PUDDING_VALUE,
    rules: RulesOption = "official",
    option: SingleRulesOption = None,
    engine: EngineOption = "fast",
    exact: Annotated[bool, typer.Option("--exact", help="Solve in fractions, by slow plain code.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check the answer by best responses, by slow plain code.")
    ] = False,
    matrix: Annotated[bool, typer.Option("--matrix", help="Show the matrix game of this turn.")] = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="Solve under every assumption about the others, side by side.")
    ] = False,
    max_states: MaxStatesOption = None,
    timeout: TimeoutOption = None,
    memory: MemoryOption = None,
    jobs: Annotated[
        int, typer.Option(metavar="N", help="Solve this many positions at the same time; -1: one for each core.")
    ] = 1,
    lang: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Solve positions: the value, every pick's probability, value and loss, and the likeliest line of play."""
    check_language(lang)
    limits = read_limits(max_states, timeout, memory)
    question = read_question(objective, against, read_rules(rules, option), seat, pudding_value, engine, limits)
    asked = Asked(question, verify, exact, matrix)
    answers = _compare_each(asked, lang, json) if compare else _answer_each(asked, lang, json)
    if jobs != 1:
        from analysis.cli_jobs import check_jobs

        answers = _answer_in_parallel(asked, lang, json, check_jobs(jobs, compare))
    status = DONE
    for item, answer in answers(read_items(positions or (), file)):
        try:
            status = answer() or status
        except (SushiGoError, LimitReached) as error:
            if not item.place:
                raise
            if isinstance(error, LimitReached):
                report_stop(error, json, item.place, item.line)
                status = status or LIMIT
            else:
                report_error(error.kind, f"{item.place}: {error}", json, line=item.line)
                status = WRONG_INPUT
    raise typer.Exit(status)


Answers = Callable[[Iterable[Item]], Iterator[tuple[Item, Callable[[], int]]]]
"""Turns positions into their answers, one by one: each shows itself when called, and returns an exit status."""


def _answer_each(asked: Asked, language: str, json: bool) -> Answers:
    """Solve a position when its answer is called for."""
    show = _print_json if json else _printer_of_tables(language)

    def answer(item: Item) -> int:
        show(_solved(asked, item))
        return DONE

    return lambda items: ((item, partial(answer, item)) for item in items)


def _answer_in_parallel(asked: Asked, language: str, json: bool, jobs: int) -> Answers:
    """Solve several positions at the same time; the answers still come in the order of the positions."""
    from analysis.cli_jobs import in_parallel

    show = _print_json if json else _printer_of_tables(language)

    def answer(outcome: Solved | Exception) -> int:
        if isinstance(outcome, Exception):
            raise outcome
        show(outcome)
        return DONE

    def answers(items: Iterable[Item]) -> Iterator[tuple[Item, Callable[[], int]]]:
        for item, outcome in in_parallel(partial(_solved_alone, asked.for_one_of(jobs)), items, jobs):
            yield item, partial(answer, outcome)

    return answers


def _solved_alone(asked: Asked, item: Item) -> Solved:
    """An answer that can be sent to another process: it cannot be asked about further positions."""
    from solvers.endgame.solution import Solution

    solved = _solved(asked, item)
    if isinstance(solved.answer, Solution):
        return replace(solved, answer=replace(solved.answer, solver=None))
    return solved


def _compare_each(asked: Asked, language: str, json: bool) -> Answers:
    """The same for ``--compare``; raises :class:`UsageError` for options that it has no use for."""
    if asked.exact or asked.verify or asked.matrix or asked.question.engine != "fast":
        raise UsageError("--compare goes with none of --exact, --verify, --matrix and --engine")
    from analysis.cli_compare import print_comparison_json, printer_of_comparisons, run_comparison

    show = print_comparison_json if json else printer_of_comparisons(language)

    def answer(item: Item) -> int:
        question = asked.question
        return LIMIT if run_comparison(question, question.position(item.text), show) else DONE

    return lambda items: ((item, partial(answer, item)) for item in items)


@dataclass(frozen=True, slots=True)
class Solved:
    """An answer with what was asked for beside it."""

    answer: Answer
    check: Verification | None = None
    matrix: MatrixGame | None = None


def _solved(asked: Asked, item: Item) -> Solved:
    question = asked.question
    position = question.position(item.text)
    answer: Answer = question.solve_exactly(position) if asked.exact else question.solve(position)
    check = None
    if asked.verify:
        from solvers.endgame.verify import verify

        check = verify(answer, question.limits)
    if not asked.matrix:
        return Solved(answer, check)
    from analysis.cli_tables import matrix_game

    return Solved(answer, check, matrix_game(answer))


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

    def show(solved: Solved) -> None:
        print_answer(screen, solved.answer, language)
        if solved.matrix is not None:
            print_matrix(screen, solved.matrix, solved.answer.objective)
        if solved.check is not None:
            print_check(screen, solved.check)

    return spaced(screen, show)
