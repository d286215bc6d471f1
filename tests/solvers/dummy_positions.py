"""Hypothesis strategies: positions of the dummy variant that could come up in play, and questions about them."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from solvers.game.cards import Card
from solvers.game.dummy import DummyPosition
from solvers.game.rules import Rules
from tests.solvers.dummy_reference import Question
from tests.strategies import rules_options


@st.composite
def dummy_positions(
    draw: st.DrawFn,
    rules: Rules | None = None,
    min_cards: int = 1,
    max_cards: int = 3,
    rounds: tuple[int, ...] = (3, 3, 1, 2),
    unseen: int | None = None,
) -> DummyPosition:
    """A position with ``min_cards`` to ``max_cards`` cards a hand, dealt from one deck; earlier points are close.

    Half the tables get chopsticks and half an open wasabi laid last, where the deck still has them. Pile cards are
    known or unseen at random. With ``unseen`` the other cards of the deck are out of play, so few can be drawn.
    """
    left = draw(st.integers(min_cards, max_cards))
    laid = draw(st.integers(0, 3))
    random = Random(draw(st.integers(0, 2**32)))
    deck = [card for card, number in (rules or Rules()).deck().items() for _ in range(number)]
    random.shuffle(deck)
    hands = tuple(tuple(deck.pop() for _ in range(left)) for _ in range(2))
    tables = [[deck.pop() for _ in range(laid)] for _ in range(3)]
    for table in tables:
        for place, special in enumerate((Card.CHOPSTICKS, Card.WASABI), start=1):
            if laid >= place and special in deck and draw(st.booleans()):
                deck.remove(special)
                deck.append(table[-place])
                table[-place] = special
    puddings = tuple(draw(st.integers(0, min(2, deck.count(Card.PUDDING) // 3))) for _ in range(3))
    for _ in range(sum(puddings)):
        deck.remove(Card.PUDDING)
    random.shuffle(deck)
    pile = tuple(deck.pop() if draw(st.booleans()) else Card.UNSEEN for _ in range(left))
    return DummyPosition(
        hands=hands,
        tables=tuple(map(tuple, tables)),
        puddings=puddings,
        scores=tuple(draw(st.integers(20, 28)) for _ in range(3)),
        round=draw(st.sampled_from(rounds)),
        out=tuple(deck[unseen:]) if unseen is not None else (),
        pile=pile,
        controller=draw(st.integers(0, 1)),
    )


@st.composite
def dummy_questions(
    draw: st.DrawFn, min_cards: int = 1, max_cards: int = 2, unseen: int | None = None
) -> tuple[DummyPosition, Question]:
    """A position, and an objective that can be asked of it, under any rules."""
    rules = draw(rules_options())
    position = draw(dummy_positions(rules, min_cards, max_cards, unseen=unseen))
    objective = draw(st.sampled_from(("margin", "win") if position.round == 3 else ("margin",)))
    return position, Question(objective, rules, draw(st.sampled_from((0.0, 1.5, 2.25))))
