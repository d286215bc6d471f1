"""The sample most studies share: random two-player deals, solved exactly with all hands open, and played out.

Each deal is played three times from its solution, because a study of play needs positions that play reaches:

``equilibrium``: both seats draw every pick from their equilibrium mixes;
``wandering``: the same, but each seat takes, with the chance ``wander``, any of its distinct picks alike, so that
positions off the best path are seen too;
``greedy``: seat 0 takes the greedy rule's pick every turn, seat 1 draws from its equilibrium mix.

Every turn is written down with all its pick values. Values are margins (own less rival's points, with puddings before
the last round at the stated worth), and they are open-hand values: both seats are taken to see the first hand of the
other, which at a table they only do from the second turn on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from analysis.study.deals import random_deal
from analysis.study.model import Parameters, Record, Sampler
from solvers import Position, Rules, solve
from solvers.endgame.duel import DuelEngine
from solvers.endgame.full_matrix import full_matrix
from solvers.endgame.greedy import greedy_pick
from solvers.endgame.limits import Limits
from solvers.endgame.matrix import solve_matrix
from solvers.endgame.objective import utilities
from solvers.endgame.solution import Stage
from solvers.endgame.zero_sum import ZeroSumSolver
from solvers.game.cards import letters
from solvers.game.picks import Pick, parse_pick

LINES = ("equilibrium", "wandering", "greedy")
PARAMETERS = {"deals": 600, "cards": 10, "round": 1, "pudding_value": 1.5, "wander": 0.25, "plan_cards": 4}
QUICK = {"deals": 12, "cards": 4, "plan_cards": 3}
DECIMALS = 9
"""Values are exact to far more; rounding makes equal values equal after their way through the store."""


def deal_value(deal: Position, pudding_value: float) -> float:
    """The margin of seat 0 alone, without the mixes, which takes the engine less than a whole solution."""
    return _round(DuelEngine(deal, "margin", Rules(), pudding_value, Limits()).value(deal))


class SolvedDeal:
    """A deal with its solution at hand, and what a study notes of a turn."""

    def __init__(self, deal: Position, pudding_value: float) -> None:
        self.deal = deal
        self.rules = Rules()
        solution = solve(deal, objective="margin", pudding_value=pudding_value)
        self.value = solution.value
        assert isinstance(solution.solver, ZeroSumSolver)
        self._solver = solution.solver

    def stage(self, position: Position) -> Stage:
        """The solution at a position reachable from the deal."""
        return self._solver.stage(position)

    def matrix(self, position: Position) -> np.ndarray:
        """Seat 0's margin after each pair of distinct picks, every entry exact."""
        return full_matrix(self._solver, position)

    def turn(self, position: Position) -> Record:
        """A turn as plain values: the value to seat 0, what each seat can make sure of with one pick, and its picks."""
        matrix, stage = self.matrix(position), self.stage(position)
        return {
            "position": str(position),
            "value": _round(stage.seats[0].value),
            "pure": [_round(matrix.min(axis=1).max()), _round(-matrix.max(axis=0).min())],
            "seats": [
                {
                    "picks": [letters(pick) for pick in part.picks],
                    "values": [_round(value) for value in part.pick_values],
                    "mix": [_round(chance) for chance in part.mix],
                }
                for part in stage.seats
            ],
        }

    def without(self, position: Position) -> list[dict[str, float]]:
        """For each seat, its value when one of its picks is forbidden this turn, by the letters of the pick."""
        matrix = self.matrix(position)
        answers: list[dict[str, float]] = []
        for seat, game in enumerate((matrix, -matrix.T)):
            picks = position.picks(seat, self.rules)
            if len(picks) == 1:
                answers.append({})
                continue
            values = [solve_matrix(np.delete(game, row, axis=0)).value for row in range(len(picks))]
            answers.append({letters(pick): _round(value) for pick, value in zip(picks, values, strict=True)})
        return answers


Chooser = Callable[[SolvedDeal, Position, Stage, int], Pick]


