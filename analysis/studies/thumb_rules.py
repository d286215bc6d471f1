"""Rules of thumb on trial: the greedy rule against exact play, and well-known pieces of advice one by one.

A piece of advice splits the picks of a position where it applies into those that follow it and those that do not. Its
*gain* there is the value of the best pick that follows less the value of the best that does not, both against the
rival's equilibrium mix: how much better a player does who otherwise knows what to do. Positions where all picks fall
on one side are not counted. They come from wandering play (:mod:`analysis.studies.rounds`); errors are clustered by
deal, and ``q`` is the false discovery rate over all pieces of advice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.studies.first_picks import SAME
from analysis.studies.rounds import PARAMETERS, QUICK, ROUNDS, setting
from analysis.studies.worth_when import View, views
from analysis.study.model import Parameters, Record, Study
from analysis.study.statistics import false_discovery, mean_by_cluster
from analysis.study.tables import Table
from solvers.game.cards import Card
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.scoring import maki_icons, open_wasabi

PHASES = {"early": (7, 10), "middle": (4, 6), "late": (2, 3)}
"""Cards left in the hand, from and to."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A rule of thumb: where it applies, and which picks follow it."""

    name: str
    applies: Callable[[View], bool]
    follows: Callable[[Pick], bool]


def _takes(card: Card) -> Callable[[Pick], bool]:
    return lambda pick: card in pick


def _leaves(card: Card) -> Callable[[Pick], bool]:
    return lambda pick: card not in pick


def _waiting(table: Sequence[Card], card: Card, of: int) -> int:
    """How many of the kind are in an unfinished set."""
    return table.count(card) % of


def _offers(view: View, *cards: Card) -> bool:
    return any(card in view.hand for card in cards)


T, S, E, L, Q = Card.TEMPURA, Card.SASHIMI, Card.EGG_NIGIRI, Card.SALMON_NIGIRI, Card.SQUID_NIGIRI
W, C, P, M3 = Card.WASABI, Card.CHOPSTICKS, Card.PUDDING, Card.MAKI3

ADVICE = (
    Advice(
        "take the wasabi before the salmon or squid beside it",
        lambda view: _offers(view, W) and _offers(view, L, Q) and not open_wasabi(view.table),
        _takes(W),
    ),
    Advice(
        "do not spend an open wasabi on an egg",
        lambda view: open_wasabi(view.table) > 0 and _offers(view, E) and not _offers(view, L, Q),
        _leaves(E),
    ),
    Advice(
        "do not spend an open wasabi on a salmon: wait for a squid",
        lambda view: open_wasabi(view.table) > 0 and _offers(view, L) and not _offers(view, Q),
        _leaves(L),
    ),
    Advice("take chopsticks early", lambda view: view.position.cards_left >= 7 and _offers(view, C), _takes(C)),
    Advice(
        "keep the chopsticks in front for later",
        lambda view: any(len(pick) == 2 for pick in view.picks),
        lambda pick: len(pick) == 1,
    ),
    Advice("start a sashimi set", lambda view: _offers(view, S) and not _waiting(view.table, S, 3), _takes(S)),
    Advice("take the second sashimi", lambda view: _offers(view, S) and _waiting(view.table, S, 3) == 1, _takes(S)),
    Advice("take the third sashimi", lambda view: _offers(view, S) and _waiting(view.table, S, 3) == 2, _takes(S)),
    Advice(
        "deny the neighbour a third sashimi",
        lambda view: _offers(view, S) and _waiting(view.rival_table, S, 3) == 2 and _waiting(view.table, S, 3) != 2,
        _takes(S),
    ),
    Advice("start a tempura pair", lambda view: _offers(view, T) and not _waiting(view.table, T, 2), _takes(T)),
    Advice("finish a tempura pair", lambda view: _offers(view, T) and _waiting(view.table, T, 2) == 1, _takes(T)),
    Advice(
        "deny the neighbour a tempura pair",
        lambda view: _offers(view, T) and _waiting(view.rival_table, T, 2) == 1 and not _waiting(view.table, T, 2),
        _takes(T),
    ),
    Advice(
        "deny the neighbour a squid for an open wasabi",
        lambda view: _offers(view, Q) and open_wasabi(view.rival_table) > 0 and not open_wasabi(view.table),
        _takes(Q),
    ),
    Advice(
        "take a three-icon maki when behind or level",
        lambda view: _offers(view, M3) and maki_icons(view.table) <= maki_icons(view.rival_table),
        _takes(M3),
    ),
    Advice(
        "take a three-icon maki when ahead",
        lambda view: _offers(view, M3) and maki_icons(view.table) > maki_icons(view.rival_table),
        _takes(M3),
    ),
    Advice("skip puddings", lambda view: _offers(view, P), _leaves(P)),
)

