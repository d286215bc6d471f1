"""The search that found the shipped puzzles, reproducible from its seed.

Random deals are played to a late position of some round by a half-greedy, half-random player, so that scores, kept
puddings and tables have a history. The position is solved, and kept when the answer is clear and the greedy pick is
wrong. Run ``python -m analysis.puzzle_search --help``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np
from scipy.optimize import linprog

from analysis.puzzle_text import explanation, question, slug, to_toml
from analysis.puzzle_themes import Comparison, compare, themes
from analysis.puzzles import THEMES, Puzzle
from solvers.endgame.exact import ExactSolution, solve_exact
from solvers.endgame.greedy import greedy_pick
from solvers.endgame.limits import Limits
from solvers.endgame.solution import SeatAnswer, Solution
from solvers.endgame.solve import solve
from solvers.errors import LimitReached
from solvers.game.cards import HAND_SIZES, Card
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules

CLEAR = {"margin": 2.0, "win": 0.2}
"""What every pick but the answer loses, at least; for a mix, what committing to one pick loses."""
GREEDY_SHARE = 0.65
"""How often the player that makes the history takes the greedy pick; otherwise any pick, all alike."""
SAVING_SHARE = 0.3
"""How often seat 0 saves up chopsticks and wasabi, which would otherwise seldom be there at the end."""
SMALLEST_CHANCE = 0.1
"""A mix with a rarer pick than this is no puzzle a person could enjoy."""
DECIDED = 15
"""A lead from earlier rounds, or a margin at the end, beyond this looks one-sided."""


@dataclass(frozen=True)
class Candidate:
    """A position that makes a puzzle, with what is needed to write it down."""

    solution: Solution
    mix: Mapping[Pick, float]
    wrong: Pick
    loss: float
    comparison: Comparison
    themes: tuple[str, ...]
    margin_pick: Pick | None = None

    @property
    def position(self) -> Position:
        """The puzzle's position."""
        return self.solution.position


def late_position(rng: Random, cards_left: int, round_number: int, rules: Rules) -> Position:
    """A two-seat game played from the first deal to ``cards_left`` cards in a hand of the given round.

    In some games seat 0 saves up in that round: chopsticks and wasabi come first, and it never takes two cards.
    """
    deck = [card for card, number in rules.deck().items() for _ in range(number)]
    rng.shuffle(deck)
    scores, puddings = (0, 0), (0, 0)
    size, saves = HAND_SIZES[2], rng.random() < SAVING_SHARE
    for number in range(1, round_number + 1):
        hands = tuple(tuple(deck.pop() for _ in range(size)) for _ in range(2))
        position = Position(hands, ((), ()), puddings, scores, number, direction=rules.direction(number))
        last = number == round_number
        while position.cards_left > (cards_left if last else 0):
            own = _saving_pick(position, rng) if saves and last else _likely_pick(position, 0, rng, rules)
            position = position.play((own, _likely_pick(position, 1, rng, rules)), rules)
        if not last:
            (first, second), (kept, other) = position.totals(rules), position.pudding_counts()
            scores, puddings = (first, second), (kept, other)
    return position


def _likely_pick(position: Position, seat: int, rng: Random, rules: Rules) -> Pick:
    if rng.random() < GREEDY_SHARE:
        return greedy_pick(position, seat, rules)
    return rng.choice(position.picks(seat, rules))


def _saving_pick(position: Position, rng: Random) -> Pick:
    hand, table = position.hands[0], position.tables[0]
    wanted = [card for card in (Card.CHOPSTICKS, Card.WASABI) if card in hand and card not in table]
    return (wanted[0] if wanted else rng.choice(hand),)


def examine(position: Position, objective: str, rules: Rules | None = None) -> Candidate | None:
    """The puzzle in a position, or ``None`` when its answer is not clear or the greedy pick is not wrong."""
    rules = rules or Rules()
    greedy = greedy_pick(position, 0, rules)
    solution = solve(position, objective, rules=rules)
    answer = solution.seat(0)
    losses = {row.pick: row.loss for row in answer.picks}
    mix = {row.pick: row.probability for row in answer.picks if row.probability > 1e-9}
    if objective == "margin" and abs(solution.value) > DECIDED:
        return None
    if greedy in mix or losses[greedy] < CLEAR[objective] / 2 or not _is_clear(solution, answer, mix):
        return None
    margin_pick = None
    if objective == "win":
        margin_pick = solve(position, "margin", rules=rules).best_pick()
        if losses[margin_pick] < CLEAR["win"]:
            return None
    comparison = compare(solution, mix, greedy)
    found = themes(solution, mix, greedy, comparison, loses_the_win=margin_pick is not None)
    return Candidate(solution, mix, greedy, losses[greedy], comparison, found, margin_pick) if found else None


