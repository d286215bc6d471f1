"""Verification by best responses: what it says of right answers, and that it notices wrong ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings

from solvers.endgame.exact import ExactSolution, solve_exact
from solvers.endgame.limits import Limits
from solvers.endgame.objective import utilities
from solvers.endgame.solve import solve
from solvers.endgame.verify import verify
from solvers.errors import LimitReached, UsageError
from solvers.game.cards import cards_from_letters
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules
from tests.endgame_strategies import questions

BY_HAND = Position.parse("QE/PT W/- s=10/12")
"""Margins by seat 0's Q or E and seat 1's P or T: Q-P 0, Q-T 12, E-P -8, E-T 4 (worked out in test_exact)."""
FOUR_CARDS = Position.parse("SLPC/W3DE ETTWDC/P1LDSC p=1/0 s=24/23")
MIXED = Position.parse("TDLQ/TDLP D1TE23/SPDW2Q p=0/2 s=18/21")

Mixes = Sequence[dict[Pick, Any]]


class Spoiled:
    """A solution whose strategy is changed at one position, or whose claim is changed."""

    def __init__(
        self, solution: ExactSolution, change: Callable[[Position, Mixes], Mixes], claim: Fraction | None = None
    ):
        self.position, self.rules, self.objective = solution.position, solution.rules, solution.objective
        self.against, self.pudding_value = solution.against, solution.pudding_value
        self.seats = solution.seats
        if claim is not None:
            self.seats = (replace(solution.seats[0], value=claim), *solution.seats[1:])
        self.solution, self.change = solution, change

    def strategy(self, position: Position) -> Mixes:
        return self.change(position, self.solution.strategy(position))


def always(*texts: str) -> Callable[[Position, Mixes], Mixes]:
    """At the root each seat takes the pick written."""
    forced = [{cards_from_letters(text): 1} for text in texts]
    return lambda position, mixes: forced if position.cards_left == 2 else mixes


def test_an_exact_answer_has_exactly_no_exploitability() -> None:
    check = verify(solve_exact(BY_HAND))
    assert (check.exploitability, check.value_error, check.ok) == (0, 0, True)
    assert [(seat.seat, seat.claimed, seat.best_response, seat.gain) for seat in check.seats] == [(0, 0, 0, 0)] * 1 + [
        (1, 0, 0, 0)
    ]


@pytest.mark.parametrize(
    ("picks", "followed", "gains"),
    [(("Q", "T"), 12, (0, 12)), (("E", "P"), -8, (8, 0)), (("E", "T"), 4, (8, 12))],
)
def test_a_wrong_pick_is_exploited_by_what_it_loses(picks: tuple, followed: int, gains: tuple) -> None:
    check = verify(Spoiled(solve_exact(BY_HAND), always(*picks)))
    assert check.seats[0].followed == followed
    assert tuple(seat.gain for seat in check.seats) == gains
    assert check.exploitability == sum(gains)
    assert check.value_error == abs(followed)
    assert not check.ok


def test_a_wrong_claim_is_noticed_though_the_strategy_is_right() -> None:
    check = verify(Spoiled(solve_exact(BY_HAND), lambda position, mixes: mixes, claim=Fraction(1, 2)))
    assert (check.value_error, check.exploitability, check.ok) == (Fraction(1, 2), 0, False)


def test_a_fault_deep_in_the_tree_is_found() -> None:
    """Seat 0 picks uniformly on the second turn only."""
    solution = solve_exact(FOUR_CARDS)

    def blur(position: Position, mixes: Mixes) -> Mixes:
        if position.cards_left != 3:
            return mixes
        return [{pick: Fraction(1, len(mixes[0])) for pick in mixes[0]}, mixes[1]]

    check = verify(Spoiled(solution, blur))
    assert verify(solution).exploitability == 0
    assert check.seats[1].gain >= 0
    assert check.seats[0].gain > 0
    assert not check.ok


def test_a_value_that_is_right_does_not_hide_a_strategy_that_is_wrong() -> None:
    """Where both mix, seat 1 may take one of its picks for good without losing by it, until seat 0 answers that."""
    solution = solve_exact(MIXED)
    committed = {solution.best_pick(1): 1}

    def commit(position: Position, mixes: Mixes) -> Mixes:
        return [mixes[0], committed] if position == solution.position else mixes

    check = verify(Spoiled(solution, commit))
    assert solution.value == Fraction(-59, 5)
    assert check.value_error == 0
    assert check.seats[0].gain > 0
    assert check.seats[1].gain == 0
    assert not check.ok


def plans(position: Position, seat: int, rules: Rules) -> Iterator[dict[Position, Pick]]:
    """Every pure plan of a seat: one pick at each position its earlier picks can lead to."""
    if not position.cards_left:
        yield {}
        return
    for pick in position.picks(seat, rules):
        others = [(pick,) if s == seat else picks for s, picks in enumerate(position.joint_picks(rules))]
        children = {position.play(picks, rules) for picks in product(*others)}
        for parts in product(*(list(plans(child, seat, rules)) for child in children)):
            plan = {position: pick}
            for part in parts:
                plan |= part
            yield plan


def plan_value(solution: ExactSolution, position: Position, seat: int, plan: dict[Position, Pick]) -> Fraction:
    """The seat's utility when it keeps to a plan and the other seat follows the solution."""
    if not position.cards_left:
        payoffs = utilities(position, solution.objective, solution.rules, solution.pudding_value or 0)
        return Fraction(payoffs[seat])
    total = Fraction(0)
    for pick, chance in solution.strategy(position)[1 - seat].items():
        picks = (plan[position], pick) if seat == 0 else (pick, plan[position])
        if chance:
            total += chance * plan_value(solution, position.play(picks, solution.rules), seat, plan)
    return total


