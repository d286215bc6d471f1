"""The last turns of the dummy variant: values against slow references, mixes, the line and the answer's shape."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import LimitReached, Limits, Position, Rules, UsageError, solve
from solvers.endgame import dummy_search
from solvers.endgame.dummy_search import among, keep, reply, stage_value
from solvers.endgame.dummy_solver import DummySolver
from solvers.endgame.dummy_stage import DrawGame
from solvers.endgame.dummy_state import (
    ENDING_LENGTH,
    SEAT_MASK,
    ending,
    ending_vector,
    give,
    hand_word,
    list_own,
    table_word,
)
from solvers.endgame.matrix_work import make_workspace
from solvers.endgame.mixes import canonical_mixes
from solvers.endgame.objective import utilities
from solvers.game.cards import KINDS, Card, cards_from_letters, letters
from solvers.game.dummy import ASSUMPTIONS, DUMMY, DummyPosition
from solvers.game.picks import distinct_picks
from tests.solvers.dummy_positions import dummy_positions, dummy_questions
from tests.solvers.dummy_reference import Question, controller_value, stage_recursion, whole_game
from tests.strategies import rules_options

CLOSE = 1e-7
"""How far the linear programs of the references may be off; the solver itself is held to 1e-9."""


def dummy(text: str) -> DummyPosition:
    return DummyPosition.parse(text)


def answer(position: DummyPosition, question: Question, **options: Any) -> Any:
    return solve(
        position,
        objective=question.objective,
        rules=question.rules,
        pudding_value=question.pudding_value,
        **options,
    )


# Values


def test_a_last_turn_worked_by_hand() -> None:
    """Of 104 unseen cards a squid or a pudding is worth 4 to the controller, a second maki of three -2, the rest 1."""
    solution = solve(dummy("3/T W/T/- c=0"))
    assert solution.value == pytest.approx((15 * 4 - 7 * 2 + 82) / 104, abs=1e-12)
    squid = solution.seat(0).drawn(Card.SQUID_NIGIRI)
    assert (squid.chance, squid.value) == (5 / 104, 4.0)
    assert (letters(squid.best.pick), squid.best.dummy) == ("Q", Card.MAKI3)
    assert solve(dummy("3/T W/T/- y=Q c=0")).value == 4.0
    assert solve(dummy("T/3 T/W/- y=Q c=1")).value == -4.0


def only_unseen(text: str, keep: str) -> DummyPosition:
    """The position with every other card of the deck out of play than those it shows and ``keep``."""
    rest = dummy(text).unseen()
    rest.subtract(cards_from_letters(keep))
    return dummy(f"{text} x={letters(sorted(rest.elements()))}")


def test_a_private_draw_is_worth_hiding() -> None:
    """The pile is a tempura and an egg, in either order. Were the order public, the game would be worth 6."""
    position = only_unseen("TW/T2 P3/T3/TD c=0", "TE")
    solution = solve(position)
    assert solution.value == pytest.approx(6.8, abs=1e-9)
    assert [(letters(row.pick), round(row.probability, 9)) for row in solution.seat(1).picks] == [
        ("T", 0.8),
        ("2", 0.2),
    ]
    assert [solve(position.reveal(card)).value for card in cards_from_letters("TE")] == pytest.approx([6, 6], abs=1e-9)


@given(dummy_questions(max_cards=2, unseen=6))
@settings(max_examples=30)
def test_values_are_those_of_one_linear_program_a_turn(asked: tuple[DummyPosition, Question]) -> None:
    position, question = asked
    assert answer(position, question).value == pytest.approx(stage_recursion(position, question), abs=CLOSE)


@given(dummy_questions(max_cards=2, unseen=4))
@settings(max_examples=40)
def test_values_are_those_of_the_whole_game_with_private_knowledge(asked: tuple[DummyPosition, Question]) -> None:
    """Backward induction over what both see loses nothing: the sequence form knows no such thing and agrees."""
    position, question = asked
    assert answer(position, question).value == pytest.approx(whole_game(position, question), abs=CLOSE)


@pytest.mark.parametrize(
    ("text", "keep"),
    [("TSC/Q3P C/-/- y=?2? c=0", "QQ3"), ("T2Q/LWP -/C/W y=?Q? c=1", "TL"), ("TSL/QLE CW/W/2 y=S?? c=0", "Q3")],
)
def test_three_turns_against_the_whole_game(text: str, keep: str) -> None:
    position, question = only_unseen(text, keep), Question("margin", Rules(), 0.0)
    assert answer(position, question).value == pytest.approx(whole_game(position, question), abs=CLOSE)


@given(dummy_questions(max_cards=2, unseen=9))
@settings(max_examples=30)
def test_compiled_turns_agree_with_turns_read_off_positions(asked: tuple[DummyPosition, Question]) -> None:
    position, question = asked
    compiled, read_off = (
        DummySolver(position, question.objective, question.rules, question.pudding_value, Limits()) for _ in range(2)
    )
    fast = compiled.value(position)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solvers.endgame.dummy_solver.COMPILED_TURNS", 0)
        assert read_off.value(position) == pytest.approx(fast, abs=1e-9)


@given(dummy_questions(max_cards=1, unseen=9))
@settings(max_examples=60)
def test_compiled_last_turns_agree_with_those_read_off(asked: tuple[DummyPosition, Question]) -> None:
    position, question = asked
    solution = answer(position, question)
    solver = DummySolver(position, question.objective, question.rules, question.pudding_value, Limits())
    value = solver.value(position)
    shown = 0.5 + 0.5 * value if question.objective == "win" else value
    assert shown == pytest.approx(solution.seat(position.controller).value, abs=1e-9)


@given(dummy_questions(max_cards=2, unseen=5))
@settings(max_examples=15)
def test_the_seats_are_symmetric(asked: tuple[DummyPosition, Question]) -> None:
    position, question = asked
    here, there = answer(position, question), answer(position.swap_seats((1, 0)), question)
    total = 1.0 if question.objective == "win" else 0.0
    assert here.seat(0).value + here.seat(1).value == pytest.approx(total, abs=1e-12)
    assert there.value == pytest.approx(total - here.value, abs=1e-9)


def test_the_order_and_points_of_the_dummy_decide_nothing() -> None:
    values = {
        round(solve(dummy(text)).value, 12)
        for text in (
            "TQ/3P W/T/Q2 s=1/2/0 c=0",
            "TQ/3P W/T/2Q s=1/2/0 c=0",
            "TQ/3P W/T/Q2 s=1/2/99 c=0",
        )
    }
    assert len(values) == 1


# Mixes


@given(dummy_questions(max_cards=2, unseen=12))
@settings(max_examples=25)
def test_no_seat_gains_by_leaving_its_mix(asked: tuple[DummyPosition, Question]) -> None:
    position, question = asked
    solution = answer(position, question)
    controller, rival = solution.seat(position.controller), solution.seat(position.rival)
    assert sum(draw.chance for draw in controller.draws) == pytest.approx(1, abs=1e-12)
    assert sum(draw.chance * draw.value for draw in controller.draws) == pytest.approx(controller.value, abs=1e-9)
    for value, rows in [(rival.value, rival.picks), *((draw.value, draw.picks) for draw in controller.draws)]:
        assert sum(row.probability for row in rows) == pytest.approx(1, abs=1e-9)
        for row in rows:
            assert row.loss >= -1e-9
            assert row.loss == pytest.approx(value - row.value, abs=1e-12)
            assert row.probability < 1e-9 or row.loss < 1e-7
        assert [row.loss for row in rows] == pytest.approx(sorted(row.loss for row in rows), abs=1e-8)
    assert [row.pick for row in sorted(rival.picks, key=lambda row: (len(row.pick), row.pick))] == list(
        position.picks(position.rival, question.rules)
    )
    for draw in controller.draws:
        listed = position.reveal(draw.card, question.rules).controller_picks(question.rules)
        assert {(row.pick, row.dummy) for row in draw.picks} == set(listed)
        assert len(draw.picks) == len(listed)


def games(widths: tuple[int, int] = (1, 5)) -> st.SearchStrategy[DrawGame]:
    """Stage games of small whole numbers: full of ties."""

    @st.composite
    def build(draw: st.DrawFn) -> DrawGame:
        width = draw(st.integers(*widths))
        weights = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
        rows = st.lists(st.lists(st.integers(-3, 3), min_size=width, max_size=width), min_size=1, max_size=4)
        payoffs = tuple(np.array(draw(rows), dtype=float) for _ in weights)
        return DrawGame(np.array(weights) / sum(weights), payoffs)

    return build()


@given(games())
@settings(max_examples=120)
def test_stage_games_against_a_linear_program(game: DrawGame) -> None:
    scaled = [chance * matrix for chance, matrix in zip(game.chances, game.payoffs, strict=True)]
    value = game.value()
    assert value == pytest.approx(controller_value(scaled), abs=CLOSE)
    mixes, rival = game.mixes()
    assert sum(rival) == pytest.approx(1, abs=1e-9)
    assert all(sum(mix) == pytest.approx(1, abs=1e-9) for mix in mixes)
    assert min(sum(mix @ matrix for mix, matrix in zip(mixes, scaled, strict=True))) >= value - 1e-9
    assert sum((matrix @ rival).max() for matrix in scaled) <= value + 1e-9


@given(games((2, 3)))
@settings(max_examples=60)
def test_the_rivals_mix_is_the_defined_one(game: DrawGame) -> None:
    """The first pick that is optimal on its own, else as much as can be on the first pick."""
    value, (_, rival) = game.value(), game.mixes()

    def conceded(mix: Any) -> float:
        return sum(chance * (matrix @ mix).max() for chance, matrix in zip(game.chances, game.payoffs, strict=True))

    pure = [pick for pick in np.eye(len(rival)) if conceded(pick) <= value + 1e-9]
    if pure:
        assert list(rival) == list(pure[0])
        return
    for rest in _grid(len(rival) - 1):
        for share in np.linspace(rival[0] + 1e-6, 1, 5):
            assert conceded(np.array([share, *np.array(rest) * (1 - share)])) > value + 1e-9


def _grid(size: int) -> list[tuple[float, ...]]:
    steps = [i / 10 for i in range(11)]
    return [mix for mix in product(steps, repeat=size) if abs(sum(mix) - 1) < 1e-9]


@given(games((2, 3)))
@settings(max_examples=60)
def test_the_controllers_plan_is_the_first_optimal_one_without_mixing(game: DrawGame) -> None:
    value, (mixes, _) = game.value(), game.mixes()
    plans = (
        plan
        for plan in product(*(range(len(matrix)) for matrix in game.payoffs))
        if min(sum(chance * matrix[row] for chance, matrix, row in zip(game.chances, game.payoffs, plan, strict=True)))
        >= value - 1e-9
    )
    first = next(plans, None)
    if first is None:
        assert any(mix.max() < 1 - 1e-6 for mix in mixes)
    else:
        assert [list(mix) for mix in mixes] == [
            list(np.eye(len(matrix))[row]) for matrix, row in zip(game.payoffs, first, strict=True)
        ]


def test_equal_picks_are_settled_by_card_order() -> None:
    mixes, rival = DrawGame(np.array([0.25, 0.75]), (np.zeros((3, 2)), np.ones((2, 2)))).mixes()
    assert [list(mix) for mix in mixes] == [[1, 0, 0], [1, 0]]
    assert list(rival) == [1, 0]


@pytest.mark.parametrize(
    ("chances", "mixes"),
    [
        ((0.5, 0.5), ((1, 0), (0, 1))),
        ((0.75, 0.25), ((2 / 3, 1 / 3), (0, 1))),
        ((0.25, 0.75), ((1, 0), (1 / 3, 2 / 3))),
    ],
)
def test_the_controllers_draw_is_its_coin(chances: tuple[float, ...], mixes: tuple[tuple[float, ...], ...]) -> None:
    """Matching pennies after either draw: only the sum over both draws must balance, and the first pick comes first."""
    pennies = np.array([[1.0, -1.0], [-1.0, 1.0]])
    found, rival = DrawGame(np.array(chances), (pennies, pennies)).mixes()
    assert rival == pytest.approx([0.5, 0.5])
    assert np.array(found) == pytest.approx(np.array(mixes))


def test_a_plan_without_mixing_is_preferred() -> None:
    coin_or_sure = np.array([[1.0, -1.0], [-1.0, 1.0], [0.0, 0.0]])
    mixes, rival = DrawGame(np.array([0.5, 0.5]), (coin_or_sure, np.zeros((2, 2)))).mixes()
    assert [list(mix) for mix in mixes] == [[0, 0, 1], [1, 0]]
    assert rival == pytest.approx([0.5, 0.5])


def test_a_known_draw_is_an_ordinary_turn() -> None:
    matrix = np.array([[3.0, 0.0, 1.0], [0.0, 2.0, 1.0]])
    (row_mix,), column_mix = DrawGame(np.ones(1), (matrix,)).mixes()
    value, rows, columns = canonical_mixes(matrix)
    assert (list(row_mix), list(column_mix)) == (list(rows), list(columns))
    assert DrawGame(np.ones(1), (matrix,)).value() == pytest.approx(value, abs=1e-12)


def test_many_plans_are_forgotten_and_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wide game of noise needs more plans than are kept at a time, fewer here than usual; the bounds still meet."""
    random = np.random.default_rng(3)
    payoffs = random.normal(size=(108, 20))
    starts, chances = np.arange(0, 109, 9), np.full(12, 1 / 12)
    expected = controller_value([matrix / 12 for matrix in np.split(payoffs, 12)])
    assert stage_value(payoffs, 20, starts, chances, 12, make_workspace()) == pytest.approx(expected, abs=CLOSE)
    monkeypatch.setattr(dummy_search, "MOST_CUTS", 24)
    counts: list[int] = []

    def counting(cuts: Any, count: Any, *rest: Any) -> Any:
        counts.append(count)
        return keep(cuts, count, *rest)

    monkeypatch.setattr(dummy_search, "keep", counting)
    value = stage_value.py_func(payoffs, 20, starts, chances, 12, make_workspace())
    assert value == pytest.approx(expected, abs=CLOSE)
    assert any(later < earlier for earlier, later in pairwise(counts))


