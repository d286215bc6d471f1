"""Result tables: kept as CSV with a header that says how they were made, shown as Markdown, HTML or LaTeX."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solvers.data_files import data_folder
from solvers.errors import UsageError

Cell = str | int | float | None
FORMATS = {"text": "simple", "markdown": "github", "html": "html", "latex": "latex_booktabs"}
"""Export formats by name, as the ``tabulate`` library calls them."""
MINUS = "\u2212"
DECIMALS = 6
"""Decimals kept in a stored table."""


@dataclass(frozen=True, slots=True)
class Table:
    """A named table of figures.

    ``rows`` run parallel to ``columns``; a figure that cannot be given (the error of a single sample) is ``None``.
    ``header`` says how the table was made: command, seed, version, samples, seconds. ``note`` says what the figures
    mean and do not mean.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    header: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, title: str, rows: Iterable[Mapping[str, Any]], note: str = "") -> Table:
        """A table from rows by column name; the first row names the columns. Figures are rounded as in the file."""
        listed = list(rows)
        columns = tuple(listed[0]) if listed else ()
        cells = tuple(tuple(_tidy(row[column]) for column in columns) for row in listed)
        return cls(name, title, columns, cells, note)

    def dicts(self) -> list[dict[str, Any]]:
        """The rows by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def where(self, **values: Cell) -> list[dict[str, Any]]:
        """The rows whose named columns have these values."""
        return [row for row in self.dicts() if all(row[name] == value for name, value in values.items())]

    def one(self, **values: Cell) -> dict[str, Any]:
        """The only row with these values; raises ``LookupError`` when there is none or more than one."""
        found = self.where(**values)
        if len(found) != 1:
            raise LookupError(f"table {self.name} has {len(found)} rows with {values}")
        return found[0]

    def pick(self, *columns: str, rows: Sequence[Mapping[str, Any]] | None = None) -> Table:
        """The same table with these columns alone, and these rows if given."""
        chosen = self.dicts() if rows is None else rows
        cells = tuple(tuple(row[column] for column in columns) for row in chosen)
        return Table(self.name, self.title, columns, cells, self.note, self.header)

    def export(self, form: str = "markdown", decimals: int = 2) -> str:
        """The table as ``text``, ``markdown``, ``html`` or ``latex``; raises :class:`UsageError` for another format."""
        if form not in FORMATS:
            raise UsageError(f"unknown table format {form!r}: it is {', '.join(FORMATS)}")
        from tabulate import tabulate

        cells = [
            [show_cell(cell, decimals, minus="-" if form == "latex" else MINUS) for cell in row] for row in self.rows
        ]
        numeric = [all(not isinstance(row[i], str) for row in self.rows) for i in range(len(self.columns))]
        align = ["right" if number else "left" for number in numeric]
        heads = [column.replace("_", " ") for column in self.columns]
        text = tabulate(cells, heads, tablefmt=FORMATS[form], disable_numparse=True, colalign=align if cells else None)
        return str(text)

    def to_csv(self) -> str:
        """The stored form: ``# key: value`` lines, then plain CSV."""
        out = io.StringIO()
        out.write(f"# title: {self.title}\n")
        for key, value in {**self.header, **({"note": self.note} if self.note else {})}.items():
            out.write(f"# {key}: {value}\n")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in self.rows)
        return out.getvalue()

    def write(self, folder: Path) -> Path:
        """Write ``NAME.csv`` in ``folder`` (made when it is not there) and return its path."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.csv"
        path.write_text(self.to_csv(), encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        caption = " · ".join(f"{key}: {self.header[key]}" for key in ("command", "samples") if key in self.header)
        return f"<p><b>{self.title}</b></p>{self.export('html')}<p><small>{caption}</small></p>"

    def _repr_markdown_(self) -> str:
        return f"**{self.title}**\n\n{self.export('markdown')}"


def read_table(name: str, folder: Path | None = None) -> Table:
    """A stored table, from the shipped ones unless a folder is named; raises :class:`UsageError` when there is none."""
    folder = folder or tables_folder()
    path = folder / f"{name}.csv"
    if not path.is_file():
        known = ", ".join(sorted(found.stem for found in folder.glob("*.csv"))) or "none"
        raise UsageError(f"no table {name!r} in {folder}: the tables are {known}")
    return parse_table(name, path.read_text(encoding="utf-8"))


def parse_table(name: str, text: str) -> Table:
    """The table a CSV text holds (the inverse of :meth:`Table.to_csv`)."""
    lines = text.splitlines()
    heads = [line[2:].partition(": ") for line in lines if line.startswith("# ")]
    header: dict[str, Any] = {key: _cell(value) for key, _, value in heads}
    rows = list(csv.reader(line for line in lines if not line.startswith("# ")))
    columns = tuple(rows[0]) if rows else ()
    cells = tuple(tuple(_cell(text) for text in row) for row in rows[1:])
    return Table(name, str(header.pop("title", name)), columns, cells, str(header.pop("note", "")), header)


def tables_folder() -> Path:
    """Where the shipped tables are."""
    return data_folder() / "tables"


def show_cell(cell: Cell, decimals: int, minus: str = MINUS) -> str:
    """A cell for a reader: figures to ``decimals``, nothing for a figure that cannot be given."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    text = f"{cell:.{decimals}f}" if isinstance(cell, float) else str(cell)
    if not text.strip("-0."):  # no minus before a zero
        text = text.lstrip("-")
    return text.replace("-", minus)


def _tidy(value: Any) -> Cell:
    if value is None or isinstance(value, str):
        return value
    number = value.item() if hasattr(value, "item") else value
    if isinstance(number, float):
        return None if math.isnan(number) else round(number, DECIMALS) + 0.0
    return int(number)


def _cell(text: str) -> Cell:
    if text == "":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
