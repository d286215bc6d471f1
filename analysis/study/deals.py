"""Random deals."""

from __future__ import annotations

import numpy as np

from solvers import Position, Rules
from solvers.game.cards import HAND_SIZES, Card


def full_deck(rules: Rules | None = None) -> tuple[Card, ...]:
    """Every card of the deck, in card order."""
    return tuple(card for card, number in (rules or Rules()).deck().items() for _ in range(number))


def random_deal(
    random: np.random.Generator, seats: int = 2, round: int = 3, cards: int | None = None, rules: Rules | None = None
) -> Position:
    """A shuffled deal with all hands open; ``cards`` a hand, by default what the rules deal for so many seats."""
    size = cards or HAND_SIZES[seats]
    deck = full_deck(rules)
    dealt = [deck[index] for index in random.permutation(len(deck))[: seats * size]]
    hands = tuple(tuple(dealt[seat * size : (seat + 1) * size]) for seat in range(seats))
    direction = (rules or Rules()).direction(round)
    return Position(hands=hands, tables=((),) * seats, round=round, direction=direction)
