"""When cards are worth it: what taking a kind gains over the best other pick, by turn and by what lies on the table.

The *edge* of a kind is the best value among the picks that take it less the best value among those that do not, both
against the rival's equilibrium mix: above zero when the kind is the pick to make, below zero by what it costs. The
positions are those of wandering play (see :mod:`analysis.studies.rounds`), so a cell says what the kind is worth in
positions that come up, not in all that could be laid out. Errors are clustered by deal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.studies.first_picks import SAME
from analysis.studies.rounds import PARAMETERS, QUICK, ROUNDS, pick_of, setting
from analysis.study.model import Parameters, Record, Study
from analysis.study.statistics import mean_by_cluster
from analysis.study.tables import Table
from solvers.game.cards import Card
from solvers.game.names import card_name
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.scoring import maki_icons, open_wasabi

FEWEST_DEALS = 8
"""A cell seen in fewer deals than this is left out: its error would say nothing."""


@dataclass(frozen=True, slots=True)
class View:
    """One seat's view of a turn: its value and its picks with theirs, all as the seat's own margin."""

    deal: int
    position: Position
    seat: int
    value: float
    picks: Mapping[Pick, float]
    chances: Mapping[Pick, float]

    @property
    def table(self) -> tuple[Card, ...]:
        """The seat's own table."""
        return self.position.tables[self.seat]

    @property
    def rival_table(self) -> tuple[Card, ...]:
        """The other seat's table."""
        return self.position.tables[1 - self.seat]

    @property
    def hand(self) -> tuple[Card, ...]:
        """The seat's hand."""
        return self.position.hands[self.seat]


def views(rounds: Sequence[Record], line: str) -> Iterator[View]:
    """Both seats' views of every turn of one way of play."""
    for deal, record in enumerate(rounds):
        for turn in record[line]["turns"]:
            position = Position.parse(turn["position"])
            for seat, part in enumerate(turn["seats"]):
                picks = [pick_of(text) for text in part["picks"]]
                value = turn["value"] if seat == 0 else -turn["value"]
                worth = dict(zip(picks, part["values"], strict=True))
                yield View(deal, position, seat, value, worth, dict(zip(picks, part["mix"], strict=True)))


def edge(view: View, card: Card) -> float | None:
    """The kind's edge over the best pick without it, or ``None`` where there is no choice."""
    taking = [value for pick, value in view.picks.items() if card in pick]
    leaving = [value for pick, value in view.picks.items() if card not in pick]
    return max(taking) - max(leaving) if taking and leaving else None


def on_the_table(view: View, card: Card) -> str:
    """What a kind's worth turns on, in words."""
    mine = view.table.count(card)
    if card is Card.TEMPURA:
        return "one waiting" if mine % 2 else "none waiting"
    if card is Card.SASHIMI:
        return ("none waiting", "one waiting", "two waiting")[mine % 3]
    if card is Card.DUMPLING:
        return ("no dumpling", "1 dumpling", "2 dumplings", "3 dumplings", "4 or more dumplings")[min(mine, 4)]
    if card.icons:
        lead = maki_icons(view.table) - maki_icons(view.rival_table)
        return "maki level" if lead == 0 else "ahead in maki" if lead > 0 else "behind in maki"
    if card.is_nigiri or card is Card.WASABI:
        return "open wasabi" if open_wasabi(view.table) else "no open wasabi"
    if card is Card.CHOPSTICKS:
        return "chopsticks in front" if mine else "no chopsticks in front"
    return "any table"


def summarise(parameters: Parameters, records: Mapping[str, Sequence[Record]]) -> list[Table]:
    """One row for each kind, state of the table and number of cards left."""
    cells: dict[tuple[Card, str, int], list[tuple[int, float]]] = defaultdict(list)
    for view in views(records["rounds"], "wandering"):
        for card in set(view.hand):
            gain = edge(view, card)
            if gain is not None:
                cells[card, on_the_table(view, card), view.position.cards_left].append((view.deal, gain))
    rows = [
        _row(card, state, left, seen)
        for (card, state, left), seen in sorted(cells.items(), key=lambda item: (item[0][0], item[0][1], -item[0][2]))
        if len({deal for deal, _ in seen}) >= min(FEWEST_DEALS, parameters["deals"])
    ]
    note = (
        f"{setting(parameters)} Positions of play in which a seat leaves its equilibrium mix for any pick with chance "
        f"{parameters['wander']}; cells seen in fewer than {FEWEST_DEALS} deals are left out."
    )
    return [Table.of("worth_when", "What taking a card gains, by turn and table", rows, note)]


def _row(card: Card, state: str, left: int, seen: Sequence[tuple[int, float]]) -> dict[str, Any]:
    estimate = mean_by_cluster([gain for _, gain in seen], [deal for deal, _ in seen])
    return {
        "card": card_name(card),
        "on_the_table": state,
        "cards_left": left,
        "edge": estimate.mean,
        "standard_error": estimate.standard_error,
        "best_share": sum(gain >= -SAME for _, gain in seen) / len(seen),
        "positions": estimate.samples,
        "deals": estimate.clusters,
    }


STUDY = Study(
    name="worth-when",
    question="When in a round is each card worth taking, and with what on the table?",
    sizes=((ROUNDS, "deals"),),
    summarise=summarise,
    parameters=PARAMETERS,
    quick=QUICK,
    tables=("worth_when",),
)