def _is_clear(solution: Solution, answer: SeatAnswer, mix: Mapping[Pick, float]) -> bool:
    """Whether there is one answer, well ahead: a pick that nothing comes near, or the only optimal mix."""
    clear = CLEAR[solution.objective]
    if len(mix) == 1:
        return all(row.loss >= clear for row in answer.picks if row.pick not in mix)
    if min(mix.values()) < SMALLEST_CHANCE:
        return False
    matrix = turn_matrix(solution)
    return committed_loss(matrix, answer.value) >= clear / 2 and has_one_optimal_mix(matrix, answer.value)


def turn_matrix(solution: Solution) -> np.ndarray:
    """Seat 0's utility after every pair of picks at the root, seat 0's picks by seat 1's, in card order."""
    position, rules = solution.position, solution.rules
    rows, columns = position.joint_picks(rules)
    worth = solution.pudding_value or 0.0
    return np.array(
        [
            [_value(position.play((row, column), rules), solution.objective, rules, worth) for column in columns]
            for row in rows
        ]
    )


def _value(position: Position, objective: str, rules: Rules, pudding_value: float) -> float:
    return solve(position, objective, rules=rules, pudding_value=pudding_value).value


def committed_loss(matrix: np.ndarray, value: float) -> float:
    """The least that always taking one pick gives away to a rival who expects it."""
    return float(value - matrix.min(axis=1).max())


def has_one_optimal_mix(matrix: np.ndarray, value: float) -> bool:
    """Whether the row player has a single optimal mix: no pick's chance can vary within the optimal ones."""
    size = matrix.shape[0]
    for row in range(size):
        bounds = []
        for sign in (1.0, -1.0):
            found = linprog(
                sign * np.eye(size)[row],
                A_ub=-matrix.T,
                b_ub=np.full(matrix.shape[1], -(value - 1e-9)),
                A_eq=np.ones((1, size)),
                b_eq=[1.0],
                method="highs",
            )
            bounds.append(sign * found.fun)
        if bounds[1] - bounds[0] > 1e-5:
            return False
    return True


def candidates(seed: int, deals: int) -> Iterator[Candidate]:
    """The puzzles among ``deals`` random deals; deal ``i`` depends on the seed and ``i`` alone."""
    for index in range(deals):
        rng = Random(f"{seed}:{index}")
        cards_left, round_number = rng.choice((3, 4, 4, 5, 5, 6)), rng.choice((3, 3, 3, 2))
        position = late_position(rng, cards_left, round_number, Rules())
        if not _looks_natural(position):
            continue
        found = [examine(position, "margin")]
        if round_number == 3:
            found.append(examine(close_game(position, rng), "win"))
        yield from (candidate for candidate in found if candidate is not None)


def close_game(position: Position, rng: Random) -> Position:
    """The position with seat 1's earlier points such that best play for the margin ends near level."""
    own, rival = position.scores
    return replace(position, scores=(own, max(0, rival + round(solve(position).value) + rng.randint(-2, 2))))


def _looks_natural(position: Position) -> bool:
    """A real choice among different cards, and earlier rounds that did not decide the game."""
    return (
        all(len(set(hand)) >= 3 for hand in position.hands) and abs(position.scores[0] - position.scores[1]) <= DECIDED
    )


