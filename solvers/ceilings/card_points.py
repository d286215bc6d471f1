"""The points of one seat's cards, as expressions over a model: tempura, sashimi, dumplings, nigiri and wasabi.

Every function adds what it needs to the model and returns the points. Wherever a set is counted, the variables are
chosen so that the linear relaxation is the convex hull of the rule, which is what keeps the proven bounds tight.
Source: the 2014 booklet, p. 3-4; the numbers come from :mod:`solvers.game.scoring`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ortools.sat.python import cp_model

from solvers.ceilings.draft_model import DraftModel, Expression
from solvers.game.cards import NIGIRI_POINTS, Card
from solvers.game.scoring import (
    DUMPLING_POINTS,
    SASHIMI_SET,
    TEMPURA_PAIR,
    WASABI_FACTOR,
    nigiri_points,
    open_wasabi,
)


def whole_sets(model: cp_model.CpModel, cards: Expression, size: int, most: int, name: str) -> Expression:
    """How many whole sets of ``size`` there are among at most ``most`` cards."""
    if most < size:
        return 0
    sets = model.new_int_var(0, most // size, f"{name}_sets")
    left_over = model.new_int_var(0, size - 1, f"{name}_left_over")
    model.add(cards == size * sets + left_over)
    return sets


def tempura(model: cp_model.CpModel, cards: Expression, most: int, name: str) -> Expression:
    """Five points for each pair."""
    return TEMPURA_PAIR * whole_sets(model, cards, 2, most, f"tempura_{name}")


def sashimi(model: cp_model.CpModel, cards: Expression, most: int, name: str) -> Expression:
    """Ten points for each set of three."""
    return SASHIMI_SET * whole_sets(model, cards, 3, most, f"sashimi_{name}")


def dumplings(model: cp_model.CpModel, cards: Expression, most: int, name: str) -> Expression:
    """1, 3, 6, 10, 15: each dumpling up to the fifth adds one point more than the one before; further ones add none."""
    counting = min(most, len(DUMPLING_POINTS) - 1)
    steps = [model.new_bool_var(f"dumpling_{name}_{step}") for step in range(1, counting + 1)]
    if not steps:
        return 0
    for lower, higher in zip(steps, steps[1:], strict=False):
        model.add_implication(higher, lower)
    beyond = most - len(steps)
    extra: Expression = model.new_int_var(0, beyond, f"dumplings_beyond_{name}") if beyond else 0
    model.add(extra <= beyond * steps[-1])
    model.add(cards == sum(steps) + extra)
    gains = [after - before for before, after in zip(DUMPLING_POINTS, DUMPLING_POINTS[1:], strict=False)]
    return sum(gain * step for gain, step in zip(gains, steps, strict=False))


def nigiri(draft: DraftModel, seat: int) -> Expression:
    """3, 2 or 1 a nigiri, and as much again twice for each one that lands on an open wasabi."""
    laid = sum(
        value * (draft.final_count(seat, card) - draft.tables[seat][card]) for card, value in NIGIRI_POINTS.items()
    )
    return nigiri_points(draft.position.tables[seat]) + laid + _wasabi_bonus(draft, seat)


def nigiri_in_any_order(model: cp_model.CpModel, counts: Mapping[Card, Expression], most: int, name: str) -> Expression:
    """The points of nigiri and wasabi that may be laid in any order, ``counts`` giving how many of each kind there are.

    Any choice of at most as many nigiri as there are wasabi can be tripled: the others are laid before the first
    wasabi. ``most`` is an upper limit for any count.
    """
    tripled = {card: model.new_int_var(0, most, f"tripled_{name}_{card.letter}") for card in NIGIRI_POINTS}
    for card, number in tripled.items():
        model.add(number <= counts[card])
    model.add(sum(tripled.values()) <= counts[Card.WASABI])
    plain = sum(value * counts[card] for card, value in NIGIRI_POINTS.items())
    return plain + sum((WASABI_FACTOR - 1) * NIGIRI_POINTS[card] * number for card, number in tripled.items())


def _wasabi_bonus(draft: DraftModel, seat: int) -> Expression:
    """Turn 2: a nigiri laid while an own wasabi is open must go on it and triples; one nigiri a wasabi."""
    if Card.WASABI not in draft.timed(seat):
        return 0
    bonus: Expression = 0
    waiting: Expression = open_wasabi(draft.position.tables[seat])
    most = draft.most(seat, Card.WASABI)
    for turn in draft.turns:
        tripled = _tripled(draft, seat, turn, waiting)
        bonus += sum((WASABI_FACTOR - 1) * NIGIRI_POINTS[card] * number for card, number in tripled.items())
        after = draft.model.new_int_var(0, most, f"open_wasabi_{seat}_{turn}")
        draft.model.add(after == waiting + draft.take[seat, turn, Card.WASABI] - sum(tripled.values()))
        waiting = after
    return bonus


def _tripled(draft: DraftModel, seat: int, turn: int, waiting: Expression) -> dict[Card, Expression]:
    """How many nigiri of each kind laid on this turn land on a wasabi, ``waiting`` wasabi being open before it.

    With one nigiri: it triples exactly when a wasabi waits. With two cards by chopsticks: two nigiri fill as many
    wasabi as wait, either first; and a nigiri laid with a wasabi may be laid after it, unless the rules say
    ``strict_prior``.
    """
    model = draft.model
    taken = {card: draft.take[seat, turn, card] for card in NIGIRI_POINTS}
    nigiri = {card: number for card, number in taken.items() if not isinstance(number, int)}
    if not nigiri:
        return {}
    at_most = 2 if draft.chopsticks else 1
    tripled: dict[Card, Expression] = {}
    for card, number in nigiri.items():
        tripled[card] = model.new_int_var(0, at_most, f"tripled_{seat}_{turn}_{card.letter}")
        model.add(tripled[card] <= number)
    laid, on_wasabi = sum(nigiri.values()), sum(tripled.values())
    one_waits = _at_least(draft, waiting, 1, f"one_wasabi_waits_{seat}_{turn}")
    if not draft.chopsticks:
        model.add(on_wasabi <= one_waits)
        model.add(on_wasabi >= laid + one_waits - 1)
        return tripled
    two_wait = _at_least(draft, waiting, 2, f"two_wasabi_wait_{seat}_{turn}")
    beside = draft.take[seat, turn, Card.WASABI] if draft.rules.chopsticks_order == "sequenced" else 0
    model.add(on_wasabi <= one_waits + two_wait + beside)
    model.add(2 * on_wasabi >= laid - 2 + 2 * one_waits)
    model.add(on_wasabi >= laid - 2 + 2 * two_wait)
    return tripled


def _at_least(draft: DraftModel, number: Expression, least: int, name: str) -> Expression:
    """A variable that is 1 exactly when ``number`` is ``least`` or more."""
    if isinstance(number, int):
        return int(number >= least)
    reached = draft.model.new_bool_var(name)
    draft.model.add(number >= least).only_enforce_if(reached)
    draft.model.add(number <= least - 1).only_enforce_if(~reached)
    return reached
