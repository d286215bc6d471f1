"""Each rule in the models against the game room: with the cards fixed, the model leaves the right points only."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model

from solvers.ceilings import card_points, contests
from solvers.ceilings.lines import Plan, first_order
from solvers.ceilings.search import run
from solvers.endgame.limits import Limits
from solvers.game.cards import Card, cards_from_letters, letters
from solvers.game.rules import Rules
from solvers.game.scoring import (
    dumpling_points,
    maki_points,
    nigiri_points,
    pudding_points,
    sashimi_points,
    tempura_points,
)
from tests.strategies import rules_options


def only_value(model, expression):
    """The one value an expression can have; asking for the least and the most shows it is one."""
    values = set()
    for ask in (model.minimize, model.maximize):
        ask(expression)
        outcome = run(model)
        assert outcome.status == "optimal"
        values.add(outcome.value)
    assert len(values) == 1, values
    return values.pop()


@given(
    counts=st.lists(st.integers(0, 4), min_size=2, max_size=5),
    rules=rules_options(),
    told=st.booleans(),
    data=st.data(),
)
@settings(max_examples=60)
def test_the_maki_contest(counts, rules, told, data):
    seat = data.draw(st.integers(0, len(counts) - 1))
    model = cp_model.CpModel()
    icons = [model.new_int_var(count, count, "") for count in counts]
    points = contests.maki(model, icons, 6, rules, sum(counts) if told else None)
    assert only_value(model, points[seat]) == maki_points(counts, rules)[seat]


@given(
    counts=st.lists(st.integers(0, 3), min_size=2, max_size=5),
    rules=rules_options(),
    told=st.booleans(),
    data=st.data(),
)
@settings(max_examples=60)
def test_the_pudding_contest(counts, rules, told, data):
    seat = data.draw(st.integers(0, len(counts) - 1))
    model = cp_model.CpModel()
    kept = [model.new_int_var(count, count, "") for count in counts]
    points = contests.puddings(model, kept, 5, rules, sum(counts) if told else None)
    assert only_value(model, points[seat]) == pudding_points(counts, rules)[seat]


@pytest.mark.parametrize(
    ("modelled", "scored"),
    [
        (card_points.tempura, tempura_points),
        (card_points.sashimi, sashimi_points),
        (card_points.dumplings, dumpling_points),
    ],
)
def test_sets(modelled, scored):
    for most in (0, 1, 4, 9):
        for cards in range(most + 1):
            model = cp_model.CpModel()
            assert only_value(model, modelled(model, cards, most, "") + 0 * model.new_bool_var("")) == scored(cards)


@given(cards=st.lists(st.sampled_from(cards_from_letters("WWELQT")), max_size=6))
@settings(max_examples=30)
def test_nigiri_in_any_order_score_the_most(cards):
    from itertools import permutations

    model = cp_model.CpModel()
    counts = {card: cards.count(card) for card in Card}
    model.maximize(card_points.nigiri_in_any_order(model, counts, 6, ""))
    assert run(model).value == max(map(nigiri_points, permutations(cards)))


@pytest.mark.parametrize(
    ("target", "order"),
    [(None, "TEQW"), (4, "TEQW"), (6, "TQWE"), (10, "TEWQ"), (5, None)],
)
def test_the_first_order_that_scores_the_target(target, order):
    """T, E, Q, W over four turns: both nigiri plain are 4, the egg on the wasabi 3 + 3, the squid on it 1 + 9."""
    plan = Plan(table=(), hands=(0,) * 4, sizes=(1,) * 4, fixed={}, target=target, rules=Rules())
    found = first_order(plan, (cards_from_letters("TEQW"),))
    assert (found and "".join(map(letters, found))) == order


def test_a_search_without_a_solution_says_so():
    model = cp_model.CpModel()
    number = model.new_int_var(0, 3, "")
    model.add(number >= 4)
    model.maximize(number)
    outcome = run(model)
    assert (outcome.status, outcome.value, outcome.bound) == ("infeasible", None, None)


def test_time_already_spent_is_taken_off():
    model = cp_model.CpModel()
    model.maximize(model.new_int_var(0, 3, ""))
    assert run(model, Limits(timeout=5), spent=60).status in ("optimal", "unknown", "feasible")
