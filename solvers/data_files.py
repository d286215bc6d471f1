"""Where the shipped data lives: ``data/`` in a checkout, ``solvers/_data`` in an installed wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from solvers.errors import SushiGoError


@cache
def data_folder() -> Path:
    """The folder that holds rules presets, puzzles, card names and tables.

    Raises :class:`SushiGoError` when the installation is broken and has none.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "_data", package.parent / "data"):
        if folder.is_dir():
            return folder
    raise SushiGoError(f"no data folder beside {package}; reinstall sushigo-analysis")
