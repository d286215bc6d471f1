"""From counts to picks: the line of play that a solved draft model stands for.

The model says how many of each kind a seat takes from each hand, and when chopsticks are taken and used. That leaves
the order in which a seat lays its cards; the order shown is the first one in card order that scores the nigiri points
the model counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from solvers.ceilings.answers import Line
from solvers.ceilings.draft_model import DraftModel
from solvers.ceilings.search import Outcome
from solvers.game.cards import KINDS, Card, count_cards
from solvers.game.picks import Pick, distinct_picks
from solvers.game.rules import Rules
from solvers.game.scoring import nigiri_points, open_wasabi

Pools = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known of one seat's rest of the round.

    ``hands[turn]`` is the hand it holds, ``sizes[turn]`` how many cards it takes, ``fixed`` the picks that are known
    or are chopsticks, and ``target`` the nigiri points its table must score (``None``: any).
    """

    table: tuple[Card, ...]
    hands: tuple[int, ...]
    sizes: tuple[int, ...]
    fixed: Mapping[int, Pick]
    target: int | None
    rules: Rules


def read_line(draft: DraftModel, outcome: Outcome, nigiri: Mapping[int, int]) -> Line:
    """The line of a solution; ``nigiri`` gives the nigiri points of the seats whose points were counted."""
    picks = [_seat_picks(draft, outcome, seat, nigiri.get(seat)) for seat in draft.seats]
    return tuple(zip(*picks, strict=True))


def _seat_picks(draft: DraftModel, outcome: Outcome, seat: int, target: int | None) -> tuple[Pick, ...]:
    fixed = {turn: pick for (who, turn), pick in draft.fixed.items() if who == seat}
    for turn in draft.turns:
        if draft.chopsticks and outcome.number(draft.take[seat, turn, Card.CHOPSTICKS]):
            fixed[turn] = (Card.CHOPSTICKS,)
    plan = Plan(
        table=draft.position.tables[seat],
        hands=tuple(draft.hand_of(seat, turn) for turn in draft.turns),
        sizes=tuple(1 + outcome.number(draft.use[seat, turn]) for turn in draft.turns),
        fixed=fixed,
        target=target,
        rules=draft.rules,
    )
    pools: list[Counter[Card]] = []
    for hand in draft.seats:
        pool = Counter({card: outcome.number(draft.from_hand[seat, hand, card]) for card in KINDS})
        pool.subtract(count_cards(card for turn, pick in fixed.items() if plan.hands[turn] == hand for card in pick))
        pools.append(pool)
    found = first_order(plan, tuple(tuple(sorted(pool.elements())) for pool in pools))
    if found is None:
        raise AssertionError(f"no order of seat {seat}'s cards scores the {target} nigiri points the model counted")
    return found


def first_order(plan: Plan, pools: Pools) -> tuple[Pick, ...] | None:
    """The first order in card order that lays every card of ``pools`` (one pool a hand) and meets the plan's target."""
    dead: set[tuple[int, Pools, int, int]] = set()

    def search(turn: int, pools: Pools, table: tuple[Card, ...]) -> tuple[Pick, ...] | None:
        if turn == len(plan.hands):
            return () if plan.target in (None, nigiri_points(table)) else None
        state = (turn, pools, nigiri_points(table), open_wasabi(table))
        if state in dead:
            return None
        for pick, left in _choices(plan, turn, pools, table):
            rest = search(turn + 1, left, (*table, *pick))
            if rest is not None:
                return (pick, *rest)
        dead.add(state)
        return None

    return search(0, pools, plan.table)


def _choices(plan: Plan, turn: int, pools: Pools, table: tuple[Card, ...]) -> list[tuple[Pick, Pools]]:
    """The picks the plan leaves open on a turn, in card order, each with what is then left in the pools."""
    if turn in plan.fixed:
        return [(plan.fixed[turn], pools)]
    hand = plan.hands[turn]
    options = []
    for pick in distinct_picks(pools[hand], (*table, Card.CHOPSTICKS), plan.rules):
        if len(pick) == plan.sizes[turn]:
            left = list(pools[hand])
            for card in pick:
                left.remove(card)
            options.append((pick, (*pools[:hand], tuple(left), *pools[hand + 1 :])))
    return options
