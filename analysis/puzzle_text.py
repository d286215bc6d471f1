"""The words of a puzzle: its question, its explanation from computed figures, its short name and its file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction

from analysis.puzzle_themes import SOURCES, Comparison
from analysis.puzzles import PUDDING_VALUE, Puzzle
from solvers.endgame.exact import ExactSolution
from solvers.game.cards import letters
from solvers.game.names import card_name
from solvers.game.picks import Pick
from solvers.game.position import Position

_LEADING = ("win", "mixed", "order", "sacrifice", "denial", "chopsticks", "wasabi timing", "maki race", "puddings")
"""The theme a puzzle is named after is the first of these it has, or else its first theme."""
_SHOWN = 0.5
"""A source of points is named in an explanation from this difference on."""


def question(position: Position, objective: str, mixed: bool) -> str:
    """What the reader is asked."""
    aim = "the largest share of the win" if objective == "win" else "the best margin"
    asked = f"Which pick gives seat 0 {aim}?"
    if mixed:
        asked = f"No pick is safe on its own: with what chances should seat 0 pick for {aim}?"
    if position.round != 3:
        asked += f" It is round {position.round}: count {number(PUDDING_VALUE)} points for each pudding."
    return asked


def explanation(
    exact: ExactSolution,
    wrong: Pick,
    comparison: Comparison,
    committed_loss: Fraction | None = None,
    margin_pick: Pick | None = None,
) -> str:
    """One to three sentences from the figures of the solution; ``margin_pick`` is given for a puzzle about the win."""
    answer = exact.seats[0]
    names = pick_names(row.pick for row in answer.picks)
    losses = {row.pick: row.loss for row in answer.picks}
    mix = {row.pick: row.probability for row in answer.picks if row.probability}
    best, greedy = names[next(iter(mix))], f"the greedy {names[wrong]}"
    if exact.objective == "win":
        words = f"With {best} seat 0 gets {share(answer.value)}, with {greedy} {share(answer.value - losses[wrong])}."
        if margin_pick is None or margin_pick == wrong:
            return f"{words} Yet for the margin the greedy pick is the best there is."
        return (
            f"{words} The best pick for the margin is {names[margin_pick]}: "
            f"with it seat 0 gets {share(answer.value - losses[margin_pick])}."
        )
    if committed_loss is not None:
        parts = [f"{names[pick]} with chance {chance}" for pick, chance in mix.items()]
        return (
            f"Best is {', '.join(parts[:-1])} or {parts[-1]}: {standing(answer.value)} on average whatever the rival "
            f"does. Always taking one pick gives away {number(committed_loss)} points or more to a rival who expects "
            f"it; {greedy} gives away {number(losses[wrong])} even to one who does not."
        )
    return (
        f"After {best} best play ends {standing(answer.value)}, "
        f"after {greedy} {standing(answer.value - losses[wrong])}. {_difference(comparison)}"
    )


def _difference(comparison: Comparison) -> str:
    """Where the points between the answer and the tempting pick come from."""
    swings = sorted(((comparison.swing(source), source) for source in SOURCES), key=lambda pair: -abs(pair[0]))
    parts = [f"{number(swing, sign=True)} {source}" for swing, source in swings if abs(swing) >= _SHOWN]
    return (
        f"Between the two, seat 0 itself gets {_more_or_fewer(comparison.own)} and its rival "
        f"{_more_or_fewer(-comparison.rival)} (as margin: {', '.join(parts)})."
    )


def _more_or_fewer(points: float) -> str:
    if abs(points) < 0.005:
        return "as many points"
    return f"{number(abs(points))} {'more' if points > 0 else 'fewer'}"


def pick_names(picks: Iterable[Pick]) -> dict[Pick, str]:
    """Picks in words; two cards are in the order laid where the other order is a pick of its own."""
    listed = set(picks)
    names: dict[Pick, str] = {}
    for pick in listed:
        cards = [card_name(card) for card in pick]
        if len(pick) == 2 and pick[0] == pick[1]:
            names[pick] = f"twice {cards[0]}"
        else:
            ordered = len(pick) == 2 and pick[::-1] in listed
            names[pick] = (", then " if ordered else " and ").join(cards)
    return names


def standing(margin: Fraction | float) -> str:
    """A margin in words."""
    size = abs(float(margin))
    return "level" if size < 0.005 else f"{number(size)} {'ahead' if margin > 0 else 'behind'}"


def share(value: Fraction) -> str:
    """A share of the win in words."""
    named = {Fraction(0): "none of the win", Fraction(1): "the whole win", Fraction(1, 2): "half of the win"}
    return named.get(value, f"{number(100 * value)}% of the win")


def number(value: Fraction | float, sign: bool = False) -> str:
    """A number with two digits after the point at most; ``sign`` puts a plus before what is above 0."""
    text = f"{float(value):{'+' if sign else ''}.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "+0") else text


def slug(puzzle: Puzzle) -> str:
    """A short name from the leading theme; it must not give the answer away."""
    theme = next((theme for theme in _LEADING if theme in puzzle.themes), puzzle.themes[0])
    return theme.replace(" ", "-")


def to_toml(puzzle: Puzzle) -> str:
    """The puzzle as the text of its file; what has the default value is left out."""
    lines = [
        f"position = {_quoted(str(puzzle.position))}",
        f"question = {_quoted(puzzle.question)}",
        f"themes = [{', '.join(map(_quoted, puzzle.themes))}]",
        f"difficulty = {puzzle.difficulty}",
    ]
    if puzzle.objective != "margin":
        lines.append(f"objective = {_quoted(puzzle.objective)}")
    if len(puzzle.solution) == 1:
        lines.append(f"solution = {_quoted(letters(puzzle.best_pick))}")
    else:
        chances = ", ".join(f"{letters(pick)} = {_quoted(str(chance))}" for pick, chance in puzzle.solution.items())
        lines.append(f"solution = {{ {chances} }}")
    lines += [
        f"value = {_figure(puzzle.value)}",
        f"wrong = {_quoted(letters(puzzle.wrong))}",
        f"loss = {_figure(puzzle.loss)}",
    ]
    if puzzle.committed_loss is not None:
        lines.append(f"committed_loss = {_figure(puzzle.committed_loss)}")
    if puzzle.position.round != 3:
        lines.append(f"pudding_value = {_figure(puzzle.pudding_value)}")
    lines.append(f"explanation = {_quoted(puzzle.explanation)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text)


def _figure(value: Fraction) -> str:
    """A short decimal where that is exact, otherwise a fraction as text."""
    decimal = f"{float(value):.3f}".rstrip("0").rstrip(".")
    return decimal if Fraction(decimal) == value else _quoted(str(value))
