"""Positions: the notation both ways, bad input, and one turn of play."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import IllegalPick, NotationError, SushiGoError
from solvers.game.cards import LETTERS, Card, cards_from_letters, count_cards, letters
from solvers.game.position import Position
from solvers.game.rules import Rules
from tests.strategies import positions, rules_options


@given(positions())
def test_round_trip(position: Position) -> None:
    text = str(position)
    again = Position.parse(text)
    assert again == position
    assert str(again) == text
    assert hash(again) == hash(position)
    assert eval(repr(position)) == position  # the repr is what one would type


@given(positions(), st.randoms(use_true_random=False))
def test_the_order_inside_a_hand_is_free(position: Position, random: object) -> None:
    words = str(position).split()
    hands = ["".join(random.sample(hand, len(hand))) for hand in words[0].split("/")]  # type: ignore[attr-defined]
    fields = words[2:]
    random.shuffle(fields)  # type: ignore[attr-defined]
    assert Position.parse(" ".join(["/".join(hands), words[1], *fields])) == position


@given(positions(seats=(3, 3), cards_left=(1, 4)))
def test_equal_means_equal_canonical_text(position: Position) -> None:
    table = position.tables[0]
    other = Position(
        position.hands, (table[::-1], *position.tables[1:]), position.puddings, position.scores, position.round,
        position.out, position.direction,
    )  # fmt: skip
    assert (other == position) == (str(other) == str(position)) == (table == table[::-1])


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("TP/SW W/D p=0/1 s=21/20 r=3", "TP/SW W/D p=0/1 s=21/20"),
        ("PT/WS W/D s=21/20 p=0/1", "TP/SW W/D p=0/1 s=21/20"),
        ("C?W/QP1 QW/- p=0/0 s=0/0 r=2 x=STT d=L", "WC?/1QP QW/- r=2 x=TTS"),
        ("T/S/D -/-/- d=R", "T/S/D -/-/- d=R"),
        ("  -/-   WQ/QW\ts=-3/0\n", "-/- WQ/QW s=-3/0"),
        ("squid,t/W,tempurá -/wasabi".replace(",t/", ",T/"), "TQ/TW -/W"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert str(Position.parse(text)) == canonical


def test_letters_are_in_the_order_of_the_notation() -> None:
    assert LETTERS == "TSD123ELQPWC?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "position '': write hands and tables, for example 'TP/SW W/D"),
        ("TP/SW", "position 'TP/SW': write hands and tables"),
        ("TX/SS -/-", "hands, seat 0: 'X' is not a card; the letters are TSD123ELQPWC?"),
        ("tp/SW W/D", "hands, seat 0: 'tp' is not a card; letters are capitals, so write 'TP'"),
        ("T/maki -/-", "hands, seat 1: 'maki' has no icon count: write maki1, maki2 or maki3"),
        ("T/S -/sushi", "tables, seat 1: 'sushi' is not a card; the letters are"),
        ("T//S -/-/-", "hands, seat 1: nothing between the slashes; write - for no cards"),
        ("TT/S -/-", "hands TT/S differ in size: all hands hold the same number of cards between turns"),
        ("T -", "1 hands: the game is for 2 to 5 seats"),
        ("T/T/T/T/T/T -/-/-/-/-/-", "6 hands: the game is for 2 to 5 seats"),
        ("T/S -", "tables: 1 given for 2 seats; write one for each seat, separated by /"),
        ("T/S -/-/-", "tables: 3 given for 2 seats"),
        ("T/S -/- p=1", "p=: 1 given for 2 seats"),
        ("T/S -/- s=1/2/3", "s=: 3 given for 2 seats"),
        ("T/S -/- p=1/x", "p=1/x: 'x' is not a whole number; write one for each seat, like 2/0"),
        ("T/S -/- s=1.5/0", "s=1.5/0: '1.5' is not a whole number"),
        ("T/S -/- p=-1/0", "p= has a negative number: puddings are counted from 0"),
        ("T/S -/- r=4", "r=4: the round is 1, 2 or 3"),
        ("T/S -/- r=x", "r=x: the round is 1, 2 or 3"),
        ("T/S -/- d=up", "d=up: this round passes left (d=L) or right (d=R)"),
        ("T/S -/- q=2", "'q=2' is not a part of a position: after hands and tables come p= s= r= x= d="),
        ("T/S -/- r=1 r=2", "r= is written twice: once is enough"),
        ("T/S -/- s=", "'s=' has no value: leave it out for the default"),
        ("T/S -/- x=?", "? on a table or in x=: those cards lie face up, so write the card"),
        ("T/S ?/-", "? on a table or in x=: those cards lie face up, so write the card"),
        ("T/S -/- x=Z", "x=: 'Z' is not a card"),
        ("p=1/1 T/S", "'p=1/1' comes before hands and tables: write them first"),
        ("CCCCC/TTTTT -/-", "5 C in the position: the deck has only 4"),
        ("C/C C/C x=C", "5 C in the position: the deck has only 4"),
        ("T/S -/- p=9/9", "18 P in the position (with those kept in p=): the deck has only 10"),
        ("TTTTTTTTTTT/SSSSSSSSSSS -/-", "hands of 11 cards: with 2 seats a hand holds at most 10"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        Position.parse(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=60) | st.text(alphabet="TSD123ELQPWC?/-=psrxd 0", max_size=40))
def test_no_text_does_worse_than_a_clear_line(text: str) -> None:
    try:
        position = Position.parse(text)
    except SushiGoError as error:
        assert str(error) and "\n" not in str(error) and len(str(error)) < 400
    else:
        assert Position.parse(str(position)) == position


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"round": 0}, "the round is 1, 2 or 3"),
        ({"direction": "up"}, "direction 'up': it is left or right"),
        ({"puddings": (1,)}, "p=: 1 given for 2 seats"),
        ({"hands": ((Card.TEMPURA,), ())}, "differ in size"),
    ],
)
def test_a_position_cannot_be_built_wrong(changes: dict[str, object], message: str) -> None:
    parts: dict[str, object] = {"hands": ((Card.TEMPURA,),) * 2, "tables": ((), ())}
    with pytest.raises(NotationError, match=message):
        Position(**{**parts, **changes})  # type: ignore[arg-type]


def test_the_rules_say_the_deck_and_the_direction() -> None:
    text = "WWWWWW/TTTTTT -/-"
    assert Position.parse(text).direction == "left"
    with pytest.raises(NotationError, match="6 W in the position: the deck has only 5"):
        Position.parse(text, Rules(wasabi_cards=5))
    right = Rules(pass_direction="right")
    assert Position.parse("T/S/D -/-/-", right).direction == "right"
    assert Position.parse("T/S/D -/-/- d=L", right).direction == "left"


@pytest.mark.parametrize(("way", "hands"), [("L", "D/T/S"), ("R", "S/D/T")])
def test_hands_go_to_the_neighbour(way: str, hands: str) -> None:
    """Each seat keeps a pudding and hands on one card: to the left is from seat i to seat i + 1."""
    position = Position.parse(f"TP/SP/DP -/-/- d={way}").play([(Card.PUDDING,)] * 3)
    assert str(position) == f"{hands} P/P/P" + (" d=R" if way == "R" else "")


def test_chopsticks_go_into_the_hand_that_is_passed_on() -> None:
    position = Position.parse("TSD/PPP C/-").play([cards_from_letters("TS"), cards_from_letters("P")])
    assert str(position) == "PP/DC TS/P"


@given(positions(cards_left=(1, 10)), rules_options(), st.data())
def test_a_turn_keeps_the_cards(position: Position, rules: Rules, data: st.DataObject) -> None:
    picks = [data.draw(st.sampled_from(options)) for options in position.joint_picks(rules)]
    after = position.play(picks, rules)
    assert after.cards_left == position.cards_left - 1
    shift = 1 if position.direction == "left" else -1
    for seat, pick in enumerate(picks):
        before_turn = count_cards(position.hands[seat] + position.tables[seat])
        passed = after.hands[(seat + shift) % position.seats]
        assert count_cards(passed + after.tables[seat]) == before_turn
        assert len(after.tables[seat]) == len(position.tables[seat]) + 1
        assert sorted(after.tables[seat][-len(pick) :]) == sorted(pick)
    assert (after.puddings, after.scores, after.round, after.out, after.direction) == (
        position.puddings, position.scores, position.round, position.out, position.direction,
    )  # fmt: skip


@given(positions(cards_left=(1, 6)), st.data())
def test_play_to_the_end_of_the_round(position: Position, data: st.DataObject) -> None:
    while position.cards_left:
        if position.cards_left == 1:
            assert all(len(options) == 1 for options in position.joint_picks())
        position = position.play([data.draw(st.sampled_from(options)) for options in position.joint_picks()])
    assert position.joint_picks() == ((),) * position.seats


def test_play_wants_a_pick_of_every_seat() -> None:
    with pytest.raises(IllegalPick, match="1 picks for 2 seats: every seat picks once a turn"):
        Position.parse("T/S -/-").play([(Card.TEMPURA,)])


@given(positions(seats=(3, 5), cards_left=(1, 3)), rules_options(), st.data())
def test_turning_the_table_turns_the_play(position: Position, rules: Rules, data: st.DataObject) -> None:
    order = [(seat + 1) % position.seats for seat in range(position.seats)]
    picks = [data.draw(st.sampled_from(options)) for options in position.joint_picks(rules)]
    turned = position.swap_seats(order)
    assert turned.play([picks[seat] for seat in order], rules) == position.play(picks, rules).swap_seats(order)


def test_a_position_is_immutable() -> None:
    with pytest.raises(AttributeError):
        Position.parse("T/S -/-").round = 1  # type: ignore[misc]


def test_readable_forms() -> None:
    position = Position.parse("TP/SW W/D")
    assert repr(position) == "Position.parse('TP/SW W/D')"
    assert letters(position.hands[1]) == "SW"
