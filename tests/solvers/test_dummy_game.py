"""The dummy variant in the game room: the vectors, legality, notation, and whole rounds."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.endgame.objective import utilities
from solvers.errors import IllegalPick, NotationError
from solvers.game.cards import Card, cards_from_letters, letters, sorted_cards
from solvers.game.dummy import ASSUMPTIONS, DUMMY, HAND_SIZE, DummyPosition
from solvers.game.position import Position
from solvers.game.rules import Rules
from tests.solvers.dummy_positions import dummy_positions

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "rules_vectors.json").read_text("utf-8"))
DUMMY_VECTORS = [
    vector for vector in VECTORS["option_vectors"] if vector.get("options", {}).get("two_player_variant") == "dummy"
]


def cards(names: list[str]) -> tuple[Card, ...]:
    return tuple(Card[name.upper()] for name in names)


def piles(names: list[list[str]]) -> tuple[tuple[Card, ...], ...]:
    return tuple(map(cards, names))


def pick(text: str) -> tuple[Card, ...]:
    return cards_from_letters(text)


def turn(position: DummyPosition, *texts: str) -> DummyPosition:
    return position.play([pick(text) for text in texts])


def test_there_are_dummy_vectors() -> None:
    assert {vector["id"] for vector in DUMMY_VECTORS} == {"opt_dummy_turn", "opt_dummy_last_turn"}


@pytest.mark.parametrize("vector", DUMMY_VECTORS, ids=lambda vector: vector["id"])
def test_dummy_vector(vector: dict[str, Any]) -> None:
    rules = Rules.from_options(vector["options"])
    before = DummyPosition(
        hands=piles(vector["hands"]),
        tables=piles(vector["tableaux"]),
        pile=cards(vector["dummy_pile_top_first"]),
        controller=vector["controller"],
    )
    moves = vector["turn"]
    assert before.draws(rules) == ((Card[moves["controller_draws"].upper()], Fraction(1)),)
    picks: list[tuple[Card, ...]] = [(), (), cards(moves["controller_dummy"])]
    picks[before.controller] = cards(moves["controller_self"])
    picks[before.rival] = cards(moves["opponent"])
    after = before.play(picks, rules)
    assert after.hands == tuple(map(sorted_cards, piles(vector["expected_hands_after"])))
    if "expected_tableaux" in vector:
        assert after.tables == piles(vector["expected_tableaux"])
    if "expected_next_controller" in vector:
        assert after.controller == vector["expected_next_controller"]
    assert after.pile == cards(vector["expected_dummy_pile"])
    if "expected_points_if_scored_now_dummy_scores" in vector:
        assert list(after.round_points(rules)) == vector["expected_points_if_scored_now_dummy_scores"]


# Notation


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("TP/SW W/D/S c=0", "TP/SW W/D/S c=0"),
        ("PT/WS W/D/S c=1 y=??", "TP/SW W/D/S c=1"),
        ("TP/SW W/D/S y=?Q", "TP/SW W/D/S y=?Q c=0"),
        ("TP/SW -/-/- c=1 y=W3 x=SST p=0/1/2 s=3/4/0 r=2", "TP/SW -/-/- p=0/1/2 s=3/4/0 r=2 x=TSS y=W3 c=1"),
        ("-/- T/S/D c=1", "-/- T/S/D c=1"),
        ("-/- T/S/D y=-", "-/- T/S/D c=0"),
        ("tempura,pudding/SW W/D/S y=?,squid c=0", "TP/SW W/D/S y=?Q c=0"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    position = Position.parse(text)
    assert isinstance(position, DummyPosition)
    assert str(position) == canonical
    assert repr(position) == f"Position.parse({canonical!r})"
    assert Position.parse(canonical) == position
    assert hash(Position.parse(canonical)) == hash(position)


def test_rules_that_say_dummy_make_two_hands_a_dummy_position() -> None:
    rules = Rules(two_player_variant="dummy")
    assert isinstance(Position.parse("T/S -/-/-", rules), DummyPosition)
    assert type(Position.parse("T/S/D -/-/-", rules)) is Position
    assert type(Position.parse("T/S -/-")) is Position
    assert isinstance(DummyPosition.parse("T/S -/-/-"), DummyPosition)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("T/S -/- c=0", "tables: 2 given for two seats and the dummy"),
        ("T/S -/-/- c=0 p=1/2", "p=: 2 given"),
        ("T/S -/-/- c=0 s=1/2", "s=: 2 given"),
        ("T/S -/-/- c=2", "c=2: the controller is seat 0 or seat 1"),
        ("T/S -/-/- y=SS", "y=SS has 2 cards: the pile holds as many as each hand, 1"),
        ("T/S -/-/- y=-", "y=-: the pile holds as many cards as each hand, 1"),
        ("T/S -/-/- y=X", "y=: 'X' is not a card"),
        ("T/S -/-/- c=0 d=L", "d=L: with the dummy the two seats swap hands"),
        ("T/S/D -/-/- c=0", "3 hands: the dummy variant (y= or c=) is for two seats"),
        ("T/SS -/-/- c=0", "differ in size"),
        ("T/S -/?/- c=0", "? on a table"),
        ("T/S -/-/- c=0 z=1", "'z=1' is not a part of a position"),
        ("WWWW/WWTT -/-/- y=W??? c=0", "7 W in the position: the deck has only 6"),
        ("TTTTTTTTTT/SSSSSSSSSS -/-/- c=0", "with the dummy a hand holds at most 9"),
    ],
)
def test_bad_notation_is_one_clear_line(text: str, part: str) -> None:
    with pytest.raises(NotationError) as error:
        Position.parse(text)
    assert part in str(error.value)
    assert "\n" not in str(error.value)


def test_dummy_text_of_three_hands_is_refused_as_a_dummy_position() -> None:
    with pytest.raises(NotationError, match="the dummy variant is for two seats"):
        DummyPosition.parse("T/S/D -/-/-")


def test_more_unseen_cards_than_the_deck_has_left_are_refused() -> None:
    rules = Rules()
    deck = "".join(card.letter * number for card, number in rules.deck().items())
    hands, left = deck[:4], deck[4:-1]
    with pytest.raises(NotationError, match="2 unseen cards in y=: only 1 of the deck"):
        Position.parse(f"{hands[:2]}/{hands[2:]} -/-/- x={left} c=0")


# A turn


def test_control_alternates_every_turn_and_through_all_rounds() -> None:
    position = DummyPosition.parse("T/S -/-/- y=D c=0 r=1")
    seen = []
    for _ in range(3):
        for _ in range(HAND_SIZE if position.cards_left > 1 else 1):
            seen.append(position.controller)
            own, given = position.controller_picks()[0]
            picks: list[Any] = [position.picks(0)[0], position.picks(1)[0], (given,)]
            picks[position.controller] = own
            position = position.play(picks)
        if position.round < 3:
            position = position.next_round([pick("TSDTSDTSD"), pick("LLLLLLLLL")], pick("222222222"))
    assert len(seen) == 1 + 2 * HAND_SIZE
    assert all(now != then for then, now in pairwise(seen))


def test_the_pile_stays_and_the_hands_are_swapped() -> None:
    after = turn(DummyPosition.parse("TSD/LQE -/-/- y=P31 c=1"), "T", "P", "L")
    assert str(after) == "EQ/SD T/P/L y=31 c=0"


def test_own_chopsticks_of_the_controller_return_to_the_hand_it_passes() -> None:
    after = turn(DummyPosition.parse("TW/LQ C/-/- y=Q? c=0"), "WQ", "L", "T")
    assert str(after) == "Q/C WQ/L/T c=1"
    assert after.round_points() == (9, 2, 0)


def test_the_rival_may_use_chopsticks_with_two_cards() -> None:
    after = turn(DummyPosition.parse("TW/LQ -/C/- y=Q? c=0"), "W", "LQ", "T")
    assert str(after) == "C/Q W/LQ/T c=1"


def test_the_nigiri_of_the_dummy_go_on_its_open_wasabi() -> None:
    position = DummyPosition.parse("Q/T -/-/W y=2 c=0")
    assert turn(position, "2", "T", "Q").breakdown()[DUMMY].nigiri == 9


def test_the_dummy_competes_for_maki_and_puddings_but_cannot_win() -> None:
    position = DummyPosition.parse("-/- TT/13/33P p=1/0/3 s=10/12/90 c=0")
    assert position.round_points() == (5, 3, 6)
    assert position.pudding_counts() == (1, 0, 4)
    assert position.pudding_points() == (0, -6, 6)
    assert position.totals() == (15, 9, 102)
    assert position.winners() == (0,)
    assert utilities(position, "margin", Rules()) == (6, -6)
    assert utilities(position, "points", Rules()) == (15, 9)
    assert utilities(position, "win", Rules()) == (1, 0)


def test_equal_totals_go_to_the_seat_with_more_puddings() -> None:
    position = DummyPosition.parse("-/- -/-/- p=1/2/5 s=10/10/0 c=0")
    assert (position.pudding_points(), position.totals()) == ((-6, 0, 6), (4, 10, 6))
    assert replace(position, scores=(16, 10, 0)).winners() == (1,)
    assert replace(position, scores=(16, 10, 0), puddings=(2, 2, 5)).totals() == (13, 7, 6)
    assert replace(position, scores=(10, 10, 0), puddings=(2, 2, 5)).winners() == (0, 1)


def test_no_winner_and_no_pudding_points_before_the_last_round() -> None:
    position = DummyPosition.parse("-/- P/T/P r=2 c=0")
    assert position.winners() is None
    assert position.pudding_points() is None
    assert position.totals() == (0, 0, 0)
    assert utilities(position, "margin", Rules(), 2) == (2, -2)


@pytest.mark.parametrize(
    ("text", "picks", "reason"),
    [
        ("TS/LQ -/-/- y=D? c=0", ("T", "L"), "2 picks: a turn with the dummy has three"),
        ("TS/LQ -/-/- y=D? c=0", ("T", "L", "SD"), "seat 0: 2 cards for the dummy: it gets exactly one"),
        ("TS/LQ -/-/- y=D? c=0", ("T", "L", ""), "seat 0: 0 cards for the dummy"),
        ("TS/LQ -/-/- y=D? c=0", ("T", "L", "T"), "seat 0: no T is left for the dummy"),
        ("TS/LQ -/-/- y=D? c=0", ("T", "L", "P"), "seat 0: no P is left for the dummy"),
        ("TS/LQ -/-/- y=D? c=0", ("P", "L", "T"), "seat 0: P needs 1 P: the hand TSD has no P"),
        ("TS/LQ -/-/- y=D? c=0", ("T", "T", "S"), "seat 1: T needs 1 T: the hand LQ has no T"),
        ("TS/LQ -/-/- y=D? c=0", ("TS", "L", "D"), "seat 0: TS takes two cards: that needs chopsticks"),
        ("T/L C/-/- y=D c=0", ("TD", "L", "T"), "seat 0: TD takes the whole hand TD: one card must be left"),
        ("TS/LQ C/-/- y=D? c=0", ("TS", "L", "C"), "seat 0: no C is left for the dummy"),
        ("TS/LQ -/-/- c=0", ("T", "L", "S"), "the card drawn is not known"),
        ("-/- T/L/D c=0", ("T", "L", "S"), "the pile is empty"),
    ],
)
def test_illegal_turns_say_why(text: str, picks: tuple[str, ...], reason: str) -> None:
    with pytest.raises(IllegalPick) as error:
        turn(DummyPosition.parse(text), *picks)
    assert reason in str(error.value)


def test_only_a_possible_card_can_be_drawn() -> None:
    position = DummyPosition.parse("QQ/QQ Q/-/- c=0")
    with pytest.raises(IllegalPick, match="Q cannot be drawn"):
        position.reveal(Card.SQUID_NIGIRI)
    known = position.reveal(Card.TEMPURA)
    assert str(known) == "QQ/QQ Q/-/- y=T? c=0"
    with pytest.raises(IllegalPick, match="S cannot be drawn: the top of the pile can be T"):
        known.reveal(Card.SASHIMI)
    with pytest.raises(IllegalPick, match="the top of the pile can be -"):
        DummyPosition.parse("-/- T/L/D c=0").reveal(Card.TEMPURA)


def test_draws_are_over_the_cards_nobody_has_seen() -> None:
    deck = Rules().deck()
    text = "x=" + "".join(
        card.letter * (number - {"T": 3, "P": 4, "Q": 2, "S": 1}.get(card.letter, 0)) for card, number in deck.items()
    )
    # Unseen: TTTPPPPQQS less the hands, a kept pudding and the pile's known card.
    position = DummyPosition.parse(f"TP/PQ -/-/- {text} p=0/1/0 y=?S c=1")
    assert position.unseen() == Counter({Card.TEMPURA: 2, Card.PUDDING: 1, Card.SQUID_NIGIRI: 1})
    assert position.draws() == (
        (Card.TEMPURA, Fraction(1, 2)),
        (Card.SQUID_NIGIRI, Fraction(1, 4)),
        (Card.PUDDING, Fraction(1, 4)),
    )
    fewer = DummyPosition.parse("T/S -/-/- c=0").unseen(Rules(wasabi_cards=5))
    assert fewer[Card.WASABI] == 5


def test_the_next_round_keeps_puddings_points_and_discards() -> None:
    over = DummyPosition.parse("-/- TTP/33/PPS p=0/1/0 s=1/2/3 r=1 x=L c=1")
    after = over.next_round([pick("TS"), pick("LL")])
    assert str(after) == "TS/LL -/-/- p=1/1/2 s=6/8/3 r=2 x=TTS33L c=1"
    no_maki_tie = DummyPosition.parse("-/- 3/3/3 r=2 c=0")
    assert no_maki_tie.next_round([pick("T"), pick("S")], rules=Rules(maki_tie="full")).scores == (6, 6, 6)
    with pytest.raises(IllegalPick, match="the round is not over: 1 cards"):
        DummyPosition.parse("T/S -/-/- r=1 c=0").next_round([pick("T"), pick("S")])
    with pytest.raises(IllegalPick, match="three rounds"):
        DummyPosition.parse("-/- T/S/D c=0").next_round([pick("T"), pick("S")])


def test_swapped_seats_keep_the_dummy() -> None:
    position = DummyPosition.parse("TP/SW W/D/S p=1/0/2 s=3/4/5 y=?Q c=0")
    assert str(position.swap_seats((1, 0))) == "SW/TP D/W/S p=0/1/2 s=4/3/5 y=?Q c=1"
    assert position.swap_seats((1, 0)).swap_seats((1, 0)) == position


def test_the_controller_lists_its_own_pick_and_the_card_for_the_dummy() -> None:
    position = DummyPosition.parse("TT/LQ C/-/- y=W? c=0")
    listed = [f"{letters(own)}>{given.letter}" for own, given in position.controller_picks()]
    assert listed == ["T>T", "T>W", "W>T", "TT>W", "TW>T"]
    assert [letters(own) for own in position.picks(0)] == ["T", "W", "TT", "TW"]
    assert [letters(own) for own in position.picks(1)] == ["L", "Q"]
    assert position.picks(0, Rules()) == position.joint_picks()[0]
    assert position.find_pick(0, pick("WT")) == pick("TW")
    assert position.find_pick(1, pick("L")) == pick("L")
    with pytest.raises(IllegalPick, match="whole hand"):
        DummyPosition.parse("T/L C/-/- y=W c=0").find_pick(0, pick("WT"))
    assert DummyPosition.parse("-/- T/L/D c=0").picks(0) == ()


def test_the_four_assumptions_are_named() -> None:
    assert set(ASSUMPTIONS) == {
        "dummy_competes",
        "dummy_cannot_win",
        "dummy_lays_like_a_seat",
        "controller_chopsticks",
    }


# Properties


@given(st.data())
@settings(max_examples=150)
def test_round_trip_and_what_a_turn_keeps(data: st.DataObject) -> None:
    rules = data.draw(st.builds(Rules, chopsticks_order=st.sampled_from(("sequenced", "strict_prior"))))
    position = data.draw(dummy_positions(max_cards=4))
    assert Position.parse(str(position)) == position
    drawn = data.draw(st.sampled_from([card for card, _ in position.draws(rules)]))
    assert sum(chance for _, chance in position.draws(rules)) == 1
    shown = position.reveal(drawn, rules)
    own, given_card = data.draw(st.sampled_from(shown.controller_picks(rules)))
    picks: list[Any] = [(), (), (given_card,)]
    picks[position.controller] = own
    picks[position.rival] = data.draw(st.sampled_from(position.picks(position.rival, rules)))
    after = shown.play(picks, rules)
    assert written(after) == written(shown)
    assert after.unseen(rules) == shown.unseen(rules)
    assert {len(hand) for hand in after.hands} == {position.cards_left - 1} == {len(after.pile)}
    assert {len(now) - len(then) for now, then in zip(after.tables, position.tables, strict=True)} == {1}
    assert after.controller == position.rival
    assert Position.parse(str(after)) == after
    mirrored = shown.swap_seats((1, 0)).play([picks[1], picks[0], picks[2]], rules)
    assert mirrored.swap_seats((1, 0)) == after


def written(position: DummyPosition) -> Counter[Card]:
    """Every card the position writes, known pile cards included."""
    return Counter(card for pile in (*position.hands, *position.tables, position.pile) for card in pile) - Counter(
        {Card.UNSEEN: 99}
    )


@given(st.data())
@settings(max_examples=100)
def test_listed_picks_are_the_legal_ones_up_to_their_tables(data: st.DataObject) -> None:
    """Try every own pick of one or two cards and every card for the dummy; the reachable positions must agree."""
    position = data.draw(dummy_positions(max_cards=3))
    shown = position.reveal(position.draws()[0][0])
    rival = position.picks(position.rival)[0]
    hand = sorted(set(shown.hand_after_draw()))
    tried = [(card,) for card in hand] + [(one, two) for one in hand for two in hand]

    def reached(own: tuple[Card, ...], given_card: Card) -> str | None:
        picks: list[Any] = [rival, rival, (given_card,)]
        picks[position.controller] = own
        try:
            after = shown.play(picks)
        except IllegalPick:
            return None
        return in_play(after)

    legal = {reached(own, card) for own in tried for card in hand} - {None}
    listed = [reached(own, card) for own, card in shown.controller_picks()]
    assert None not in listed
    assert set(listed) == legal
    assert len(set(listed)) == len(listed)


def in_play(position: DummyPosition) -> str:
    """What a position comes to: tables by counts, points on nigiri and open wasabi instead of their order."""
    from solvers.game.scoring import nigiri_points, open_wasabi

    tables = [(letters(sorted(table)), nigiri_points(table), open_wasabi(table)) for table in position.tables]
    return f"{position.hands} {tables} {position.pile}"


def test_a_whole_game_keeps_every_card() -> None:
    """Three rounds with random picks: 27 cards a round, nothing lost, each table ends with nine cards."""
    random, rules = Random(7), Rules()
    deck = [card for card, number in rules.deck().items() for _ in range(number)]
    random.shuffle(deck)
    position: DummyPosition | None = None
    for number in range(3):
        hands, pile = [deck[:9], deck[9:18]], deck[18:27]
        del deck[:27]
        if position is None:
            position = DummyPosition(tuple(map(tuple, hands)), ((), (), ()), round=1, pile=tuple(pile))
        else:
            position = position.next_round(hands, pile, rules)
        while position.cards_left:
            own, given_card = random.choice(position.controller_picks(rules))
            picks: list[Any] = [(), (), (given_card,)]
            picks[position.controller] = own
            picks[position.rival] = random.choice(position.picks(position.rival, rules))
            position = position.play(picks, rules)
        assert [len(table) for table in position.tables] == [9, 9, 9]
        assert position.controller == (number + 1) % 2
        assert position.known_cards().total() == 27 * (number + 1)
        position.check_deck(rules)
    assert position is not None
    assert position.unseen(rules) == Counter(deck)
