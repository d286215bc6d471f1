"""The best draft: against playing everything out, on known positions, and on whole rounds."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from solvers.ceilings import best_draft
from solvers.ceilings.draft import Question, play_line
from solvers.ceilings.goals import most_together
from solvers.endgame.limits import Limits
from solvers.errors import UsageError
from solvers.game.cards import count_cards, letters, sorted_cards
from solvers.game.dummy import DummyPosition
from solvers.game.picks import parse_pick
from solvers.game.position import Position
from solvers.game.rules import Rules
from solvers.game.scoring import dumpling_points, sashimi_points, tempura_points
from tests.solvers.ceilings_reference import GOALS, best_of, ends, measure, short_rounds
from tests.strategies import rules_options

ROOT = Path(__file__).resolve().parents[2]
WORTHS = st.sampled_from((Fraction(3, 2), Fraction(2), Fraction(-1, 4), Fraction(0), Fraction(5, 8)))

WHOLE_ROUNDS = {
    "TSSD12LLWW/TSD23EPPPP -/-": {"seat": 28, "margin": 15, "table": 46, "least": 4},
    "TTTSSDLPW/DDD23EQPP/SSSS13QCC -/-/-": {"seat": 31, "margin": 24, "table": 59, "least": -4},
    "S123ELPP/TSS3EPPW/23LQQPWC/TSD2LLLW -/-/-/-": {"seat": 30, "margin": 27, "table": 59, "least": -6},
    "SD1233P/DD123PW/TTD222E/TTS12QC/TSS23EW -/-/-/-/-": {"seat": 21, "margin": 19, "table": 54, "least": -2},
    "SD2EELL/TTSS2PW/T3ELLPW/TTDD12P/SSD2LPC -/-/-/-/- r=1": {"seat": 22, "margin": 15, "table": 66, "least": 0},
}
"""Whole rounds, most with chopsticks, and their values: proven by two formulations, this one and a plain first one."""

everything = [(text, goal) for text, values in WHOLE_ROUNDS.items() for goal in values]


@given(data=st.data(), rules=rules_options(), goal=st.sampled_from(GOALS), worth=WORTHS, crowded=st.booleans())
@settings(max_examples=150)
def test_the_best_draft_is_the_best_of_all_ends(data, rules, goal, worth, crowded):
    position = data.draw(short_rounds(rules, crowded=crowded))
    seat = data.draw(st.integers(0, position.seats - 1))
    answer = best_draft(position, seat, goal, rules, worth)
    every = [measure(end, goal, seat, rules, worth) for end in ends(position, rules)]
    assert answer.status == "optimal"
    assert Fraction(answer.value) == Fraction(answer.bound) == best_of(every, goal)
    assert answer.gap == 0
    end = play_line(position, answer.line, rules)
    assert measure(end, goal, seat, rules, worth) == Fraction(answer.value)
    assert end.tables == answer.tables


@given(data=st.data(), rules=rules_options(), goal=st.sampled_from(GOALS), crowded=st.booleans())
@settings(max_examples=15)
def test_optimal_tables_are_counted(data, rules, goal, crowded):
    position = data.draw(short_rounds(rules, seats=(2, 3), crowded=crowded))
    seat = data.draw(st.integers(0, position.seats - 1))
    most, worth = 6, Fraction(3, 2)
    every = {end: measure(end, goal, seat, rules, worth) for end in ends(position, rules)}
    best = [end for end, value in every.items() if value == best_of(list(every.values()), goal)]
    own = len({sorted_cards(end.tables[seat]) for end in best})
    joint = len({tuple(map(sorted_cards, end.tables)) for end in best})
    count = best_draft(position, seat, goal, rules, worth, count=most).count
    assert (count.own, count.own_complete) == (min(own, most), own <= most)
    assert (count.joint, count.joint_complete) == (min(joint, most), joint <= most)


@pytest.mark.parametrize(
    ("text", "options", "goal", "value"),
    [
        ("E/T W/-", {}, "seat", 3),  # a forced egg on the open wasabi
        ("EQ/TT W/-", {}, "seat", 9),  # squid first, the egg goes on to seat 1
        ("EQ/TT W/-", {}, "least", 3),  # the egg spoils the wasabi
        ("WQ/TT C/-", {}, "seat", 9),  # chopsticks: wasabi, then squid
        ("WQ/TT C/-", {"chopsticks_order": "strict_prior"}, "seat", 3),  # the squid stays plain
        ("WQ/TT C/-", {}, "least", 0),
        ("EQ/TT WC/-", {}, "seat", 10),  # both: squid on the wasabi, egg plain
        ("EQ/TT WC/-", {}, "least", 3),  # one of the two must be laid: the egg spoils the wasabi
        ("EQT/SSD WWC/-", {}, "seat", 13),  # squid and egg on both wasabi, and a dumpling
        ("EE/QQ WWC/-", {}, "seat", 12),  # both eggs at once would take both wasabi, so the squid could not triple
        ("3/3/3/3 -/-/-/-", {}, "seat", 1),  # four tie for first: 6 // 4
        ("3/2/2/2 -/-/-/-", {}, "table", 9),
        ("3/1/1/1/1 -/-/-/-/-", {}, "table", 6),  # four tie for second: nothing
        ("3/1/1/1/1 -/-/-/-/-", {"maki_tie": "full"}, "table", 18),
        ("T/T/T/T -/-/-/- p=2/0/0/0", {}, "least", 6),
        ("T/T/T/T/T -/-/-/-/- p=0/0/0/0/2", {}, "least", -1),  # −6 among four, rounded toward zero
        ("P/T -/- p=0/0", {}, "margin", 6),  # two seats: nobody loses for fewest
        ("P/T -/- p=0/3 r=1", {}, "margin", -3),
        ("DLQ/TT2 L/- s=-2/0", {}, "seat", 11),  # a score that cancels the nigiri points on the table
        ("DLQ/TT2 L/Q s=-2/-3", {}, "margin", 5),
    ],
    ids=str,
)
def test_known_positions(text, options, goal, value):
    rules = Rules(**options)
    position = Position.parse(text, rules)
    answer = best_draft(position, 0, goal, rules)
    every = [measure(end, goal, 0, rules, Fraction(3, 2)) for end in ends(position, rules)]
    assert best_of(every, goal) == value
    assert answer.value == value


@pytest.mark.parametrize(("text", "goal"), everything, ids=str)
def test_whole_rounds_are_proven_and_replay(text, goal):
    position = Position.parse(text)
    answer = best_draft(position, 0, goal)
    assert (answer.status, answer.value, answer.bound) == ("optimal", WHOLE_ROUNDS[text][goal], answer.value)
    printed = answer.as_dict()
    assert set(printed) >= {"goal", "seat", "value", "status", "bound", "gap", "line", "tables", "stats"}
    place = position
    for turn in printed["line"]:
        place = place.play([parse_pick(pick) for pick in turn])
    assert [letters(table) for table in place.tables] == printed["tables"]
    assert measure(place, goal, 0, Rules(), Fraction(3, 2)) == Fraction(printed["value"])
    if position.round == 3:
        assert printed["totals"] == list(place.totals())


@pytest.mark.parametrize(("text", "goal"), everything, ids=str)
def test_a_linear_relaxation_is_never_below(text, goal):
    """HiGHS on the model's linear constraints, without those under a condition: a relaxation by another solver."""
    question = Question(Position.parse(text), 0, goal, Rules(), Fraction(3, 2), Limits())
    model = question.model()[0].model.proto
    domains = [list(variable.domain) for variable in model.variables]  # the proto's own lists know no index -1
    columns = [(domain[0], domain[-1]) for domain in domains]
    upper, limits = [], []

    def at_most(row, limit):
        if abs(limit) < 2**50:
            upper.append(row)
            limits.append(limit)

    for constraint in model.constraints:
        if len(constraint.enforcement_literal) or not constraint.has_linear():
            continue
        row = np.zeros(len(columns))
        for column, factor in zip(constraint.linear.vars, constraint.linear.coeffs, strict=True):
            row[column] += factor
        domain = list(constraint.linear.domain)
        at_most(row, domain[-1])
        at_most(-row, -domain[0])
    price = np.zeros(len(columns))
    for column, factor in zip(model.objective.vars, model.objective.coeffs, strict=True):
        price[column] += factor
    relaxed = linprog(price, A_ub=np.array(upper), b_ub=np.array(limits), bounds=columns, method="highs")
    assert relaxed.status == 0
    bound = (
        (relaxed.fun + model.objective.offset) * (model.objective.scaling_factor or 1) / (1 if "r=1" not in text else 2)
    )
    value = WHOLE_ROUNDS[text][goal]
    assert bound <= value + 1e-6 if goal == "least" else bound >= value - 1e-6


