"""Legal picks: the distinct ones, their spelling, and the reasons for refusing others."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import IllegalPick, NotationError
from solvers.game.cards import Card, cards_from_letters, letters
from solvers.game.picks import can_pick, check_pick, distinct_picks, laid_order, parse_pick, pick_sort_key
from solvers.game.position import Position
from solvers.game.rules import Rules
from solvers.game.scoring import nigiri_points, open_wasabi
from tests.strategies import piles, rules_options

STRICT = Rules(chopsticks_order="strict_prior")


@pytest.mark.parametrize(
    ("hand", "table", "rules", "expected"),
    [
        ("", "C", Rules(), ""),
        ("T", "C", Rules(), "T"),
        ("TTSW", "", Rules(), "T S W"),
        ("TT", "C", Rules(), "T TT"),
        ("TS", "C", Rules(), "T S TS"),
        ("TC", "C", Rules(), "T C"),
        ("CC", "C", Rules(), "C"),
        ("TCC", "CC", Rules(), "T C"),
        ("TSC", "C", Rules(), "T S C TS"),
        ("WQ", "C", Rules(), "Q W QW WQ"),
        ("WQ", "CW", Rules(), "Q W QW"),
        ("WQ", "CWE", Rules(), "Q W QW WQ"),
        ("WQ", "C", STRICT, "Q W QW"),
        ("EQ", "C", Rules(), "E Q EQ"),
        ("EQ", "CW", Rules(), "E Q EQ QE"),
        ("EQ", "CWW", Rules(), "E Q EQ"),
        ("EQ", "CW", STRICT, "E Q EQ QE"),
        ("EEQ", "CW", Rules(), "E Q EE EQ QE"),
        ("WW", "C", Rules(), "W WW"),
        ("TEW", "C", Rules(), "T E W TE TW EW WE"),
    ],
)
def test_distinct_picks(hand: str, table: str, rules: Rules, expected: str) -> None:
    picks = distinct_picks(cards_from_letters(hand), cards_from_letters(table), rules)
    assert " ".join(map(letters, picks)) == expected


def outcome(
    hand: tuple[Card, ...], table: tuple[Card, ...], pick: tuple[Card, ...], rules: Rules
) -> tuple[object, ...]:
    """All that a pick changes in play: the cards handed on, those on the table, and what the wasabi did."""
    other = (Card.TEMPURA,) * len(hand)
    after = Position((hand, other), (table, ())).play((pick, (Card.TEMPURA,)), rules)
    laid = after.tables[0]
    return after.hands[1], tuple(sorted(laid)), open_wasabi(laid), nigiri_points(laid)


def every_legal_pick(hand: tuple[Card, ...], table: tuple[Card, ...]) -> set[tuple[Card, ...]]:
    singles = {(card,) for card in hand}
    pairs = set(permutations(hand, 2)) if Card.CHOPSTICKS in table else set()
    return singles | pairs


@given(piles(6, min_size=1), piles(5), rules_options())
def test_distinct_picks_are_each_outcome_once(hand: tuple[Card, ...], table: tuple[Card, ...], rules: Rules) -> None:
    """No outcome is missing, and two distinct picks never lead to the same one."""
    picks = distinct_picks(hand, table, rules)
    outcomes = [outcome(hand, table, pick, rules) for pick in picks]
    assert len(set(outcomes)) == len(picks)
    assert set(outcomes) == {outcome(hand, table, pick, rules) for pick in every_legal_pick(hand, table)}
    assert list(picks) == sorted(picks, key=pick_sort_key)


@given(piles(6, min_size=1), piles(5), rules_options())
def test_every_legal_pick_amounts_to_a_distinct_one(
    hand: tuple[Card, ...], table: tuple[Card, ...], rules: Rules
) -> None:
    picks = distinct_picks(hand, table, rules)
    for pick in every_legal_pick(hand, table):
        check_pick(hand, table, pick)
        named = laid_order(table, pick, rules)
        assert named in picks
        assert outcome(hand, table, named, rules) == outcome(hand, table, pick, rules)


@given(piles(5), piles(4), piles(3))
def test_can_pick_agrees_with_the_list(hand: tuple[Card, ...], table: tuple[Card, ...], pick: tuple[Card, ...]) -> None:
    assert can_pick(hand, table, pick) == (pick in every_legal_pick(hand, table))


@pytest.mark.parametrize(
    ("hand", "table", "pick", "reason"),
    [
        ("TS", "", "", "a pick takes at least one card"),
        ("TS", "", "Q", "Q needs 1 Q: the hand TS has no Q"),
        ("TS", "C", "TT", "TT needs 2 T: the hand TS has only 1 T"),
        ("TSD", "C", "TSD", "TSD takes 3 cards: one chopsticks a turn, so at most two"),
        ("TS", "W", "TS", "TS takes two cards: that needs chopsticks in front since an earlier turn"),
        ("TC", "", "CT", "CT takes two cards: that needs chopsticks in front since an earlier turn"),
    ],
)
def test_reasons(hand: str, table: str, pick: str, reason: str) -> None:
    with pytest.raises(IllegalPick) as caught:
        check_pick(cards_from_letters(hand), cards_from_letters(table), cards_from_letters(pick))
    assert str(caught.value) == reason


def test_an_illegal_pick_names_the_seat() -> None:
    with pytest.raises(IllegalPick, match="^seat 1: Q needs 1 Q: the hand SW has no Q$"):
        Position.parse("TP/SW W/D").play([parse_pick("T"), parse_pick("Q")])


@pytest.mark.parametrize(
    ("text", "pick"), [("Q", "Q"), ("WQ", "WQ"), ("wasabi,squid", "WQ"), ("lachs", "L"), (" Q ", "Q")]
)
def test_parse_pick(text: str, pick: str) -> None:
    assert letters(parse_pick(text)) == pick


@pytest.mark.parametrize("text", ["", " ", "TSD", "X", "maki", "T S", "T,S,D"])
def test_parse_pick_refuses(text: str) -> None:
    with pytest.raises(NotationError):
        parse_pick(text)


@given(st.integers(1, 4), piles(4))
def test_one_kind_in_hand_is_one_pick_without_chopsticks(copies: int, table: tuple[Card, ...]) -> None:
    table = tuple(card for card in table if card is not Card.CHOPSTICKS)
    assert distinct_picks((Card.DUMPLING,) * copies, table, Rules()) == ((Card.DUMPLING,),)
