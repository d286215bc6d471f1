"""A solution drawn: its matrix game as a heat map with both mixes on the margins, and its picks as bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from analysis.figures.style import FOR_AND_AGAINST, PALETTE, SEATS, house_style, new_figure
from analysis.study.tables import MINUS
from solvers import Position, Solution, UsageError
from solvers.endgame.full_matrix import full_matrix
from solvers.endgame.zero_sum import ZeroSumSolver
from solvers.game.cards import letters

MOST_NUMBERS = 25
"""Beyond this many rows or columns the squares get too small for a number."""


def game_matrix(solution: Solution, position: Position | None = None) -> np.ndarray:
    """Seat 0's utility after each pair of picks, rows and columns in card order of the picks.

    ``position`` is one reachable from the solved one, by default that one itself. Raises :class:`UsageError` where the
    solution is not a two-seat equilibrium, or was loaded without its solver.
    """
    if not isinstance(solution.solver, ZeroSumSolver):
        raise UsageError("only the solution of a two-seat equilibrium is a matrix game: solve it against equilibrium")
    return full_matrix(solution.solver, position or solution.position)


def matrix_figure(solution: Solution, position: Position | None = None) -> Figure:
    """The turn's matrix game: seat 0's value of each pair of picks, and how often each seat takes each pick."""
    matrix = game_matrix(solution, position)
    row_mix, column_mix = (list(mix.items()) for mix in solution.strategy(position or solution.position))
    rows, columns = [letters(pick) for pick, _ in row_mix], [letters(pick) for pick, _ in column_mix]
    with house_style():
        figure = new_figure(2.6 + 0.55 * max(len(columns), 3), 2.3 + 0.42 * max(len(rows), 3))
        grid = figure.add_gridspec(2, 2, width_ratios=(len(columns), 1.6), height_ratios=(1.4, len(rows)))
        heat = figure.add_subplot(grid[1, 0])
        _heat_map(heat, matrix, rows, columns, solution.objective)
        _margin(figure.add_subplot(grid[0, 0], sharex=heat), [chance for _, chance in column_mix], SEATS[1])
        _margin(figure.add_subplot(grid[1, 1], sharey=heat), [chance for _, chance in row_mix], SEATS[0], across=True)
        figure.suptitle(
            f"{solution.objective} of seat 0 after both picks", x=0.02, ha="left", fontsize=11, weight="bold"
        )
    return figure


def picks_figure(solution: Solution, seat: int = 0) -> Figure:
    """A seat's picks as bars: how often each is taken, and what it loses against the seat's value."""
    answer = solution.seat(seat)
    names = [letters(row.pick) for row in answer.picks]
    with house_style():
        figure = new_figure(6.4, 1.1 + 0.28 * len(names))
        chances, losses = figure.subplots(1, 2, sharey=True)
        places = np.arange(len(names))
        _labelled_bars(chances, places, [row.probability for row in answer.picks], SEATS[seat % 2], "{:.0%}")
        chances.xaxis.set_major_formatter(PercentFormatter(1.0))
        chances.set_xticks([0, 0.25, 0.5, 0.75, 1])
        _labelled_bars(losses, places, [row.loss for row in answer.picks], PALETTE[4], "{:.2f}")
        chances.set_yticks(places, names)
        chances.set_ylim(len(names) - 0.4, -0.6)
        chances.set_xlim(0, 1.18)
        chances.set_title(f"Seat {seat}: how often")
        losses.set_title(f"loss against {answer.value:+.2f}".replace("-", MINUS))
        losses.set_xlim(0, max(1.0, 1.2 * max(row.loss for row in answer.picks)))
    return figure


def _heat_map(axes: Axes, matrix: np.ndarray, rows: Sequence[str], columns: Sequence[str], objective: str) -> None:
    middle = 0.5 if objective == "win" else 0.0
    reach = max(float(np.abs(matrix - middle).max()), 1e-6)
    norm = TwoSlopeNorm(middle, middle - reach, middle + reach)
    axes.imshow(matrix, cmap=FOR_AND_AGAINST, norm=norm, aspect="auto")
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xlabel("seat 1 picks", color=SEATS[1])
    axes.set_ylabel("seat 0 picks", color=SEATS[0])
    if max(matrix.shape) > MOST_NUMBERS:
        return
    for (row, column), value in np.ndenumerate(matrix):
        dark = value - middle > 0.7 * reach  # black reads better on every shade of orange
        text = f"{value:+.1f}" if objective != "win" else f"{value:.2f}"
        shown = text.replace("-", MINUS)
        axes.text(column, row, shown, ha="center", va="center", fontsize=8.5, color="white" if dark else "black")


def _margin(axes: Axes, chances: Sequence[float], colour: str, across: bool = False) -> None:
    """A seat's mix beside the heat map; a pick that is never taken has no bar and no number."""
    places = np.arange(len(chances))
    draw = axes.barh if across else axes.bar
    draw(places, chances, 0.7, color=colour)
    axes.set_axis_off()
    (axes.set_xlim if across else axes.set_ylim)(0, 1.6)
    for place, chance in zip(places, chances, strict=True):
        if chance > 0.0005:
            at = (chance + 0.08, float(place)) if across else (float(place), chance + 0.08)
            sides = ("left", "center") if across else ("center", "bottom")
            axes.text(*at, f"{chance:.0%}", fontsize=8, ha=sides[0], va=sides[1])


def _labelled_bars(axes: Axes, places: np.ndarray, values: Sequence[float], colour: str, form: str) -> None:
    axes.barh(places, values, 0.7, color=colour)
    axes.grid(False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.tick_params(left=False)
    for place, value in zip(places, values, strict=True):
        axes.annotate(
            form.format(value + 0.0), (value, place), (3, 0), textcoords="offset points", va="center", fontsize=8
        )
