"""Every notebook runs from a fresh kernel, and shows what is stored in it."""

from __future__ import annotations

import ast
import re
from copy import deepcopy
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
PUBLIC = {
    "solvers",
    "solvers.ceilings",
    "analysis.figures",
    "analysis.study",
    "IPython.display",
    "ipywidgets",
    "numpy",
    "itertools",
}
SECONDS = 120

each = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell):
    """What a cell shows, as text that must not change from run to run: pictures by kind only, times left out."""
    parts = []
    for output in cell.outputs:
        assert output.output_type != "error"
        if output.output_type == "stream":
            assert output.name == "stdout", output.text
            parts.append(output.text)
        elif "application/vnd.jupyter.widget-view+json" in output.data:
            parts.append("widget")
        else:
            parts += [
                kind if kind.startswith("image/png") else f"{kind}: {text}"
                for kind, text in sorted(output.data.items())
            ]
    return re.sub(r"'?seconds'?: [0-9.e-]+|0x[0-9a-f]+", "", "\n".join(parts))


def test_there_are_seven_numbered_from_one():
    assert [path.stem[:3] for path in PATHS] == [f"0{number}_" for number in range(1, 8)]


@each
def test_it_runs_from_a_fresh_kernel_and_shows_what_is_stored(path):
    notebook = read(path)
    stored = [shown(cell) for cell in code_cells(deepcopy(notebook))]
    assert any(stored), "no outputs stored"
    client = NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(FOLDER)}})
    client.execute()
    for cell, before in zip(code_cells(notebook), stored, strict=True):
        assert shown(cell) == before, cell.source


@each
def test_it_opens_with_its_question_and_ends_with_its_answer(path):
    cells = read(path).cells
    assert cells[0].source.startswith(f"# {path.stem[:2]} · ") and "**Question.**" in cells[0].source
    assert cells[-2].source == "## Answer"
    answer = cells[-1].outputs[0].data["text/markdown"]
    assert len(answer) > 150 and "nan" not in answer and "None" not in answer
    assert not re.search(r"\b\d+\.\d{3,}", answer), "too many decimals for a reader"


@each
def test_it_uses_public_names_only(path):
    source = "\n".join(cell.source for cell in code_cells(read(path)))
    plain = "\n".join(line for line in source.splitlines() if not line.startswith("%"))
    for node in ast.walk(ast.parse(plain)):
        if isinstance(node, ast.ImportFrom):
            assert node.module in PUBLIC
        elif isinstance(node, ast.Import):
            assert {name.name for name in node.names} <= PUBLIC


@each
def test_heavy_runs_are_one_marked_switch_turned_off(path):
    source = "\n".join(cell.source for cell in code_cells(read(path)))
    switches = re.findall(r"^RUN_STUDY = (\w+)  # True ", source, re.MULTILINE)
    assert switches == (["False"] if "study_tables(" in source else [])


def test_one_is_interactive():
    assert any("widgets.interact(" in cell.source for path in PATHS for cell in code_cells(read(path)))
