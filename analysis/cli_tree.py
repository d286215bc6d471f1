"""``sushigo tree``: the likely part of a solution as a tree, in the terminal or as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from analysis.cli_common import (
    JsonOption,
    MaxStatesOption,
    MemoryOption,
    PositionArgument,
    RulesOption,
    SingleRulesOption,
    TimeoutOption,
    console,
    one_position,
    print_json,
    read_limits,
    read_rules,
    write_text,
)
from analysis.cli_question import (
    AgainstOption,
    EngineOption,
    ObjectiveOption,
    PuddingOption,
    SeatOption,
    read_question,
)
from solvers.endgame.objective import DEFAULT_PUDDING_VALUE
from solvers.errors import UsageError

LEAST = 0.05
"""Positions less likely than this are left out unless asked for: what remains of a four-card endgame fits a screen."""


def mount(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("tree")(tree)


def tree(
    position: PositionArgument,
    least: Annotated[
        float, typer.Option(metavar="SHARE", help="Leave out positions reached less often than this.")
    ] = LEAST,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the tree as a picture.")] = None,
    theme: Annotated[str, typer.Option(metavar="THEME", help="Of the picture: light, dark or inherit.")] = "light",
    dot: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the graph for Graphviz.")] = None,
    graphml: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the graph as GraphML.")] = None,
    objective: ObjectiveOption = "margin",
    against: AgainstOption = "equilibrium",
    seat: SeatOption = 0,
    pudding_value: PuddingOption = DEFAULT_PUDDING_VALUE,
    rules: RulesOption = "official",
    option: SingleRulesOption = None,
    engine: EngineOption = "fast",
    max_states: MaxStatesOption = None,
    timeout: TimeoutOption = None,
    memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Draw how play goes on when everyone follows the solution: likely picks, values, and final totals."""
    if not 0 <= least <= 1:
        raise UsageError(f"--least {least}: write a share from 0 to 1, for example 0.05")
    limits = read_limits(max_states, timeout, memory)
    question = read_question(objective, against, read_rules(rules, option), seat, pudding_value, engine, limits)
    graph = question.solve(question.position(one_position(position))).graph(least)
    from analysis.tree import tree_svg, tree_text
    from solvers.endgame.graph import graph_dot, write_graphml

    if svg is not None:
        write_text(svg, tree_svg(graph, theme))
    if dot is not None:
        write_text(dot, graph_dot(graph))
    if graphml is not None:
        write_graphml(graph, graphml)
    if json:
        print_json(graph_dict(graph))
    elif svg is dot is graphml is None:
        console().print(tree_text(graph), soft_wrap=True)


def graph_dict(graph: Any) -> dict[str, Any]:
    """The graph as JSON: its positions and the steps between them."""
    return {
        "objective": graph.graph["objective"],
        "against": graph.graph["against"],
        "positions": [{"position": text, **node} for text, node in graph.nodes(data=True)],
        "steps": [{"from": start, "to": end, **edge} for start, end, edge in graph.edges(data=True)],
    }