def choose(found: Sequence[Candidate], each: int, total: int) -> list[Candidate]:
    """At most ``total`` of the candidates, with ``each`` of every theme where there are that many.

    Themes are filled from the rarest; among the candidates for a theme, hands of a size not much used yet come first,
    then answers not much used yet, then larger losses.
    """
    supply = Counter(theme for candidate in found for theme in candidate.themes)
    chosen: list[Candidate] = []
    for theme in sorted(THEMES, key=lambda theme: supply[theme]):
        while sum(theme in candidate.themes for candidate in chosen) < each and len(chosen) < total:
            sizes = Counter(candidate.position.cards_left for candidate in chosen)
            answers = Counter(tuple(candidate.mix) for candidate in chosen)
            fresh = [c for c in found if theme in c.themes and all(c.position != other.position for other in chosen)]
            if not fresh:
                break
            chosen.append(min(fresh, key=lambda c: (sizes[c.position.cards_left], answers[tuple(c.mix)], -c.loss)))
    return chosen


def write_down(candidate: Candidate) -> Puzzle | None:
    """The puzzle with exact figures, or ``None`` when the position is too large for them. It has no name yet."""
    try:
        exact = solve_exact(
            candidate.position, candidate.solution.objective, candidate.solution.rules, limits=Limits(max_states=50_000)
        )
        random_rival = solve_exact(
            candidate.position,
            candidate.solution.objective,
            candidate.solution.rules,
            limits=Limits(max_states=50_000),
            against="uniform",
        )
    except LimitReached:
        return None
    mixed = len(candidate.mix) > 1
    least = None
    if mixed and exact.tree is not None:
        least = exact.value - max(min(row) for row in exact.tree.matrix(candidate.position))
    losses = {row.pick: row.loss for row in exact.seats[0].picks}
    return Puzzle(
        name="",
        position=candidate.position,
        question=question(candidate.position, exact.objective, mixed),
        themes=candidate.themes,
        difficulty=difficulty(candidate, exact, random_rival),
        solution={row.pick: row.probability for row in exact.seats[0].picks if row.probability},
        value=exact.value,
        wrong=candidate.wrong,
        loss=losses[candidate.wrong],
        explanation=explanation(exact, candidate.wrong, candidate.comparison, least, candidate.margin_pick),
        objective=exact.objective,
        rules=exact.rules,
        committed_loss=least,
    )


def difficulty(candidate: Candidate, exact: ExactSolution, random_rival: ExactSolution) -> int:
    """From 1 to 5: a point for each card in hand above three (two at most), for a pick that is wrong even against a
    random rival's answer, and for a mix or a win.
    """
    cards = min(max(candidate.position.cards_left - 3, 0), 2)
    needs_a_rival = random_rival.best_pick() not in candidate.mix
    return 1 + cards + needs_a_rival + (len(candidate.mix) > 1 or exact.objective == "win")


def named(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """The puzzles from the easiest, numbered, each with a slug of its own."""
    ordered = sorted(puzzles, key=lambda puzzle: (puzzle.difficulty, puzzle.position.cards_left, str(puzzle.position)))
    slugs: Counter[str] = Counter()
    names = []
    for number, puzzle in enumerate(ordered, start=1):
        text = slug(puzzle)
        slugs[text] += 1
        names.append(f"{number:03}-{text}" + (f"-{slugs[text]}" if slugs[text] > 1 else ""))
    return [replace(puzzle, name=name) for puzzle, name in zip(ordered, names, strict=True)]


def main() -> None:
    """Search, choose and write the puzzle files."""
    parser = argparse.ArgumentParser(description="Find puzzles in random deals and write them as TOML files.")
    parser.add_argument("folder", type=Path, help="where the files go; puzzles already there are replaced")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=2000, help="random deals to examine")
    parser.add_argument("--each", type=int, default=3, help="puzzles wanted of every theme")
    parser.add_argument("--total", type=int, default=30, help="puzzles at most")
    options = parser.parse_args()
    found = list(candidates(options.seed, options.deals))
    chosen = choose(found, options.each, options.total)
    puzzles = named([puzzle for puzzle in map(write_down, chosen) if puzzle is not None])
    options.folder.mkdir(parents=True, exist_ok=True)
    for path in options.folder.glob("[0-9][0-9][0-9]-*.toml"):
        path.unlink()
    for puzzle in puzzles:
        (options.folder / f"{puzzle.name}.toml").write_text(to_toml(puzzle), encoding="utf-8")
    counts = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
    print(f"{options.deals} deals, {len(found)} candidates, {len(puzzles)} puzzles")
    print(", ".join(f"{theme} {counts[theme]}" for theme in THEMES))


if __name__ == "__main__":
    main()