@given(data=st.data(), goal=st.sampled_from(GOALS))
@settings(max_examples=8)
def test_seats_can_be_renamed_and_the_table_mirrored(data, goal):
    position = data.draw(short_rounds(Rules(), seats=(3, 5)))
    value = best_draft(position, 0, goal).value
    turned = position.swap_seats([*range(1, position.seats), 0])
    assert best_draft(turned, position.seats - 1, goal).value == value
    other_way = "right" if position.direction == "left" else "left"
    mirrored = position.swap_seats([0, *reversed(range(1, position.seats))])
    mirrored = replace(mirrored, direction=other_way)
    assert best_draft(mirrored, 0, goal).value == value


def test_the_same_line_from_run_to_run():
    text, goal = "TTTSSDLPW/DDD23EQPP/SSSS13QCC -/-/-", "margin"
    code = (
        "from solvers import Position; from solvers.ceilings import best_draft; "
        f"print(best_draft(Position.parse({text!r}), 0, {goal!r}).as_dict()['line'])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    here = [best_draft(Position.parse(text), 0, goal).as_dict()["line"] for _ in range(2)]
    assert here[0] == here[1]
    assert run.stdout == f"{here[0]}\n"


def test_chopsticks_are_used_only_where_the_tables_need_them():
    """The final tables are kept: no line to them uses chopsticks less often."""
    position = Position.parse("TTEL/SD2L C/C")
    answer = best_draft(position, 0, "seat")
    wanted = tuple(map(sorted_cards, answer.tables))

    def fewest(place):
        if not place.cards_left:
            return 0 if tuple(map(sorted_cards, place.tables)) == wanted else 99
        return min(
            fewest(place.play(picks)) + sum(len(pick) == 2 for pick in picks) for picks in product(*place.joint_picks())
        )

    assert sum(len(pick) == 2 for turn in answer.line for pick in turn) == fewest(position)


@pytest.mark.parametrize("timeout", [0.001, 0.3])
@pytest.mark.parametrize("goal", ["margin", "least"])
def test_a_timeout_reports_a_bound_as_a_bound(timeout, goal):
    text = "SD1233P/DD123PW/TTD222E/TTS12QC/TSS23EW -/-/-/-/-"
    best = WHOLE_ROUNDS[text][goal]
    answer = best_draft(Position.parse(text), 0, goal, limits=Limits(timeout=timeout))
    sign = -1 if goal == "least" else 1
    if timeout == 0.001:
        assert (answer.status, answer.value, answer.bound, answer.gap, answer.line) == ("unknown", None, None, None, ())
    if answer.bound is not None:
        assert sign * answer.bound >= sign * best
    if answer.value is not None:
        assert sign * answer.value <= sign * best
        assert (answer.status == "optimal") == (answer.value == answer.bound)
    assert not answer.interrupted


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seat": 2}, "seat 2: the position has seats 0 to 1"),
        ({"goal": "win"}, "unknown goal 'win': it is seat, margin, table, least"),
        ({"rules": Rules(two_player_variant="dummy")}, "without the dummy"),
        ({"pudding_value": 0.12345}, "at most three decimals"),
        ({"pudding_value": float("nan")}, "write a number of points"),
        ({"pudding_value": "x"}, "write a number of points"),
        ({"limits": Limits(max_states=5)}, "use --timeout"),
    ],
    ids=str,
)
def test_questions_without_an_answer(change, message):
    with pytest.raises(UsageError, match=message):
        best_draft(Position.parse("TP/SW W/D r=1"), **change)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (Position.parse("-/- T/S"), "the hands are empty"),
        (Position.parse("?P/SW W/D"), "unseen cards"),
        (DummyPosition.parse("TP/SW W/D/-"), "without the dummy"),
    ],
    ids=str,
)
def test_positions_without_an_answer(position, message):
    with pytest.raises(UsageError, match=message):
        best_draft(position)


@pytest.mark.parametrize("scored", [tempura_points, sashimi_points, dumpling_points])
def test_the_most_several_seats_make_of_one_kind(scored):
    for cards in range(9):
        shared = [(own, other, cards - own - other) for own in range(cards + 1) for other in range(cards + 1 - own)]
        assert most_together(scored, cards, 3) == max(sum(map(scored, parts)) for parts in shared)


def test_every_card_of_the_position_is_laid():
    text = "SD1233P/DD123PW/TTD222E/TTS12QC/TSS23EW -/-/-/-/-"
    position = Position.parse(text)
    answer = best_draft(position, 3, "seat")
    dealt = count_cards(card for hand in position.hands for card in hand)
    assert count_cards(card for table in answer.tables for card in table) == dealt
    assert {len(table) for table in answer.tables} == {7}