def test_reply_and_among() -> None:
    payoffs, starts = np.array([[1.0, 0.0], [0.0, 3.0], [5.0, 5.0]]), np.array([0, 2, 3])
    chances, plan = np.array([0.5, 0.5]), np.empty(2)
    assert reply(payoffs, 2, starts, chances, 2, np.array([1.0, 0.0]), plan) == 3.0
    assert list(plan) == [3.0, 2.5]
    assert among(np.array([[0.0, 0.0], [3.0, 2.5]]), 2, 2, plan)
    assert not among(np.array([[0.0, 0.0], [3.0, 2.5]]), 1, 2, plan)
    assert stage_value(payoffs, 2, starts, chances, 2, make_workspace()) == pytest.approx(0.5 * 0.75 + 2.5)


# The packed state against the game room


@given(st.data())
@settings(max_examples=150)
def test_packed_endings_are_the_utilities_of_the_game_room(data: st.DataObject) -> None:
    rules = data.draw(rules_options())
    position = data.draw(dummy_positions(rules, max_cards=3))
    objective = data.draw(st.sampled_from(("margin", "win") if position.round == 3 else ("margin",)))
    vector = ending_vector(position.round, objective, rules, 1.5)
    assert len(vector) == ENDING_LENGTH
    (own, points), (rival, rival_points), (third, _) = (table_word(position, place) for place in range(3))
    lead = points - rival_points + position.scores[0] - position.scores[1]
    value = ending(float(lead), own, rival, third & ~SEAT_MASK, vector)
    expected = utilities(position, objective, rules, Fraction(3, 2))[0]
    assert value == (2 * expected - 1 if objective == "win" else expected)


