"""The words of a puzzle: its question, its explanation from computed figures, its short name and its file."""

from __future__ import annotations

import json
from collections.abc import Mapping
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
    mix = {row.pick: row.probability for row in answer.picks if row.probability}
    losses = {row.pick: row.loss for row in answer.picks}
    if exact.objective == "win":
        words = f"{pick_name(next(iter(mix))).capitalize()} wins {share(answer.value)}; "
        words += f"the greedy {pick_name(wrong)} {share(answer.value - losses[wrong])}."
        if margin_pick is not None and margin_pick != wrong:
            lost = share(answer.value - losses[margin_pick])
            return f"{words} The best pick for the margin is {pick_name(margin_pick)}, and it wins {lost}."
        return f"{words} That is also the best pick for the margin."
    greedy = f"the greedy {pick_name(wrong)}"
    if committed_loss is not None:
        return (
            f"Best is {_mix_words(mix)}: {standing(answer.value)} on average whatever the rival does. "
            f"Always taking one pick gives away {number(committed_loss)} points or more to a rival who expects it; "
            f"{greedy} gives away {number(losses[wrong])} even to one who does not."
        )
    return (
        f"After {pick_name(next(iter(mix)))} best play ends {standing(answer.value)}, "
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


def _mix_words(mix: Mapping[Pick, Fraction]) -> str:
    parts = [f"{pick_name(pick)} with chance {chance}" for pick, chance in mix.items()]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def pick_name(pick: Pick) -> str:
    """A pick in words: ``wasabi, then squid nigiri``."""
    return ", then ".join(card_name(card) for card in pick)


def standing(margin: Fraction | float) -> str:
    """A margin in words."""
    size = abs(float(margin))
    return "level" if size < 0.005 else f"{number(size)} {'ahead' if margin > 0 else 'behind'}"


def share(value: Fraction | float) -> str:
    """A share of the win in words."""
    named = {Fraction(0): "nothing", Fraction(1): "for certain", Fraction(1, 2): "half the time"}
    exact = Fraction(value).limit_denominator(10**6)
    return named.get(exact, f"{number(100 * exact)}% of the time")


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