def play_out(solved: SolvedDeal, choose: Sequence[Chooser]) -> tuple[list[Record], Position]:
    """The turns of the deal while there is a choice, each seat choosing its own way, and the finished position."""
    turns: list[Record] = []
    position = solved.deal
    while position.cards_left:
        stage = solved.stage(position)
        picks = [choose[seat](solved, position, stage, seat) for seat in range(2)]
        if position.cards_left > 1:
            turns.append({**solved.turn(position), "played": [letters(pick) for pick in picks]})
        position = position.play(picks, solved.rules)
    return turns, position


def answer_round(parameters: Parameters, random: np.random.Generator) -> Record:
    """One random deal: its value, its first turn with each pick forbidden, and three ways of playing it out."""
    deal = random_deal(random, round=parameters["round"], cards=parameters["cards"])
    solved = SolvedDeal(deal, parameters["pudding_value"])
    mixing, wandering = _from_mix(random), _from_mix(random, parameters["wander"])
    ways = {"equilibrium": (mixing, mixing), "wandering": (wandering, wandering), "greedy": (_greedy, mixing)}
    record: dict[str, Any] = {"deal": str(deal), "value": _round(solved.value), "without": solved.without(deal)}
    for name in LINES:
        turns, end = play_out(solved, ways[name])
        record[name] = {"turns": turns, "totals": list(end.totals(solved.rules)), "tables": str(end)}
    record["plan"] = _pure_plans(solved, record["equilibrium"]["turns"], parameters)
    return record


def _pure_plans(solved: SolvedDeal, turns: Sequence[Record], parameters: Parameters) -> Record:
    """What a foreseen pure plan for the last ``plan_cards`` turns of the equilibrium line brings each seat."""
    turn = next(turn for turn in turns if _cards_left(turn) == parameters["plan_cards"])
    position = Position.parse(turn["position"])
    plans = [pure_plan(position, seat, parameters["pudding_value"], solved.rules) for seat in range(2)]
    return {"position": turn["position"], "value": turn["value"], "plans": [_round(value) for value in plans]}


def _cards_left(turn: Record) -> int:
    return Position.parse(turn["position"]).cards_left


def pure_plan(position: Position, seat: int, pudding_value: float, rules: Rules) -> float:
    """The margin a seat makes sure of that never mixes to the end of the round, the rival seeing each pick beforehand.

    That is the maximin over whole plans: at each position the best of its picks against the rival's best answer. Plain
    recursion over the game room's positions; the number of positions grows steeply with the cards left.
    """
    known: dict[Position, float] = {}

    def secure(place: Position) -> float:
        if not place.cards_left:
            return float(utilities(place, "margin", rules, pudding_value)[seat])
        if place not in known:
            best = -math.inf
            for mine in place.picks(seat, rules):
                worst = math.inf
                for theirs in place.picks(1 - seat, rules):
                    worst = min(worst, secure(place.play((mine, theirs) if seat == 0 else (theirs, mine), rules)))
                    if worst <= best:
                        break
                best = max(best, worst)
            known[place] = best
        return known[place]

    return secure(position)


def _from_mix(random: np.random.Generator, wander: float = 0.0) -> Chooser:
    """Draw from the solution's mix, or with the chance ``wander`` from all distinct picks alike."""

    def choose(solved: SolvedDeal, position: Position, stage: Stage, seat: int) -> Pick:
        part = stage.seats[seat]
        if wander and random.random() < wander:
            return part.picks[int(random.integers(len(part.picks)))]
        chances = np.array(part.mix)
        return part.picks[int(random.choice(len(chances), p=chances / chances.sum()))]

    return choose


def _greedy(solved: SolvedDeal, position: Position, stage: Stage, seat: int) -> Pick:
    return greedy_pick(position, seat, solved.rules)


def setting(parameters: Parameters) -> str:
    """What the figures of a study rest on, for the note of a table."""
    worth = "" if parameters["round"] == 3 else f", a pudding assumed worth {parameters['pudding_value']} points"
    return (
        "Margins in points between two seats, each deal solved exactly with all hands open from the start; at a table "
        f"the rival's first hand is hidden until the second turn. Round {parameters['round']}{worth}."
    )


def pick_of(text: str) -> Pick:
    """The pick a record's letters stand for."""
    return parse_pick(text)


def _round(value: float) -> float:
    return round(float(value), DECIMALS) + 0.0


ROUNDS = Sampler("rounds", 1, answer_round, ("cards", "round", "pudding_value", "wander", "plan_cards"))
