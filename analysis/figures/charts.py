"""Charts of study tables: bars and lines with their error bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from analysis.figures.style import MARKERS, PALETTE, house_style, new_figure

Z95 = 1.96
"""Standard errors either way that an error bar shows: a 95 % interval."""


def bars(
    rows: Sequence[Mapping[str, Any]],
    label: str,
    series: Mapping[str, tuple[str, str]],
    title: str,
    axis: str,
) -> Figure:
    """Horizontal bars, one group a row, with 95 % error bars.

    ``label`` names the column of the groups; ``series`` maps each name in the legend to its columns of values and of
    standard errors. A missing figure leaves a gap.
    """
    with house_style():
        names = [str(row[label]) for row in rows]
        width = 6.8 + 0.07 * max(0, max(map(len, names)) - 20)
        figure = new_figure(width, 1.2 + 0.27 * len(rows) * max(1.0, 0.62 * len(series)))
        axes = figure.add_subplot()
        places, thick = np.arange(len(rows)), 0.8 / len(series)
        for number, (name, (value, error)) in enumerate(series.items()):
            at = places + (number - (len(series) - 1) / 2) * thick
            reach = Z95 * _column(rows, error)
            axes.barh(at, _column(rows, value), 0.9 * thick, color=PALETTE[number], label=name)
            axes.errorbar(_column(rows, value), at, xerr=reach, fmt="none", ecolor="#333333", elinewidth=1, capsize=2)
        axes.axvline(0, color="#333333", linewidth=0.8)
        axes.set_yticks(places, names)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.grid(False, axis="y")
        axes.set_xlabel(axis)
        axes.set_title(title)
        if len(series) > 1:
            axes.legend(loc="best", fontsize=9)
    return figure


def lines(
    rows: Sequence[Mapping[str, Any]],
    across: str,
    value: str,
    error: str,
    series: str,
    title: str,
    axes_names: tuple[str, str],
    downwards: bool = True,
) -> Figure:
    """One line for each value of the column ``series``, with 95 % error bars.

    ``across`` is the column along the bottom; ``downwards`` runs it from high to low, as cards left in the hand do.
    """
    with house_style():
        figure = new_figure(6.8, 3.8)
        axes = figure.add_subplot()
        names = list(dict.fromkeys(row[series] for row in rows))
        for number, name in enumerate(names):
            own = [row for row in rows if row[series] == name]
            shift = 0.06 * (number - (len(names) - 1) / 2)
            axes.errorbar(
                _column(own, across) + shift,
                _column(own, value),
                yerr=Z95 * _column(own, error),
                color=PALETTE[number % len(PALETTE)],
                marker=MARKERS[number % len(MARKERS)],
                markersize=5,
                linewidth=1.4,
                capsize=2,
                label=str(name),
            )
        axes.axhline(0, color="#333333", linewidth=0.8)
        axes.set_xticks(sorted({row[across] for row in rows}))
        if downwards:
            axes.invert_xaxis()
        axes.set_xlabel(axes_names[0])
        axes.set_ylabel(axes_names[1])
        axes.set_title(title)
        if len(names) > 1:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9)
    return figure


def _column(rows: Sequence[Mapping[str, Any]], name: str) -> np.ndarray:
    return np.array([np.nan if row[name] is None else row[name] for row in rows], dtype=float)
