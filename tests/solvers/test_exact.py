"""The exact-rational mode: fractions, its reduction of the state, its limits and its refusals."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.endgame.exact import position_key, solve_exact
from solvers.endgame.limits import Limits
from solvers.endgame.objective import utilities
from solvers.errors import LimitReached, UsageError
from solvers.game.cards import Card, letters
from solvers.game.picks import pick_sort_key
from solvers.game.position import Cards, Position
from solvers.game.rules import Rules
from tests.endgame_strategies import endgames, questions
from tests.strategies import rules_options

SOLVED = Path(__file__).parents[1] / "data" / "solved_positions.tsv"


def solved_rows() -> list[tuple[float, str, str, str]]:
    rows = [line.split("\t") for line in SOLVED.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [(float(value), *question.split(), text) for value, question, text in rows]  # type: ignore[misc]


def is_small(against: str, text: str) -> bool:
    """Whether the fractions take well under a second."""
    hands = text.split()[0].split("/")
    return len(hands) <= 3 and len(hands[0]) <= (4 if len(hands) == 2 else 3) and against != "paranoid"


SMALL = [row for row in solved_rows() if is_small(row[1], row[3])]


@pytest.mark.parametrize(("value", "against", "objective", "text"), SMALL, ids=[" ".join(row[1:]) for row in SMALL])
def test_the_solved_positions_of_few_cards(value: float, against: str, objective: str, text: str) -> None:
    against = {"eq": "equilibrium"}.get(against, against)
    solution = solve_exact(Position.parse(text), objective, against=against)
    assert float(solution.value) == pytest.approx(value, abs=1e-9)


def test_enough_rows_are_small() -> None:
    assert len(SMALL) == 43


def test_a_position_worked_out_by_hand() -> None:
    """Seat 0 takes the squid onto its wasabi (9) and later tempura; seat 1 the pudding (6) and later egg (1): 19 each.

    Seat 0 with the egg gets 3 and tempura against squid and pudding: 13 - 21. Seat 1 with the tempura leaves seat 0
    the pudding: 25 - 13.
    """
    solution = solve_exact(Position.parse("QE/PT W/- s=10/12"))
    assert solution.value == 0
    assert [(letters(row.pick), row.probability, row.loss) for row in solution.seats[0].picks] == [
        ("Q", 1, 0),
        ("E", 0, 8),
    ]
    assert [(letters(row.pick), row.probability, row.loss) for row in solution.seats[1].picks] == [
        ("P", 1, 0),
        ("T", 0, 12),
    ]
    assert [[letters(pick) for pick in turn] for turn in solution.line] == [["Q", "P"], ["T", "E"]]
    assert solution.best_pick(0) == (Card.SQUID_NIGIRI,)
    assert solution.best_pick(1) == (Card.PUDDING,)


def test_the_share_of_a_win_is_a_fraction() -> None:
    """From the same position the totals are 19 each and seat 1 holds the only pudding: it wins the tie."""
    assert solve_exact(Position.parse("QE/PT W/- s=10/12"), "win").value == 0
    assert solve_exact(Position.parse("TP/SW W/D p=0/1 s=21/20"), "win").value == Fraction(1, 2)


@settings(max_examples=100)
@given(questions(max_cards=3))
def test_the_numbers_of_an_answer_fit_together_exactly(question: dict) -> None:
    solution = solve_exact(**question)
    total = 1 if question["objective"] == "win" else 0
    assert sum(answer.value for answer in solution.seats) == total
    for answer in solution.seats:
        assert sum(row.probability for row in answer.picks) == 1
        assert sum(row.probability * row.value for row in answer.picks) == answer.value
        for row in answer.picks:
            assert row.loss == answer.value - row.value >= 0
            assert row.loss == 0 or row.probability == 0
        losses = [row.loss for row in answer.picks]
        assert losses == sorted(losses)
        assert sorted((row.pick for row in answer.picks), key=pick_sort_key) == list(
            question["position"].picks(answer.seat, question["rules"])
        )


@settings(max_examples=60)
@given(st.integers(2, 5), rules_options(), st.sampled_from(["points", "margin"]), st.data())
def test_uniform_equals_an_average_written_out(seats: int, rules: Rules, objective: str, data: st.DataObject) -> None:
    position = data.draw(endgames(rules, seats, max_cards=2))
    seat = data.draw(st.integers(0, seats - 1))
    worth = Fraction(3, 2)

    def value(state: Position) -> Fraction:
        if not state.cards_left:
            return Fraction(utilities(state, objective, rules, worth)[seat])
        others = [state.picks(rival, rules) for rival in range(seats) if rival != seat]
        averages = []
        for own in state.picks(seat, rules):
            joint = [(*rest[:seat], own, *rest[seat:]) for rest in product(*others)]
            averages.append(sum(value(state.play(picks, rules)) for picks in joint) / Fraction(len(joint)))
        return max(averages)

    solution = solve_exact(position, objective, rules, worth, against="uniform", seat=seat)
    assert solution.value == value(position)
    assert [answer.seat for answer in solution.seats] == [seat]


def rearranged(table: Cards) -> Cards:
    """The same table with all cards but wasabi and nigiri laid first, in reverse."""
    ordered = [card for card in table if card is Card.WASABI or card.is_nigiri]
    return (*(card for card in reversed(table) if card not in ordered), *ordered)


@settings(max_examples=150)
@given(rules_options(), st.integers(2, 3), st.data())
def test_positions_of_one_key_play_and_score_alike(rules: Rules, seats: int, data: st.DataObject) -> None:
    position = data.draw(endgames(rules, seats))
    twin = Position(
        position.hands,
        tuple(map(rearranged, position.tables)),
        position.puddings,
        position.scores,
        position.round,
        direction=position.direction,
    )
    while True:
        assert position_key(twin) == position_key(position)
        assert twin.joint_picks(rules) == position.joint_picks(rules)
        if not position.cards_left:
            break
        picks = tuple(data.draw(st.sampled_from(choices)) for choices in position.joint_picks(rules))
        position, twin = position.play(picks, rules), twin.play(picks, rules)
    assert utilities(twin, "points", rules, 1) == utilities(position, "points", rules, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("T/T WQ/-", "T/T QW/-"),
        ("T/T WW/-", "T/T WWE/-"),
        ("T/T Q/-", "T/T L/-"),
        ("T/T -/C", "T/T C/-"),
        ("T/S -/-", "S/T -/-"),
    ],
)
def test_keys_tell_different_positions_apart(one: str, other: str) -> None:
    assert position_key(Position.parse(one)) != position_key(Position.parse(other))


def test_a_spent_wasabi_is_forgotten_and_its_points_are_not() -> None:
    assert position_key(Position.parse("T/T WE/-")) == position_key(Position.parse("T/T Q/-"))


def test_a_decimal_pudding_value_is_read_as_the_decimal() -> None:
    position = Position.parse("P/T -/- r=1")
    assert solve_exact(position, pudding_value=0.1).value == Fraction(1, 10)
    assert solve_exact(position, pudding_value=Fraction(1, 3)).value == Fraction(1, 3)
    assert solve_exact(position, pudding_value=2).pudding_value == 2
    assert solve_exact(Position.parse("P/T -/-")).pudding_value is None


def test_the_strategy_answers_along_the_round_and_nowhere_else() -> None:
    position = Position.parse("QE/PT W/- s=10/12")
    solution = solve_exact(position)
    after = position.play(((Card.EGG_NIGIRI,), (Card.PUDDING,)))
    assert solution.strategy(after) == ({(Card.TEMPURA,): 1}, {(Card.SQUID_NIGIRI,): 1})
    with pytest.raises(UsageError, match="not a position with a pick to make"):
        solution.strategy(Position.parse("QE/PT -/W s=10/12"))
    with pytest.raises(UsageError, match="not a position with a pick to make"):
        solution.strategy(after.play(((Card.TEMPURA,), (Card.SQUID_NIGIRI,))))


def test_the_json_form_carries_floats_and_fractions() -> None:
    solution = solve_exact(Position.parse("TP/SW W/D p=0/1 s=21/20"), "win")
    answer = json.loads(json.dumps(solution.as_dict()))
    assert (answer["value"], answer["exact"], answer["proven"]) == (0.5, "1/2", True)
    assert answer["seats"][0]["picks"][0] == {
        "pick": "P",
        "probability": 1.0,
        "value": 0.5,
        "loss": 0.0,
        "exact": {"probability": "1", "value": "1/2", "loss": "0"},
    }
    assert answer["line"] == [["P", "S"], ["W", "T"]]
    assert answer["stats"]["states"] == 5


def test_a_large_position_is_refused_with_the_count() -> None:
    position = Position.parse("TSD12/ELQPW -/-")
    with pytest.raises(LimitReached, match="more than 300 states, reached in turn 2 of 5") as caught:
        solve_exact(position, limits=Limits(max_states=300))
    assert caught.value.stats == {"states": 300}
    assert solve_exact(Position.parse("TP/SW W/D"), limits=Limits(max_states=5)).stats["states"] == 5
    with pytest.raises(LimitReached, match="0.0 s were over"):
        solve_exact(position, limits=Limits(timeout=0.0))


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("T/T -/-", {"objective": "points"}, "points is not zero-sum"),
        ("T/T -/-", {"objective": "glory"}, "unknown objective"),
        ("T/T -/- r=2", {"objective": "win"}, "win in round 2"),
        ("T/T/T -/-/-", {}, "no exact equilibrium for 3 seats"),
        ("T/T -/-", {"against": "greedy"}, "no exact answer against 'greedy'"),
        ("T/T -/-", {"against": "uniform", "seat": 2}, "seats 0 to 1"),
        ("-/- T/S", {}, "the hands are empty"),
        ("T?/TS -/-", {}, "unseen cards"),
        ("TS/TS -/-/- y=TS", {}, "dummy"),
    ],
)
def test_questions_without_an_exact_answer_are_refused_in_one_line(text: str, options: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        solve_exact(Position.parse(text), **options)
    assert "\n" not in str(caught.value)
