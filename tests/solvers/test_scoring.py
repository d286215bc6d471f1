"""Scoring against a second scorer, written from the rules in another way."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.game.cards import Card, cards_from_letters
from solvers.game.position import Position
from solvers.game.rules import Rules
from solvers.game.scoring import nigiri_points, open_wasabi, pudding_points, score_round, winners
from tests.strategies import piles, positions, rules_options

tables_of_some_seats = st.lists(piles(10), min_size=2, max_size=5)


def slow_nigiri(table: tuple[Card, ...]) -> tuple[int, int]:
    """Points of the nigiri and wasabi left open, laying real stacks: each nigiri on the first bare wasabi."""
    stacks: list[list[Card]] = []
    for card in table:
        bare = next((stack for stack in stacks if stack == [Card.WASABI]), None)
        if card.name.endswith("NIGIRI") and bare is not None:
            bare.append(card)
        else:
            stacks.append([card])
    worth = {Card.EGG_NIGIRI: 1, Card.SALMON_NIGIRI: 2, Card.SQUID_NIGIRI: 3}
    points = sum(worth.get(stack[-1], 0) * (3 if len(stack) == 2 else 1) for stack in stacks)
    return points, sum(stack == [Card.WASABI] for stack in stacks)


def slow_contest(counts: list[int], prizes: list[int], full: bool) -> list[int]:
    """Hand out prizes place by place; a shared first place uses up the second unless ties are paid in full."""
    points = [0] * len(counts)
    places = sorted(set(counts), reverse=True)
    for prize, count in zip(prizes, places, strict=False):
        tied = [seat for seat, own in enumerate(counts) if own == count]
        for seat in tied:
            points[seat] = prize if full else prize // len(tied)
        if len(tied) > 1 and not full:
            break
    return points


def slow_maki(tables: list[tuple[Card, ...]], rules: Rules) -> list[int]:
    icons = [table.count(Card.MAKI1) + 2 * table.count(Card.MAKI2) + 3 * table.count(Card.MAKI3) for table in tables]
    entered = [seat for seat, count in enumerate(icons) if count >= rules.maki_min_icons]
    prizes = [6, 3] if rules.maki_second_place else [6]
    won = slow_contest([icons[seat] for seat in entered], prizes, rules.maki_tie == "full")
    points = dict(zip(entered, won, strict=True))
    return [points.get(seat, 0) for seat in range(len(tables))]


@given(tables_of_some_seats, rules_options())
def test_round_against_the_slow_scorer(tables: list[tuple[Card, ...]], rules: Rules) -> None:
    parts = score_round(tables, rules)
    assert [part.maki for part in parts] == slow_maki(tables, rules)
    for table, part in zip(tables, parts, strict=True):
        count = Counter(table)
        assert part.tempura == 5 * (count[Card.TEMPURA] // 2)
        assert part.sashimi == 10 * (count[Card.SASHIMI] // 3)
        dumplings = min(count[Card.DUMPLING], 5)
        assert part.dumpling == dumplings * (dumplings + 1) // 2
        assert (part.nigiri, open_wasabi(table)) == slow_nigiri(table)
        assert part.total == sum(part.as_dict().values())


@given(st.lists(st.integers(0, 5), min_size=2, max_size=5), rules_options())
def test_puddings_against_the_slow_scorer(puddings: list[int], rules: Rules) -> None:
    full = rules.pudding_tie == "full"
    bonus = slow_contest(puddings, [6], full)
    penalty = slow_contest([-count for count in puddings], [6], full) if len(puddings) > 2 else [0] * len(puddings)
    expected = tuple(won - lost for won, lost in zip(bonus, penalty, strict=True))
    if len(set(puddings)) == 1 and rules.pudding_all_equal == "none":
        expected = (0,) * len(puddings)
    assert pudding_points(puddings, rules) == expected


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 3)), min_size=2, max_size=5))
def test_winners_are_those_nobody_beats(ends: list[tuple[int, int]]) -> None:
    totals, puddings = [total for total, _ in ends], [count for _, count in ends]
    nobody_beats = tuple(seat for seat, end in enumerate(ends) if not any(other > end for other in ends))
    assert winners(totals, puddings) == nobody_beats


@given(positions(), rules_options())
def test_totals_add_up(position: Position, rules: Rules) -> None:
    bonus = position.pudding_points(rules)
    assert (bonus is None) == (position.round < 3) == (position.winners(rules) is None)
    expected = zip(position.scores, position.round_points(rules), bonus or (0,) * position.seats, strict=True)
    assert list(position.totals(rules)) == [sum(parts) for parts in expected]


@given(tables_of_some_seats)
def test_a_seat_order_changes_nothing_but_the_order(tables: list[tuple[Card, ...]]) -> None:
    assert score_round(tables[::-1]) == score_round(tables)[::-1]


@pytest.mark.parametrize(
    ("table", "declined", "points"),
    [("WEQ", "", 3 + 3), ("WEQ", "E", 1 + 9), ("WEEQ", "EE", 1 + 1 + 9), ("WEEQ", "E", 1 + 3 + 3), ("WE", "E", 1)],
)
def test_declined_wasabi(table: str, declined: str, points: int) -> None:
    assert nigiri_points(cards_from_letters(table), cards_from_letters(declined)) == points
