"""Every vector of ``tests/data/rules_vectors.json`` as a test of its own, named by the vector's id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from solvers.errors import IllegalPick, NotationError
from solvers.game.cards import DECK, HAND_SIZES, Card, count_cards
from solvers.game.picks import can_pick, check_pick
from solvers.game.position import Position
from solvers.game.rules import Rules
from solvers.game.scoring import maki_icons, open_wasabi, pudding_points, score_round, winners

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "rules_vectors.json").read_text("utf-8"))
OFFICIAL = {
    "pass_direction": "left",
    "maki_min_icons": 1,
    "maki_tie": "split",
    "pudding_tie": "split",
    "pudding_all_equal": "none",
    "chopsticks_order": "sequenced",
    "two_player_variant": "none",
}


def vectors(group: str, *keys: str) -> pytest.MarkDecorator:
    """Parametrise by the vectors of a group that have all of ``keys``, the dummy variant aside."""
    chosen = [
        vector
        for vector in VECTORS[group]
        if all(key in vector for key in keys) and vector.get("options", {}).get("two_player_variant") != "dummy"
    ]
    assert chosen
    return pytest.mark.parametrize("vector", chosen, ids=lambda vector: vector.get("id") or str(vector["n_players"]))


def cards(names: list[str]) -> tuple[Card, ...]:
    return tuple(Card[name.upper()] for name in names)


def piles(names: list[list[str]]) -> tuple[tuple[Card, ...], ...]:
    return tuple(map(cards, names))


def official(options: dict[str, Any]) -> Rules:
    """The rules of a vector; ``wasabi_forced`` is a house rule the game room scores through ``declined`` instead."""
    return Rules.from_options({name: value for name, value in options.items() if name != "wasabi_forced"})


def round_totals(tables: list[list[str]], rules: Rules | None = None, declined: Any = None) -> list[int]:
    return [part.total for part in score_round(piles(tables), rules, declined)]


def test_the_deck_is_the_official_one() -> None:
    assert {card.name.lower(): number for card, number in DECK.items()} == VECTORS["meta"]["deck"]
    assert sum(DECK.values()) == VECTORS["meta"]["deck_total"]


def test_the_defaults_are_the_official_ones() -> None:
    rules = Rules().as_dict()
    assert {name: rules[name] for name in OFFICIAL} == OFFICIAL
    assert rules["maki_second_place"] is True
    assert rules["wasabi_cards"] == VECTORS["meta"]["deck"]["wasabi"]


@vectors("setup_vectors")
def test_setup(vector: dict[str, Any]) -> None:
    seats = vector["n_players"]
    dealt = 3 * seats * HAND_SIZES[seats]
    assert HAND_SIZES[seats] == vector["hand_size"]
    assert dealt == vector["cards_dealt_total"]
    assert sum(DECK.values()) - dealt == vector["cards_left_over"]


@vectors("round_vectors")
def test_round(vector: dict[str, Any]) -> None:
    tables = piles(vector["players"])
    parts = score_round(tables)
    assert [part.total for part in parts] == vector["expected_round_points"]
    assert [part.maki for part in parts] == vector["expected_maki_points"]
    assert [maki_icons(table) for table in tables] == vector["maki_icons"]
    if vector["full_tableau"]:
        assert {len(table) for table in tables} == {HAND_SIZES[len(tables)]}


@vectors("final_vectors")
def test_final(vector: dict[str, Any]) -> None:
    bonus = pudding_points(vector["puddings"])
    assert list(bonus) == vector["expected_pudding_points"]
    if vector["kind"] == "final":
        totals = [
            sum(points) + more for points, more in zip(zip(*vector["round_points"], strict=True), bonus, strict=True)
        ]
        assert totals == vector["expected_final"]
        assert list(winners(totals, vector["puddings"])) == vector["expected_winners"]


@vectors("final_vectors", "expected_final")
def test_final_through_a_position(vector: dict[str, Any]) -> None:
    """The same totals when the points and puddings are what earlier rounds left and nothing is on the tables."""
    seats = len(vector["puddings"])
    scores = tuple(map(sum, zip(*vector["round_points"], strict=True)))
    position = Position(((),) * seats, ((),) * seats, tuple(vector["puddings"]), scores, round=3)
    assert list(position.totals()) == vector["expected_final"]
    assert list(position.winners() or ()) == vector["expected_winners"]


def replay(vector: dict[str, Any], rules: Rules) -> list[Position]:
    position = Position(
        piles(vector["hands"]), piles(vector["tableaux"]), direction=vector.get("pass_direction", rules.direction(3))
    )
    positions = []
    for turn in vector["turns"]:
        position = position.play(piles(turn), rules)
        positions.append(position)
    return positions


@vectors("play_vectors")
def test_play(vector: dict[str, Any]) -> None:
    positions = replay(vector, Rules())
    for position, hands in zip(positions, vector["expected_hands_after_each_turn"], strict=True):
        assert list(map(count_cards, position.hands)) == list(map(count_cards, piles(hands)))
    final = positions[-1]
    assert list(final.round_points()) == vector["expected_points_if_scored_now"]
    expected = piles(vector["expected_tableaux"])
    assert list(map(count_cards, final.tables)) == list(map(count_cards, expected))
    assert list(map(open_wasabi, final.tables)) == list(map(open_wasabi, expected))


@vectors("play_vectors")
def test_play_by_distinct_picks(vector: dict[str, Any]) -> None:
    """Every recorded pick is one of the distinct picks, and playing that spelling scores the same."""
    position = Position(piles(vector["hands"]), piles(vector["tableaux"]), direction=vector["pass_direction"])
    for turn in vector["turns"]:
        found = [position.find_pick(seat, pick) for seat, pick in enumerate(piles(turn))]
        assert all(pick in position.picks(seat) for seat, pick in enumerate(found))
        position = position.play(found)
    assert list(position.round_points()) == vector["expected_points_if_scored_now"]


@vectors("game_vectors")
def test_game(vector: dict[str, Any]) -> None:
    puddings, scores = (0, 0), (0, 0)
    for number, tables in enumerate(vector["rounds"], start=1):
        position = Position(((), ()), piles(tables), puddings, scores, round=number)
        assert list(position.round_points()) == vector["expected_round_points"][number - 1]
        puddings = position.pudding_counts()
        if number < 3:
            assert position.winners() is None
            scores = position.totals()
    assert list(puddings) == vector["puddings"]
    assert list(position.pudding_points() or ()) == vector["expected_pudding_points"]
    assert list(position.totals()) == vector["expected_final"]
    assert list(position.winners() or ()) == vector["expected_winners"]


@vectors("simulated_games")
def test_simulated_game(vector: dict[str, Any]) -> None:
    """Whole games replayed turn by turn, the discards of earlier rounds staying out of play."""
    seats = vector["n_players"]
    puddings, scores = (0,) * seats, (0,) * seats
    out: tuple[Card, ...] = ()
    for number, record in enumerate(vector["rounds"], start=1):
        position = Position(
            piles(record["deal"]), ((),) * seats, puddings, scores, number, out, direction=record["direction"]
        )
        position.check_deck()
        assert position.cards_left == HAND_SIZES[seats]
        for turn in record["turns"]:
            position = position.play(piles(turn))
            position.check_deck()
        assert position.cards_left == 0
        assert [sorted(table) for table in position.tables] == [sorted(cards(t)) for t in record["final_tableaux"]]
        assert list(position.round_points()) == record["round_points"]
        puddings = position.pudding_counts()
        out += tuple(card for table in position.tables for card in table if card is not Card.PUDDING)
        if number < 3:
            scores = position.totals()
    assert list(puddings) == vector["puddings"]
    assert list(position.pudding_points() or ()) == vector["pudding_points"]
    assert list(position.totals()) == vector["final"]
    assert list(position.winners() or ()) == vector["winners"]
    assert sum(DECK.values()) - len(out) - sum(puddings) == vector["cards_left_over"]


@vectors("illegal_moves", "action")
def test_illegal_pick(vector: dict[str, Any]) -> None:
    hand, table, pick = cards(vector["hand"]), cards(vector["tableau"]), cards(vector["action"])
    assert not can_pick(hand, table, pick)
    with pytest.raises(IllegalPick) as caught:
        check_pick(hand, table, pick)
    assert str(caught.value) and "\n" not in str(caught.value)


def test_bad_hand_sizes_unequal() -> None:
    vector = next(v for v in VECTORS["illegal_moves"] if v["id"] == "bad_hand_sizes_unequal")
    with pytest.raises(NotationError, match="same number of cards"):
        Position(piles(vector["hands"]), piles(vector["tableaux"]))


def test_bad_deck_overdrawn() -> None:
    vector = next(v for v in VECTORS["illegal_moves"] if v["id"] == "bad_deck_overdrawn")
    position = Position((cards(vector["hand"]),) * 2, (cards(vector["tableau"]), ()))
    with pytest.raises(NotationError, match="5 C in the position: the deck has only 4"):
        position.check_deck()


def test_every_illegal_vector_is_covered() -> None:
    other = {vector["id"] for vector in VECTORS["illegal_moves"] if "action" not in vector}
    assert other == {"bad_hand_sizes_unequal", "bad_deck_overdrawn"}


@vectors("option_vectors", "expected_round_points")
def test_option_round(vector: dict[str, Any]) -> None:
    declined = piles(vector["declined"]) if "declined" in vector else None
    points = round_totals(vector["players"], official(vector["options"]), declined)
    assert points == vector["expected_round_points"]
    assert points != round_totals(vector["players"]), "the option makes a difference here"


@vectors("option_vectors", "expected_pudding_points")
def test_option_puddings(vector: dict[str, Any]) -> None:
    rules = official(vector["options"])
    assert list(pudding_points(vector["puddings"], rules)) == vector["expected_pudding_points"]


@vectors("option_vectors", "turns")
def test_option_play(vector: dict[str, Any]) -> None:
    rules = official(vector["options"])
    final = replay(vector, rules)[-1]
    assert list(final.round_points(rules)) == vector["expected_points_if_scored_now"]
    assert list(map(open_wasabi, final.tables)) == vector["expected_open_wasabi"]


@vectors("option_vectors", "expected_direction_by_round")
def test_option_direction(vector: dict[str, Any]) -> None:
    rules = official(vector["options"])
    assert [rules.direction(number) for number in (1, 2, 3)] == vector["expected_direction_by_round"]
    texts = [Position.parse(f"T/S/D -/-/- r={number}", rules).direction for number in (1, 2, 3)]
    assert texts == vector["expected_direction_by_round"]


def test_every_option_vector_is_covered() -> None:
    keys = {"expected_round_points", "expected_pudding_points", "turns", "expected_direction_by_round"}
    left = {vector["id"] for vector in VECTORS["option_vectors"] if not keys & set(vector)}
    assert left == {"opt_dummy_turn", "opt_dummy_last_turn"}
