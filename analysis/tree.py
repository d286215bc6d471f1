"""The likely part of a solution drawn as a tree: as text for the terminal, or as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from analysis.cli_tables import number_text, share_text
from solvers.errors import UsageError
from solvers.game.drawing import THEMES, Theme

if TYPE_CHECKING:
    import networkx as nx

_COLUMN, _ROW, _BOX = 230, 46, 34
_MARGIN = 14
_FONT = "font-family='DejaVu Sans, Verdana, Helvetica, Arial, sans-serif'"


def tree_text(graph: nx.DiGraph) -> str:
    """The graph of a solution as an indented tree, likeliest branch first; turns without a choice share a line."""
    root = _root(graph)
    lines = [f"{root}  {_value(graph, root)}"]
    lines += _branch_lines(graph, root, "")
    return "\n".join(lines)


def _branch_lines(graph: nx.DiGraph, node: str, indent: str) -> Iterator[str]:
    steps = list(graph.out_edges(node, data=True))
    rest = _left_out(graph, node) if steps else 0.0
    for number, (_, after, edge) in enumerate(steps):
        last = number == len(steps) - 1 and not rest
        more, end = _forced(graph, after)
        picks = ", ".join([edge["picks"], *more])
        cut = "  ..." if not graph.out_degree(end) and _left_out(graph, end) else ""
        yield f"{indent}{'└─' if last else '├─'} {share_text(edge['probability'])}  {picks}  {_ending(graph, end)}{cut}"
        yield from _branch_lines(graph, end, indent + ("   " if last else "│  "))
    if rest:
        yield f"{indent}└─ {share_text(rest)}  other picks, left out"


def _left_out(graph: nx.DiGraph, node: str) -> float:
    """The chance that play leaves the graph at a position, because the step is too unlikely to be drawn."""
    if not graph.nodes[node]["cards_left"]:
        return 0.0
    rest = 1 - sum(edge["probability"] for _, _, edge in graph.out_edges(node, data=True))
    return rest if rest > 1e-9 else 0.0


def _forced(graph: nx.DiGraph, node: str) -> tuple[list[str], str]:
    """The picks that follow for certain, and the position they lead to."""
    picks: list[str] = []
    while True:
        steps = list(graph.out_edges(node, data=True))
        if len(steps) != 1 or steps[0][2]["probability"] < 1 - 1e-9:
            return picks, node
        node = steps[0][1]
        picks.append(steps[0][2]["picks"])


def _ending(graph: nx.DiGraph, node: str) -> str:
    totals = graph.nodes[node].get("totals")
    return f"{_value(graph, node)}, totals {totals}" if totals else _value(graph, node)


def _value(graph: nx.DiGraph, node: str) -> str:
    return number_text(graph.nodes[node]["value"], graph.graph["objective"])


def _root(graph: nx.DiGraph) -> str:
    return str(next(node for node in graph if graph.in_degree(node) == 0))


def tree_svg(graph: nx.DiGraph, theme: str = "light") -> str:
    """The graph as SVG from left to right, one column a turn; the thicker an arrow, the likelier it is used.

    A box shows the hands, the value and, at the end, the totals; positions that several ways lead to are drawn once.
    Raises :class:`UsageError` for an unknown theme.
    """
    if theme not in THEMES:
        raise UsageError(f"unknown theme {theme!r}: it is {', '.join(THEMES)}")
    colours = THEMES[theme]
    places = _places(graph)
    columns = 1 + max(column for column, _ in places.values())
    rows = 1 + max(row for _, row in places.values())
    width = round(2 * _MARGIN + (columns - 1) * _COLUMN + _box_width(graph))
    height = round(2 * _MARGIN + (rows - 1) * _ROW + _BOX)
    parts = [f"<title>{escape(_root(graph))}</title>"]
    if colours.page:
        parts.append(f"<rect width='{width}' height='{height}' fill='{colours.page}'/>")
    box = _box_width(graph)
    for start, end, edge in graph.edges(data=True):
        parts.append(_arrow(places[start], places[end], edge, graph.nodes[start]["probability"], box, colours))
    parts += [_box(graph, node, place, box, colours) for node, place in places.items()]
    size = f"width='{width}' height='{height}' viewBox='0 0 {width} {height}'"
    return "".join([f"<svg xmlns='http://www.w3.org/2000/svg' {size} {_FONT}>", *parts, "</svg>"])


def _places(graph: nx.DiGraph) -> dict[str, tuple[int, float]]:
    """Column and row of each position: leaves below each other, every other one in the middle of what follows it."""
    places: dict[str, tuple[int, float]] = {}
    leaves = 0

    def place(node: str, column: int) -> float:
        nonlocal leaves
        if node not in places:
            rows = [place(after, column + 1) for after in graph.successors(node) if after not in places]
            if not rows:
                rows = [float(leaves)]
                leaves += 1
            places[node] = (column, (rows[0] + rows[-1]) / 2)
        return places[node][1]

    place(_root(graph), 0)
    return places


def _box_width(graph: nx.DiGraph) -> float:
    return 16 + 7 * max(len(_hands(graph, node)) for node in graph)


def _hands(graph: nx.DiGraph, node: str) -> str:
    totals = graph.nodes[node].get("totals")
    return f"totals {totals}" if totals else node.partition(" ")[0]


def _box(graph: nx.DiGraph, node: str, place: tuple[int, float], width: float, colours: Theme) -> str:
    x, y = _MARGIN + place[0] * _COLUMN, _MARGIN + place[1] * _ROW
    outline = f"<rect x='{x:g}' y='{y:g}' width='{width:g}' height='{_BOX}' rx='5' fill='none' stroke='{colours.ink}'/>"
    hands = _text(x + width / 2, y + 14, _hands(graph, node), colours, "middle")
    value = _text(x + width / 2, y + 28, _value(graph, node), colours, "middle", bold=True)
    return f"<g><title>{escape(node)}</title>{outline}{hands}{value}</g>"


def _arrow(
    start: tuple[int, float], end: tuple[int, float], edge: dict[str, Any], reached: float, box: float, colours: Theme
) -> str:
    x1, y1 = _MARGIN + start[0] * _COLUMN + box, _MARGIN + start[1] * _ROW + _BOX / 2
    x2, y2 = _MARGIN + end[0] * _COLUMN, _MARGIN + end[1] * _ROW + _BOX / 2
    bend = (x1 + x2) / 2
    thick = 1 + 4 * reached * edge["probability"]
    label = f"{edge['picks']} {share_text(edge['probability'])}" if edge["probability"] < 1 - 1e-9 else edge["picks"]
    beside = y2 + 14 if y2 > y1 + 1 else y2 - 5  # on the outer side of the bend
    curve = f"M{x1:g} {y1:g}C{bend:g} {y1:g} {bend:g} {y2:g} {x2:g} {y2:g}"
    stroke = f"stroke='{colours.faint}' stroke-width='{thick:.2f}' stroke-opacity='0.7'"
    return f"<path d='{curve}' fill='none' {stroke}/>{_text(x2 - 6, beside, label, colours, 'end')}"


def _text(x: float, y: float, text: str, colours: Theme, anchor: str, bold: bool = False) -> str:
    weight = " font-weight='bold'" if bold else ""
    place = f"x='{x:g}' y='{y:g}' font-size='11' text-anchor='{anchor}'"
    return f"<text {place}{weight} fill='{colours.ink}'>{escape(text)}</text>"
