"""A solution as a graph: the positions it can lead to, and how likely each step is (networkx, GraphML, DOT)."""

from __future__ import annotations

from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx

from solvers.endgame.objective import utilities
from solvers.errors import SushiGoError, UsageError
from solvers.game.cards import letters
from solvers.game.dummy import DummyPosition

if TYPE_CHECKING:
    from solvers.endgame.solution import Solution, Stage
    from solvers.game.picks import Pick
    from solvers.game.position import Position

TINY = 1e-9
"""Mixes below this are rounding, not play."""

MOST_POSITIONS = 100_000
"""A graph larger than this is refused: nobody can draw or read it."""


def solution_graph(solution: Solution, least: float = 0.0) -> nx.DiGraph:
    """The positions reached with at least the probability ``least`` when every seat follows the solution.

    A node is a position's canonical text with ``value`` (utility of the seat the solution's value is for),
    ``probability`` of getting there, ``cards_left`` and, at the end of the round, ``totals``; an edge has ``picks``
    (seat 0 first) and ``probability``. The probabilities of a node's edges add up to 1 unless unlikely ones are left
    out. Raises :class:`UsageError` for the dummy variant, whose steps are draws too, for a coalition, whose seats do
    not mix apart from each other, and for a graph of more than :data:`MOST_POSITIONS` positions.
    """
    if isinstance(solution.position, DummyPosition):
        raise UsageError("no graph for the dummy variant: its steps are draws as well as picks")
    if solution.against == "paranoid" and solution.position.seats > 2:
        raise UsageError("no graph against a coalition: its seats do not mix apart from each other")
    graph = nx.DiGraph(objective=solution.objective, against=solution.against)
    seat = solution.seats[0].seat
    level: dict[Position, float] = {solution.position: 1.0}
    while level:
        below: dict[Position, float] = {}
        for position, reached in level.items():
            graph.add_node(str(position), probability=reached, cards_left=position.cards_left)
            if len(graph) > MOST_POSITIONS:
                raise UsageError(f"the graph has more than {MOST_POSITIONS} positions: leave out the unlikely ones")
            if not position.cards_left:
                graph.add_node(str(position), value=_end_value(solution, position), totals=_totals(solution, position))
                continue
            stage = _stage(solution, position)
            graph.nodes[str(position)]["value"] = next(part.value for part in stage.seats if part.seat == seat)
            for picks, chance in joint_mix(stage):
                if reached * chance >= least:
                    after = position.play(picks, solution.rules)
                    text = "/".join(map(letters, picks))
                    graph.add_edge(str(position), str(after), picks=text, probability=chance)
                    below[after] = below.get(after, 0.0) + reached * chance
        level = below
    return graph


def joint_mix(stage: Stage) -> list[tuple[tuple[Pick, ...], float]]:
    """The joint picks played at a stage with their probabilities, likeliest first (ties: card order)."""
    played = [
        [(pick, chance) for pick, chance in zip(part.picks, part.mix, strict=True) if chance > TINY]
        for part in stage.seats
    ]
    joint = [(tuple(pick for pick, _ in choice), prod(chance for _, chance in choice)) for choice in product(*played)]
    return sorted(joint, key=lambda pair: -round(pair[1], 9))


def _stage(solution: Solution, position: Position) -> Stage:
    if solution.solver is None:
        raise UsageError("this solution was loaded without its solver: solve the position again for its graph")
    return solution.solver.stage(position)


def _end_value(solution: Solution, position: Position) -> float:
    worth = solution.pudding_value if solution.pudding_value is not None else 0
    return float(utilities(position, solution.objective, solution.rules, worth)[solution.seats[0].seat])


def _totals(solution: Solution, position: Position) -> str:
    return "/".join(map(str, position.totals(solution.rules)))


def write_graphml(graph: nx.DiGraph, path: Path) -> None:
    """Write the graph as GraphML, for Gephi, yEd and the like; raises :class:`SushiGoError` when that fails."""
    try:
        nx.write_graphml(graph, path)
    except OSError as error:
        raise SushiGoError(f"cannot write {path}: {error.strerror}") from None


def graph_dot(graph: nx.DiGraph) -> str:
    """The graph in the DOT language of Graphviz: positions in boxes with their values, picks on the arrows."""
    lines = ["digraph solution {", "  node [shape=box];"]
    for text, node in graph.nodes(data=True):
        lines.append(f'  "{text}" [label="{text}\\n{node["value"]:.4g}"];')
    for start, end, edge in graph.edges(data=True):
        lines.append(f'  "{start}" -> "{end}" [label="{edge["picks"]} {edge["probability"]:.0%}"];')
    return "\n".join([*lines, "}", ""])
