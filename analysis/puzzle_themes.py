"""What a puzzle is about, computed from its solution: where the points of the answer come from, and its themes.

The answer and the tempting pick are compared by the points each seat gets, card by card, when everything after the
pick follows the solution. Themes and the words of an explanation use nothing but these figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum, prod

from solvers.endgame.exact import Key, position_key
from solvers.endgame.solution import Solution
from solvers.game.cards import Card
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.scoring import open_wasabi

SOURCES = ("maki", "tempura", "sashimi", "dumplings", "nigiri", "puddings")
"""Where points come from, in the order of :func:`expected_points`."""

_SOURCE_THEMES = {"maki": "maki race"}
SACRIFICE = 2.0
"""Own points given up, at least, to be called a sacrifice."""
ORDER_LOSS = 1.0
"""What the other order of the two cards loses, at least, for the order to be the theme."""

Points = tuple[tuple[float, ...], tuple[float, ...]]
"""Seat 0's points by source, and seat 1's."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the answer differs from the tempting pick: by source, what seat 0 gains and what seat 1 is kept from."""

    gained: Mapping[str, float]
    denied: Mapping[str, float]

    @property
    def own(self) -> float:
        """Points seat 0 gets more (or, below 0, fewer) after the answer."""
        return sum(self.gained.values())

    @property
    def rival(self) -> float:
        """Points seat 1 gets fewer (or, below 0, more) after the answer."""
        return sum(self.denied.values())

    def swing(self, source: str) -> float:
        """The margin gained through one source, by both seats' points together."""
        return self.gained[source] + self.denied[source]

    @property
    def margin(self) -> float:
        """The margin gained in all."""
        return self.own + self.rival


def compare(solution: Solution, mix: Mapping[Pick, float], wrong: Pick) -> Comparison:
    """Seat 0's answer (a mix) against a wrong pick, in a two-seat solution with its solver."""
    best = _mixed([(chance, expected_points(solution, pick)) for pick, chance in mix.items()])
    other = expected_points(solution, wrong)
    return Comparison(
        gained={source: best[0][i] - other[0][i] for i, source in enumerate(SOURCES)},
        denied={source: other[1][i] - best[1][i] for i, source in enumerate(SOURCES)},
    )


def expected_points(solution: Solution, pick: Pick) -> Points:
    """Both seats' expected points of this round and for puddings when seat 0 takes ``pick`` and all else follows."""
    memo: dict[Key, Points] = {}

    def follow(position: Position, forced: Pick | None = None) -> Points:
        if not position.cards_left:
            return _final_points(position, solution)
        key = position_key(position)
        if key not in memo:
            mixes = list(solution.strategy(position))
            if forced is not None:
                mixes[0] = {forced: 1.0}
            supports = ([(p, chance) for p, chance in mix.items() if chance] for mix in mixes)
            memo[key] = _mixed(
                [
                    (
                        prod([chance for _, chance in joint], start=1.0),
                        follow(position.play([p for p, _ in joint], solution.rules)),
                    )
                    for joint in product(*supports)
                ]
            )
        return memo[key]

    return follow(solution.position, pick)


def _final_points(position: Position, solution: Solution) -> Points:
    """Points by source when the round is over; a pudding counts its assumed worth before the last round."""
    worth = solution.pudding_value or 0.0
    puddings: Sequence[float] | None = position.pudding_points(solution.rules)
    if puddings is None:
        puddings = [worth * count for count in position.pudding_counts()]
    one, other = (
        (
            float(part.maki),
            float(part.tempura),
            float(part.sashimi),
            float(part.dumpling),
            float(part.nigiri),
            float(bonus),
        )
        for part, bonus in zip(position.breakdown(solution.rules), puddings, strict=True)
    )
    return one, other


def _mixed(outcomes: list[tuple[float, Points]]) -> Points:
    """The mean of outcomes by their chances."""
    own, rival = (
        tuple(fsum(chance * points[seat][i] for chance, points in outcomes) for i in range(len(SOURCES)))
        for seat in range(2)
    )
    return own, rival


def themes(
    solution: Solution, mix: Mapping[Pick, float], wrong: Pick, comparison: Comparison, loses_the_win: bool = False
) -> tuple[str, ...]:
    """The themes of :data:`analysis.puzzles.THEMES` that hold, in alphabetical order.

    ``loses_the_win`` says that the tempting pick is the best one for the margin. Where the points come from is a theme
    for ``margin`` only: a share of the win cannot be split up by source.
    """
    found = _card_themes(solution, mix, wrong)
    if len(mix) > 1:
        found.add("mixed")
    if loses_the_win:
        found.add("win")
    if solution.objective == "margin":
        gain = comparison.margin
        found |= {_SOURCE_THEMES.get(source, source) for source in SOURCES if comparison.swing(source) >= gain / 2}
        if comparison.rival >= gain:
            found.add("denial")
        if -comparison.own >= SACRIFICE:
            found.add("sacrifice")
    return tuple(sorted(found))


def _card_themes(solution: Solution, mix: Mapping[Pick, float], wrong: Pick) -> set[str]:
    """The themes that the cards of the answer and of the tempting pick show."""
    found: set[str] = set()
    picks = (*mix, wrong)
    if any(len(pick) == 2 or Card.CHOPSTICKS in pick for pick in picks):
        found.add("chopsticks")
    waiting = open_wasabi(solution.position.tables[0]) > 0
    nigiri = {tuple(card for card in pick if card.is_nigiri) for pick in picks}
    if any(Card.WASABI in pick for pick in mix) or (waiting and len(nigiri) > 1):
        found.add("wasabi timing")
    losses = {row.pick: row.loss for row in solution.seat(0).picks}
    if all(len(pick) == 2 and losses.get(pick[::-1], 0.0) >= ORDER_LOSS for pick in mix):
        found.add("order")
    return found
