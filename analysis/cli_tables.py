"""A solved position as tables for people: what to pick, what each pick is worth, and what the answer rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table

from solvers.errors import UsageError
from solvers.game.cards import letters
from solvers.game.dummy import DummyPosition
from solvers.game.names import card_name
from solvers.game.picks import Pick
from solvers.game.rules import Rules

if TYPE_CHECKING:
    from solvers.endgame.dummy_answer import DrawAnswer
    from solvers.endgame.exact import ExactSolution
    from solvers.endgame.objective import Number
    from solvers.endgame.solution import Solution
    from solvers.endgame.verify import Verification

    Answer = Solution | ExactSolution

TIE = 1e-9
"""Picks whose losses differ by no more than this are shown as ties."""

_MEANINGS = {
    "margin": "own final total less the best other",
    "win": "share of the win",
    "points": "own final total",
}


@dataclass(frozen=True, slots=True)
class MatrixGame:
    """The simultaneous turn at a two-seat position: seat 0's utility for each pair of picks, and both mixes."""

    rows: tuple[Pick, ...]
    columns: tuple[Pick, ...]
    values: tuple[tuple[float, ...], ...]
    row_mix: tuple[float, ...]
    column_mix: tuple[float, ...]

    def as_dict(self) -> dict[str, Any]:
        """The JSON form: picks as letters, values row by row."""
        return {
            "rows": [letters(pick) for pick in self.rows],
            "columns": [letters(pick) for pick in self.columns],
            "values": [list(row) for row in self.values],
            "row_mix": list(self.row_mix),
            "column_mix": list(self.column_mix),
        }


def matrix_game(answer: Answer) -> MatrixGame:
    """The matrix game an equilibrium answer was read off; raises :class:`UsageError` for any other answer."""
    from solvers.endgame.full_matrix import full_matrix
    from solvers.endgame.zero_sum import ZeroSumSolver

    solver = getattr(answer, "solver", None)
    if not isinstance(solver, ZeroSumSolver):
        raise UsageError("--matrix shows the turn of a two-seat equilibrium: leave out --exact and --against")
    position = answer.position
    rows, columns = position.picks(0, answer.rules), position.picks(1, answer.rules)
    values = full_matrix(solver, position)
    mixes = answer.strategy(position)
    return MatrixGame(
        rows,
        columns,
        tuple(tuple(float(value) for value in row) for row in values),
        tuple(float(mixes[0][pick]) for pick in rows),
        tuple(float(mixes[1][pick]) for pick in columns),
    )


def print_answer(screen: Console, answer: Answer, language: str = "en") -> None:
    """The whole answer: heading, a table a seat, the likeliest line, and what it rests on."""
    screen.print(str(answer.position), style="bold", soft_wrap=True)
    screen.print(_question(answer))
    for seat in answer.seats:
        screen.print()
        screen.print(f"Seat {seat.seat}: {value_text(seat.value, answer.objective)}", style="bold")
        draws = getattr(seat, "draws", ())
        if draws:
            screen.print(_draws_table(draws, answer.objective, language))
        else:
            screen.print(_picks_table(seat.picks, answer.objective, language))
    screen.print()
    screen.print(line_text(answer))
    for note in _notes(answer):
        screen.print(note)


def print_matrix(screen: Console, game: MatrixGame, objective: str) -> None:
    """The matrix game: seat 0's picks down, seat 1's across, how often each is played on the margins."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("0 \\ 1")
    for pick in game.columns:
        table.add_column(letters(pick), justify="right")
    table.add_column("seat 0 plays", justify="right")
    for pick, row, chance in zip(game.rows, game.values, game.row_mix, strict=True):
        table.add_row(letters(pick), *(number_text(value, objective) for value in row), _plays(chance))
    table.add_section()
    table.add_row("seat 1 plays", *map(_plays, game.column_mix), "")
    screen.print("\nValue to seat 0 for each pair of picks, and how often each is played:")
    screen.print(table)


def print_check(screen: Console, check: Verification) -> None:
    """What ``--verify`` found, in one or two lines."""
    verdict = "holds" if check.ok else "DOES NOT HOLD"
    text = f"Verified by best responses: the answer {verdict}; "
    if check.exploitability is not None:
        text += f"exploitability {float(check.exploitability):.1e}, "
    screen.print(f"{text}value off by {float(check.value_error):.1e} ({check.positions} positions)")


def line_text(answer: Answer) -> str:
    """The likeliest picks turn by turn, and the totals they lead to; with a dummy, the draws as well."""
    draws = getattr(answer, "draws", ())
    turns: list[str] = []
    end = answer.position
    for number, turn in enumerate(answer.line, start=1):
        picks = "/".join(map(letters, turn))
        if isinstance(end, DummyPosition):
            card = draws[number - 1]
            picks += f" (drawn {card.letter})"
            end = end.reveal(card, answer.rules)
        turns.append(f"{number}. {picks}")
        end = end.play(turn, answer.rules)
    order = "seat 0 first, the dummy last" if isinstance(end, DummyPosition) else "seat 0 first"
    totals = "/".join(map(str, end.totals(answer.rules)))
    return f"Likeliest line, {order}:  {'  '.join(turns)}  (totals {totals})"


def value_text(value: Number, objective: str) -> str:
    """A seat's value with what it means."""
    return f"{number_text(value, objective)} ({objective}: {_MEANINGS[objective]})"


