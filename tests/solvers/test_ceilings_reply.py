"""The best reply in hindsight: against trying every pick of the seat, and what each pick cost."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.ceilings import best_reply
from solvers.ceilings.reply import played_round
from solvers.endgame.limits import Limits
from solvers.errors import IllegalPick, UsageError
from solvers.game.picks import parse_pick
from solvers.game.position import Position
from solvers.game.rules import Rules
from tests.solvers.ceilings_reference import best_against, measure
from tests.strategies import positions, rules_options

WORTH = Fraction(3, 2)


def picks(*turns):
    return [[parse_pick(pick) for pick in turn.split("/")] for turn in turns]


def random_play(position, rules, random):
    """A line of random legal picks to the end of the round."""
    line = []
    while position.cards_left:
        line.append(tuple(random.choice(options) for options in position.joint_picks(rules)))
        position = position.play(line[-1], rules)
    return line, position


@given(data=st.data(), rules=rules_options(), seed=st.integers(0, 2**32), shortened=st.booleans())
@settings(max_examples=20)
def test_the_best_of_every_reply_and_the_cost_of_every_pick(data, rules, seed, shortened):
    position = data.draw(positions(cards_left=(1, 5), rules=rules))
    seat = data.draw(st.integers(0, position.seats - 1))
    line, end = random_play(position, rules, Random(seed))
    answer = best_reply(position, line[:-1] if shortened else line, seat, rules, WORTH)
    assert Fraction(answer.value) == best_against(position, line, seat, rules, WORTH)
    assert Fraction(answer.actual) == measure(end, "seat", seat, rules, WORTH)
    assert answer.complete
    assert sum(row.cost for row in answer.picks) == answer.value - answer.actual
    for turn, row in enumerate(answer.picks):
        assert row.pick == line[turn][seat]
        assert Fraction(row.best) == best_against(position, line[turn:], seat, rules, WORTH)
        position = position.play(line[turn], rules)


def test_wasabi_too_late():
    """Seat 0 lays the squid before the wasabi: first the order costs a point, then the wasabi a pair of tempura."""
    answer = best_reply(Position.parse("QWST/TTDD -/-"), picks("Q/T", "T/S", "W/D", "D/T"), 0)
    assert (answer.value, answer.actual) == (10, 4)
    assert [(row.turn, row.cost) for row in answer.picks if row.cost] == [(0, 1), (2, 5)]
    assert answer.picks[0].better == parse_pick("W")
    assert [turn[1] for turn in answer.line[:-1]] == [parse_pick(pick) for pick in "TSD"]
    printed = answer.as_dict()
    assert printed["picks"][0] == {"turn": 0, "pick": "Q", "better": "W", "best": 10, "after": 9, "cost": 1}
    assert list(printed)[-1] == "stats"


def test_the_last_card_of_a_hand_is_no_choice():
    """Seat 0 could have had the third sashimi: seat 1 then lays the wasabi as its forced last card."""
    answer = best_reply(Position.parse("SW/TT SS/-"), picks("W/T", "T/S"), 0)
    assert (answer.value, answer.actual) == (10, 0)


def test_the_forced_last_turn_may_be_left_out():
    position = Position.parse("QWST/TTDD -/-")
    line = picks("Q/T", "T/S", "W/D", "D/T")
    assert played_round(position, line[:-1], Rules())[0] == tuple(map(tuple, line))
    assert best_reply(position, line[:-1]).as_dict()["picks"] == best_reply(position, line).as_dict()["picks"]


def test_a_timeout_leaves_costs_out():
    answer = best_reply(Position.parse("QWST/TTDD -/-"), picks("Q/T", "T/S", "W/D"), limits=Limits(timeout=0.0001))
    assert not answer.proven
    assert (answer.picks, answer.complete, answer.actual) == ((), False, 4)


@pytest.mark.parametrize(
    ("line", "error", "message"),
    [
        (picks("Q/T"), UsageError, "the record has 1 turns: the hands hold 4 cards, so write 4 turns"),
        (picks("Q/T", "T/S", "W/D", "D/T", "D/T"), UsageError, "the record has 5 turns"),
        (picks("Q/T", "W/S", "W/D"), IllegalPick, "turn 2: seat 0: W needs 1 W: the hand TDD has no W"),
        (picks("Q/T", "T", "W/D"), IllegalPick, "turn 2: 1 picks for 2 seats"),
        (picks("QW/T", "T/S", "W/D"), IllegalPick, "turn 1: seat 0: QW takes two cards"),
    ],
    ids=str,
)
def test_records_that_cannot_be(line, error, message):
    with pytest.raises(error, match=message):
        best_reply(Position.parse("QWST/TTDD -/-"), line)


def test_questions_are_checked_as_for_a_draft():
    with pytest.raises(UsageError, match="seat 5"):
        best_reply(Position.parse("QWST/TTDD -/-"), picks("Q/T", "T/S", "W/D"), 5)
