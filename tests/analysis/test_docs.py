"""Every block of the documents in ``analysis/docs`` runs, and shown output is the output given."""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tests.analysis.cli_runner import steady, sushigo

FOLDER = Path(__file__).resolve().parents[2] / "analysis" / "docs"
DOCUMENTS = sorted(FOLDER.glob("*.md"))
each = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)


def blocks(path, language):
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_there_are_documents():
    assert DOCUMENTS


@each
def test_python_blocks_run_one_after_the_other(path):
    space = {}
    for block in blocks(path, "python"):
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(block, path.name, "exec"), space)
        shown = re.findall(r"^# (.*)$", block, re.MULTILINE)
        if shown:
            assert [line for line in printed.getvalue().splitlines() if line] == shown


@each
def test_commands_run_and_print_what_is_shown(path, monkeypatch, tmp_path):
    monkeypatch.setenv("SUSHIGO_STORE", str(tmp_path / "store.sqlite"))
    for block in blocks(path, "console"):
        start, *parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
        assert not start and parts, "a console block starts with a command"
        for part in parts:
            command, _, shown = part.partition("\n")
            program, *words = shlex.split(command)
            assert program == "sushigo"
            run = sushigo(*words)
            assert run.status == 0, run.err
            assert not shown.strip() or steady(run.out) == steady(shown)


@each
def test_other_blocks_are_not_used(path):
    languages = set(re.findall(r"^```(\w+)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert languages <= {"python", "console", "text"}


@each
def test_files_named_in_a_document_exist(path):
    root = FOLDER.parents[1]
    for name in re.findall(r"`((?:data|solvers|analysis|notebooks|tests)/[\w./-]+)`", path.read_text(encoding="utf-8")):
        assert (root / name).exists(), name
