"""Goofspiel with few cards through the matrix kernels: a yardstick from outside, whose answers are known.

Both players hold the cards 1 to ``n``; prizes worth 1 to ``n`` come up in random order. Each turn both bid a card, the
higher wins the prize's points, equal bids discard it. Utility is the difference in points, so by symmetry the value of
the game is 0. States are triples of equally large sets (own cards, rival's cards, prizes left).
Rules and the solved sizes: Rhoads and Bartholdi, "Computer solution to the game of pure strategy", Games 3 (2012).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.endgame.jit import kernel
from solvers.endgame.matrix import game_value, make_workspace


@dataclass(frozen=True, slots=True)
class GoofspielResult:
    """The value to the first player, how many states have cards left, and how many matrix games were solved."""

    value: float
    states: int
    games: int


@kernel("i8(f8[:, :, ::1], i8[::1], i8, f8[:, ::1], f8[:, ::1])")
def _value_level(values: Any, masks: Any, cards: Any, game: Any, work: Any) -> Any:
    """Fill ``values[own, rival, prizes]`` for every triple of the sets in ``masks``; returns the games solved."""
    games = 0
    for own in masks:
        for rival in masks:
            for prizes in masks:
                total, count = 0.0, 0
                for prize in range(cards):
                    if not (prizes >> prize) & 1:
                        continue
                    left = prizes & ~(1 << prize)
                    row = 0
                    for bid in range(cards):
                        if not (own >> bid) & 1:
                            continue
                        column = 0
                        for answer in range(cards):
                            if not (rival >> answer) & 1:
                                continue
                            won = (bid > answer) - (bid < answer)
                            follows = values[own & ~(1 << bid), rival & ~(1 << answer), left]
                            game[row, column] = won * (prize + 1) + follows
                            column += 1
                        row += 1
                    total += game_value(game, row, column, work)
                    count += 1
                    games += 1
                values[own, rival, prizes] = total / count
    return games


def solve_goofspiel(cards: int) -> GoofspielResult:
    """Solve Goofspiel with ``cards`` cards a player (points, prizes in random order) by backward induction."""
    size = 1 << cards
    values = np.zeros((size, size, size))
    game, work = np.zeros((cards, cards)), make_workspace()
    states = games = 0
    for held in range(1, cards + 1):
        masks = np.array([mask for mask in range(size) if mask.bit_count() == held], dtype=np.int64)
        states += len(masks) ** 3
        games += int(_value_level(values, masks, cards, game, work))
    return GoofspielResult(float(values[-1, -1, -1]), states, games)
