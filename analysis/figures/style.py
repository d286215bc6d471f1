"""The house style of every chart: one set of matplotlib settings, a palette for colour-blind readers, and saving."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from solvers.errors import SushiGoError, UsageError

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, the darker ones first; series also differ by marker."""
MARKERS = "osD^vP*"
SEATS = (PALETTE[0], PALETTE[1])
FOR_AND_AGAINST = LinearSegmentedColormap.from_list("seats", [SEATS[1], "#ffffff", SEATS[0]])
"""The colour map of values: the stronger a seat's colour, the better for it; white is level."""
FORMATS = ("svg", "png")

STYLE: Mapping[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(color=PALETTE),
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "svg.hashsalt": "sushigo",
    "svg.fonttype": "path",
}


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the house style inside this block, leaving matplotlib's settings as they were after it."""
    settings: Any = STYLE
    with mpl.rc_context(settings):
        yield


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of ``width`` by ``height`` inches that no global state knows of, so nothing has to be closed."""
    return Figure(figsize=(width, height), layout="constrained")


def save_figure(figure: Figure, path: Path) -> Path:
    """Write a figure as SVG or PNG, by the ending of ``path``; the same figure gives the same bytes.

    Raises :class:`UsageError` for another ending and :class:`SushiGoError` when the file cannot be written.
    """
    ending = path.suffix.lower().lstrip(".")
    if ending not in FORMATS:
        raise UsageError(
            f"cannot save a figure as {path.name}: the name ends in {' or '.join('.' + f for f in FORMATS)}"
        )
    metadata = {"Date": None} if ending == "svg" else {"Software": None}
    try:
        with house_style():
            figure.savefig(path, metadata=metadata)
    except OSError as error:
        raise SushiGoError(f"cannot write {path}: {error.strerror}") from None
    return path
