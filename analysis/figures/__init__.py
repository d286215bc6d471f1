"""Figures for articles and notebooks: positions, solutions and study tables in one house style."""

from analysis.figures.charts import bars, lines
from analysis.figures.drawing import Drawing, draw
from analysis.figures.solutions import matrix_figure, picks_figure
from analysis.figures.style import house_style, save_figure

__all__ = ["Drawing", "bars", "draw", "house_style", "lines", "matrix_figure", "picks_figure", "save_figure"]