@pytest.mark.parametrize("order", ["sequenced", "strict_prior"])
@pytest.mark.parametrize("table", ["C", "CW", "CWW", "CC", "WQC", "W"])
@pytest.mark.parametrize("hand", ["EELQ", "WEQT", "CCTP", "WWLL", "TS"])
def test_packed_picks_where_order_matters(hand: str, table: str, order: str) -> None:
    rules = Rules(chopsticks_order=order)
    position = DummyPosition((cards_from_letters(hand),) * 2, (cards_from_letters(table), (), ()))
    picks, rests = np.zeros((128, 4), dtype=np.int64), np.zeros(128, dtype=np.uint64)
    count = list_own(
        hand_word(position.hands[0]), table_word(position, 0)[0], ending_vector(3, "win", rules, 0.0), picks, rests
    )
    listed = [tuple(Card(card) for card in row[:2] if card >= 0) for row in picks[:count]]
    assert listed == list(distinct_picks(position.hands[0], position.tables[0], rules))


@given(st.data())
@settings(max_examples=60)
def test_packed_picks_are_those_of_the_game_room(data: st.DataObject) -> None:
    rules = data.draw(rules_options())
    position = data.draw(dummy_positions(rules, min_cards=2, max_cards=5, rounds=(3,)))
    vector = ending_vector(3, "margin", rules, 0.0)
    word, before = table_word(position, 0)
    picks, rests = np.zeros((128, 4), dtype=np.int64), np.zeros(128, dtype=np.uint64)
    count = list_own(hand_word(position.hands[0]), word, vector, picks, rests)
    listed = [tuple(Card(card) for card in row[:2] if card >= 0) for row in picks[:count]]
    assert listed == list(distinct_picks(position.hands[0], position.tables[0], rules))
    for pick, row, rest in zip(listed, picks, rests, strict=False):
        from solvers.game.position import lay_pick

        hand, table = lay_pick(position.hands[0], position.tables[0], pick, rules)
        after = DummyPosition((hand, hand), (table, (), ()), puddings=position.puddings)
        assert hand_word(hand) == rest
        assert table_word(after, 0) == (row[2], before + row[3])


