"""Hypothesis strategy: positions of the dummy variant that could come up in play."""

from __future__ import annotations

from hypothesis import strategies as st

from solvers.game.cards import Card
from solvers.game.dummy import DummyPosition
from solvers.game.rules import Rules

SPECIAL = (Card.CHOPSTICKS, Card.WASABI)


@st.composite
def dummy_positions(
    draw: st.DrawFn,
    min_cards: int = 1,
    max_cards: int = 3,
    rounds: tuple[int, ...] = (3, 3, 1, 2),
    unseen: int | None = None,
) -> DummyPosition:
    """A position with ``min_cards`` to ``max_cards`` cards a hand, dealt from one deck.

    Pile cards are known or unseen at random. With ``unseen``, all but about so many cards of the deck are out of play,
    so that few different cards can be drawn.
    """
    left = draw(st.integers(min_cards, max_cards))
    laid = draw(st.integers(0, 3))
    deck = [card for card, number in sorted(Rules(wasabi_cards=5).deck().items(), reverse=True) for _ in range(number)]
    needed = 3 * (left + laid)
    dealt = draw(st.lists(st.integers(0, len(deck) - 1), min_size=needed, max_size=needed, unique=True))
    stock = [card for index, card in enumerate(deck) if index not in set(dealt)]
    cards = [deck[index] for index in dealt]
    hands = tuple(tuple(cards[seat * left : (seat + 1) * left]) for seat in range(2))
    pile = tuple(card if draw(st.booleans()) else Card.UNSEEN for card in cards[2 * left : 3 * left])
    tables = [cards[3 * left + place * laid : 3 * left + (place + 1) * laid] for place in range(3)]
    for table in tables:
        for place, special in enumerate(SPECIAL, start=1):
            if len(table) >= place and special in stock and draw(st.booleans()):
                stock.remove(special)
                stock.append(table[-place])
                table[-place] = special
    puddings = tuple(draw(st.integers(0, min(2, stock.count(Card.PUDDING) // 3))) for _ in range(3))
    for _ in range(sum(puddings)):
        stock.remove(Card.PUDDING)
    keep = len(stock) if unseen is None else unseen
    start = draw(st.integers(0, len(stock) - keep)) if unseen is not None else 0
    out = tuple(stock[:start] + stock[start + keep :])
    return DummyPosition(
        hands=hands,
        tables=tuple(map(tuple, tables)),
        puddings=puddings,
        scores=tuple(draw(st.integers(20, 28)) for _ in range(3)),
        round=draw(st.sampled_from(rounds)),
        out=out,
        pile=pile,
        controller=draw(st.integers(0, 1)),
    )
