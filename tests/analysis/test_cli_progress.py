"""The progress line of long solves."""

from __future__ import annotations

import io
import sys

import pytest

from analysis.cli_progress import progress_line, progress_text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_where_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_line() as report:
        assert report is None


def test_quiet_until_the_first_report(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress_line() as report:
        assert report is not None and screen.getvalue() == ""
        report({"states": 1000, "seconds": 2.0})
    assert "1,000 states in 2 s, 500 a second" in screen.getvalue()


def test_the_words() -> None:
    where = {"states": 1_200_000, "seconds": 4.0, "cards_left": 6, "done": 250, "total": 1000}
    assert progress_text(where) == (
        "solving: 1,200,000 states in 4 s, 300,000 a second, 6 cards left, 25% of this level"
    )
    assert progress_text({"states": 0, "seconds": 0.0}) == "solving: 0 states in 0 s"
