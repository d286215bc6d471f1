"""First picks: what each opening pick loses, by kind and by what else is in the hand, and where the order breaks.

The loss of a pick is the seat's value less the pick's value against the rival's equilibrium mix. Both first hands of a
deal are used, and errors are clustered by deal. In a comparison of two kinds only hands holding both count, so the
comparison is paired; with 66 pairs some differences look real by luck, hence the false discovery rate (``q``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from analysis.studies.rounds import PARAMETERS, QUICK, ROUNDS, setting
from analysis.study.model import Parameters, Record, Study
from analysis.study.statistics import false_discovery, mean_by_cluster
from analysis.study.tables import Table
from solvers.game.cards import KINDS, NIGIRI_POINTS, Card, card_from_letter
from solvers.game.names import card_name
from solvers.game.position import Position
from solvers.game.scoring import DUMPLING_POINTS, SASHIMI_SET, TEMPURA_PAIR

SAME = 1e-6
"""Losses up to this count as none: values are exact to 1e-9."""

FACE_VALUES: Mapping[Card, float] = {
    Card.SASHIMI: SASHIMI_SET / 3,
    Card.DUMPLING: DUMPLING_POINTS[5] / 5,
    Card.TEMPURA: TEMPURA_PAIR / 2,
    **{card: float(points) for card, points in NIGIRI_POINTS.items()},
}
"""The common rule of thumb: points a card brings when its set gets done (sashimi 3.3, squid and dumpling 3, …)."""


@dataclass(frozen=True, slots=True)
class Opening:
    """One seat's first turn: the hand's counts, and the loss and the probability of each kind."""

    deal: int
    counts: Mapping[Card, int]
    losses: Mapping[Card, float]
    chances: Mapping[Card, float]


def openings(rounds: Sequence[Record]) -> Iterator[Opening]:
    """Both seats' first turns of every deal."""
    for number, record in enumerate(rounds):
        turn = record["equilibrium"]["turns"][0]
        hands = Position.parse(turn["position"]).hands
        for seat, part in enumerate(turn["seats"]):
            value = turn["value"] if seat == 0 else -turn["value"]
            kinds = [card_from_letter(letter) for letter in part["picks"]]
            losses = {kind: value - worth for kind, worth in zip(kinds, part["values"], strict=True)}
            counts = {kind: hands[seat].count(kind) for kind in KINDS}
            yield Opening(number, counts, losses, dict(zip(kinds, part["mix"], strict=True)))


Beside = Callable[[Opening], bool]


def conditions(card: Card) -> dict[str, Beside]:
    """What else in the hand a kind's opening loss is split by."""
    nigiri = (Card.SALMON_NIGIRI, Card.SQUID_NIGIRI)
    if card.is_nigiri:
        return {
            "no wasabi": lambda hand: not hand.counts[Card.WASABI],
            "a wasabi": lambda hand: hand.counts[Card.WASABI] > 0,
        }
    if card is Card.WASABI:
        return {
            "a squid": lambda hand: hand.counts[Card.SQUID_NIGIRI] > 0,
            "a salmon, no squid": lambda hand: hand.counts[nigiri[0]] > 0 and not hand.counts[nigiri[1]],
            "neither": lambda hand: not any(hand.counts[kind] for kind in nigiri),
        }
    if card is Card.CHOPSTICKS:
        return {
            "a wasabi and a salmon or squid": lambda hand: hand.counts[Card.WASABI] > 0 and _any(hand, nigiri),
            "two or more sashimi": lambda hand: hand.counts[Card.SASHIMI] >= 2,
            "neither": lambda hand: (
                hand.counts[Card.SASHIMI] < 2 and not (hand.counts[Card.WASABI] and _any(hand, nigiri))
            ),
        }
    if card.icons:
        return {
            "no other maki": lambda hand: sum(hand.counts[kind] for kind in KINDS if kind.icons) == 1,
            "other maki": lambda hand: sum(hand.counts[kind] for kind in KINDS if kind.icons) > 1,
        }
    return {
        "no other of it": lambda hand: hand.counts[card] == 1,
        "one other of it": lambda hand: hand.counts[card] == 2,
        "two or more others of it": lambda hand: hand.counts[card] >= 3,
    }


