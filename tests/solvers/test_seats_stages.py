"""Single stage games of several seats: the selection rule and the logit branch, against plain Python and Gambit."""

from __future__ import annotations

from itertools import product

import numpy as np
import pygambit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import Position, Rules, solve
from solvers.endgame.packing import MAX_SEATS, make_frame
from solvers.endgame.seats_levels import new_batch
from solvers.endgame.seats_mixes import GAME_ROWS
from solvers.endgame.seats_nash import Nash, describe, report
from solvers.endgame.seats_quantal import Quantal
from solvers.endgame.seats_replies import (
    CIRCLES,
    JOINT_PICK,
    NEXT_PICK,
    PICKS,
    SEAT,
    SETTLED,
    TRAIL_LENGTH,
    follow_replies,
    start_trail,
)
from solvers.endgame.seats_table import TableRule
from tests.solvers.gambit_games import gambit_game
from tests.solvers.reference import largest_gain, logit_response

PENNIES = (
    ((1, -1, 0), (-1, 1, 0)),
    ((-1, 1, 0), (1, -1, 0)),
)
"""Matching pennies of seats 0 and 1, with a third seat that has one pick."""

FAR_FROM_EQUAL = (
    (
        ((-100, 100, -100), (-30, 30, -170), (-50, 50, -150)),
        ((-80, 80, -100), (-20, 20, -100), (-60, 60, -100)),
        ((-100, 100, -110), (-30, 30, -120), (-70, 70, -120)),
        ((-100, 100, -100), (-60, 60, -120), (-70, 70, -120)),
    ),
    (
        ((-100, 100, -110), (-86, 86, -140), (-112, 100, -115)),
        ((-80, 80, -100), (-64, 64, -98), (-60, 60, -120)),
        ((-96, 96, -130), (-84, 84, -108), (-70, 70, -140)),
        ((-103, 101, -130), (-30, 30, -160), (-112, 100, -115)),
    ),
    (
        ((-90, 90, -110), (-60, 60, -170), (-96, 96, -113)),
        ((-80, 80, -100), (-53, 53, -87), (-100, 90, -90)),
        ((-90, 90, -120), (-70, 70, -90), (-110, 110, -110)),
        ((-92, 92, -126), (-10, 10, -170), (-96, 96, -113)),
    ),
)
"""A stage of three seats on which Newton's method gets to no equilibrium from equal weights on any support."""


def solved(
    tensor: np.ndarray, rule: TableRule, opening: tuple[int, ...] | None = None
) -> tuple[list[np.ndarray], dict[str, float]]:
    """Every seat's mix in a stage game (an axis a seat, then the seats' utilities), and the rule's own report.

    The opening is everybody's first pick unless another one is given.
    """
    seats = tensor.shape[-1]
    position = Position.parse("/".join("T" * seats) + " " + "/".join("-" * seats))
    frame = make_frame(position, "points", Rules(), 0.0, -1, rule.reduce)
    batch, workspace = new_batch(tensor.size), rule.workspace()
    batch.tensor[:] = tensor.ravel()
    batch.starts[1] = tensor.size
    batch.sizes[0, :seats] = tensor.shape[:-1]
    batch.openings[0, :seats] = opening or [0] * seats
    values = np.zeros((1, frame.kept))
    rule.value(frame, batch, 1, values, workspace)
    mixes = rule.mixes(workspace, tensor.shape[:-1])
    for seat in range(seats):
        utility = tensor[..., seat]
        for mix in mixes:
            utility = np.tensordot(mix, utility, axes=1)
        assert values[0, seat] == pytest.approx(float(utility), abs=1e-9)
    return mixes, rule.stats([workspace])


@st.composite
def games(draw: st.DrawFn, least: int = -2, most: int = 2) -> np.ndarray:
    """Two to four seats with one to three picks each; few different utilities, so that ties are common."""
    seats = draw(st.integers(2, 4))
    sizes = draw(st.lists(st.integers(1, 3), min_size=seats, max_size=seats))
    cells = int(np.prod(sizes)) * seats
    numbers = draw(st.lists(st.integers(least, most), min_size=cells, max_size=cells))
    return np.array(numbers, dtype=float).reshape(*sizes, seats)


def pure_equilibria(tensor: np.ndarray) -> list[tuple[int, ...]]:
    """By trying every deviation from every joint pick."""
    sizes = tensor.shape[:-1]

    def stable(joint: tuple[int, ...]) -> bool:
        for seat, size in enumerate(sizes):
            for other in range(size):
                if tensor[(*joint[:seat], other, *joint[seat + 1 :])][seat] > tensor[joint][seat]:
                    return False
        return True

    return [joint for joint in product(*map(range, sizes)) if stable(joint)]


