"""Logit equilibria of many stage games, side by side and one at a time, and the branch they lie on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pygambit
import pytest

from solvers import Position, Rules
from solvers.endgame.packing import Frame, make_frame
from solvers.endgame.seats_levels import Batch, new_batch
from solvers.endgame.seats_logit_many import solve_many
from solvers.endgame.seats_logit_rows import WIDTH, new_lanes
from solvers.endgame.seats_quantal import Quantal, value_one_by_one
from tests.solvers.gambit_games import gambit_game
from tests.solvers.reference import logit_response

_MARGINS = """
    -5 -4 -8 4  -9 -2 -6 2  -8 -9 -13 8  -7 1 -4 -1  -6 -8 -15 6  -3 -5 -9 3  -3 -5 -9 3  -6 -5 -6 5
    -14 -1 -8 1  -19 1 -7 -1  -17 -6 -13 6  -19 4 -7 -4  -15 -5 -15 5  -12 -2 -9 2  -12 -2 -9 2  -15 -2 -6 2
"""
NEAR_MISS = np.array([float(number) for number in _MARGINS.split()]).reshape(2, 2, 2, 2, 4)
"""Margins of four seats with two cards left. The branch bends sharply beside another one, to which long steps lead."""


def frame_for(seats: int) -> Frame:
    """A frame under which the utilities of a game are simply taken."""
    position = Position.parse("/".join("T" * seats) + " " + "/".join("-" * seats))
    return make_frame(position, "points", Rules(), 0.0, -1, Quantal.reduce)


def batch_of(games: Sequence[np.ndarray]) -> Batch:
    """A batch of games, each with an axis a seat and then the seats' utilities."""
    batch = new_batch(sum(game.size for game in games))
    for place, game in enumerate(games):
        batch.starts[place + 1] = batch.starts[place] + game.size
        batch.tensor[batch.starts[place] : batch.starts[place + 1]] = game.ravel()
        batch.sizes[place, : game.ndim - 1] = game.shape[:-1]
    return batch


def values_of(games: Sequence[np.ndarray], precision: float) -> np.ndarray:
    """Every seat's value in each game, solved together."""
    rule, seats = Quantal(precision), games[0].shape[-1]
    workspace, values = rule.workspace(), np.full((len(games), seats), np.nan)
    rule.value(frame_for(seats), batch_of(games), len(games), values, workspace)
    stats = rule.stats([workspace])
    assert stats["largest_residual"] < 1e-9
    assert stats["unresolved_stages"] == 0
    return values


def random_games(seed: int, seats: int, many: int) -> list[np.ndarray]:
    """Games of few shapes, so that several stand side by side; some flat and some steep, a few too large for lanes."""
    rng = np.random.default_rng(seed)
    shapes = [tuple(rng.integers(1, 4, size=seats)) for _ in range(4)] + [(9, 8, *(1,) * (seats - 3), 8)]
    games = []
    for _ in range(many):
        shape = shapes[rng.integers(5) if rng.random() < 0.1 else rng.integers(4)]
        games.append(rng.integers(-9, 10, size=(*shape, seats)) * rng.choice([0.1, 0.5, 1.0]))
    return games


@pytest.mark.parametrize("precision", [0.05, 0.4, 1.5, 4.0])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_games_side_by_side_get_what_each_gets_alone(seats: int, precision: float) -> None:
    games = random_games(seats, seats, 150)
    together, alone = values_of(games, precision), np.zeros((len(games), seats))
    arrays = Quantal(precision).workspace().fit(100)
    value_one_by_one(seats, batch_of(games), np.arange(len(games)), alone, arrays, precision)
    assert together == pytest.approx(alone, abs=1e-7)


