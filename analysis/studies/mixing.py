"""Mixing: how often every equilibrium mixes, and what a player loses who never does.

Every equilibrium of a turn mixes when its matrix game has no saddle point. A player who always makes the best single
pick, and whose rival knows it, gets that turn only what the pick makes sure of (the maximin of the matrix); the loss of
a turn is the value less that, equilibrium play following. Against a rival who keeps to its equilibrium mix the same
pick loses nothing: mixing protects against being read. For the last turns of a round the whole pure plan is valued too:
never mixing again, the rival seeing every pick beforehand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.studies.first_picks import SAME
from analysis.studies.rounds import PARAMETERS, QUICK, ROUNDS, setting
from analysis.study.model import Parameters, Record, Study
from analysis.study.statistics import mean_by_cluster
from analysis.study.tables import Table
from solvers.game.position import Position

POPULATIONS = {"equilibrium": "equilibrium play", "wandering": "wandering play"}
Turn = tuple[int, Record]


def summarise(parameters: Parameters, records: Mapping[str, Sequence[Record]]) -> list[Table]:
    """By cards left and way of play, and over whole rounds."""
    rounds = records["rounds"]
    note = (
        f"{setting(parameters)} Losses are against a rival who foresees the single pick; against one who keeps to its "
        "mix it loses nothing."
    )
    by_turn = [row for line, name in POPULATIONS.items() for row in _by_cards_left(rounds, line, name)]
    whole = [_whole_round(rounds, line, name) for line, name in POPULATIONS.items()]
    return [
        Table.of("mixing", "How often every equilibrium mixes, by turn", by_turn, note),
        Table.of("mixing_round", "Mixing over a whole round", whole, note),
        Table.of("mixing_plan", "Never mixing again, from late in the round", [_pure_plan_row(rounds)], note),
    ]


def must_mix(turn: Record) -> bool:
    """Whether the turn's matrix game has no saddle point."""
    return bool(turn["pure"][0] + turn["pure"][1] < -SAME)


def seat_losses(turn: Record) -> tuple[float, float]:
    """What each seat's best foreseen single pick falls short of its value."""
    return turn["value"] - turn["pure"][0], -turn["value"] - turn["pure"][1]


def _by_cards_left(rounds: Sequence[Record], line: str, name: str) -> list[dict[str, Any]]:
    turns: dict[int, list[Turn]] = defaultdict(list)
    for deal, record in enumerate(rounds):
        for turn in record[line]["turns"]:
            turns[Position.parse(turn["position"]).cards_left].append((deal, turn))
    return [{"play": name, "cards_left": left, **_figures(turns[left])} for left in sorted(turns, reverse=True)]


def _figures(turns: Sequence[Turn]) -> dict[str, Any]:
    deals = [deal for deal, _ in turns]
    share = mean_by_cluster([float(must_mix(turn)) for _, turn in turns], deals)
    losses = [loss for _, turn in turns for loss in seat_losses(turn)]
    loss = mean_by_cluster(losses, [deal for deal in deals for _ in range(2)])
    mixed = [loss for _, turn in turns if must_mix(turn) for loss in seat_losses(turn)]
    return {
        "positions": len(turns),
        "mixing_share": share.mean,
        "mixing_share_se": share.standard_error,
        "seat_must_mix_share": sum(loss > SAME for loss in losses) / len(losses),
        "pure_loss": loss.mean,
        "pure_loss_se": loss.standard_error,
        "pure_loss_where_mixing": sum(mixed) / len(mixed) if mixed else None,
        "largest_pure_loss": max(losses),
    }


def _whole_round(rounds: Sequence[Record], line: str, name: str) -> dict[str, Any]:
    """Turns that mix and losses added up over a round; added losses are of single turns, not of a pure plan."""
    deals = range(len(rounds))
    mixing = [sum(map(must_mix, record[line]["turns"])) for record in rounds]
    lost = [sum(loss for turn in record[line]["turns"] for loss in seat_losses(turn)) / 2 for record in rounds]
    turns, added, ever = (
        mean_by_cluster(values, deals) for values in (mixing, lost, [float(count > 0) for count in mixing])
    )
    return {
        "play": name,
        "deals": len(rounds),
        "mixing_turns": turns.mean,
        "mixing_turns_se": turns.standard_error,
        "rounds_with_mixing_share": ever.mean,
        "rounds_with_mixing_share_se": ever.standard_error,
        "added_pure_loss": added.mean,
        "added_pure_loss_se": added.standard_error,
    }


def _pure_plan_row(rounds: Sequence[Record]) -> dict[str, Any]:
    """What a foreseen pure plan to the end of the round loses, beside the losses of single turns added up."""
    start = Position.parse(rounds[0]["plan"]["position"]).cards_left
    deals = [deal for deal in range(len(rounds)) for _ in range(2)]
    losses: list[float] = []
    added: list[float] = []
    for record in rounds:
        plan = record["plan"]
        losses += [plan["value"] - plan["plans"][0], -plan["value"] - plan["plans"][1]]
        late = [turn for turn in record["equilibrium"]["turns"] if Position.parse(turn["position"]).cards_left <= start]
        added += [sum(seat_losses(turn)[seat] for turn in late) for seat in range(2)]
    plan_loss, turn_loss = mean_by_cluster(losses, deals), mean_by_cluster(added, deals)
    return {
        "cards_left": start,
        "deals": len(rounds),
        "plan_loss": plan_loss.mean,
        "plan_loss_se": plan_loss.standard_error,
        "plan_costs_share": sum(loss > SAME for loss in losses) / len(losses),
        "largest_plan_loss": max(losses),
        "added_turn_loss": turn_loss.mean,
        "added_turn_loss_se": turn_loss.standard_error,
    }


STUDY = Study(
    name="mixing",
    question="How often must a player mix, and what does it cost never to?",
    sizes=((ROUNDS, "deals"),),
    summarise=summarise,
    parameters=PARAMETERS,
    quick=QUICK,
    tables=("mixing", "mixing_round", "mixing_plan"),
)