Trial = tuple[View, float, float]
"""A position where a piece of advice applies: the view, the loss of following it, and of going against it."""


def summarise(parameters: Parameters, records: Mapping[str, Sequence[Record]]) -> list[Table]:
    """Greedy's losses by turn, and each piece of advice overall and by phase of the round."""
    rounds = records["rounds"]
    note = setting(parameters)
    greedy_note = (
        f"{note} Seat 0 greedy every turn, seat 1 at its equilibrium mix; turns with one distinct pick left out."
    )
    trials = {advice.name: try_advice(advice, views(rounds, "wandering")) for advice in ADVICE}
    overall = _with_q([_verdict_row({"advice": name}, seen) for name, seen in trials.items() if seen])
    phased = [
        _verdict_row({"advice": name, "phase": phase}, chosen)
        for name, seen in trials.items()
        for phase, (low, high) in PHASES.items()
        if (chosen := [trial for trial in seen if low <= trial[0].position.cards_left <= high])
    ]
    return [
        Table.of("greedy_loss", "What the greedy rule loses a pick, by turn", greedy_rows(rounds), greedy_note),
        Table.of("thumb_rules", "Pieces of advice on trial", overall, note),
        Table.of("thumb_rules_by_phase", "Pieces of advice early, midway and late", _with_q(phased), note),
    ]


def try_advice(advice: Advice, seen: Any) -> list[Trial]:
    """Every view the advice applies to, with the losses of following and of not following it."""
    trials: list[Trial] = []
    for view in seen:
        if advice.applies(view):
            following = [value for pick, value in view.picks.items() if advice.follows(pick)]
            others = [value for pick, value in view.picks.items() if not advice.follows(pick)]
            if following and others:
                trials.append((view, view.value - max(following), view.value - max(others)))
    return trials


def _verdict_row(names: Mapping[str, Any], trials: Sequence[Trial]) -> dict[str, Any]:
    deals = [view.deal for view, _, _ in trials]
    gain = mean_by_cluster([other - follow for _, follow, other in trials], deals)
    return {
        **names,
        "positions": gain.samples,
        "deals": gain.clusters,
        "gain": gain.mean,
        "standard_error": gain.standard_error,
        "q": gain.p_value(),
        "loss_following": sum(follow for _, follow, _ in trials) / len(trials),
        "loss_ignoring": sum(other for _, _, other in trials) / len(trials),
        "right_share": sum(follow <= SAME for _, follow, _ in trials) / len(trials),
        "wrong_share": sum(follow > other + SAME for _, follow, other in trials) / len(trials),
    }


def _with_q(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with their p-values adjusted for being so many."""
    for row, q in zip(rows, false_discovery([row["q"] for row in rows]), strict=True):
        row["q"] = q
    return rows


def greedy_rows(rounds: Sequence[Record]) -> list[dict[str, Any]]:
    """Greedy's loss by cards left, and all picks together."""
    seen: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for deal, record in enumerate(rounds):
        for turn in record["greedy"]["turns"]:
            if len(turn["seats"][0]["picks"]) > 1:
                left = Position.parse(turn["position"]).cards_left
                seen[left].append((deal, greedy_loss(turn)))
    rows = [_greedy_row(str(left), seen[left]) for left in sorted(seen, reverse=True)]
    every = [loss for losses in seen.values() for loss in losses]
    a_round: dict[int, float] = defaultdict(float)
    for deal, loss in every:
        a_round[deal] += loss
    return [*rows, _greedy_row("all picks", every), _greedy_row("whole round, added", list(a_round.items()))]


def greedy_loss(turn: Record) -> float:
    """What the greedy seat's pick of a turn loses."""
    part = turn["seats"][0]
    return float(turn["value"] - part["values"][part["picks"].index(turn["played"][0])])


def _greedy_row(name: str, losses: Sequence[tuple[int, float]]) -> dict[str, Any]:
    estimate = mean_by_cluster([loss for _, loss in losses], [deal for deal, _ in losses])
    return {
        "cards_left": name,
        "mean_loss": estimate.mean,
        "standard_error": estimate.standard_error,
        "best_share": sum(loss <= SAME for _, loss in losses) / len(losses),
        "largest_loss": max(loss for _, loss in losses),
        "picks": len(losses),
    }


STUDY = Study(
    name="thumb-rules",
    question="What does the greedy rule lose, and which advice pays?",
    sizes=((ROUNDS, "deals"),),
    summarise=summarise,
    parameters=PARAMETERS,
    quick=QUICK,
    tables=("greedy_loss", "thumb_rules", "thumb_rules_by_phase"),
)
