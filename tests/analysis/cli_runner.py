"""Running the command line inside the test process, and comparing its output with golden files."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from analysis.cli import main
from analysis.cli_common import COMPILING

GOLDEN = Path(__file__).parents[1] / "data" / "golden"


@dataclass(frozen=True)
class Run:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON value."""
        return json.loads(self.out)

    @property
    def rows(self) -> list[Any]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


def sushigo(*words: str, stdin: str = "") -> Run:
    """Run ``sushigo`` with these words, on a screen of 80 columns without colour."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("COLUMNS", "80")
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        status = main(words)
    said = err.getvalue().replace(f"{COMPILING}\n", "")  # where the kernels are not yet in numba's cache
    return Run(status, out.getvalue(), said)


def steady(text: str) -> str:
    """The text with what tells of the search rather than of the answer masked, and without spaces that pad lines.

    Running times, counters and rounding errors differ between machines and with every better search.
    """
    text = re.sub(r'"stats": {[^{}]*}', '"stats": {}', text)
    text = re.sub(r"[0-9,]+ states, [0-9]+\.[0-9]+ s\b", "0 states, 0.000 s", text)
    text = re.sub(r"\b[0-9]\.[0-9]e-1[0-9]\b", "0.0e+00", text)
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def compare_with_golden(name: str, text: str) -> None:
    """Hold the text against ``tests/data/golden/NAME``; with ``SUSHIGO_GOLDEN=write`` in the environment, write it."""
    path = GOLDEN / name
    if os.environ.get("SUSHIGO_GOLDEN") == "write":
        path.write_text(steady(text), encoding="utf-8")
    assert steady(text) == path.read_text(encoding="utf-8")
