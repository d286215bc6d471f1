"""The shipped puzzles: loading them, finding one, and holding their answers against a fresh solve.

A puzzle is a TOML file ``data/puzzles/NNN-slug.toml``. The files are written by :mod:`analysis.puzzle_search`; the
tests solve every one of them again.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from solvers.data_files import data_folder
from solvers.endgame.limits import Limits
from solvers.endgame.objective import DEFAULT_PUDDING_VALUE
from solvers.endgame.solution import Solution
from solvers.endgame.solve import solve
from solvers.errors import SushiGoError
from solvers.game.cards import cards_from_letters, letters
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules

THEMES: Mapping[str, str] = {
    "chopsticks": "the answer or the tempting pick takes chopsticks, or uses them",
    "denial": "the whole gain of the answer is in points the rival does not get",
    "dumplings": "at least half of the gain is in dumpling points",
    "maki race": "at least half of the gain is in maki points",
    "mixed": "only a mix of picks is best, and no pick is safe on its own",
    "nigiri": "at least half of the gain is in nigiri points",
    "order": "two cards are taken with chopsticks, and their order decides",
    "puddings": "at least half of the gain is in the points for puddings",
    "sacrifice": "the answer takes at least two points fewer than the tempting pick, and is better all the same",
    "sashimi": "at least half of the gain is in sashimi points",
    "tempura": "at least half of the gain is in tempura points",
    "wasabi timing": "the answer takes a wasabi, or decides which nigiri an open one is kept for",
    "win": "the pick with the best expected margin gives part of the win away",
}
"""What a theme means. Themes are computed (:mod:`analysis.puzzle_themes`), never assigned by hand."""

TOLERANCE = 1e-9
PUDDING_VALUE = Fraction(str(DEFAULT_PUDDING_VALUE))
_NEEDED = ("position", "question", "themes", "difficulty", "solution", "value", "wrong", "loss", "explanation")
_OPTIONAL = ("objective", "against", "rules", "pudding_value", "committed_loss")
_NAME = re.compile(r"([0-9]{3})-[a-z0-9]+(-[a-z0-9]+)*")


class PuzzleError(SushiGoError):
    """A puzzle file that cannot be used, a puzzle that does not exist, or an answer that a solve does not confirm."""

    kind = "puzzle"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle, asked from seat 0's side.

    ``solution`` is the mix of the answer, one pick with chance 1 for most. ``wrong`` is the pick of the greedy rule
    and ``loss`` what it gives away. ``difficulty`` runs from 1 to 5. A puzzle of the theme ``mixed`` has
    ``committed_loss``: the least that always taking one pick gives away to a rival who expects it.
    """

    name: str
    position: Position
    question: str
    themes: tuple[str, ...]
    difficulty: int
    solution: Mapping[Pick, Fraction]
    value: Fraction
    wrong: Pick
    loss: Fraction
    explanation: str
    objective: str = "margin"
    against: str = "equilibrium"
    rules: Rules = field(default_factory=Rules)
    pudding_value: Fraction = PUDDING_VALUE
    committed_loss: Fraction | None = None

    @property
    def number(self) -> int:
        """The number in the file name; puzzles are numbered from the easiest."""
        return int(self.name[:3])

    @property
    def best_pick(self) -> Pick:
        """The likeliest pick of the answer (ties: card order)."""
        return max(self.solution, key=lambda pick: self.solution[pick])

    def as_dict(self) -> dict[str, Any]:
        """The JSON form, fractions as floats."""
        return {
            "name": self.name,
            "number": self.number,
            "position": str(self.position),
            "question": self.question,
            "themes": list(self.themes),
            "difficulty": self.difficulty,
            "objective": self.objective,
            "against": self.against,
            "rules": self.rules.as_dict(),
            "solution": {letters(pick): float(chance) for pick, chance in self.solution.items()},
            "value": float(self.value),
            "wrong": letters(self.wrong),
            "loss": float(self.loss),
            "explanation": self.explanation,
        }


def puzzle_paths() -> tuple[Path, ...]:
    """The shipped puzzle files in the order of their numbers."""
    return tuple(sorted((data_folder() / "puzzles").glob("*.toml")))


@cache
def list_puzzles() -> tuple[Puzzle, ...]:
    """Every shipped puzzle, easiest first; raises :class:`PuzzleError` when a file is broken."""
    return tuple(map(load_puzzle, puzzle_paths()))


def find_puzzle(name: str | int) -> Puzzle:
    """The shipped puzzle of a number (``7``, ``"007"``), file name or slug; raises :class:`PuzzleError` if none is."""
    wanted = str(name).strip().removesuffix(".toml")
    for path in puzzle_paths():
        number, _, slug = path.stem.partition("-")
        if wanted in (path.stem, slug) or (wanted.isdecimal() and int(wanted) == int(number)):
            return load_puzzle(path)
    raise PuzzleError(f"no puzzle {wanted!r}: the puzzles are 1 to {len(puzzle_paths())} (sushigo puzzle list)")


