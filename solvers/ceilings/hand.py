"""``best hand``: the highest round score of a number of cards, from the deck or from given cards.

The cards may be laid in any order, so every wasabi can have its nigiri.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ortools.sat.python import cp_model

from solvers.ceilings import card_points
from solvers.ceilings.answers import HandAnswer
from solvers.ceilings.count import count_different
from solvers.ceilings.draft_model import Expression
from solvers.ceilings.search import OPTIMAL, Outcome, run
from solvers.endgame.limits import Limits
from solvers.errors import UsageError
from solvers.game.cards import KINDS, MAKI_ICONS, NIGIRI_POINTS, Card, count_cards
from solvers.game.position import Cards
from solvers.game.rules import Rules
from solvers.game.scoring import maki_icons, maki_points, score_round


def best_hand(
    size: int,
    given: Iterable[Card] | None = None,
    without: Iterable[Card] = (),
    rivals: Sequence[int] = (0,),
    rules: Rules | None = None,
    limits: Limits | None = None,
    count: int = 0,
) -> HandAnswer:
    """The proven best table of ``size`` cards chosen from ``given`` (default: the whole deck) less ``without``.

    ``rivals`` are the maki icons of the other seats; by default nobody else has maki. Of the best tables, the one shown
    has the most of the first kind in card order, then of the second, and so on. ``count`` above 0 also counts the best
    tables, up to that many. Raises :class:`UsageError` for a request no cards can meet.
    """
    rules, limits = rules or Rules(), limits or Limits()
    available = _available(size, given, without, rivals, rules)
    started = time.perf_counter()
    model = cp_model.CpModel()
    counts = {card: model.new_int_var(0, available[card], f"count_{card.letter}") for card in KINDS}
    model.add(sum(counts.values()) == size)
    points = _round_points(model, counts, available, rivals, rules)
    model.maximize(points)
    outcome = first = run(model, limits)
    number, complete = 0, True
    if outcome.status == OPTIMAL:
        model.add(points == outcome.value)
        if count:
            numbers = [(counts[card], available[card]) for card in KINDS]
            number, complete = count_different(model.clone(), numbers, count, limits, started)
        outcome = _first_in_card_order(model, counts, outcome, limits, started)
    cards = () if outcome.value is None else _laid({card: outcome.number(counts[card]) for card in KINDS})
    if cards and _score(cards, rivals, rules) != first.value:
        raise AssertionError(f"{cards} scores {_score(cards, rivals, rules)}, the model says {first.value}")
    return HandAnswer(
        value=first.value,
        status=first.status,
        bound=first.bound,
        stats={**first.stats, "seconds": round(time.perf_counter() - started, 6)},
        interrupted=first.interrupted,
        cards=cards,
        count=number if count and first.status == OPTIMAL else None,
        count_complete=complete,
    )


def _available(
    size: int, given: Iterable[Card] | None, without: Iterable[Card], rivals: Sequence[int], rules: Rules
) -> Counter[Card]:
    """How many of each kind there are to choose from; raises :class:`UsageError` for contradictory requests."""
    deck = Counter(rules.deck())
    start = deck if given is None else count_cards(given)
    source = "deck" if given is None else "given cards"
    for card, number in start.items():
        if number > deck[card]:
            raise UsageError(f"{number} {card.letter} in the given cards: the deck has only {deck[card]}")
    left = start.copy()
    left.subtract(count_cards(without))
    for card, number in left.items():
        if number < 0:
            raise UsageError(f"{start[card] - number} {card.letter} to leave out: the {source} has {start[card]}")
    if not 1 <= size <= left.total():
        raise UsageError(f"{size} cards: write a number from 1 to {left.total()}, the cards there are to choose from")
    if any(icons < 0 for icons in rivals):
        raise UsageError(f"{min(rivals)} maki icons of a rival: write 0 or more for each, like 5/3")
    return left


def _round_points(
    model: cp_model.CpModel,
    counts: Mapping[Card, Expression],
    available: Mapping[Card, int],
    rivals: Sequence[int],
    rules: Rules,
) -> Expression:
    """The round points of the chosen cards."""
    most_icons = sum(card.icons * available[card] for card in MAKI_ICONS)
    icons = model.new_int_var(0, most_icons, "icons")
    model.add(icons == sum(card.icons * counts[card] for card in MAKI_ICONS))
    maki = model.new_int_var(0, max(maki_points((1,), rules)), "maki_points")
    model.add_element(icons, [maki_points((own, *rivals), rules)[0] for own in range(most_icons + 1)], maki)
    most_nigiri = max(available[card] for card in NIGIRI_POINTS)
    return (
        maki
        + card_points.tempura(model, counts[Card.TEMPURA], available[Card.TEMPURA], "")
        + card_points.sashimi(model, counts[Card.SASHIMI], available[Card.SASHIMI], "")
        + card_points.dumplings(model, counts[Card.DUMPLING], available[Card.DUMPLING], "")
        + card_points.nigiri_in_any_order(model, counts, most_nigiri, "")
    )


def _first_in_card_order(
    model: cp_model.CpModel, counts: Mapping[Card, Expression], outcome: Outcome, limits: Limits, started: float
) -> Outcome:
    """Of the solutions, the one with the most of the first kind, then of the second, and so on; ``outcome`` if late."""
    for card in KINDS:
        model.maximize(counts[card])
        again = run(model, limits, time.perf_counter() - started)
        if again.status != OPTIMAL or again.value is None:
            return outcome
        model.add(counts[card] == again.value)
        outcome = replace(again, status=outcome.status)
    return outcome


def _laid(counts: Mapping[Card, int]) -> Cards:
    """The cards in an order that scores the most: each wasabi just before the best nigiri still to come."""
    return scoring_order(Counter(counts).elements())


def scoring_order(cards: Iterable[Card]) -> Cards:
    """Cards in card order, but with the best nigiri each behind its wasabi, and wasabi without nigiri last."""
    pool = sorted(cards)
    best = sorted((card for card in pool if card.is_nigiri), key=lambda card: NIGIRI_POINTS[card], reverse=True)
    wasabi = pool.count(Card.WASABI)
    pairs = [(Card.WASABI, nigiri) for nigiri in best[:wasabi]]
    plain = Counter(pool)
    for pair in pairs:
        plain.subtract(pair)
    spare = plain.pop(Card.WASABI, 0)
    return (*sorted(plain.elements()), *(card for pair in pairs for card in pair), *(Card.WASABI,) * spare)


def _score(cards: Cards, rivals: Sequence[int], rules: Rules) -> int:
    """The game room's round score of a table against rivals with these icons."""
    own = score_round((cards,), rules)[0]
    return own.total - own.maki + maki_points((maki_icons(cards), *rivals), rules)[0]
