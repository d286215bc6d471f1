"""The rest of a round as a game file for Gambit, and Gambit's own answer to it.

Games are handed over as text in Gambit's ``.efg`` format, the one interface that stays the same between its versions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from io import StringIO
from itertools import count, product
from multiprocessing import TimeoutError, get_context
from multiprocessing.pool import Pool

import pygambit

from solvers.endgame.objective import utilities
from solvers.game.position import Position
from solvers.game.rules import Rules

LIFT = 1000
"""Added to what seat 0 gets, and taken from seat 1, inside Gambit only.

Gambit 17.0.0b2 answers 0 for a game whose value to the first player is its lowest payoff when that is below 0
(``{-3, 3}`` everywhere is the smallest example); with all of them above 0 it does not.
"""


def tree_game(position: Position, objective: str, rules: Rules, pudding_value: Fraction) -> str:
    """A two-seat position as an extensive-form game: seat 1 picks without seeing seat 0's pick of the same turn.

    Turns without a choice are played and not written: they make the linear program far slower.
    """
    lines = ['EFG 2 R "rest of the round" { "seat 0" "seat 1" } ""']
    turns, ends = count(1), count(1)

    def actions(number: int) -> str:
        return " ".join(f'"{action}"' for action in range(number))

    def grow(position: Position) -> None:
        rows, columns = position.joint_picks(rules)
        while len(rows) == len(columns) == 1:
            position = position.play((rows[0], columns[0]), rules)
            rows, columns = position.joint_picks(rules)
        if not position.cards_left:
            own, rival = map(Fraction, utilities(position, objective, rules, pudding_value))
            lines.append(f't "" {next(ends)} "" {{ {own + LIFT}, {rival - LIFT} }}')
            return
        turn = next(turns)
        lines.append(f'p "" 1 {turn} "" {{ {actions(len(rows))} }} 0')
        for place, joint in enumerate(product(rows, columns)):
            if place % len(columns) == 0:
                lines.append(f'p "" 2 {turn} "" {{ {actions(len(columns))} }} 0')
            grow(position.play(joint, rules))

    grow(position)
    return "\n".join(lines)


PATIENCE = 30
"""Seconds after which Gambit is given up: its simplex goes on for ever, or as good as, with one small game in some
thousands."""


def zero_sum_value(game: str) -> float | None:
    """Seat 0's value of a constant-sum game, by Gambit's sequence-form linear program in rational numbers.

    Its float version is quicker but fails on some of these games, by an error or by a wrong answer. ``None`` if it is
    given up.
    """
    try:
        return _worker().apply_async(_solve, (game,)).get(PATIENCE)
    except TimeoutError:
        _worker().terminate()
        _worker.cache_clear()
        return None


@cache
def _worker() -> Pool:
    """A process of its own, as nothing else stops Gambit."""
    return get_context("spawn").Pool(1)


def _solve(game: str) -> float:
    result = pygambit.nash.lp_solve(pygambit.read_efg(StringIO(game)), rational=True)
    return float(result.equilibrium.payoffs["seat 0"]) - LIFT
