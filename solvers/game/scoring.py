"""Scoring: a round by card, puddings, totals and winners.

Source: the 2014 booklet, p. 3-5; the options are those of :class:`solvers.game.rules.Rules`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from solvers.game.cards import MAKI_ICONS, NIGIRI_POINTS, Card
from solvers.game.rules import Rules

TEMPURA_PAIR = 5
SASHIMI_SET = 10
DUMPLING_POINTS = (0, 1, 3, 6, 10, 15)
MAKI_FIRST = 6
MAKI_SECOND = 3
PUDDING_PRIZE = 6
WASABI_FACTOR = 3


@dataclass(frozen=True, slots=True)
class Breakdown:
    """One seat's round points by card."""

    maki: int
    tempura: int
    sashimi: int
    dumpling: int
    nigiri: int

    @property
    def total(self) -> int:
        """The seat's round points."""
        return self.maki + self.tempura + self.sashimi + self.dumpling + self.nigiri

    def as_dict(self) -> dict[str, int]:
        """Points by name, as printed in JSON."""
        return asdict(self)


def maki_icons(table: Sequence[Card]) -> int:
    """The maki icons on a table."""
    return sum(MAKI_ICONS.get(card, 0) for card in table)


def maki_points(icons: Sequence[int], rules: Rules) -> tuple[int, ...]:
    """The points of each seat for the maki contest, from each seat's icons."""
    points = [0] * len(icons)
    counted = [count for count in icons if count >= rules.maki_min_icons]
    if not counted:
        return tuple(points)
    most = max(counted)
    first = [seat for seat, count in enumerate(icons) if count == most]
    for seat in first:
        points[seat] = MAKI_FIRST if rules.maki_tie == "full" else MAKI_FIRST // len(first)
    second_is_paid = rules.maki_second_place and (len(first) == 1 or rules.maki_tie == "full")
    behind = [count for count in counted if count < most]
    if second_is_paid and behind:
        second = [seat for seat, count in enumerate(icons) if count == max(behind)]
        for seat in second:
            points[seat] = MAKI_SECOND if rules.maki_tie == "full" else MAKI_SECOND // len(second)
    return tuple(points)


def tempura_points(cards: int) -> int:
    """Five for each pair."""
    return cards // 2 * TEMPURA_PAIR


def sashimi_points(cards: int) -> int:
    """Ten for each set of three."""
    return cards // 3 * SASHIMI_SET


def dumpling_points(cards: int) -> int:
    """1, 3, 6, 10, and 15 for five or more."""
    return DUMPLING_POINTS[min(cards, len(DUMPLING_POINTS) - 1)]


def nigiri_points(table: Sequence[Card], declined: Sequence[Card] = ()) -> int:
    """The points of the nigiri on a table, laid in this order.

    ``declined`` lists nigiri kept off an open wasabi, for records played under a house rule that allows it; the
    official game does not.
    """
    points, open_wasabi, kept_off = 0, 0, list(declined)
    for card in table:
        if card is Card.WASABI:
            open_wasabi += 1
        elif card in NIGIRI_POINTS:
            if card in kept_off:
                kept_off.remove(card)
            elif open_wasabi:
                open_wasabi -= 1
                points += (WASABI_FACTOR - 1) * NIGIRI_POINTS[card]
            points += NIGIRI_POINTS[card]
    return points


def open_wasabi(table: Sequence[Card]) -> int:
    """The wasabi on a table that no nigiri lies on."""
    count = 0
    for card in table:
        if card is Card.WASABI:
            count += 1
        elif card.is_nigiri and count:
            count -= 1
    return count


def score_round(
    tables: Sequence[Sequence[Card]],
    rules: Rules | None = None,
    declined: Sequence[Sequence[Card]] | None = None,
) -> tuple[Breakdown, ...]:
    """Each seat's round points by card, as if the round ended with these tables."""
    rules = rules or Rules()
    maki = maki_points([maki_icons(table) for table in tables], rules)
    return tuple(
        Breakdown(
            maki=maki[seat],
            tempura=tempura_points(table.count(Card.TEMPURA)),
            sashimi=sashimi_points(table.count(Card.SASHIMI)),
            dumpling=dumpling_points(table.count(Card.DUMPLING)),
            nigiri=nigiri_points(table, declined[seat] if declined else ()),
        )
        for seat, table in enumerate(tables)
    )


def pudding_points(puddings: Sequence[int], rules: Rules | None = None) -> tuple[int, ...]:
    """The pudding bonus or penalty of each seat at the end of the game; two seats have no penalty."""
    rules = rules or Rules()
    most, fewest = max(puddings), min(puddings)
    if most == fewest and rules.pudding_all_equal == "none":
        return (0,) * len(puddings)
    full = rules.pudding_tie == "full"
    prize = PUDDING_PRIZE if full else PUDDING_PRIZE // list(puddings).count(most)
    loss = PUDDING_PRIZE if full else PUDDING_PRIZE // list(puddings).count(fewest)
    if len(puddings) == 2:
        loss = 0
    return tuple(prize * (count == most) - loss * (count == fewest) for count in puddings)


def winners(totals: Sequence[int], puddings: Sequence[int]) -> tuple[int, ...]:
    """The seats that share the win: most points, then most puddings."""
    best = max(zip(totals, puddings, strict=True))
    return tuple(seat for seat, pair in enumerate(zip(totals, puddings, strict=True)) if pair == best)
