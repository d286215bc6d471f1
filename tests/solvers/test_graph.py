"""The graph of a solution: probabilities, values and exports."""

from __future__ import annotations

import re
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings

from solvers.endgame.graph import graph_dot, write_graphml
from solvers.endgame.solution import Solution
from solvers.endgame.solve import solve
from solvers.errors import SushiGoError, UsageError
from solvers.game.picks import parse_pick
from solvers.game.position import Position
from tests.strategies import positions

MIXED = "T3QW/T3QP T3/CW p=1/0 s=20/22"


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(Position.parse(MIXED), engine="plain")


@settings(max_examples=30)
@given(positions(seats=(2, 2), cards_left=(1, 4), rounds=(1, 3)))
def test_values_are_those_of_play(position: Position) -> None:
    """Every node's value is the average of what follows it, and its probability that of the ways to it."""
    graph = solve(position, engine="plain").graph()
    for node in graph:
        steps = list(graph.out_edges(node, data=True))
        entry = graph.nodes[node]
        assert (entry["cards_left"] == 0) == (not steps) == ("totals" in entry)
        if steps:
            assert sum(edge["probability"] for _, _, edge in steps) == pytest.approx(1)
            value = sum(edge["probability"] * graph.nodes[after]["value"] for _, after, edge in steps)
            assert value == pytest.approx(entry["value"], abs=1e-9)
        if node != str(position):
            reached = sum(
                graph.nodes[before]["probability"] * edge["probability"]
                for before, _, edge in graph.in_edges(node, data=True)
            )
            assert reached == pytest.approx(entry["probability"])


def test_edges_are_legal_turns(solution: Solution) -> None:
    graph = solution.graph()
    assert nx.is_directed_acyclic_graph(graph)
    for before, after, edge in graph.edges(data=True):
        picks = [parse_pick(text) for text in edge["picks"].split("/")]
        assert str(Position.parse(before).play(picks)) == after


def test_the_root_is_the_answer(solution: Solution) -> None:
    graph = solution.graph()
    root = graph.nodes[MIXED]
    assert root["value"] == solution.value
    chances = {row.pick: row.probability for row in solution.seat(0).picks}
    for pick, chance in chances.items():
        shown = sum(
            edge["probability"] for _, _, edge in graph.out_edges(MIXED, data=True)
            if parse_pick(edge["picks"].split("/")[0]) == pick
        )  # fmt: skip
        assert shown == pytest.approx(chance, abs=1e-8)


def test_unlikely_positions_are_left_out(solution: Solution) -> None:
    whole, likely = solution.graph(), solution.graph(0.1)
    assert 1 < len(likely) < len(whole)
    assert set(likely) == {node for node in whole if whole.nodes[node]["probability"] >= 0.1}


def test_the_value_of_another_seat() -> None:
    position = Position.parse("TP/SW W/D p=0/1 s=21/20")
    graph = solve(position, against="uniform", seat=1).graph()
    assert graph.nodes[str(position)]["value"] == solve(position, against="uniform", seat=1).value


def test_graphml_is_read_back(solution: Solution, tmp_path: Path) -> None:
    graph = solution.graph()
    write_graphml(graph, tmp_path / "graph.graphml")
    again = nx.read_graphml(tmp_path / "graph.graphml")
    assert dict(again.nodes(data=True)) == dict(graph.nodes(data=True))
    assert sorted(again.edges(data="picks")) == sorted(graph.edges(data="picks"))
    with pytest.raises(SushiGoError, match="cannot write"):
        write_graphml(graph, tmp_path / "no" / "folder.graphml")


def test_dot_names_every_position_and_step(solution: Solution) -> None:
    graph = solution.graph()
    text = graph_dot(graph)
    assert set(re.findall(r'^  "([^"]+)" \[', text, re.MULTILINE)) == set(graph)
    assert len(re.findall(r" -> ", text)) == graph.number_of_edges()
    assert text.startswith("digraph") and text.endswith("}\n")


def test_no_graph_without_a_strategy(solution: Solution) -> None:
    position = Position.parse("TS/WQ W/Q/1 c=1 y=LD")
    with pytest.raises(UsageError, match="no graph for the dummy variant"):
        solve(position).graph()
    with pytest.raises(UsageError, match="no graph against a coalition"):
        solve(Position.parse("TS/WQ/DD W/Q/1"), against="paranoid").graph()