def replied(tensor: np.ndarray, opening: tuple[int, ...]) -> tuple[int, ...] | None:
    """The equilibrium that best replies lead to, by the words of the rule; ``None`` where they lead to none."""
    way, met = [opening], {opening}
    while way:
        joint = way[-1]
        lines = [tensor[(*joint[:s], slice(None), *joint[s + 1 :])][:, s] for s in range(tensor.shape[-1])]
        gains = [line.max() - line[pick] for line, pick in zip(lines, joint, strict=True)]
        if max(gains) == 0:
            return joint
        ways_on = []
        for gain in sorted({gain for gain in gains if gain > 0}, reverse=True):
            after = [int(line.argmax()) if g == gain else p for line, g, p in zip(lines, gains, joint, strict=True)]
            if tuple(after) not in met:
                ways_on.append(tuple(after))
        if ways_on:
            way.append(ways_on[0])
            met.add(ways_on[0])
        else:
            way.pop()
    return None


def selected(tensor: np.ndarray, equilibria: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The pure equilibrium that the rule names, by its words, where best replies lead to none."""
    most = max(tensor[joint].sum() for joint in equilibria)
    left = [joint for joint in equilibria if tensor[joint].sum() == most]
    middle = [(min(tensor[j][s] for j in left) + max(tensor[j][s] for j in left)) / 2 for s in range(tensor.shape[-1])]
    even = {joint: min(tensor[joint] - middle) for joint in left}
    left = [joint for joint in left if even[joint] == max(even.values())]
    return max(left, key=lambda joint: (tuple(tensor[joint]), [-pick for pick in joint]))


@settings(max_examples=300)
@given(tensor=games(), data=st.data())
def test_the_selection_rule_by_its_words(tensor: np.ndarray, data: st.DataObject) -> None:
    opening = data.draw(st.tuples(*[st.integers(0, size - 1) for size in tensor.shape[:-1]]))
    mixes, stats = solved(tensor, Nash(), opening)
    equilibria = pure_equilibria(tensor)
    if equilibria:
        assert stats["pure_stages"] == 1
        wanted = replied(tensor, opening) or selected(tensor, equilibria)
        assert tuple(int(mix.argmax()) for mix in mixes) == wanted
        assert all(mix.max() == 1 for mix in mixes)
    else:
        assert stats["pure_stages"] == 0
    assert stats["unresolved_stages"] == 0
    gain = largest_gain(tensor, mixes)
    assert gain <= 1e-6
    assert stats["largest_regret"] == pytest.approx(gain, abs=1e-12)


@settings(max_examples=200)
@given(tensor=games(), data=st.data())
def test_only_what_the_rule_asks_for_need_be_known(tensor: np.ndarray, data: st.DataObject) -> None:
    """Utilities are made known one joint pick at a time, as they are asked for, from whichever seat on."""
    seats, sizes = tensor.shape[-1], tensor.shape[:-1]
    opening = np.array(data.draw(st.tuples(*[st.integers(0, size - 1) for size in sizes])))
    first, flat = data.draw(st.integers(0, seats - 1)), tensor.reshape(-1, seats)
    known = np.full_like(flat, np.nan)
    trail, marks, gains = np.zeros(TRAIL_LENGTH, dtype=np.int64), np.zeros(len(flat), dtype=np.int64), np.zeros(seats)
    game = np.zeros((GAME_ROWS, MAX_SEATS), dtype=np.int64)
    describe.interpret(seats, game, np.array(sizes))
    start_trail.interpret(seats, game, opening, marks, trail, len(flat))
    while (asked := follow_replies.interpret(known.ravel(), seats, game, marks, trail, gains, first)) >= 0:
        assert np.isnan(known[asked]).all()
        picks = trail[PICKS : PICKS + seats].copy()
        picks[trail[SEAT]] = trail[NEXT_PICK]
        assert tuple(picks) == np.unravel_index(asked, sizes)
        known[asked] = flat[asked]
    wanted = replied(tensor, tuple(int(pick) for pick in opening))
    assert asked == (CIRCLES if wanted is None else SETTLED)
    if wanted is not None:
        assert np.unravel_index(trail[JOINT_PICK], sizes) == wanted


@settings(max_examples=100)
@given(tensor=games(), data=st.data())
def test_replies_do_not_depend_on_the_seats_numbers(tensor: np.ndarray, data: st.DataObject) -> None:
    opening = data.draw(st.tuples(*[st.integers(0, size - 1) for size in tensor.shape[:-1]]))
    order = data.draw(st.permutations(range(tensor.shape[-1])))
    turned = tensor.transpose(*order, tensor.ndim - 1)[..., order]
    wanted = replied(tensor, opening)
    if wanted is not None:
        mixes, _ = solved(turned, Nash(), tuple(opening[seat] for seat in order))
        assert [int(mix.argmax()) for mix in mixes] == [wanted[seat] for seat in order]


def test_a_game_without_a_pure_equilibrium_gets_a_mixed_one_of_few_picks() -> None:
    """Matching pennies inside a game of more picks: the smallest support is found, a dominated pick gets nothing."""
    pennies = np.array(PENNIES, dtype=float)[:, :, None]
    low = np.full((1, *pennies.shape[1:]), -5.0)
    game = np.concatenate([pennies, low], axis=0)
    mixes, stats = solved(game, Nash())
    assert stats["mixed_stages"] == 1
    assert mixes[0] == pytest.approx([0.5, 0.5, 0.0])
    assert mixes[1] == pytest.approx([0.5, 0.5])


@settings(max_examples=25)
@given(tensor=games())
def test_gambit_finds_the_same_pure_equilibria(tensor: np.ndarray) -> None:
    found = pygambit.nash.enumpure_solve(gambit_game(tensor)).equilibria
    _, stats = solved(tensor, Nash())
    assert len(found) == len(pure_equilibria(tensor))
    assert stats["pure_stages"] == (1 if found else 0)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("precision", [0.3, 1.0, 3.0])
def test_gambit_follows_the_same_branch(seed: int, precision: float) -> None:
    tensor = np.random.default_rng(seed).normal(size=(3, 2, 2, 3)).round(3)
    mixes, stats = solved(tensor, Quantal(precision))
    (point,) = pygambit.qre.logit_solve_lambda(gambit_game(tensor), precision, use_strategic=True)
    for seat, mix in enumerate(mixes):
        theirs = [float(point.profile[f"seat {seat}"][str(pick + 1)]) for pick in range(len(mix))]
        assert mix == pytest.approx(theirs, abs=1e-4)
    assert stats["largest_residual"] < 1e-9


@settings(max_examples=100)
@given(tensor=games(-8, 8), precision=st.sampled_from((0.05, 0.5, 2.0, 8.0)))
def test_a_logit_equilibrium_responds_to_itself(tensor: np.ndarray, precision: float) -> None:
    mixes, stats = solved(tensor, Quantal(precision))
    response = logit_response(tensor, mixes, precision)
    apart = max(float(np.abs(mix - wanted).max()) for mix, wanted in zip(mixes, response, strict=True))
    assert stats["largest_residual"] == pytest.approx(apart, abs=1e-12)
    assert stats["unresolved_stages"] == int(apart > 1e-6) == 0


@settings(max_examples=50)
@given(tensor=games(-8, 8))
def test_small_precisions_are_near_equal_chances(tensor: np.ndarray) -> None:
    mixes, _ = solved(tensor, Quantal(0.0))
    assert all((mix == 1 / len(mix)).all() for mix in mixes)
    near, _ = solved(tensor, Quantal(1e-4))
    for mix, equal in zip(near, mixes, strict=True):
        assert mix == pytest.approx(equal, abs=1e-4 * 16)


def test_constants_and_copies_change_no_choice() -> None:
    """What the reductions of boards rest on."""
    rng = np.random.default_rng(7)
    for _ in range(40):
        tensor = rng.integers(-3, 4, size=(2, 3, 2, 3)).astype(float)
        mixes, _ = solved(tensor, Nash())
        shifted, _ = solved(tensor + np.array([5.0, -2.0, 0.25]), Nash())
        copied, _ = solved(np.concatenate([tensor, tensor[:, -1:]], axis=1), Nash())
        for mix, other in zip(mixes, shifted, strict=True):
            assert mix == pytest.approx(other, abs=1e-9)
        assert mixes[1] == pytest.approx(copied[1][:3], abs=1e-9)
        assert mixes[0] == pytest.approx(copied[0], abs=1e-9)


def test_an_equilibrium_far_from_equal_weights_is_found() -> None:
    tensor = np.array(FAR_FROM_EQUAL, dtype=float)
    mixes, stats = solved(tensor, Nash())
    assert (stats["logit_stages"], stats["unresolved_stages"]) == (1, 0)
    assert largest_gain(tensor, mixes) <= 1e-6


def test_a_stage_that_resists_is_counted() -> None:
    """Far beyond what numbers of this size can tell apart, the branch is lost, and that is said."""
    tensor = np.random.default_rng(0).normal(size=(3, 3, 3, 3))
    _, stats = solved(tensor, Quantal(1e18))
    assert stats["largest_residual"] > 1e-6
    assert stats["unresolved_stages"] == 1


def test_an_answer_with_a_stage_that_resists_is_not_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.parse("D2Q/TSP/13C 2DT/1P2/DEC p=1/2/1 s=24/22/16")
    assert solve(position).proven
    monkeypatch.setattr(
        "solvers.endgame.seats_table.report", lambda tallies: {**report(tallies), "unresolved_stages": 3}
    )
    assert not solve(position).proven
