"""Hypothesis strategies for the solvers: short endgames in which order and timing matter often, and whole questions."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from solvers.game.cards import HAND_SIZES, KINDS, Card
from solvers.game.position import Position
from solvers.game.rules import Rules
from tests.strategies import rules_options

PUDDING_VALUES = (0, 1, 1.5, 2.25, 3)


@st.composite
def endgames(draw: st.DrawFn, rules: Rules, seats: int = 2, min_cards: int = 1, max_cards: int = 4) -> Position:
    """A position of ``min_cards`` to ``max_cards`` cards a hand, dealt from one deck of these rules.

    Earlier points are close, so that the win is often open. Half the tables get chopsticks and half a wasabi laid
    last, where the deck still has them; half the positions are in the last round. Some positions are made of few kinds
    of cards, so that contests are one-sided and sets are full more often than by chance.
    """
    left = draw(st.integers(min_cards, max_cards))
    laid = draw(st.integers(0, HAND_SIZES[seats] - left))
    deck = [card for card, number in rules.deck().items() for _ in range(number)]
    rng = Random(draw(st.integers(0, 2**32)))
    rng.shuffle(deck)
    favoured = draw(st.sets(st.sampled_from(KINDS), max_size=4))
    deck.sort(key=favoured.__contains__)
    used = seats * (left + laid)
    deck[-used:] = rng.sample(deck[-used:], used)
    hands = tuple(tuple(deck.pop() for _ in range(left)) for _ in range(seats))
    tables = [[deck.pop() for _ in range(laid)] for _ in range(seats)]
    for table in tables:
        for place, special in enumerate((Card.CHOPSTICKS, Card.WASABI), start=1):
            if laid >= place and special in deck and draw(st.booleans()):
                deck.remove(special)
                deck.append(table[-place])
                table[-place] = special
    spare = min(3, deck.count(Card.PUDDING) // seats)
    base = draw(st.integers(0, 30))
    round_number = draw(st.sampled_from((3, 3, 1, 2)))
    return Position(
        hands=hands,
        tables=tuple(map(tuple, tables)),
        puddings=tuple(draw(st.integers(0, spare)) for _ in range(seats)),
        scores=tuple(base + draw(st.integers(0, 8)) for _ in range(seats)),
        round=round_number,
        direction=draw(st.sampled_from(("left", "right"))),
    )


@st.composite
def questions(draw: st.DrawFn, min_cards: int = 1, max_cards: int = 4) -> dict[str, Any]:
    """The keyword arguments of a two-seat equilibrium question: position, rules, objective and pudding value."""
    rules = draw(rules_options())
    position = draw(endgames(rules, 2, min_cards, max_cards))
    return {
        "position": position,
        "rules": rules,
        "objective": draw(st.sampled_from(("margin", "win") if position.round == 3 else ("margin",))),
        "pudding_value": draw(st.sampled_from(PUDDING_VALUES)),
    }
