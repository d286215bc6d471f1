"""The README does what it says: every block of its tour is run, and the output shown is the output given."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.analysis.cli_runner import steady

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line it starts on."""

    language: str
    text: str
    line: int


def blocks() -> list[Block]:
    found = re.finditer(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [Block(match[1], match[2], README.count("\n", 0, match.start()) + 1) for match in found]


def of(language: str) -> list[Block]:
    return [block for block in blocks() if block.language == language]


def sessions(block: Block) -> list[tuple[str, str]]:
    """A console block as commands, each with the output shown below it."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not parts[0], "a console block starts with a command"
    pairs = []
    for part in parts[1:]:
        command, _, output = part.partition("\n")
        pairs.append((command, output))
    return pairs


def run(command: list[str] | str, folder: Path) -> str:
    """Standard output of a command run with this interpreter's scripts first on the path."""
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80", "NO_COLOR": "1"}
    shell = isinstance(command, str)
    done = subprocess.run(command, shell=shell, cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


CONSOLE = of("console")
PYTHON = of("python")


@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: f"line {block.line}")
def test_a_console_block_prints_what_it_shows(block: Block, tmp_path: Path) -> None:
    for command, shown in sessions(block):
        printed = steady(run(command, tmp_path))
        if shown.endswith("...\n"):  # the beginning is shown
            assert printed.startswith(steady(shown.removesuffix("...\n")))
        else:
            assert printed == steady(shown)


@pytest.mark.parametrize("block", PYTHON, ids=lambda block: f"line {block.line}")
def test_a_python_block_prints_what_its_comments_say(block: Block, tmp_path: Path) -> None:
    shown = re.findall(r"^print\(.*\)  # (.*)$", block.text, re.MULTILINE)
    assert shown
    assert run([sys.executable, "-c", block.text], tmp_path).splitlines() == shown


def test_only_blocks_that_are_run() -> None:
    assert {block.language for block in blocks()} == {"sh", "console", "python"}
    assert CONSOLE and PYTHON


def test_the_two_commands() -> None:
    """The first two shell blocks are the set-up and the tests, one command each; the check runs them from there."""
    setup, tests = of("sh")[:2]
    assert setup.text.count("\n") == tests.text.count("\n") == 1
    assert "pip install" in setup.text and "sushigo puzzle solve" in setup.text
    assert tests.text == ".venv/bin/python -m pytest\n"
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "readme_command 1" in script and "readme_command 2" in script


def test_every_command_is_in_the_reference() -> None:
    from analysis.cli_app import COMMANDS

    reference = README.partition("## Commands")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\| `sushigo (\w+)", reference, re.MULTILINE))
    assert named == set(COMMANDS)


def test_links_inside_the_project_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target
