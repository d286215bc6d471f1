"""Card values: what one more of each kind in the hand you hold first is worth, measured three ways.

*Regression.* The value of a deal to seat 0 is fitted, without intercept, by the differences between the two first
hands in the number of each kind. The game is symmetric, so swapping the hands turns the value round: that is why only
the differences enter and there is no intercept. Both hands hold equally many cards, so the differences add up to zero
and one kind (the last) is left out of the fit; what is reported does not depend on which. Errors are White's (HC1),
since nothing says that the spread is the same in every deal.

*Substitution.* Nineteen cards of a deal are fixed and the twentieth, in seat 0's hand, is each kind in turn: twelve
solved deals that differ in one card. Nothing is assumed about how values add up, and the deal's luck cancels.

Both are reported against a card drawn blindly from the deck: the value of kind k less the average of all kinds, each
weighted by its share of the deck.

*Forbidden.* What seat 0 or 1 loses when it may not take that kind on the first turn and everything afterwards is as
ever: how urgent the pick is, given what else is in the hand, and so never below zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from analysis.studies.rounds import PARAMETERS, QUICK, ROUNDS, deal_value, setting
from analysis.study.deals import full_deck
from analysis.study.model import Parameters, Record, Sampler, Study
from analysis.study.statistics import Estimate, Regression, false_discovery, mean_by_cluster, regress
from analysis.study.tables import Table
from solvers import Position
from solvers.game.cards import DECK, KINDS, Card, cards_from_letters, count_cards
from solvers.game.names import card_name

SHARES = np.array([DECK[card] for card in KINDS]) / sum(DECK.values())


def answer_swaps(parameters: Parameters, random: np.random.Generator) -> Record:
    """A deal with one card of seat 0 left out, and its value with each kind in that place.

    Draws in which some kind is used up are drawn again (about one in a thousand, all four chopsticks being dealt).
    """
    size, deck = parameters["cards"], full_deck()
    while True:
        drawn = [deck[index] for index in random.permutation(len(deck))[: 2 * size - 1]]
        if all(count_cards(drawn)[card] < DECK[card] for card in KINDS):
            break
    kept, other = drawn[: size - 1], drawn[size - 1 :]
    values: dict[str, float] = {}
    for card in KINDS:
        deal = Position(hands=((*kept, card), tuple(other)), tables=((), ()), round=parameters["round"])
        values[card.letter] = deal_value(deal, parameters["pudding_value"])
    return {"kept": "".join(card.letter for card in sorted(kept)), "values": values}


SWAPS = Sampler("swaps", 1, answer_swaps, ("cards", "round", "pudding_value"), chunk_size=2)


def summarise(parameters: Parameters, records: Mapping[str, Sequence[Record]]) -> list[Table]:
    """The three values of each kind side by side, the fit behind the first, and the second by copies held already."""
    rounds, swaps = records["rounds"], records["swaps"]
    fit = fit_values(rounds)
    by_regression = {card: against_deck(fit, card) for card in KINDS}
    by_swap = {card: mean_by_cluster(swap_values(swaps, card), range(len(swaps))) for card in KINDS}
    regression_q = false_discovery([by_regression[card].p_value() for card in KINDS])
    swap_q = false_discovery([by_swap[card].p_value() for card in KINDS])
    rows = []
    for card in sorted(KINDS, key=lambda kind: -by_swap[kind].mean):
        losses, deals = forbidden_losses(rounds, card)
        forbidden = mean_by_cluster(losses, deals) if losses else None
        rows.append(
            {
                "card": card_name(card),
                "regression": by_regression[card].mean,
                "regression_se": by_regression[card].standard_error,
                "regression_q": regression_q[card],
                "substitution": by_swap[card].mean,
                "substitution_se": by_swap[card].standard_error,
                "substitution_q": swap_q[card],
                "forbidden": forbidden and forbidden.mean,
                "forbidden_se": forbidden and forbidden.standard_error,
                "hands_with_it": len(losses),
            }
        )
    return [
        Table.of("card_values", "What one more of each card in the first hand is worth", rows, setting(parameters)),
        Table.of(
            "card_values_fit", "The regression behind the card values", [_fit_row(fit, rounds)], setting(parameters)
        ),
        Table.of(
            "card_values_by_copies",
            "What a card is worth by how many of it the hand holds already",
            by_copies(swaps),
            setting(parameters),
        ),
    ]


def fit_values(rounds: Sequence[Record]) -> Regression:
    """The regression of the deals' values on the differences of the hands; the last kind is the one left out."""
    design = np.array([hand_difference(record["deal"]) for record in rounds], dtype=float)[:, :-1]
    return regress([record["value"] for record in rounds], design, range(len(rounds)))