@settings(max_examples=25)
@given(questions(max_cards=2))
def test_the_best_response_is_the_best_of_all_pure_plans(question: dict) -> None:
    solution = solve_exact(**question)

    def blur(position: Position, mixes: Mixes) -> Mixes:
        return [{pick: Fraction(1, len(mix)) for pick in mix} for mix in mixes]

    spoiled = Spoiled(solution, blur)
    check = verify(spoiled)
    for seat in check.seats:
        every_plan = plans(solution.position, seat.seat, solution.rules)
        values = [plan_value(spoiled, solution.position, seat.seat, plan) for plan in every_plan]  # type: ignore[arg-type]
        assert seat.best_response == max(values)
        assert min(values) <= seat.followed <= max(values)


@settings(max_examples=60)
@given(questions(min_cards=2, max_cards=4))
def test_the_float_answer_is_not_exploitable(question: dict) -> None:
    check = verify(solve(**question))
    assert check.exploitability is not None
    assert abs(check.exploitability) <= 1e-9
    assert check.value_error <= 1e-9
    assert check.ok


@pytest.mark.parametrize("against", ["uniform", "greedy", "paranoid"])
@pytest.mark.parametrize("text", ["TSL/W2D/PQE WT/S3/DC p=0/1/0 s=20/21/19", "TSL/W2D WC/S3 p=0/1 s=20/21"])
def test_answers_against_any_others_hold(text: str, against: str) -> None:
    solution = solve(Position.parse(text), "margin", against)
    check = verify(solution)
    assert check.value_error <= 1e-9
    assert check.ok
    if against == "paranoid" and solution.position.seats == 3:
        assert check.exploitability is None
    else:
        assert check.exploitability is not None
        assert abs(check.exploitability) <= 1e-9


def test_a_quantal_answer_may_be_exploitable_but_not_wrong() -> None:
    """Its seats do not always take their best picks, so only the claimed values are held against it."""
    quantal = Spoiled(solve_exact(BY_HAND), always("E", "T"))
    quantal.against = "quantal:1"
    assert not verify(quantal).ok
    quantal.seats = tuple(
        replace(answer, value=Fraction(value)) for answer, value in zip(quantal.seats, (4, -4), strict=True)
    )
    check = verify(quantal)
    assert (check.exploitability, check.value_error, check.ok) == (20, 0, True)


def test_a_paranoid_claim_above_the_floor_is_noticed() -> None:
    solution = solve(Position.parse("TSL/W2D/PQE WT/S3/DC p=0/1/0 s=20/21/19"), "margin", "paranoid")
    boasting = replace(solution, seats=(replace(solution.seats[0], value=solution.value + 1),))
    check = verify(boasting)
    assert check.value_error == pytest.approx(1, abs=1e-9)
    assert not check.ok


def test_uniform_rivals_are_taken_as_they_are() -> None:
    """Against a random seat 1, seat 0's squid is worth the mean of 0 and 12, its egg that of -8 and 4."""
    check = verify(solve_exact(BY_HAND, against="uniform"))
    assert [(seat.seat, seat.followed, seat.best_response) for seat in check.seats] == [(0, 6, 6)]
    assert check.ok


def test_the_numbers_of_positions_visited_are_reported() -> None:
    """Root, then after the root's best picks or any deviation one position each: seat by seat, forced after that."""
    check = verify(solve_exact(BY_HAND))
    assert check.positions == (2 + 3) + (2 + 3)
    assert check.strategies == 4


def test_limits() -> None:
    solution = solve_exact(FOUR_CARDS)
    with pytest.raises(LimitReached, match="more than 10 positions") as caught:
        verify(solution, Limits(max_states=10))
    assert caught.value.stats == {"positions": 10}
    with pytest.raises(LimitReached, match="not done after 0.0 s"):
        verify(solution, Limits(timeout=0.0))


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvers.endgame.verify.PROGRESS_EVERY", 4)
    told: list[int] = []
    check = verify(solve_exact(BY_HAND), progress=told.append)
    assert told == list(range(4, check.positions + 1, 4)) == [4, 8]


def test_the_dummy_variant_is_refused() -> None:
    solution = Spoiled(solve_exact(BY_HAND), lambda position, mixes: mixes)
    solution.position = Position.parse("TS/TS -/-/- y=TS c=0")
    with pytest.raises(UsageError, match="dummy"):
        verify(solution)


def test_the_json_form() -> None:
    answer = json.loads(json.dumps(verify(solve_exact(BY_HAND)).as_dict()))
    assert answer["exploitability"] == 0
    assert answer["ok"] is True
    assert answer["seats"][1] == {"seat": 1, "claimed": 0.0, "followed": 0.0, "best_response": 0.0, "gain": 0.0}
