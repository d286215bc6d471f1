"""The measurements behind ``sushigo bench``: every figure beside what it is held against, in one run.

Each function yields rows as it measures them. Seconds are this process's CPU time unless a name says ``wall``.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO

import numpy as np
from scipy.optimize import linprog

from solvers import Position, Rules, solve
from solvers.data_files import data_folder
from solvers.endgame.matrix import game_value, make_workspace

WARM_UP = "TPQ/SWE W/D"
ENDGAME_CARDS = 6
MATRIX_SEED = 7


@dataclass(frozen=True, slots=True)
class DealRow:
    """One whole deal solved by the fast engine, every pick of both seats valued."""

    position: str
    value: float
    expected: float
    states: int
    lookups: int
    saddle_share: float
    seconds: float
    wall_seconds: float
    peak_mib: float


@dataclass(frozen=True, slots=True)
class EngineRow:
    """One endgame solved by both engines, one after the other."""

    position: str
    difference: float
    plain_states: int
    fast_states: int
    plain_seconds: float
    fast_seconds: float


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """Microseconds a game for one solver on one kind of matrix; ``games`` is how many it was timed on."""

    kind: str
    solver: str
    games: int
    microseconds: float
    largest_difference: float


@dataclass(frozen=True, slots=True)
class GoofspielRow:
    """Goofspiel through the same matrix kernel; ``expected_states`` and the value 0 are known."""

    cards: int
    value: float
    states: int
    expected_states: int
    games: int
    seconds: float


def shipped_deals() -> list[tuple[float, str]]:
    """The proven value and the position of each shipped whole deal."""
    lines = (data_folder() / "deals" / "two-player-rounds.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return [(float(value), position) for value, position in rows]


def bench_deals(most: int | None = None) -> Iterator[DealRow]:
    """Solve the shipped deals one by one."""
    solve(Position.parse(WARM_UP))
    for expected, text in shipped_deals()[:most]:
        wall, started = time.perf_counter(), time.process_time()
        solution = solve(Position.parse(text))
        seconds, wall = time.process_time() - started, time.perf_counter() - wall
        stats = solution.stats
        decided = stats["saddles"] + stats["mixed"]
        yield DealRow(
            position=text,
            value=solution.value,
            expected=expected,
            states=stats["states"],
            lookups=stats["lookups"],
            saddle_share=stats["saddles"] / decided if decided else 1.0,
            seconds=seconds,
            wall_seconds=wall,
            peak_mib=_peak_mib(),
        )


def bench_engines(most: int | None = None) -> Iterator[EngineRow]:
    """Solve the endgames of the shipped deals' principal lines with the plain and the fast engine."""
    for _, text in shipped_deals()[:most]:
        position = _endgame(Position.parse(text))
        started = time.process_time()
        plain = solve(position, engine="plain")
        middle = time.process_time()
        fast = solve(position)
        yield EngineRow(
            position=str(position),
            difference=abs(plain.value - fast.value),
            plain_states=plain.stats["states"],
            fast_states=fast.stats["states"],
            plain_seconds=middle - started,
            fast_seconds=time.process_time() - middle,
        )


def bench_matrices(games: int = 2000) -> Iterator[MatrixRow]:
    """Time the matrix kernel, scipy's HiGHS and, where it is installed, pygambit on the same matrices."""
    generator = np.random.default_rng(MATRIX_SEED)
    kinds = {
        "6x6 random": generator.uniform(-20, 20, (games, 6, 6)),
        "6x6 small whole numbers": generator.integers(-3, 4, (games, 6, 6)).astype(np.float64),
        "12x12 random": generator.uniform(-20, 20, (games, 12, 12)),
    }
    for kind, matrices in kinds.items():
        work = make_workspace()
        started = time.process_time()
        values = np.array([_kernel_value(matrix, work) for matrix in matrices])
        yield MatrixRow(kind, "kernel, called from Python", games, _micro(started, games), 0.0)
        for name, solver, sample in _rivals(games):
            started = time.process_time()
            others = np.array([solver(matrix) for matrix in matrices[:sample]])
            yield MatrixRow(kind, name, sample, _micro(started, sample), float(np.abs(others - values[:sample]).max()))


def bench_goofspiel(cards: int = 8) -> Iterator[GoofspielRow]:
    """Solve Goofspiel; the states are the triples of equally large sets of cards."""
    from math import comb

    from analysis.goofspiel import solve_goofspiel

    started = time.process_time()
    result = solve_goofspiel(cards)
    expected = sum(comb(cards, held) ** 3 for held in range(1, cards + 1))
    yield GoofspielRow(cards, result.value, result.states, expected, result.games, time.process_time() - started)


def _endgame(position: Position) -> Position:
    """The position of the principal line with :data:`ENDGAME_CARDS` cards in each hand."""
    for picks in solve(position).line:
        if position.cards_left <= ENDGAME_CARDS:
            break
        position = position.play(picks, Rules())
    return position


def _kernel_value(matrix: np.ndarray, work: np.ndarray) -> float:
    return float(game_value(matrix, *matrix.shape, work))


def _rivals(games: int) -> Iterator[tuple[str, Callable[[np.ndarray], float], int]]:
    """Other programs for the same question, with how many games each is given."""
    yield "scipy HiGHS", _highs_value, max(games // 20, 1)
    try:
        import pygambit
    except ImportError:
        return

    def gambit_value(matrix: np.ndarray) -> float:
        result = pygambit.nash.lp_solve(pygambit.read_nfg(StringIO(_nfg_text(matrix))), rational=False)
        return float(result.equilibrium.payoffs["row"])

    yield "pygambit", gambit_value, max(games // 20, 1)


def _nfg_text(matrix: np.ndarray) -> str:
    """A matrix game in Gambit's text format, the one interface that stays the same between its versions."""
    rows, columns = matrix.shape
    payoffs = " ".join(f"{payoff!r} {-payoff!r}" for payoff in matrix.T.ravel().tolist())
    return f'NFG 1 R "matrix" {{ "row" "column" }} {{ {rows} {columns} }}\n\n{payoffs}\n'


def _highs_value(matrix: np.ndarray) -> float:
    """The value by the row player's linear program."""
    rows, columns = matrix.shape
    program = linprog(
        np.r_[np.zeros(rows), -1.0],
        A_ub=np.c_[-matrix.T, np.ones(columns)],
        b_ub=np.zeros(columns),
        A_eq=np.r_[np.ones(rows), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    return -float(program.fun)


def _micro(started: float, games: int) -> float:
    return (time.process_time() - started) / games * 1e6


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
