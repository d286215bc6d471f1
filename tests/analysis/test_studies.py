"""The studies: planted truths come back out of the summaries, and a small run of each gives what the solver says."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from analysis.studies import card_values, first_picks, get_study, mixing, study_names, thumb_rules, worth_when
from analysis.studies.rounds import PARAMETERS, ROUNDS, SolvedDeal, answer_round, pure_plan, setting
from analysis.study.deals import full_deck, random_deal
from analysis.study.run import run_study
from analysis.study.store import Store
from solvers import Position, Rules, UsageError, solve
from solvers.game.cards import DECK, KINDS, Card, cards_from_letters, count_cards
from solvers.game.names import card_name
from solvers.game.picks import parse_pick

SMALL = {"cards": 3, "round": 1, "pudding_value": 1.5, "wander": 0.25, "plan_cards": 3}


def random_of(number):
    return np.random.default_rng(number)


# Random deals


@pytest.mark.parametrize(("seats", "size"), [(2, 10), (3, 9), (4, 8), (5, 7)])
def test_a_random_deal_is_legal_and_of_the_right_size(seats, size):
    deal = random_deal(random_of(1), seats, round=2)
    assert [len(hand) for hand in deal.hands] == [size] * seats and deal.round == 2
    deal.check_deck()


def test_deals_hold_the_deck_in_its_proportions():
    counts = sum(np.bincount([c for h in random_deal(random_of(n)).hands for c in h], minlength=12) for n in range(400))
    expected = np.array([DECK[card] for card in KINDS]) / 108 * 8000
    np.testing.assert_allclose(counts, expected, rtol=0.12)
    assert len(full_deck()) == 108


# Card values


def planted_rounds(worth, number):
    rounds = []
    for n in range(number):
        deal = random_deal(random_of(n))
        first, second = map(count_cards, deal.hands)
        value = sum(worth[card] * (first[card] - second[card]) for card in KINDS)
        rounds.append({"deal": str(deal), "value": float(value), "without": [{}, {}]})
    return rounds


def test_regression_and_substitution_find_planted_values():
    worth = {card: 0.5 * card - (card == Card.CHOPSTICKS) for card in KINDS}
    average = sum(worth[card] * DECK[card] for card in KINDS) / 108
    swaps = [
        {"kept": "TTS", "values": {card.letter: worth[card] + luck for card in KINDS}} for luck in (0.0, 7.0, -3.0)
    ]
    tables = card_values.summarise(SMALL, {"rounds": planted_rounds(worth, 60), "swaps": swaps})
    for card in KINDS:
        row = tables[0].one(card=card_name(card))
        assert row["regression"] == pytest.approx(worth[card] - average, abs=1e-6)
        assert row["substitution"] == pytest.approx(worth[card] - average, abs=1e-6)
        assert row["substitution_se"] == pytest.approx(0, abs=1e-6)
        assert 0 <= row["regression_q"] <= 1 and 0 <= row["substitution_q"] <= 1
    assert tables[1].rows[0][1] == pytest.approx(1.0)
    assert tables[2].one(card="tempura", copies_held=2)["deals"] == 3


def test_forbidden_losses_are_each_seats_own():
    rounds = [
        {"value": 2.0, "without": [{"T": 0.5, "P": 2.0}, {"T": -2.5}]},
        {"value": 0.0, "without": [{}, {"T": -1.0}]},
    ]
    losses, deals = card_values.forbidden_losses(rounds, Card.TEMPURA)
    assert (losses, deals) == ([1.5, 0.5, 1.0], [0, 0, 1])


def test_swaps_hold_everything_else_fixed():
    record = card_values.answer_swaps(SMALL, random_of(3))
    kept = cards_from_letters(record["kept"])
    assert len(kept) == 2 and list(record["values"]) == [card.letter for card in KINDS]
    deck, random = full_deck(), random_of(3)
    drawn = [deck[i] for i in random.permutation(108)[:5]]
    for card in (Card.TEMPURA, Card.WASABI):
        deal = Position(hands=((*drawn[:2], card), drawn[2:]), tables=((), ()), round=1)
        assert record["values"][card.letter] == pytest.approx(solve(deal, pudding_value=1.5, engine="plain").value)


# First picks


def opening_record(position, value, first, second):
    seats = [
        {"picks": list(part), "values": [v for v, _ in part.values()], "mix": [p for _, p in part.values()]}
        for part in (first, second)
    ]
    return {"equilibrium": {"turns": [{"position": position, "value": value, "seats": seats}]}}


def test_first_picks_by_kind_beside_and_in_pairs():
    rounds = [
        opening_record(
            "TTQ/WQP -/- r=1", 1.0, {"T": (0.0, 0), "Q": (1.0, 1)}, {"Q": (-1.5, 0), "P": (-4, 0), "W": (-1.0, 1)}
        ),
        opening_record("TTQ/SSS -/- r=1", 2.0, {"T": (2.0, 1), "Q": (1.5, 0)}, {"S": (-2.0, 1)}),
    ]
    tables = first_picks.summarise({**SMALL, "deals": 2}, {"rounds": rounds})
    squid = tables[0].one(card="squid nigiri")
    assert (squid["hands"], squid["mean_loss"], squid["best_share"]) == (3, pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert squid["equilibrium_share"] == pytest.approx(1 / 3)
    assert tables[0].rows[0][0] in ("wasabi", "sashimi") and tables[0].rows[-1][0] == "pudding"
    assert tables[1].one(card="squid nigiri", beside="a wasabi")["mean_loss"] == 0.5
    assert tables[1].one(card="tempura", beside="one other of it")["hands"] == 2
    pair = tables[2].one(better="squid nigiri", worse="tempura")
    assert (pair["hands"], pair["gain"], pair["share_better"], pair["share_worse"]) == (2, 0.25, 0.5, 0.5)
    assert pair["face_value_says"] == "the same"
    assert tables[2].one(better="wasabi", worse="pudding")["face_value_says"] == "nothing"


@pytest.mark.parametrize("card", KINDS)
def test_conditions_split_all_hands_without_overlap(card):
    """Every hand that holds the kind falls under exactly one condition (chopsticks: at least one)."""
    for number in range(80):
        hand = (card, *random_deal(random_of(number)).hands[0][:9])
        opening = first_picks.Opening(0, count_cards(hand), {}, {})
        holding = [name for name, holds in first_picks.conditions(card).items() if holds(opening)]
        assert len(holding) == 1 or card is Card.CHOPSTICKS and len(holding) == 2


# Worth when


def view(text, seat=0, values=None):
    position = Position.parse(text)
    picks = position.picks(seat)
    worth = dict.fromkeys(picks, 0.0) | {parse_pick(pick): value for pick, value in (values or {}).items()}
    return worth_when.View(0, position, seat, max(worth.values()), worth, {})


def test_the_edge_is_over_the_best_pick_without_the_card():
    seen = view("TSQ/DDD C/W", values={"T": 1.0, "Q": 2.5, "TQ": 4.0, "SQ": 3.0})
    assert worth_when.edge(seen, Card.TEMPURA) == 1.0
    assert worth_when.edge(seen, Card.SASHIMI) == -1.0
    assert worth_when.edge(view("TSQ/DDD C/W", seat=1), Card.DUMPLING) is None


@pytest.mark.parametrize(
    ("position", "seat", "card", "state"),
    [
        ("T/S TTT/-", 0, "T", "one waiting"),
        ("T/S TTT/-", 1, "T", "none waiting"),
        ("S/S SSSSS/T", 0, "S", "two waiting"),
        ("D/S DDDDD/T", 0, "D", "4 or more dumplings"),
        ("2/S 3/12", 0, "2", "maki level"),
        ("2/S 3/2", 0, "2", "ahead in maki"),
        ("2/S 3/2", 1, "3", "behind in maki"),
        ("L/S WE/W", 0, "L", "no open wasabi"),
        ("L/W QW/W", 0, "L", "open wasabi"),
        ("C/W C/W", 0, "C", "chopsticks in front"),
        ("P/W C/W", 0, "P", "any table"),
    ],
)
def test_what_lies_on_the_table_in_words(position, seat, card, state):
    assert worth_when.on_the_table(view(position, seat), cards_from_letters(card)[0]) == state


# Mixing


def test_mixing_shares_and_losses():
    saddle = {"position": "TS/DP -/- r=1", "value": 1.0, "pure": [1.0, -1.0], "seats": []}
    mixed = {"position": "TS/DP T/T r=1", "value": 0.5, "pure": [0.0, -1.5], "seats": []}
    plan = {"position": "TS/DP -/- r=1", "value": 1.0, "plans": [0.5, -1.0]}
    rounds = [
        {"plan": plan, **{line: {"turns": [turn]} for line in ("equilibrium", "wandering")}}
        for turn in (saddle, mixed, saddle)
    ]
    tables = mixing.summarise(SMALL, {"rounds": rounds})
    row = tables[0].one(play="equilibrium play", cards_left=2)
    assert (row["positions"], row["mixing_share"]) == (3, pytest.approx(1 / 3))
    assert row["seat_must_mix_share"] == pytest.approx(2 / 6)
    assert row["pure_loss"] == pytest.approx(1.5 / 6, abs=1e-6) and row["pure_loss_where_mixing"] == 0.75
    assert row["largest_pure_loss"] == 1.0
    whole = tables[1].one(play="wandering play")
    assert whole["mixing_turns"] == pytest.approx(1 / 3) and whole["added_pure_loss"] == 0.25
    last = tables[2].dicts()[0]
    assert (last["cards_left"], last["plan_loss"], last["plan_costs_share"]) == (2, 0.25, 0.5)
    assert last["added_turn_loss"] == pytest.approx(0.25, abs=1e-6)


@pytest.mark.parametrize(
    ("position", "plans"), [("SP/SQ 2SPSTTDD/Q3TSDDLE s=24/29", (-2.0, -4.0)), ("TP/SW W/D p=0/1 s=21/20", (0.0, 0.0))]
)
def test_a_foreseen_plan_gets_the_maximin(position, plans):
    """Two cards each: the plan is one pick, worth the maximin of the matrix game (notebook 02)."""
    assert tuple(pure_plan(Position.parse(position), seat, 0.0, Rules()) for seat in range(2)) == plans


def test_a_plan_is_worth_no_more_than_the_equilibrium_and_no_more_than_one_turns_maximin(sample):
    for record in sample:
        plan = record["plan"]
        turn = next(turn for turn in record["equilibrium"]["turns"] if turn["position"] == plan["position"])
        assert plan["plans"][0] <= turn["pure"][0] + 1e-9 and plan["plans"][1] <= turn["pure"][1] + 1e-9


# Rules of thumb


@pytest.mark.parametrize(
    ("advice", "position", "applies", "follow", "against"),
    [
        ("take the wasabi before", "WQP/TTT -/-", True, "W", "Q"),
        ("take the wasabi before", "WQP/TTT W/-", False, None, None),
        ("spend an open wasabi on an egg", "EP/TT W/-", True, "P", "E"),
        ("spend an open wasabi on an egg", "EL/TT W/-", False, None, None),
        ("wait for a squid", "LP/TT W/-", True, "P", "L"),
        ("wait for a squid", "LP/TT WQ/-", False, None, None),
        ("take chopsticks early", "CCTTTTT/PPPPPPP -/-", True, "C", "T"),
        ("take chopsticks early", "CCTTTT/PPPPPP -/-", False, None, None),
        ("keep the chopsticks", "TP/SS C/-", True, "T", "TP"),
        ("keep the chopsticks", "TP/SS -/-", False, None, None),
        ("start a sashimi set", "SP/TT SSS/-", True, "S", "P"),
        ("take the second sashimi", "SP/TT S/-", True, "S", "P"),
        ("take the third sashimi", "SP/TT SS/-", True, "S", "P"),
        ("take the third sashimi", "SP/TT S/-", False, None, None),
        ("deny the neighbour a third sashimi", "SP/TT S/SS", True, "S", "P"),
        ("deny the neighbour a third sashimi", "SP/TT SS/SS", False, None, None),
        ("start a tempura pair", "TP/SS TT/-", True, "T", "P"),
        ("finish a tempura pair", "TP/SS T/-", True, "T", "P"),
        ("deny the neighbour a tempura pair", "TP/SS -/T", True, "T", "P"),
        ("deny the neighbour a tempura pair", "TP/SS T/T", False, None, None),
        ("squid for an open wasabi", "QP/SS -/W", True, "Q", "P"),
        ("squid for an open wasabi", "QP/SS W/W", False, None, None),
        ("maki when behind or level", "3P/SS 2/11", True, "3", "P"),
        ("maki when behind or level", "3P/SS 3/2", False, None, None),
        ("maki when ahead", "3P/SS 3/2", True, "3", "P"),
        ("skip puddings", "TP/SS -/-", True, "T", "P"),
    ],
)
def test_where_advice_applies_and_what_follows_it(advice, position, applies, follow, against):
    rule = next(rule for rule in thumb_rules.ADVICE if advice in rule.name)
    seen = view(position)
    assert rule.applies(seen) == applies
    if applies:
        assert rule.follows(parse_pick(follow)) and not rule.follows(parse_pick(against))


def test_advice_names_are_found_once():
    assert len({rule.name for rule in thumb_rules.ADVICE}) == len(thumb_rules.ADVICE)


def test_a_trial_compares_best_with_best():
    seen = [view("TSP/DDD -/-", values={"T": 1.0, "S": 3.0, "P": 2.5}), view("PPP/DDD -/-")]
    skip = thumb_rules.ADVICE[-1]
    assert [(follow, other) for _, follow, other in thumb_rules.try_advice(skip, seen)] == [(0.0, 0.5)]


# A small sample against the solver itself


@pytest.fixture(scope="module")
def sample():
    return [answer_round({**SMALL, "cards": 4}, random_of(number)) for number in range(3)]


def test_a_round_holds_what_the_plain_engine_says(sample):
    for record in sample:
        plain = solve(Position.parse(record["deal"]), pudding_value=1.5, engine="plain")
        assert record["value"] == pytest.approx(plain.value, abs=1e-7)
        for name in ("equilibrium", "wandering", "greedy"):
            turns = record[name]["turns"]
            assert [Position.parse(turn["position"]).cards_left for turn in turns] == [4, 3, 2]
            for turn in turns:
                stage = plain.solver.stage(Position.parse(turn["position"]))
                assert turn["value"] == pytest.approx(stage.seats[0].value, abs=1e-7)
            end = Position.parse(record[name]["tables"])
            assert list(end.totals()) == record[name]["totals"] and not end.cards_left


def test_lines_are_played_as_recorded(sample):
    for record, name in product(sample, ("equilibrium", "wandering", "greedy")):
        turns = record[name]["turns"]
        for turn, after in zip(turns, turns[1:], strict=False):
            position = Position.parse(turn["position"]).play([parse_pick(pick) for pick in turn["played"]])
            assert str(position) == after["position"]


def test_equilibrium_lines_stay_in_the_support(sample):
    for turn in (turn for record in sample for turn in record["equilibrium"]["turns"]):
        for part, pick in zip(turn["seats"], turn["played"], strict=True):
            assert part["mix"][part["picks"].index(pick)] > 0


def test_forbidding_a_pick_is_the_game_without_its_row(sample):
    for record in sample:
        solved = SolvedDeal(Position.parse(record["deal"]), 1.5)
        matrix = solved.matrix(solved.deal)
        for seat, game in enumerate((matrix, -matrix.T)):
            for row, (pick, value) in enumerate(record["without"][seat].items()):
                assert pick == solved.deal.picks(seat)[row][0].letter
                assert value == pytest.approx(matrix_value(np.delete(game, row, axis=0)), abs=1e-7)


def matrix_value(game):
    """The value of a matrix game by linear programming."""
    rows, columns = game.shape
    lines = np.hstack([-game.T, np.ones((columns, 1))])
    sums = np.append(np.ones(rows), 0.0)[None, :]
    bounds = [(0, None)] * rows + [(None, None)]
    return -linprog(np.append(np.zeros(rows), -1.0), lines, np.zeros(columns), sums, [1.0], bounds).fun


def test_greedy_losses_add_up_to_what_greedy_gives_away(sample):
    """Where the rival's mix is pure, value after value: the margin at the end is the deal's value less the losses."""
    checked = 0
    for record in sample:
        turns = record["greedy"]["turns"]
        if all(max(turn["seats"][1]["mix"]) > 1 - 1e-9 for turn in turns):
            end = Position.parse(record["greedy"]["tables"])
            worth = [total + 1.5 * count for total, count in zip(end.totals(), end.pudding_counts(), strict=True)]
            lost = sum(thumb_rules.greedy_loss(turn) for turn in turns)
            assert record["value"] - lost == pytest.approx(worth[0] - worth[1], abs=1e-7)
            checked += 1
    assert checked


@pytest.mark.parametrize("name", study_names())
def test_every_study_runs_quickly_and_names_its_tables(name, tmp_path):
    study = get_study(name)
    with Store(tmp_path / "store.sqlite") as store:
        result = run_study(study, store, quick=True, workers=1)
    assert tuple(table.name for table in result.tables) == study.tables
    for table in result.tables:
        assert table.rows and table.header["command"] == f"sushigo study run {name} --quick --seed 1"
        for column in table.columns:
            if column.endswith("_se") or column == "standard_error":
                assert all(
                    row[table.columns.index(column)] is None or row[table.columns.index(column)] >= 0
                    for row in table.rows
                )
            if column.endswith("share"):
                assert all(0 <= row[table.columns.index(column)] <= 1 + 1e-9 for row in table.rows)


def test_studies_share_the_sample(tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        run_study(get_study("first-picks"), store, {"deals": 2}, quick=True, workers=1)
        told = []
        run_study(
            get_study("mixing"), store, {"deals": 2}, quick=True, workers=1, progress=lambda *step: told.append(step)
        )
    assert told == [(1, 1)]


def test_unknown_studies_are_refused():
    with pytest.raises(UsageError, match="no study 'luck': the studies are card-values, first-picks"):
        get_study("luck")


def test_the_note_says_what_is_assumed():
    assert "worth 1.5 points" in setting({**PARAMETERS}) and "worth" not in setting({**PARAMETERS, "round": 3})
    assert set(ROUNDS.uses) <= set(PARAMETERS)