@given(st.sampled_from(KINDS), dummy_positions(max_cards=1))
@settings(max_examples=50)
def test_the_packed_table_of_the_dummy_keeps_icons_and_puddings(card: Card, position: DummyPosition) -> None:
    after = DummyPosition(((), ()), ((), (), (*position.tables[DUMMY], card)), puddings=position.puddings)
    before, _ = table_word(position, DUMMY)
    expected, _ = table_word(after, DUMMY)
    assert give(before & ~SEAT_MASK, int(card)) == expected & ~SEAT_MASK


# The answer


def test_the_line_shows_draws_and_the_dummys_cards() -> None:
    solution = solve(dummy("T3/TP W/T/- c=0"))
    assert solution.draws == (Card.SASHIMI, Card.DUMPLING)
    assert [[letters(pick) for pick in turn] for turn in solution.line] == [["3", "P", "T"], ["T", "D", "S"]]
    position = dummy("T3/TP W/T/- c=0")
    for card, turn in zip(solution.draws, solution.line, strict=True):
        position = position.reveal(card).play(turn)
    assert position.cards_left == 0


def test_the_json_names_draws_and_assumptions() -> None:
    solution = solve(dummy("T3/TP W/T/- c=1"), objective="win")
    found = json.loads(json.dumps(solution.as_dict()))
    assert found["position"] == "T3/PT W/T/- c=1".replace("PT", "TP")
    assert found["rules"]["two_player_variant"] == "dummy"
    assert found["assumptions"] == dict(ASSUMPTIONS)
    assert (found["proven"], found["against"], found["objective"]) == (True, "equilibrium", "win")
    assert found["draws"] == [card.letter for card in solution.draws]
    assert [len(turn) for turn in found["line"]] == [3, 3]
    rival, controller = found["seats"]
    assert set(rival) == {"seat", "value", "picks"}
    assert [row["pick"] for row in rival["picks"]] in (["T", "3"], ["3", "T"])
    assert controller["picks"] == []
    assert [draw["draw"] for draw in controller["draws"]] == [card.letter for card in KINDS]
    assert set(controller["draws"][0]) == {"draw", "chance", "value", "picks"}
    assert set(controller["draws"][0]["picks"][0]) == {"pick", "dummy", "probability", "value", "loss"}
    assert found["value"] == rival["value"] == pytest.approx(1 - controller["value"])


