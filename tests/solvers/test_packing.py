"""Boards, moves and the table of packed states, held to the game room and to plain dictionaries."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import Position, Rules, UsageError
from solvers.endgame.greedy import greedy_move, greedy_pick, greedy_vector
from solvers.endgame.objective import OBJECTIVES, utilities
from solvers.endgame.packing import HANDS, MAX_SEATS, NO_REDUCTION, board_of, make_frame, pack, unpack
from solvers.endgame.packing_table import EMPTY, StateTable, insert_all
from solvers.endgame.seats_ends import fill_ends, list_ends
from solvers.endgame.seats_ends import utilities as board_utilities
from solvers.endgame.seats_levels import new_work
from solvers.endgame.seats_moves import CHOICE, FIRST, MANY, SECOND, follow, list_moves
from solvers.game.cards import Card
from tests.endgame_strategies import PUDDING_VALUES, endgames
from tests.strategies import rules_options


@st.composite
def boards(draw: st.DrawFn, max_cards: int = 5) -> tuple[Position, Rules]:
    rules = draw(rules_options())
    return draw(endgames(rules, seats=draw(st.integers(2, 5)), max_cards=max_cards)), rules


def moves_at(position: Position, rules: Rules, objective: str = "points", pudding_value: float = 0.0) -> Any:
    frame = make_frame(position, objective, rules, pudding_value, -1, NO_REDUCTION, greedy_vector())
    work = new_work()
    work.board[:, : position.seats] = board_of(position)
    list_moves(frame.ints, work.board, position.cards_left, work.moves)
    return frame, work


@settings(max_examples=150)
@given(case=boards())
def test_picks_are_those_of_the_game_room(case: tuple[Position, Rules]) -> None:
    position, rules = case
    frame, work = moves_at(position, rules)
    for seat in range(position.seats):
        found = []
        for place in range(int(work.moves[MANY, seat, 0])):
            first, second = (int(work.moves[layer, seat, place]) for layer in (FIRST, SECOND))
            found.append((Card(first),) if second < 0 else (Card(first), Card(second)))
        assert tuple(found) == position.picks(seat, rules)
        assert found[greedy_move(frame.reals, work.moves, seat)] == greedy_pick(position, seat, rules)


@settings(max_examples=150)
@given(case=boards(), data=st.data())
def test_a_turn_on_a_board_is_a_turn_at_the_table(case: tuple[Position, Rules], data: st.DataObject) -> None:
    position, rules = case
    frame, work = moves_at(position, rules)
    picks = position.joint_picks(rules)
    choice = [data.draw(st.integers(0, len(own) - 1)) for own in picks]
    after = position.play([own[place] for own, place in zip(picks, choice, strict=True)], rules)
    work.scratch[CHOICE, : position.seats] = choice
    follow(frame.ints, work.moves, work.scratch, work.child)
    assert np.array_equal(work.child[:, : position.seats], board_of(after))
    key, again = np.zeros((1, 2 * MAX_SEATS), dtype=np.int64), np.zeros((2, MAX_SEATS), dtype=np.int64)
    pack(work.child, position.seats, key, 0)
    unpack(key, 0, position.seats, again)
    assert np.array_equal(again[:, : position.seats], board_of(after))


@settings(max_examples=150)
@given(case=boards(max_cards=2), data=st.data())
def test_ends_are_those_of_the_game_room(case: tuple[Position, Rules], data: st.DataObject) -> None:
    position, rules = case
    objective = data.draw(st.sampled_from([name for name in OBJECTIVES if name != "win" or position.round == 3]))
    frame, work = moves_at(position, rules, objective, 1.5)
    joint_picks = list(product(*position.joint_picks(rules)))
    out = np.zeros(len(joint_picks) * position.seats)
    list_ends(frame.ints, work.moves)
    fill_ends(*frame, work.board, work.moves, work.child, work.scratch, work.numbers, out)
    for picks, found in zip(joint_picks, out.reshape(len(joint_picks), -1), strict=True):
        after = position.play(picks, rules)
        finished = after.play(after.hands, rules) if after.cards_left else after
        assert list(found) == pytest.approx(list(map(float, utilities(finished, objective, rules, 1.5))), abs=1e-12)


@settings(max_examples=200)
@given(case=boards(max_cards=2), data=st.data())
def test_utilities_are_those_of_the_game_room(case: tuple[Position, Rules], data: st.DataObject) -> None:
    position, rules = case
    while position.cards_left:
        position = position.play([data.draw(st.sampled_from(own)) for own in position.joint_picks(rules)], rules)
    objective = data.draw(st.sampled_from([name for name in OBJECTIVES if name != "win" or position.round == 3]))
    worth = float(data.draw(st.sampled_from(PUDDING_VALUES)))
    for own in range(-1, position.seats):
        frame = make_frame(position, objective, rules, worth, own, NO_REDUCTION)
        numbers, board = np.zeros(2 * MAX_SEATS), np.zeros((2, MAX_SEATS), dtype=np.int64)
        board[:, : position.seats] = board_of(position)
        board_utilities(frame.ints, frame.reals, board, numbers)
        expected = [float(utility) for utility in utilities(position, objective, rules, worth)]
        found = numbers[: position.seats] if own < 0 else numbers[:1]
        assert list(found) == pytest.approx(expected if own < 0 else [expected[own]], abs=1e-12)


@settings(max_examples=60)
@given(
    keys=st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 2), st.integers(0, 1 << 62)), max_size=60),
    strangers=st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 2), st.integers(0, 1 << 62)), max_size=10),
    batch=st.integers(1, 7),
)
def test_the_table_is_a_numbered_set(keys: list[Any], strangers: list[Any], batch: int) -> None:
    table = StateTable(3, 1, 1)
    numbers: dict[Any, int] = {}
    for start in range(0, len(keys), batch):
        part = keys[start : start + batch]
        table.add(np.array(part, dtype=np.int64).reshape(-1, 3))
        for key in part:
            numbers.setdefault(key, len(numbers))
    assert table.count == len(numbers) <= table.capacity
    for key in (*keys, *strangers):
        assert table.find(np.array([key], dtype=np.int64))[0] == numbers.get(key, EMPTY)
    assert [tuple(row[:3]) for row in table.rows[: table.count].tolist()] == list(numbers)


def test_the_table_finds_its_rows_after_growing() -> None:
    keys = np.array(list(product(range(60), range(60))), dtype=np.int64)
    table = StateTable(2, 0, 4)
    for start in range(0, len(keys), 97):
        table.add(keys[start : start + 97])
    assert np.array_equal(table.find(keys), np.arange(len(keys)))
    assert (table.find(keys + 60) == EMPTY).all()


def test_threads_that_insert_the_same_keys_agree_on_their_rows() -> None:
    """Long runs of the same keys in the same order, so that threads meet, through a table that fills up on the way."""
    keys = np.array(list(product(range(-200, 200), range(200))), dtype=np.int64)
    threads = 4
    start = Barrier(threads)

    def insert(table: StateTable) -> tuple[bool, np.ndarray]:
        hashes, found = np.zeros(len(keys), dtype=np.int64), np.zeros(len(keys), dtype=np.int64)
        start.wait()
        arrays = table.rows, table.index, table.counter
        return bool(insert_all(*arrays, keys, len(keys), 2, hashes, found)), found

    with ThreadPoolExecutor(threads) as pool:
        for _ in range(10):
            table = StateTable(2, 0, 1)
            while table.count < len(keys):
                table.grow(9 * table.capacity)
                for done, rows in pool.map(insert, [table] * threads):
                    assert done == (table.capacity >= len(keys))
                    if done:
                        assert np.array_equal(table.rows[rows], keys)
                assert table.count == min(table.capacity, len(keys))
            assert np.array_equal(np.sort(table.find(keys)), np.arange(len(keys)))


def test_more_puddings_than_the_deck_has_are_refused() -> None:
    position = Position(hands=((Card.PUDDING,),) * 2, tables=((), ()), puddings=(9, 0))
    with pytest.raises(UsageError, match="more than 10 puddings"):
        make_frame(position, "margin", Rules(), 0.0, -1, NO_REDUCTION)


def test_a_hand_word_counts_each_kind() -> None:
    board = board_of(Position.parse("TTQ/CCW -/-"))
    assert board[HANDS, 0] == 2 | 1 << 4 * Card.SQUID_NIGIRI
    assert board[HANDS, 1] == 2 << 4 * Card.CHOPSTICKS | 1 << 4 * Card.WASABI
