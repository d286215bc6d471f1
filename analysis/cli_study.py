"""``sushigo study list|run|show``: the studies, and their tables."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.cli_common import JsonOption, console, print_json
from solvers.errors import SushiGoError, UsageError

if TYPE_CHECKING:
    from analysis.study.run import Progress
    from analysis.study.tables import Table

app = typer.Typer(help="Studies: many exactly solved deals, summed up with standard errors.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="One of the studies that `study list` names.")]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="Write the tables as CSV here.")]
FormatOption = Annotated[
    str | None, typer.Option("--format", metavar="FORM", help="Print as markdown, html, latex or csv.")
]


def mount(parent: typer.Typer) -> None:
    """Add the command to ``parent``."""
    parent.add_typer(app, name="study")


@app.command("list")
def list_studies(json: JsonOption = False) -> None:
    """List the studies, with their questions, parameters and tables."""
    from analysis.studies import get_study, study_names

    studies = [get_study(name) for name in study_names()]
    rows = [
        {
            "study": study.name,
            "question": study.question,
            "parameters": dict(study.parameters),
            "tables": list(study.tables),
        }
        for study in studies
    ]
    if json:
        print_json(rows)
        return
    from rich.table import Table as Grid

    grid = Grid("study", "question", "tables", title="Studies")
    for study in studies:
        grid.add_row(study.name, study.question, ", ".join(study.tables))
    console().print(grid)


@app.command("run")
def run(
    name: NameArgument,
    quick: Annotated[bool, typer.Option("--quick", help="A small run of some seconds, to see that it works.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="The seed all random numbers come from.")] = 1,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a parameter; may be repeated.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes to use; -1 is one a core.")] = -1,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Run on the Dask cluster of this scheduler instead.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where finished chunks are kept, so that a run can go on.")
    ] = None,
    out: OutOption = None,
    json: JsonOption = False,
) -> None:
    """Run a study, or go on with one that was interrupted, and write its tables.

    A full run from a checkout writes to data/tables; any other only prints, unless --out names a folder.
    """
    from analysis.studies import get_study
    from analysis.study.run import run_study
    from analysis.study.store import Store, default_store

    study = get_study(name)
    changes = _changes(settings or [])
    if workers == 0 or workers < -1:
        raise UsageError(f"--workers {workers}: write a number of processes, or -1 for one a core")
    with Store(store or default_store()) as opened, _progress(study.name) as progress:
        result = run_study(study, opened, changes, seed, quick, workers, dask, progress)
    folder = out or (None if quick else _checkout_tables())
    paths = [_write(table, folder) for table in result.tables] if folder else []
    if json:
        print_json({"study": study.name, "tables": [_as_dict(table) for table in result.tables]})
        return
    for table in result.tables:
        _print(table, None)
    for path in paths:
        print(f"wrote {path}")


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A study, or one of its tables.")],
    form: FormatOption = None,
    folder: Annotated[Path | None, typer.Option("--from", metavar="FOLDER", help="Read tables from here.")] = None,
    json: JsonOption = False,
) -> None:
    """Show the shipped tables of a study."""
    from analysis.studies import HOMES, get_study
    from analysis.study.tables import read_table

    names = get_study(name).tables if name in HOMES else (name,)
    tables = [read_table(table, folder) for table in names]
    if json:
        print_json([_as_dict(table) for table in tables])
        return
    for table in tables:
        _print(table, form)


def _changes(settings: Sequence[str]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals or not value:
            raise UsageError(f"--set {text}: write name=value, for example deals=200")
        changes[name] = value
    return changes


def _checkout_tables() -> Path | None:
    """``data/tables`` of a checkout; ``None`` for an installed package, whose files are not ours to change."""
    from analysis.study.tables import tables_folder

    folder = tables_folder()
    return folder if (folder.parent.parent / "pyproject.toml").is_file() else None


def _write(table: Table, folder: Path) -> Path:
    try:
        return table.write(folder)
    except OSError as error:
        raise SushiGoError(f"cannot write to {folder}: {error.strerror}; name another folder with --out") from None


def _as_dict(table: Table) -> dict[str, Any]:
    return {
        "table": table.name,
        "title": table.title,
        "note": table.note,
        "made": dict(table.header),
        "rows": table.dicts(),
    }


def _print(table: Table, form: str | None) -> None:
    """A table as text for a terminal, or in an export format."""
    if form == "csv":
        print(table.to_csv(), end="")
    elif form is not None:
        print(table.export(form), end="\n\n")
    else:
        print(f"{table.title}\n\n{table.export('text')}\n\n{textwrap.fill(table.note, 79)}")
        print("\n".join(f"  {key}: {value}" for key, value in table.header.items()), end="\n\n")


@contextmanager
def _progress(name: str) -> Iterator[Progress]:
    """Progress on standard error with the time left: a bar on a terminal, a line now and then elsewhere."""
    if not sys.stderr.isatty():
        yield _Lines(name)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), TextColumn("chunks, left:"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


class _Lines:
    """Progress as plain lines, at most one every ``every`` seconds, the last one always."""

    def __init__(self, name: str, every: float = 10.0) -> None:
        self.name, self.every = name, every
        self.started = self.told = time.monotonic()
        self.stored: int | None = None

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self.stored is None:
            self.stored = done
            if done:
                print(f"{self.name}: {done} of {total} chunks were finished before", file=sys.stderr)
        elif done == total or now - self.told >= self.every:
            self.told = now
            left = (now - self.started) / (done - self.stored) * (total - done)
            print(f"{self.name}: {done} of {total} chunks, about {left:.0f} s left", file=sys.stderr, flush=True)