def test_the_table_has_a_row_for_every_pick_of_every_draw() -> None:
    position = dummy("T3/TP W/T/- y=S? c=0")
    rows = solve(position).table()
    assert len(rows) == len(position.controller_picks()) + len(position.picks(1))
    assert {row["draw"] for row in rows if row["seat"] == 0} == {"S"}
    assert all(row["chance"] == 1.0 and row["dummy"] in "TS3" for row in rows if row["seat"] == 0)
    assert all("draw" not in row for row in rows if row["seat"] == 1)


def test_strategies_at_later_positions() -> None:
    position = dummy("T3/TP W/T/- y=S? c=0")
    solution = solve(position)
    controller, rival = solution.strategy(position)
    assert controller == {}
    assert sum(rival.values()) == pytest.approx(1)
    mixes = solution.draw_strategy(position)
    assert list(mixes) == [Card.SASHIMI]
    assert sum(mixes[Card.SASHIMI].values()) == pytest.approx(1)
    later = position.play(solution.line[0])
    assert set(solution.draw_strategy(later)) == {card for card, _ in later.draws()}
    with pytest.raises(UsageError, match="seat 0 draws before it picks"):
        solution.best_pick(0)
    assert solution.best_pick(1) in rival
    with pytest.raises(UsageError, match="seat 0 does not draw T here: it can draw S"):
        solution.seat(0).drawn(Card.TEMPURA)


