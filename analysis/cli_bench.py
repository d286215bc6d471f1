"""``sushigo bench``: the measurements quoted in the documentation, taken again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from analysis.cli_common import JsonOption, console, print_json
from solvers.errors import UsageError

_WIDTH = 110
SECTIONS = ("deals", "engines", "matrices", "goofspiel", "drafts")


def mount(parent: typer.Typer) -> None:
    """Add the command to ``parent``."""
    parent.command("bench")(bench)


def bench(
    sections: Annotated[
        list[str] | None, typer.Argument(metavar="[SECTION]...", help=f"Any of {', '.join(SECTIONS)}; default: all.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A few rows of each section only.")] = False,
    json: JsonOption = False,
) -> None:
    """Measure the solvers on this machine, each beside what it is held against."""
    for name in sections or []:
        if name not in SECTIONS:
            raise UsageError(f"no bench section {name!r}: the sections are {', '.join(SECTIONS)}")
    results = {name: _measure(name, quick, json) for name in sections or SECTIONS}
    if json:
        print_json(results)


def _measure(section: str, quick: bool, quiet: bool) -> list[dict[str, Any]]:
    """Run one section and print its table."""
    rows = [asdict(row) for row in _rows(section, quick)]
    if not quiet and rows:
        _print_table(section, rows)
    return rows


def _rows(section: str, quick: bool) -> Any:
    from analysis import bench as measure

    few = 3 if quick else None
    if section == "deals":
        return measure.bench_deals(few)
    if section == "engines":
        return measure.bench_engines(few)
    if section == "matrices":
        return measure.bench_matrices(200 if quick else 2000)
    if section == "goofspiel":
        return measure.bench_goofspiel(5 if quick else 8)
    from analysis.bench_ceilings import summarise, time_deals

    return summarise(time_deals(deals=1 if quick else 20))


def _print_table(section: str, rows: list[dict[str, Any]]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(title=section, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in rows[0]:
        text = isinstance(rows[0][name], str)
        table.add_column(_heading(name), justify="left" if text else "right", no_wrap=text)
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    screen = console()
    screen.width = max(screen.width, _WIDTH)  # a position must stay on one line to be copied
    screen.print(table)
    caption = _caption(section, rows)
    if caption:
        screen.print(caption)


def _heading(name: str) -> str:
    """A column's name, its unit last."""
    name = name.replace("_", " ").replace("peak mib", "peak MiB").replace("microseconds", "us")
    return name.replace("wall seconds", "wall s").replace("seconds", "s")


def _caption(section: str, rows: list[dict[str, Any]]) -> str | None:
    """The sums that the documentation quotes."""
    if section == "deals":
        wrong = sum(abs(row["value"] - row["expected"]) > 1e-6 for row in rows)
        total, worst = sum(row["seconds"] for row in rows), max(row["seconds"] for row in rows)
        return f"{len(rows)} deals in {total:.1f} s, the slowest {worst:.1f} s; {wrong} differ from the proven value"
    if section == "engines":
        plain, fast = (sum(row[f"{name}_seconds"] for row in rows) for name in ("plain", "fast"))
        return f"plain {plain:.2f} s, fast {fast:.2f} s: ratio {plain / fast:.0f}"
    return None


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1 else f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
