"""Reductions of boards: every way to a board must lead to the same reduced one, or the search would miss it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import Position, Rules, solve
from solvers.endgame.packing import FULL_REDUCTION, KEEP_PICKS, Frame, board_of, make_frame
from solvers.endgame.seats_levels import list_considered, new_work
from solvers.endgame.seats_moves import CHOICE, MANY, follow
from solvers.endgame.seats_reduce import reduce_board
from tests.endgame_strategies import PUDDING_VALUES, endgames
from tests.strategies import rules_options


def reduced(frame: Frame, board: np.ndarray, cards: int) -> np.ndarray:
    work, copy = new_work(), board.copy()
    reduce_board(*frame, copy, cards, work.scratch, work.numbers)
    return copy


def following(frame: Frame, board: np.ndarray, cards: int) -> set[bytes]:
    """The reduced boards one turn after a board, in all ways to play that turn."""
    work, seats = new_work(), frame.seats
    list_considered(*frame, board, cards, work.moves)
    found = set()
    for choice in product(*(range(work.moves[MANY, seat, 0]) for seat in range(seats))):
        work.scratch[CHOICE, :seats] = choice
        follow(frame.ints, work.moves, work.scratch, work.child)
        found.add(reduced(frame, work.child[:, :seats].copy(), cards - 1).tobytes())
    return found


@st.composite
def frames(draw: st.DrawFn) -> tuple[Frame, Position]:
    """A question for two to five seats, every seat's or one's, with three or four cards in each hand.

    Points of earlier rounds are often so far apart that some seat cannot win any more.
    """
    rules = draw(rules_options())
    seats = draw(st.integers(2, 5))
    position = draw(endgames(rules, seats=seats, min_cards=3, max_cards=4 if seats < 4 else 3))
    apart = draw(st.sampled_from((6, 12, 24)))
    position = replace(position, scores=tuple(draw(st.integers(0, apart)) for _ in range(seats)))
    objective = draw(st.sampled_from(("margin", "points", *["win"] * 2 * (position.round == 3))))
    own = draw(st.integers(-1, seats - 1))
    worth = float(draw(st.sampled_from(PUDDING_VALUES)))
    how_far = draw(st.sampled_from((FULL_REDUCTION, KEEP_PICKS)))
    return make_frame(position, objective, rules, worth, own, how_far), position


@settings(max_examples=400)
@given(case=frames())
def test_a_board_and_its_reduced_form_are_followed_by_the_same_boards(case: tuple[Frame, Position]) -> None:
    frame, position = case
    board = board_of(position)
    smaller = reduced(frame, board, position.cards_left)
    assert np.array_equal(reduced(frame, smaller, position.cards_left), smaller)
    assert following(frame, board, position.cards_left) == following(frame, smaller, position.cards_left)


@pytest.mark.parametrize("against", ["paranoid", "uniform"])
def test_a_seat_that_cannot_win_any_more_gets_an_answer(against: str) -> None:
    """Which of its rivals is out of the running too depended on the way to the board."""
    position = Position.parse("S3L/D1Q/23L T/P/T p=2/0/0 s=7/0/0")
    question: dict[str, Any] = {"objective": "win", "against": against, "rules": Rules(), "seat": 2}
    assert solve(position, **question).value == 0.0