def test_ordinary_positions_have_no_draws() -> None:
    from solvers.endgame.solution import PickAnswer, SeatAnswer

    plain = SeatAnswer(0, 1.0, (PickAnswer(cards_from_letters("T"), 1.0, 1.0, 0.0),))
    assert plain.as_dict() == {
        "seat": 0,
        "value": 1.0,
        "picks": [{"pick": "T", "probability": 1.0, "value": 1.0, "loss": 0.0}],
    }
    with pytest.raises(UsageError, match="it can draw nothing"):
        plain.drawn(Card.TEMPURA)


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("T/S -/-/- c=0", {"objective": "points"}, "the dummy variant is solved for margin or win"),
        ("T/S -/-/- c=0", {"against": "uniform"}, "the dummy variant is solved for margin or win"),
        ("T/S -/-/- c=0 r=1", {"objective": "win"}, "equity table"),
        ("?/S -/-/- c=0", {}, "the hands hold unseen cards"),
        ("-/- T/S/D c=0", {}, "no cards are left to pick"),
        ("T/S -/-", {"rules": Rules(two_player_variant="dummy")}, "the position has no pile and no third table"),
    ],
)
def test_questions_without_an_answer(text: str, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError) as error:
        solve(Position.parse(text), **options)
    assert reason in str(error.value)


def test_limits_are_kept() -> None:
    with pytest.raises(LimitReached, match="5 cards a hand have about"):
        solve(dummy("TTTSS/LLLDD -/-/- c=0"))
    with pytest.raises(LimitReached, match="limit of 500 states") as error:
        solve(dummy("TTTSS/LLLDD -/-/- c=0"), limits=Limits(max_states=500))
    assert error.value.stats["states"] > 500
    with pytest.raises(LimitReached, match="stopped after 0 s"):
        solve(dummy("TTTSS/LLLDD -/-/- c=0"), limits=Limits(timeout=0.0))


@pytest.mark.parametrize(
    ("text", "states"),
    [("T/S -/-/- c=0", 1), ("T3/TP W/T/- c=0", 134), ("TS3/TPD W/T/- c=0", 52127), ("TS/PD C/C/- c=1", 296)],
)
def test_how_many_turns_the_search_meets(text: str, states: int) -> None:
    """An unintended change of the search shows here."""
    assert solve(dummy(text)).stats["states"] == states


def test_a_solution_shows_draws_in_a_notebook() -> None:
    position = dummy("T3/TP W/T/2 y=S? c=0")
    html = solve(position)._repr_html_()
    assert "seat 0 draws, hands are swapped" in html
    assert all(f">{word}<" in html for word in ("Dummy", "pile", "Seat 1", "seat 0 draws", "seat 1"))
    assert "<b>S</b></td><td>100.0%</td><td style='text-align:left'>3 and T</td>" in html
    assert "(drawn: S, " in html
