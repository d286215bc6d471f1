"""A solution as HTML for notebooks: the position, the value in words, and every pick with a bar for its probability."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from solvers.game.cards import letters
from solvers.game.drawing import position_svg

if TYPE_CHECKING:
    from solvers.endgame.dummy_answer import DrawAnswer
    from solvers.endgame.solution import SeatAnswer, Solution

_BAR = 90
"""Width in pixels of the bar of a certain pick."""

SHOWN_CHANCE = 5e-4
"""A pick of the controller rarer than this would be printed as 0.0 % and is left out."""


def solution_html(solution: Solution) -> str:
    """The solution as a self-contained piece of HTML that takes the page's colours."""
    claim = "proven" if solution.proven else "not proven"
    notes = [f"against {solution.against}", claim]
    if solution.pudding_value is not None:
        notes.append(f"assuming a pudding is worth {solution.pudding_value:g} points")
    head = (
        f"<p><b>{escape(solution.objective)} {solution.value:+.4g}</b> for seat {solution.seats[0].seat}"
        f" ({escape(', '.join(notes))})</p>"
    )
    seats = "".join(_draws_table(answer) if answer.draws else _seat_table(answer) for answer in solution.seats)
    line = ", ".join("/".join(letters(pick) for pick in turn) for turn in solution.line)
    if solution.draws:
        line += f" (drawn: {', '.join(letters(solution.draws))}; the dummy's card last)"
    return f"<div>{position_svg(solution.position, 'inherit')}{head}{seats}<p>Likeliest line: {line}</p></div>"


def _seat_table(answer: SeatAnswer) -> str:
    rows = "".join(
        f"<tr><td style='text-align:left'><b>{letters(row.pick)}</b></td>"
        f"<td style='text-align:left'><span style='display:inline-block;height:0.8em;background:#0072B2;"
        f"width:{row.probability * _BAR:.0f}px'></span> {row.probability:.1%}</td>"
        f"<td>{row.value:+.4g}</td><td>{row.loss:.4g}</td></tr>"
        for row in answer.picks
    )
    heads = f"<tr><th>seat {answer.seat}</th><th style='text-align:left'>how often</th><th>value</th><th>loss</th></tr>"
    return f"<table style='display:inline-table;margin-right:2em;vertical-align:top'>{heads}{rows}</table>"


def _draws_table(answer: SeatAnswer) -> str:
    """The controller of the dummy variant: for each draw the picks it takes, with the card for the dummy."""
    rows = "".join(
        f"<tr><td style='text-align:left'><b>{draw.card.letter}</b></td><td>{draw.chance:.1%}</td>"
        f"<td style='text-align:left'>{_plan(draw)}</td><td>{draw.value:+.4g}</td></tr>"
        for draw in answer.draws
    )
    heads = (
        f"<tr><th>seat {answer.seat} draws</th><th>chance</th>"
        "<th style='text-align:left'>takes, and gives the dummy</th><th>value</th></tr>"
    )
    return f"<table style='display:inline-table;margin-right:2em;vertical-align:top'>{heads}{rows}</table>"


def _plan(draw: DrawAnswer) -> str:
    taken = [row for row in draw.picks if row.probability > SHOWN_CHANCE]
    return ", ".join(
        f"{letters(row.pick)} and {row.dummy.letter}" + (f" ({row.probability:.1%})" if len(taken) > 1 else "")
        for row in taken
    )
