"""The best hand: the known maxima, every choice of given cards, and requests no cards can meet."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.ceilings import best_hand
from solvers.endgame.limits import Limits
from solvers.errors import UsageError
from solvers.game.cards import KINDS, cards_from_letters, count_cards, letters
from solvers.game.rules import Rules
from solvers.game.scoring import maki_icons, maki_points, score_round
from tests.strategies import rules_options


def points(cards, rivals, rules):
    """The most the cards score in any order."""
    best = max(score_round((order,), rules)[0].nigiri for order in set(permutations(cards)))
    own = score_round((cards,), rules)[0]
    maki = maki_points((maki_icons(cards), *rivals), rules)[0]
    return own.tempura + own.sashimi + own.dumpling + best + maki


@pytest.mark.parametrize(("size", "value"), [(7, 33), (8, 36), (9, 42), (10, 45)])
def test_known_maxima_when_nobody_else_has_maki(size, value):
    answer = best_hand(size)
    assert (answer.value, answer.status, answer.bound, answer.gap) == (value, "optimal", value, 0)
    assert len(answer.cards) == size
    assert score_round((answer.cards, ()))[0].total == value


@pytest.mark.parametrize(
    ("size", "rivals", "cards"),
    [(1, (0,), "1"), (3, (0,), "1WQ"), (3, (9, 9), "QWQ"), (1, (9,), "1"), (2, (3, 3), "WQ"), (9, (), "1WQWQWQWQ")],
)
def test_the_hand_shown(size, rivals, cards):
    assert letters(best_hand(size, rivals=rivals).cards) == cards


@given(
    given_cards=st.lists(st.sampled_from(KINDS), min_size=1, max_size=7),
    rules=rules_options(),
    rivals=st.lists(st.integers(0, 5), max_size=3),
    data=st.data(),
)
@settings(max_examples=25)
def test_the_best_of_every_choice(given_cards, rules, rivals, data):
    size = data.draw(st.integers(1, min(4, len(given_cards))))
    if any(number > rules.deck()[card] for card, number in count_cards(given_cards).items()):
        return
    answer = best_hand(size, given_cards, rivals=rivals, rules=rules, count=40)
    choices = {tuple(sorted(choice)): points(choice, rivals, rules) for choice in combinations(given_cards, size)}
    best = max(choices.values())
    optimal = [choice for choice, value in choices.items() if value == best]
    assert (answer.value, answer.bound, answer.status) == (best, best, "optimal")
    assert (answer.count, answer.count_complete) == (len(optimal), True)
    assert tuple(sorted(answer.cards)) == max(optimal, key=lambda choice: [choice.count(kind) for kind in KINDS])


def test_cards_left_out_are_not_used():
    answer = best_hand(7, without=cards_from_letters("WWWWWW"))
    assert (answer.value, letters(answer.cards)) == (26, "SSSSSS1")  # two sets and the most maki


def test_counting_stops_where_told():
    answer = best_hand(9, count=2)
    assert (answer.count, answer.count_complete) == (2, False)
    assert answer.as_dict()["optimal_hands"] == {"count": 2, "complete": False}
    assert best_hand(9, count=3).count_complete


def test_a_timeout_gives_no_proof():
    answer = best_hand(10, limits=Limits(timeout=0.0001), count=5)
    assert not answer.proven or answer.value == 45
    assert answer.as_dict().keys() >= {"value", "status", "bound", "gap", "cards", "stats"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0,), "0 cards: write a number from 1 to 108"),
        ((109,), "109 cards: write a number from 1 to 108"),
        ((3, cards_from_letters("TT")), "3 cards: write a number from 1 to 2"),
        ((1, cards_from_letters("QQQQQQ")), "6 Q in the given cards: the deck has only 5"),
        ((1, None, cards_from_letters("CCCCC")), "5 C to leave out: the deck has 4"),
        ((1, cards_from_letters("TS"), cards_from_letters("D")), "1 D to leave out: the given cards has 0"),
        ((1, None, (), (-1,)), "-1 maki icons of a rival"),
    ],
    ids=str,
)
def test_contradictory_requests(arguments, message):
    with pytest.raises(UsageError, match=message):
        best_hand(*arguments)


def test_the_rules_decide_the_deck():
    with pytest.raises(UsageError, match="the deck has only 5"):
        best_hand(1, cards_from_letters("WWWWWW"), rules=Rules(wasabi_cards=5))
