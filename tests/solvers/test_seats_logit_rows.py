"""The arithmetic of games side by side: each step against numpy, game by game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from solvers.endgame.seats_levels import new_batch
from solvers.endgame.seats_logit_bounds import bound_change, find_sure_precision, mark_contracting
from solvers.endgame.seats_logit_rows import (
    FOUND,
    LEVEL,
    MANY,
    SEAT,
    START,
    WIDTH,
    Lanes,
    exp_of_minus,
    fill_gains,
    find_players,
    gather_cells,
    new_lanes,
    set_weights,
    take_alike,
)
from solvers.endgame.seats_logit_tables import fill_pairs_of, fill_values

SHAPES = [
    (1, 1, 1),
    (1, 3, 1),
    (2, 1, 2),
    (3, 2, 2),
    (2, 4, 3),
    (3, 3, 3),
    (2, 2, 2, 2),
    (3, 2, 2, 2),
    (3, 2, 3, 2),
    (2, 3, 3, 3),
    (4, 1, 2, 3),
    (5, 2, 4, 2),
    (2, 2, 2, 2, 2),
    (3, 2, 1, 2, 3),
]


@pytest.mark.parametrize("kernel", [exp_of_minus, exp_of_minus.interpret], ids=["compiled", "interpreted"])
def test_the_exponential(kernel):
    for number in [0.0, 1e-300, 1e-9, 0.1, 0.3465, 0.3466, math.log(2), 1.0, 37.5, 699.99, *np.linspace(0, 50, 997)]:
        assert kernel(number) == pytest.approx(math.exp(-number), rel=5e-16, abs=0)
    assert kernel(1e6) == kernel(701.0) == pytest.approx(math.exp(-700), rel=1e-12)


class Games:
    """Random games of one shape in lanes, and as arrays: one axis a seat, and the seats' utilities."""

    def __init__(self, sizes: Sequence[int], seed: int = 0, factor: float = 1.0) -> None:
        rng = np.random.default_rng(seed)
        self.sizes = sizes
        self.seats = len(sizes)
        self.games = rng.integers(-9, 10, size=(WIDTH, *sizes, self.seats)) * factor
        batch = new_batch(self.games.size, WIDTH)
        batch.tensor[:] = self.games.ravel()
        batch.starts[:] = np.arange(WIDTH + 1) * (self.games.size // WIDTH)
        batch.sizes[:, : self.seats] = sizes
        self.lanes: Lanes = new_lanes()
        self.players = find_players(self.seats, batch.sizes[0], self.lanes.shape)
        assert take_alike(self.seats, batch, np.arange(WIDTH), 0, self.lanes) == WIDTH
        lanes, shape = self.lanes, self.lanes.shape
        gather_cells(self.seats, self.players, batch.tensor, lanes.places, shape, lanes.cells)
        for player in range(self.players):
            fill_gains(self.players, player, shape, lanes.cells[shape[SEAT, player]], lanes.gains[player])
        self.odds = rng.normal(size=lanes.odds.shape)
        self.odds[shape[START, : self.players]] = 0.0

    def mixes(self, lane: int) -> list[np.ndarray]:
        """Every seat's mix in a game, from the log-odds."""
        mixes = [np.ones(1)] * self.seats
        for player in range(self.players):
            start, many = self.lanes.shape[START, player], self.lanes.shape[MANY, player]
            weights = np.exp(self.odds[start : start + many, lane])
            mixes[self.lanes.shape[SEAT, player]] = weights / weights.sum()
        return mixes

    def set_weights(self) -> None:
        """Fill the weights from the log-odds."""
        set_weights(self.players, self.lanes.shape, self.odds, self.lanes.weights, self.lanes.levels)


@pytest.mark.parametrize("sizes", SHAPES, ids=str)
def test_expected_utilities_and_gains(sizes):
    games = Games(sizes)
    lanes, shape, players = games.lanes, games.lanes.shape, games.players
    assert [shape[MANY, player] for player in range(players)] == sorted(size for size in sizes if size > 1)
    games.set_weights()
    for player in range(players):
        fill_pairs_of(players, player, shape, lanes.gains[player], lanes.tables, lanes.weights, lanes.pairs)
    fill_values(games.seats, players, lanes)
    pairs = lanes.pairs.reshape(len(lanes.pairs), -1, WIDTH)
    for lane in (0, 7, WIDTH - 1):
        mixes = games.mixes(lane)
        assert lanes.trial[: games.seats, lane] == pytest.approx(_expected(games.games[lane], mixes))
        for player, pick in _picks(games):
            others = [other for other in range(players) if other != player]
            utilities = games.games[lane][..., shape[SEAT, player]]
            found = pairs[shape[START, player] + pick, :, lane]
            assert found[0] == pytest.approx(_gain(utilities, mixes, shape[SEAT, player], pick))
            replies = [(other, reply) for other in others for reply in range(1, shape[MANY, other])]
            for place, (other, reply) in enumerate(replies, 1):
                fixed = list(mixes)
                fixed[shape[SEAT, other]] = np.eye(shape[MANY, other])[reply]
                assert found[place] == pytest.approx(_gain(utilities, fixed, shape[SEAT, player], pick))


def _picks(games: Games) -> list[tuple[int, int]]:
    """Every player's picks but its first."""
    return [(player, pick) for player in range(games.players) for pick in range(1, games.lanes.shape[MANY, player])]


def _expected(utilities: np.ndarray, mixes: Sequence[np.ndarray]) -> np.ndarray:
    for mix in mixes:
        utilities = np.tensordot(mix, utilities, axes=1)
    return utilities


def _gain(utilities: np.ndarray, mixes: Sequence[np.ndarray], seat: int, pick: int) -> float:
    """What a pick earns more than the seat's first one."""
    mixes = list(mixes)
    mixes[seat] = np.eye(len(mixes[seat]))[pick] - np.eye(len(mixes[seat]))[0]
    return float(_expected(utilities, mixes))


@pytest.mark.parametrize("sizes", [sizes for sizes in SHAPES if max(sizes) > 1], ids=str)
def test_bounds_and_where_responses_surely_contract(sizes):
    games = Games(sizes, factor=0.5)
    lanes, shape, players = games.lanes, games.lanes.shape, games.players
    for player in range(players):
        bound_change(players, player, shape, lanes.gains[player], lanes.tables[0], lanes.levels, lanes.change[0])
    bounds = [lanes.change[0, : players**2, lane].reshape(players, players).copy() for lane in range(WIDTH)]
    for lane in (0, 7, WIDTH - 1):
        for one, two in product(range(players), repeat=2):
            seats = shape[SEAT, one], shape[SEAT, two]
            most = 0.0 if one == two else _most_change(games.games[lane], *seats)
            assert bounds[lane][one, two] == pytest.approx(0.5 * most)
    radii = np.array([np.abs(np.linalg.eigvals(bound)).max() for bound in bounds])
    precision = 1.0 / float(np.median(radii)) if players > 1 else 1.0
    many = mark_contracting(players, lanes.change, precision, lanes.marks[FOUND], lanes.levels)
    assert (lanes.marks[FOUND] > 0).tolist() == (precision * radii < 1).tolist()
    assert many == sum(precision * radii < 1)
    find_sure_precision(players, lanes.change, lanes.levels[LEVEL], lanes.levels)
    bound = 1.0 / lanes.levels[LEVEL]
    assert (radii <= bound * (1 + 1e-12)).all()
    assert (bound <= radii * 5 ** (1 / 16) + 1e-12).all()


def _most_change(game: np.ndarray, seat: int, other: int) -> float:
    """The most that another seat's pick changes what a pick of the seat earns against the average of its picks."""
    utilities = game[..., seat]
    centred = utilities - utilities.mean(axis=seat, keepdims=True)
    return float((centred.max(axis=other) - centred.min(axis=other)).max())