def _any(hand: Opening, kinds: Sequence[Card]) -> bool:
    return any(hand.counts[kind] for kind in kinds)


def summarise(parameters: Parameters, records: Mapping[str, Sequence[Record]]) -> list[Table]:
    """Losses by kind, by what is beside it, and every pair of kinds."""
    hands = list(openings(records["rounds"]))
    note = setting(parameters)
    return [
        Table.of("first_picks", "First picks: what each loses", by_kind(hands), note),
        Table.of("first_picks_beside", "First picks by what else is in the hand", by_company(hands), note),
        Table.of(
            "first_picks_pairs",
            "Two kinds in one hand: which is the better first pick?",
            by_pair(hands),
            note + " q is the false discovery rate over all pairs (Benjamini and Hochberg).",
        ),
    ]


def by_kind(hands: Sequence[Opening]) -> list[dict[str, Any]]:
    """One row a kind, the smallest mean loss first."""
    rows: list[dict[str, Any]] = [
        {"card": card_name(card), **_losses(card, [hand for hand in hands if card in hand.losses])}
        for card in KINDS
        if any(card in hand.losses for hand in hands)
    ]
    return sorted(rows, key=lambda row: float(row["mean_loss"]))


def by_company(hands: Sequence[Opening]) -> list[dict[str, Any]]:
    """One row a kind and condition that occurs."""
    rows = []
    for card in KINDS:
        for name, holds in conditions(card).items():
            chosen = [hand for hand in hands if card in hand.losses and holds(hand)]
            if chosen:
                rows.append({"card": card_name(card), "beside": name, **_losses(card, chosen)})
    return rows


def by_pair(hands: Sequence[Opening]) -> list[dict[str, Any]]:
    """One row a pair of kinds, the better on average first, ordered by how much better it is."""
    rows: list[dict[str, Any]] = []
    for first, second in combinations(KINDS, 2):
        both = [hand for hand in hands if first in hand.losses and second in hand.losses]
        if not both:
            continue
        gains = [hand.losses[second] - hand.losses[first] for hand in both]
        if sum(gains) < 0:
            first, second, gains = second, first, [-gain for gain in gains]
        estimate = mean_by_cluster(gains, [hand.deal for hand in both])
        rows.append(
            {
                "better": card_name(first),
                "worse": card_name(second),
                "hands": len(both),
                "gain": estimate.mean,
                "standard_error": estimate.standard_error,
                "q": estimate.p_value(),
                "share_better": sum(gain > SAME for gain in gains) / len(gains),
                "share_worse": sum(gain < -SAME for gain in gains) / len(gains),
                "face_value_says": _face_value_says(first, second),
            }
        )
    for row, q in zip(rows, false_discovery([row["q"] for row in rows]), strict=True):
        row["q"] = q
    return sorted(rows, key=lambda row: -row["gain"])


def _face_value_says(better: Card, worse: Card) -> str:
    """Whether the face values rank a pair as the solver does on average."""
    if better not in FACE_VALUES or worse not in FACE_VALUES:
        return "nothing"
    gap = FACE_VALUES[better] - FACE_VALUES[worse]
    return "the same" if gap > 0 else "the opposite" if gap < 0 else "equal"


def _losses(card: Card, hands: Sequence[Opening]) -> dict[str, Any]:
    estimate = mean_by_cluster([hand.losses[card] for hand in hands], [hand.deal for hand in hands])
    best = mean_by_cluster([float(hand.losses[card] <= SAME) for hand in hands], [hand.deal for hand in hands])
    return {
        "hands": len(hands),
        "mean_loss": estimate.mean,
        "standard_error": estimate.standard_error,
        "best_share": best.mean,
        "best_share_se": best.standard_error,
        "equilibrium_share": sum(hand.chances[card] for hand in hands) / len(hands),
    }


STUDY = Study(
    name="first-picks",
    question="What does each opening pick lose, and which card comes first?",
    sizes=((ROUNDS, "deals"),),
    summarise=summarise,
    parameters=PARAMETERS,
    quick=QUICK,
    tables=("first_picks", "first_picks_beside", "first_picks_pairs"),
)