def number_text(number: Number, objective: str) -> str:
    """A utility: signed points for ``margin``, a percentage for ``win``, and the fraction itself if it is one."""
    if isinstance(number, Fraction) and number.denominator > 1:
        return f"{'+' if objective == 'margin' and number > 0 else ''}{number}"
    if objective == "win":
        return share_text(number)
    text = f"{float(number):+.3f}" if objective == "margin" else f"{float(number):.3f}"
    text = text.rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text


def loss_text(loss: Number, objective: str) -> str:
    """What a pick gives away, in points or in percentage points of the win."""
    return "-" if abs(float(loss)) <= TIE else number_text(loss, "points" if objective == "margin" else objective)


def share_text(share: Number) -> str:
    """A probability or a share of the win as a percentage, or as the fraction it is."""
    if isinstance(share, Fraction) and share.denominator > 1:
        return str(share)
    return f"{float(share):.1%}"


def _plays(chance: Number) -> str:
    """How often a pick is played; a dash for never."""
    return share_text(chance) if chance > TIE else "-"


def pick_text(pick: Pick, language: str) -> str:
    """A pick in words: ``wasabi + squid nigiri``."""
    return " + ".join(card_name(card, language) for card in pick)


def ranks(losses: Sequence[Number]) -> list[str]:
    """Places by loss, smallest first; equal ones share theirs, as in ``1=``."""
    first = [next(place for place, other in enumerate(losses) if abs(float(other - loss)) <= TIE) for loss in losses]
    return [f"{place + 1}=" if first.count(place) > 1 else str(place + 1) for place in first]


def _picks_table(picks: Sequence[Any], objective: str, language: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("#", justify="right")
    table.add_column("pick")
    table.add_column("cards")
    for name in ("plays", "value", "loss"):
        table.add_column(name, justify="right")
    for rank, row in zip(ranks([row.loss for row in picks]), picks, strict=True):
        table.add_row(
            rank,
            letters(row.pick),
            pick_text(row.pick, language),
            _plays(row.probability),
            number_text(row.value, objective),
            loss_text(row.loss, objective),
            style="bold" if row.probability > TIE else None,
        )
    return table


def _draws_table(draws: Sequence[DrawAnswer], objective: str, language: str) -> Table:
    """The controller's likeliest choice for each card it may draw."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("draws")
    table.add_column("chance", justify="right")
    table.add_column("takes")
    table.add_column("for the dummy")
    for name in ("plays", "value"):
        table.add_column(name, justify="right")
    for draw in draws:
        best = draw.best
        table.add_row(
            card_name(draw.card, language),
            share_text(draw.chance),
            pick_text(best.pick, language),
            card_name(best.dummy, language),
            share_text(best.probability),
            number_text(draw.value, objective),
        )
    return table


def _question(answer: Answer) -> str:
    label = "proven" if getattr(answer, "proven", True) else "estimated"
    return f"{answer.objective} against {answer.against}, {rules_text(answer.rules)}: {label}"


def rules_text(rules: Rules) -> str:
    """``official rules``, or the options that differ from them."""
    changed = [f"{name} = {str(value).lower()}" for name, value in rules.departures().items()]
    return f"rules with {', '.join(changed)}" if changed else "official rules"


def stage_notes(stats: Mapping[str, Any]) -> list[str]:
    """How well every stage game of a several-seat answer was solved, from its counters."""
    notes = []
    if "largest_regret" in stats:
        pure, mixed = stats["pure_stages"], stats["mixed_stages"] + stats["logit_stages"]
        notes.append(f"Stage games: {pure:,} with a pure equilibrium, {mixed:,} with a mixed one")
        notes[0] += f"; the most any seat gains by a deviation is {stats['largest_regret']:.1e}."
    if "largest_residual" in stats:
        notes.append(f"Largest difference between a chance and the logit response: {stats['largest_residual']:.1e}.")
    if stats.get("unresolved_stages"):
        notes.append(f"NOT PROVEN: {stats['unresolved_stages']:,} stage games resisted; see the largest figure above.")
    return notes


def _notes(answer: Answer) -> list[str]:
    notes = []
    if answer.pudding_value is not None:
        worth = number_text(answer.pudding_value, "points")
        notes.append(f"Assumed: a pudding is worth {worth} points at the end of round {answer.position.round}.")
    for name, value in getattr(answer, "assumptions", {}).items():
        notes.append(
            f"Assumed: {value}." if isinstance(value, str) else f"Assumed: {name.replace('_', ' ')} = {value}."
        )
    stats = dict(answer.stats)
    notes += stage_notes(stats)
    states, seconds = stats.get("states"), stats.get("seconds")
    if states is not None and seconds is not None:
        notes.append(f"{states:,} states, {seconds:.3f} s")
    return notes
