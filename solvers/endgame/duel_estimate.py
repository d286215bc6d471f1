"""How large a two-seat solve by the fast engine will be, before it starts.

The size hangs mostly on how many different hands can still be passed on, so the estimate is a straight line through
logarithms, fitted to the solves of 200 random positions of 6 to 10 cards: it explains 90 % of the variance of the
logarithm, and the spread around it is a factor of 1.9 (one standard deviation).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from solvers.endgame.duel_table import LOAD, ROW_BYTES
from solvers.game.cards import Card, count_cards
from solvers.game.position import Position

_CONSTANT, _PER_CARD, _PER_LOG_HANDS = -2.747, 0.336, 0.841
_CHOPSTICKS_IN_HAND, _PER_CHOPSTICKS_IN_FRONT, _LAST_ROUND = 0.896, 1.091, 0.155
SPREAD = 1.9
"""One standard deviation of the estimate, as a factor."""


@dataclass(frozen=True, slots=True)
class SizeEstimate:
    """An estimate, not a bound: ``states`` stored in the end, and bytes of ``memory`` for the table."""

    states: int
    memory: int


def estimate_size(position: Position) -> SizeEstimate:
    """About how many states the fast engine will store for a two-seat position with all hands known."""
    hands = sum(math.log(number + 1) for hand in position.hands for number in count_cards(hand).values())
    held = any(Card.CHOPSTICKS in hand for hand in position.hands)
    laid = sum(table.count(Card.CHOPSTICKS) for table in position.tables)
    exponent = _CONSTANT + _PER_CARD * position.cards_left + _PER_LOG_HANDS * hands
    exponent += _CHOPSTICKS_IN_HAND * held + _PER_CHOPSTICKS_IN_FRONT * laid
    exponent += _LAST_ROUND if position.round == 3 else 0.0
    states = max(1, round(math.exp(exponent)))
    rows = 1 << math.ceil(math.log2(states / LOAD))
    return SizeEstimate(states, 3 * rows * ROW_BYTES // 2)
