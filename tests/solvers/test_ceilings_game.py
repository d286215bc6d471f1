"""The best game: proven values, tables that really can be dealt and played, and a bound from another solver."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, milp

from solvers.ceilings import best_game
from solvers.endgame.limits import Limits
from solvers.errors import UsageError
from solvers.game.cards import DECK, HAND_SIZES, KINDS, Card, count_cards
from solvers.game.position import Position
from solvers.game.rules import Rules


def play_out(answer):
    """Deal three rounds in which every seat meets its cards, play them through the game room, and return the totals."""
    players, size = answer.players, HAND_SIZES[answer.players]
    puddings = scores = (0,) * players
    out: tuple[Card, ...] = ()
    for number, tables in enumerate(answer.rounds, start=1):
        hands = tuple(tuple(tables[(hand + turn) % players][turn] for turn in range(size)) for hand in range(players))
        place = Position(hands, ((),) * players, puddings, scores, number, out)
        place.check_deck()
        for turn in range(size):
            place = place.play([(tables[seat][turn],) for seat in range(players)])
        puddings, scores = place.pudding_counts(), place.totals()
        out += tuple(card for table in place.tables for card in table if card is not Card.PUDDING)
    return scores


@pytest.mark.parametrize(
    ("players", "goal", "value"),
    [(2, "seat", 120), (2, "margin", 103), (3, "seat", 111), (4, "seat", 99), (5, "seat", 86)],
)
def test_proven_and_playable(players, goal, value):
    answer = best_game(players, goal)
    assert (answer.value, answer.bound, answer.status, answer.gap) == (value, value, "optimal", 0)
    laid = count_cards(card for tables in answer.rounds for table in tables for card in table)
    assert all(laid[card] <= DECK[card] for card in KINDS)
    totals = play_out(answer)
    assert totals == answer.totals
    assert (totals[0] if goal == "seat" else totals[0] - max(totals[1:])) == value
    printed = answer.as_dict()
    assert (printed["value"], printed["players"], len(printed["rounds"])) == (value, players, 3)


@pytest.mark.parametrize(("players", "value"), [(2, 120), (3, 111), (4, 99), (5, 86)])
def test_another_solver_gives_no_lower_bound(players, value):
    """HiGHS on seat 0's cards alone, with every maki and pudding prize given away for a single card.

    What a table can score is written as a choice of bundles: a pair, a set, dumplings up to the fifth one by one, a
    nigiri, a nigiri with its wasabi, one maki, one pudding.
    """
    size = HAND_SIZES[players]
    bundles = [(5, {"T": 2}, 1), (10, {"S": 3}, 1), (1, {"E": 1}, 1), (2, {"L": 1}, 1), (3, {"Q": 1}, 1)]
    bundles += [(3, {"E": 1, "W": 1}, 1), (6, {"L": 1, "W": 1}, 1), (9, {"Q": 1, "W": 1}, 1), (6, {"1": 1}, 0)]
    bundles += [(total, {"D": count}, 0) for count, total in enumerate((1, 3, 6, 10, 15), start=1)]
    columns = [(points, cards, many) for _ in range(3) for points, cards, many in bundles] + [(6, {"P": 1}, 0)]
    rows, limits = [], []
    for round in range(3):
        chosen = range(round * len(bundles), (round + 1) * len(bundles))
        rows.append([sum(cards.values()) * (i in chosen) for i, (_, cards, _) in enumerate(columns)])
        limits.append(size)
        rows.append([("D" in cards) * (i in chosen) for i, (_, cards, _) in enumerate(columns)])
        limits.append(1)
    rows.append([sum(cards.values()) for _, cards, _ in columns])
    limits.append(3 * size)
    for card in KINDS:
        rows.append([cards.get(card.letter, 0) for _, cards, _ in columns])
        limits.append(DECK[card])
    found = milp(
        -np.array([points for points, _, _ in columns]),
        constraints=LinearConstraint(np.array(rows), -np.inf, np.array(limits)),
        integrality=np.ones(len(columns)),
        bounds=(0, [size if many else 1 for _, _, many in columns]),
    )
    bound = round_up(-found.fun)
    assert found.success
    assert bound >= value
    if players == 2:
        assert bound == value


def round_up(number):
    return int(np.ceil(number - 1e-6))


def test_the_rules_count():
    fewer = best_game(2, "seat", Rules(wasabi_cards=5))
    assert fewer.value <= 120
    assert best_game(2, "seat", Rules(pudding_tie="full")).value == 120


def test_a_timeout_reports_a_bound():
    answer = best_game(5, "margin", limits=Limits(timeout=0.3))
    assert answer.status in ("unknown", "feasible")
    assert answer.bound is None or answer.bound >= 74
    assert answer.as_dict()["status"] != "optimal"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 6}, "6 players: the game is for 2 to 5"),
        ({"goal": "table"}, "unknown goal 'table': for a game it is seat or margin"),
        ({"rules": Rules(two_player_variant="dummy")}, "without the dummy"),
    ],
    ids=str,
)
def test_questions_without_an_answer(arguments, message):
    with pytest.raises(UsageError, match=message):
        best_game(**arguments)