def load_puzzle(path: Path) -> Puzzle:
    """Read and check one file; raises :class:`PuzzleError` with the file, what is wrong and what would be right."""
    try:
        return _read(path)
    except OSError as error:
        raise PuzzleError(f"puzzle {path.name}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PuzzleError(f"puzzle {path.name}: not TOML: {error}") from None
    except SushiGoError as error:
        raise PuzzleError(f"puzzle {path.name}: {error}") from None


def _read(path: Path) -> Puzzle:
    entries = tomllib.loads(path.read_text(encoding="utf-8"))
    if not _NAME.fullmatch(path.stem):
        raise PuzzleError("the file name must look like 001-short-name.toml")
    for name in _NEEDED:
        if name not in entries:
            raise PuzzleError(f"{name} is missing: a puzzle has {', '.join(_NEEDED)}")
    for name in entries:
        if name not in (*_NEEDED, *_OPTIONAL):
            raise PuzzleError(f"unknown entry {name!r}: a puzzle has {', '.join((*_NEEDED, *_OPTIONAL))}")
    rules = _rules(entries.get("rules", {}))
    position = Position.parse(_text(entries, "position"), rules)
    puzzle = Puzzle(
        name=path.stem,
        position=position,
        question=_text(entries, "question"),
        themes=_themes(entries["themes"]),
        difficulty=_difficulty(entries["difficulty"]),
        solution=_mix(entries["solution"], position, rules),
        value=_number(entries, "value"),
        wrong=position.find_pick(0, cards_from_letters(_text(entries, "wrong")), rules),
        loss=_number(entries, "loss"),
        explanation=_text(entries, "explanation"),
        objective=_text(entries, "objective") if "objective" in entries else "margin",
        against=_text(entries, "against") if "against" in entries else "equilibrium",
        rules=rules,
        pudding_value=_number(entries, "pudding_value") if "pudding_value" in entries else PUDDING_VALUE,
        committed_loss=_number(entries, "committed_loss") if "committed_loss" in entries else None,
    )
    if ("mixed" in puzzle.themes) != (len(puzzle.solution) > 1):
        raise PuzzleError("the theme mixed and a solution of two or more picks go together")
    return puzzle


def _text(entries: Mapping[str, Any], name: str) -> str:
    value = entries[name]
    if not isinstance(value, str) or not value.strip():
        raise PuzzleError(f"{name} = {value!r}: it must be a text that is not empty")
    return value


def _number(entries: Mapping[str, Any], name: str) -> Fraction:
    return _fraction(entries[name], name)


def _fraction(value: Any, name: str) -> Fraction:
    """A TOML number, or a fraction written as text; a decimal means what it says."""
    try:
        if isinstance(value, bool):
            raise ValueError
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise PuzzleError(f'{name} = {value!r}: it must be a number or a fraction like "16/3"') from None


def _rules(value: Any) -> Rules:
    if isinstance(value, str):
        return Rules.preset(value)
    if isinstance(value, dict):
        return Rules.from_options(value)
    raise PuzzleError(f"rules = {value!r}: it must be a table of options or the name of a preset")


def _themes(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise PuzzleError(f"themes = {value!r}: it must be a list with at least one theme")
    for theme in value:
        if theme not in THEMES:
            raise PuzzleError(f"unknown theme {theme!r}: the themes are {', '.join(THEMES)}")
    return tuple(value)


def _difficulty(value: Any) -> int:
    if type(value) is not int or not 1 <= value <= 5:
        raise PuzzleError(f"difficulty = {value!r}: it is a whole number from 1 to 5")
    return value


def _mix(value: Any, position: Position, rules: Rules) -> dict[Pick, Fraction]:
    """The answer: a pick, or a table of picks and their chances."""
    chances = {value: 1} if isinstance(value, str) else value
    if not isinstance(chances, dict) or not chances:
        raise PuzzleError(f"solution = {value!r}: it must be a pick, or a table of picks and their chances")
    mix: dict[Pick, Fraction] = {}
    for text, chance in chances.items():
        pick = position.find_pick(0, cards_from_letters(text), rules)
        mix[pick] = _fraction(chance, f"solution.{text}")
    if sum(mix.values()) != 1 or min(mix.values()) <= 0:
        raise PuzzleError(f"solution = {value!r}: the chances must be above 0 and sum to 1")
    return mix


def solve_puzzle(puzzle: Puzzle, engine: str = "fast", limits: Limits | None = None) -> Solution:
    """Solve the puzzle's position afresh."""
    return solve(
        puzzle.position,
        puzzle.objective,
        puzzle.against,
        puzzle.rules,
        pudding_value=float(puzzle.pudding_value),
        engine=engine,
        limits=limits,
    )


def check_puzzle(puzzle: Puzzle, solution: Solution | None = None) -> None:
    """Hold a puzzle's value, answer and loss against a solve; raises :class:`PuzzleError` at the first difference."""
    answer = (solution or solve_puzzle(puzzle)).seat(0)
    rows = {row.pick: row for row in answer.picks}
    pairs = [("value", puzzle.value, answer.value), ("loss", puzzle.loss, rows[puzzle.wrong].loss)]
    pairs += [
        (f"the chance of {letters(pick)}", puzzle.solution.get(pick, Fraction(0)), row.probability)
        for pick, row in rows.items()
    ]
    for what, stated, solved in pairs:
        if abs(float(stated) - solved) > TOLERANCE:
            raise PuzzleError(f"puzzle {puzzle.name}: {what} is stated as {stated} and solved as {solved:.9g}")