def test_company_changes_nothing() -> None:
    """To the last bit, so that values do not depend on how work is shared out."""
    games = random_games(7, 4, 200)
    together = values_of(games, 0.8)
    order = np.random.default_rng(1).permutation(len(games))[: len(games) // 2]
    assert (values_of([games[place] for place in order], 0.8) == together[order]).all()


def test_a_game_of_many_picks_keeps_its_mixes() -> None:
    """One that is small enough for lanes, with more picks than a fresh workspace has room for."""
    game = np.random.default_rng(5).integers(-3, 4, size=(18, 18, 2)) * 0.05
    rule, values = Quantal(0.2), np.zeros((1, 2))
    workspace = rule.workspace()
    rule.value(frame_for(2), batch_of([game]), 1, values, workspace)
    mixes = rule.mixes(workspace, [18, 18])
    for mix, response in zip(mixes, logit_response(game, mixes, 0.2), strict=True):
        assert mix == pytest.approx(response, abs=1e-9)
    assert values[0] == pytest.approx(np.tensordot(mixes[1], np.tensordot(mixes[0], game, axes=1), axes=1))


@pytest.mark.parametrize("follow", [False, True])
def test_most_games_are_solved_side_by_side(follow: bool) -> None:
    """What contracts, and of the rest what the branch leads to, is not left to the slow way."""
    games = [game for game in random_games(3, 4, 300) if game.size < 400]
    lanes, values, left = new_lanes(), np.zeros((len(games), 4)), np.arange(len(games))
    order = np.lexsort(np.array([game.shape for game in games]).T)
    many, residual = solve_many(4, batch_of(games), order, values, lanes, 0.5, False, left)
    assert 20 < many < len(games) - 20
    if follow:
        rest = left[:many].copy()
        many, residual = solve_many(4, batch_of(games), rest, values, lanes, 0.5, True, left)
        assert many <= len(rest) // WIDTH
    assert residual < 1e-9


def small_steps(tensor: np.ndarray, precision: float, steps: int) -> list[np.ndarray]:
    """Mixes reached by raising the precision evenly, with plain responses damped to a fixed point at each step.

    Follows a branch that does not turn back, for games in which damped responses come to rest.
    """
    mixes = [np.full(size, 1 / size) for size in tensor.shape[:-1]]
    for step in range(1, steps + 1):
        for _ in range(4000):
            response = logit_response(tensor, mixes, precision * step / steps)
            apart = max(float(np.abs(mix - wanted).max()) for mix, wanted in zip(mixes, response, strict=True))
            mixes = [0.8 * mix + 0.2 * wanted for mix, wanted in zip(mixes, response, strict=True)]
            if apart < 1e-13:
                break
    return mixes


def test_no_step_leads_to_another_branch() -> None:
    (point,) = pygambit.qre.logit_solve_lambda(gambit_game(NEAR_MISS), 1.0, use_strategic=True)
    mixes = small_steps(NEAR_MISS, 1.0, 400)
    for seat, mix in enumerate(mixes):
        theirs = [float(point.profile[f"seat {seat}"][str(pick + 1)]) for pick in range(len(mix))]
        assert mix == pytest.approx(theirs, abs=1e-4)
    expected = NEAR_MISS
    for mix in mixes:
        expected = np.tensordot(mix, expected, axes=1)
    assert values_of([NEAR_MISS], 1.0)[0] == pytest.approx(expected, abs=1e-9)
    alone, arrays = np.zeros((1, 4)), Quantal(1.0).workspace().fit(8)
    value_one_by_one(4, batch_of([NEAR_MISS]), np.arange(1), alone, arrays, 1.0)
    assert alone[0] == pytest.approx(expected, abs=1e-9)


COORDINATION = np.array([[[1.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 1.0]]])
"""Two seats that want the same: the picks are alike."""
YIELDING = np.array([[[0.0, 0.0], [4.0, 1.0]], [[1.0, 4.0], [2.0, 2.0]]])
"""Two seats in the same situation, each of which would rather have the other yield."""


@pytest.mark.parametrize("precision", [1.0, 3.0, 9.0])
@pytest.mark.parametrize("game", [COORDINATION, YIELDING], ids=["coordination", "yielding"])
def test_where_branches_cross_equals_stay_equal(game: np.ndarray, precision: float) -> None:
    rule = Quantal(precision)
    workspace = rule.workspace()
    rule.value(frame_for(2), batch_of([game]), 1, np.zeros((1, 2)), workspace)
    one, two = rule.mixes(workspace, [2, 2])
    assert rule.stats([workspace])["unresolved_stages"] == 0
    assert one == pytest.approx(two, abs=1e-9)
    for mix, response in zip((one, two), logit_response(game, [one, two], precision), strict=True):
        assert mix == pytest.approx(response, abs=1e-9)
    if game is COORDINATION:
        assert one == pytest.approx([0.5, 0.5], abs=1e-9)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seats_in_the_same_situation_get_the_same_mix(seats: int) -> None:
    """Of random games that look to seat 1 as they do to seat 0, where many a branch crosses others."""
    rng = np.random.default_rng(seats)
    for precision in (0.3, 1.0, 4.0):
        rule = Quantal(precision)
        workspace = rule.workspace()
        for _ in range(40):
            shape = (*[rng.integers(2, 4)] * 2, *rng.integers(1, 4, size=seats - 2))
            game = rng.integers(-6, 7, size=(*shape, seats)).astype(float)
            turned = np.swapaxes(game, 0, 1)
            game[..., 1], game[..., 2:] = turned[..., 0].copy(), game[..., 2:] + turned[..., 2:]
            rule.value(frame_for(seats), batch_of([game]), 1, np.zeros((1, seats)), workspace)
            mixes = rule.mixes(workspace, shape)
            assert mixes[0] == pytest.approx(mixes[1], abs=1e-7)
        assert rule.stats([workspace])["unresolved_stages"] == 0


@pytest.mark.parametrize("game", [COORDINATION, YIELDING], ids=["coordination", "yielding"])
def test_beside_a_crossing_the_branch_is_followed(game: np.ndarray) -> None:
    """A thousandth of a point that one seat earns more with a pick decides, as precision grows, for both."""
    uneven = game.copy()
    uneven[0, :, 0] += 1e-3
    mixes = small_steps(uneven, 5.0, 2000)
    assert mixes[0][0] > 0.9
    expected = np.tensordot(mixes[1], np.tensordot(mixes[0], uneven, axes=1), axes=1)
    assert values_of([uneven], 5.0)[0] == pytest.approx(expected, abs=1e-6)