def hand_difference(deal: str) -> list[int]:
    """How many more of each kind seat 0 was dealt than seat 1."""
    first, second = (count_cards(hand) for hand in Position.parse(deal).hands)
    return [first[card] - second[card] for card in KINDS]


def against_deck(fit: Regression, card: Card) -> Estimate:
    """A kind's coefficient less the deck's average."""
    weights = -SHARES.copy()
    weights[card] += 1
    return fit.contrast(weights[:-1])


def swap_values(swaps: Sequence[Record], card: Card) -> list[float]:
    """In each deal, the value with this kind in the open place less the deck's average of all kinds in it."""
    values = []
    for record in swaps:
        ordered = np.array([record["values"][kind.letter] for kind in KINDS])
        values.append(float(ordered[card] - SHARES @ ordered))
    return values


def forbidden_losses(rounds: Sequence[Record], card: Card) -> tuple[list[float], list[int]]:
    """What each seat holding the card loses without its first pick of it, and the deal each loss belongs to."""
    losses, deals = [], []
    for number, record in enumerate(rounds):
        for seat in range(2):
            if card.letter in record["without"][seat]:
                value = record["value"] if seat == 0 else -record["value"]
                losses.append(value - record["without"][seat][card.letter])
                deals.append(number)
    return losses, deals


def by_copies(swaps: Sequence[Record]) -> list[dict[str, Any]]:
    """The substitution value of each kind by the copies among the nine cards kept (3 stands for 3 or more)."""
    rows = []
    for card in KINDS:
        values = swap_values(swaps, card)
        held = [min(3, cards_from_letters(record["kept"]).count(card)) for record in swaps]
        paired = sorted(zip(held, values, range(len(swaps)), strict=True))
        for copies, group in groupby(paired, key=lambda row: row[0]):
            chosen = list(group)
            estimate = mean_by_cluster([value for _, value, _ in chosen], [deal for _, _, deal in chosen])
            rows.append(
                {
                    "card": card_name(card),
                    "copies_held": copies,
                    "value": estimate.mean,
                    "standard_error": estimate.standard_error,
                    "deals": estimate.samples,
                }
            )
    return rows


def _fit_row(fit: Regression, rounds: Sequence[Record]) -> dict[str, Any]:
    values = np.array([record["value"] for record in rounds])
    return {
        "deals": fit.samples,
        "explained_share": fit.r_squared,
        "residual_points": fit.residual,
        "spread_of_values": float(np.sqrt(np.mean(values**2))),
        "mean_value": float(values.mean()),
        "mean_value_se": mean_by_cluster(values.tolist(), range(len(values))).standard_error,
    }


STUDY = Study(
    name="card-values",
    question="What is one more of each kind of card in the first hand worth?",
    sizes=((ROUNDS, "deals"), (SWAPS, "swaps")),
    summarise=summarise,
    parameters={**PARAMETERS, "swaps": 120},
    quick={**QUICK, "deals": 16, "swaps": 4},
    tables=("card_values", "card_values_fit", "card_values_by_copies"),
)
