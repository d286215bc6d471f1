"""``sushigo tree``: text, pictures and graph files."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import networkx as nx
import pytest

from tests.analysis.cli_runner import compare_with_golden, sushigo

MIXED = "T3QW/T3QP T3/CW p=1/0 s=20/22"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tree.txt", [MIXED]),
        ("tree-win.txt", [MIXED, "--objective", "win", "--least", "0.2"]),
        ("tree-pure.txt", ["TP/SW W/D p=0/1 s=21/20"]),
    ],
)
def test_golden_text(name: str, words: list[str]) -> None:
    run = sushigo("tree", *words)
    assert (run.status, run.err) == (0, "")
    compare_with_golden(name, run.out)


def test_a_four_card_endgame_fits_a_screen() -> None:
    lines = sushigo("tree", MIXED).out.splitlines()
    assert len(lines) <= 24 and max(map(len, lines)) <= 80


def test_files(tmp_path: Path) -> None:
    names = {kind: tmp_path / f"tree.{kind}" for kind in ("svg", "dot", "graphml")}
    run = sushigo("tree", MIXED, *(word for kind, path in names.items() for word in (f"--{kind}", str(path))))
    assert (run.status, run.out, run.err) == (0, "", "")
    graph = nx.read_graphml(names["graphml"])
    drawn = ElementTree.parse(names["svg"]).getroot()
    boxes = drawn.findall("{http://www.w3.org/2000/svg}g")
    assert {box[0].text for box in boxes} == set(graph)
    assert len(drawn.findall("{http://www.w3.org/2000/svg}path")) == graph.number_of_edges()
    assert names["dot"].read_text("utf-8").count(" -> ") == graph.number_of_edges()


def test_json_has_the_positions_and_steps() -> None:
    answer = sushigo("tree", MIXED, "--json", "--least", "0").json
    assert answer["positions"][0]["position"] == MIXED
    assert answer["positions"][0]["probability"] == 1
    names = {entry["position"] for entry in answer["positions"]}
    assert all(step["from"] in names and step["to"] in names for step in answer["steps"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--least", "2"], "--least 2.0: write a share from 0 to 1"),
        (["--svg", "x.svg", "--theme", "pink"], "unknown theme 'pink': it is light, dark, inherit"),
        (["--graphml", "no/such/folder.graphml"], "cannot write no/such/folder.graphml"),
    ],
)
def test_bad_options(words: list[str], message: str) -> None:
    run = sushigo("tree", MIXED, *words)
    assert (run.status, run.out) == (2, "") and message in run.err
