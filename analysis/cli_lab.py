"""``sushigo lab``: JupyterLab on the notebooks."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

import analysis
from solvers.errors import UsageError

app = typer.Typer(help="Open JupyterLab on the notebooks.")

COPY = Path("sushigo-notebooks")
"""Where an installed package lays its notebooks, in the current folder, so that they can be changed."""


def mount(parent: typer.Typer) -> None:
    """Add the command to ``parent``."""
    parent.add_typer(app, name="lab")


@app.callback(invoke_without_command=True)
def lab(
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser window.")] = True,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the local server.")] = 8888,
) -> None:
    """Open JupyterLab on the notebooks: a checkout's own, or a copy of the installed ones."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise UsageError("sushigo lab needs the notebooks extra: pip install 'sushigo-analysis[notebooks]'")
    words = ["--notebook-dir", str(notebooks_folder()), "--port", str(port), *([] if browser else ["--no-browser"])]
    raise typer.Exit(subprocess.run([sys.executable, "-m", "jupyterlab", *words], check=False).returncode)


def notebooks_folder() -> Path:
    """The checkout's ``notebooks/``, or a copy of the packaged ones in the current folder (kept if it is there).

    Raises :class:`UsageError` when the installation has none.
    """
    package = Path(analysis.__file__).resolve().parent
    own = package.parent / "notebooks"
    if (own / "01_reading_positions.ipynb").is_file():
        return own
    packaged = package / "_notebooks"
    if not packaged.is_dir():
        raise UsageError("this installation has no notebooks: reinstall sushigo-analysis, or run from a checkout")
    if not COPY.is_dir():
        shutil.copytree(packaged, COPY)
    return COPY
