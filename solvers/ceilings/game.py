"""``best game``: the most one player can make of three rounds with one deck, and the widest win.

Everything helps: the deals may fall in any way and every player cooperates. Then the tables alone decide. Any tables
of the right size can come about, in any order of laying: put into each hand, for every turn, the card that the seat
holding it on that turn is to lay. So a round is a choice of cards for each table, and the three rounds share one deck,
as discards are not shuffled back. Source: the 2014 booklet, p. 2-5.
"""

from __future__ import annotations

import time
from collections import Counter

from ortools.sat.python import cp_model

from solvers.ceilings import card_points, contests
from solvers.ceilings.answers import GameAnswer
from solvers.ceilings.draft_model import Expression
from solvers.ceilings.goals import BEST_ROUND
from solvers.ceilings.hand import scoring_order
from solvers.ceilings.search import Outcome, run
from solvers.endgame.limits import Limits
from solvers.errors import UsageError
from solvers.game.cards import HAND_SIZES, KINDS, MAKI_ICONS, NIGIRI_POINTS, Card
from solvers.game.position import Cards
from solvers.game.rules import Rules
from solvers.game.scoring import pudding_points, score_round

GAME_GOALS = {"seat": "the highest three-round total of one seat", "margin": "its widest winning margin"}
"""The goals of a game and what each asks for; the seat is seat 0."""
ROUNDS = range(3)


def best_game(
    players: int = 2, goal: str = "seat", rules: Rules | None = None, limits: Limits | None = None
) -> GameAnswer:
    """The proven highest three-round total of seat 0, or with ``margin`` its widest lead over the best other.

    Puddings count at the end, and the deck is dealt once through. Raises :class:`UsageError` for a number of players
    or a goal that does not exist.
    """
    rules = rules or Rules()
    if rules.two_player_variant == "dummy":
        raise UsageError("best-possible scores are for the game without the dummy: set two_player_variant=none")
    if players not in HAND_SIZES:
        raise UsageError(f"{players} players: the game is for 2 to 5")
    if goal not in GAME_GOALS:
        raise UsageError(f"unknown goal {goal!r}: for a game it is {' or '.join(GAME_GOALS)}")
    started = time.perf_counter()
    game = GameModel(players, goal, rules)
    outcome = run(game.model, limits)
    rounds = () if outcome.value is None else game.tables(outcome)
    points = tuple(tuple(part.total for part in score_round(tables, rules)) for tables in rounds)
    kept = [sum(tables[seat].count(Card.PUDDING) for tables in rounds) for seat in range(players)]
    bonus = pudding_points(kept, rules) if rounds else ()
    totals = tuple(sum(row[seat] for row in points) + bonus[seat] for seat in range(players)) if rounds else ()
    if totals:
        reached = totals[0] if goal == "seat" else totals[0] - max(totals[1:])
        if reached != outcome.value:
            raise AssertionError(f"the tables of the best game give {reached}, the model says {outcome.value}")
    return GameAnswer(
        value=outcome.value,
        status=outcome.status,
        bound=outcome.bound,
        stats={**outcome.stats, "seconds": round(time.perf_counter() - started, 6)},
        interrupted=outcome.interrupted,
        players=players,
        goal=goal,
        rules=rules,
        rounds=rounds,
        round_points=points,
        pudding_points=tuple(bonus),
        totals=totals,
    )


class GameModel:
    """Three rounds of tables from one deck; ``laid[round, seat, card]`` is how many of a kind end on a table."""

    def __init__(self, players: int, goal: str, rules: Rules) -> None:
        self.model = cp_model.CpModel()
        self.rules = rules
        self.goal = goal
        self.seats = range(players)
        self.size = HAND_SIZES[players]
        self.deck = rules.deck()
        self.laid: dict[tuple[int, int, Card], cp_model.IntVar] = {}
        self._lay_tables()
        points = self._round_points()
        self._play_rounds_in_order(points)
        bonus = self._pudding_points()
        totals = {seat: sum(points[round, seat] for round in ROUNDS) + bonus[seat] for seat in self.counted}
        self.model.maximize(self._objective(totals))

    @property
    def counted(self) -> range:
        """The seats whose own cards are scored; of the others only maki and puddings matter."""
        return self.seats if self.goal == "margin" else range(1)

    def tables(self, outcome: Outcome) -> tuple[tuple[Cards, ...], ...]:
        """The tables of a solution, round by round: seat 0's laid to score the most, the others' the least."""
        return tuple(tuple(self._table(outcome, round, seat) for seat in self.seats) for round in ROUNDS)

    def _table(self, outcome: Outcome, round: int, seat: int) -> Cards:
        cards = Counter({card: outcome.number(self.laid[round, seat, card]) for card in KINDS})
        return scoring_order(cards.elements()) if seat == 0 else tuple(sorted(cards.elements()))

    def _lay_tables(self) -> None:
        """Every table ends with exactly the hand size in cards, and no kind is laid more often than the deck has it."""
        for round in ROUNDS:
            for seat in self.seats:
                for card in KINDS:
                    most = min(self.size, self.deck[card])
                    self.laid[round, seat, card] = self.model.new_int_var(0, most, f"laid_{round}_{seat}_{card.letter}")
                self.model.add(sum(self.laid[round, seat, card] for card in KINDS) == self.size)
        for card in KINDS:
            laid = sum(self.laid[round, seat, card] for round in ROUNDS for seat in self.seats)
            self.model.add(laid <= self.deck[card])

    def _round_points(self) -> dict[tuple[int, int], Expression]:
        """Each counted seat's points of each round."""
        most_icons = self.size * max(card.icons for card in MAKI_ICONS)
        points: dict[tuple[int, int], Expression] = {}
        for round in ROUNDS:
            icons = [sum(card.icons * self.laid[round, seat, card] for card in MAKI_ICONS) for seat in self.seats]
            maki = contests.maki(self.model, icons, most_icons, self.rules)
            for seat in self.counted:
                points[round, seat] = maki[seat] + self._card_points(round, seat)
        return points

    def _card_points(self, round: int, seat: int) -> Expression:
        """The points of a table's own cards. Nigiri of the other seats stay plain: a margin wants them low."""
        counts = {card: self.laid[round, seat, card] for card in KINDS}
        name, size = f"{round}_{seat}", self.size
        if seat == 0:
            nigiri = card_points.nigiri_in_any_order(self.model, counts, size, name)
        else:
            nigiri = sum(value * counts[card] for card, value in NIGIRI_POINTS.items())
        return (
            nigiri
            + card_points.tempura(self.model, counts[Card.TEMPURA], size, name)
            + card_points.sashimi(self.model, counts[Card.SASHIMI], size, name)
            + card_points.dumplings(self.model, counts[Card.DUMPLING], size, name)
        )

    def _pudding_points(self) -> list[Expression]:
        """The puddings of all rounds at the end of the game."""
        kept = [sum(self.laid[round, seat, Card.PUDDING] for round in ROUNDS) for seat in self.seats]
        return contests.puddings(self.model, kept, self.deck[Card.PUDDING], self.rules)

    def _play_rounds_in_order(self, points: dict[tuple[int, int], Expression]) -> None:
        """Rounds can be swapped and so can the other seats: of all these only one arrangement is looked at."""
        for round in ROUNDS[1:]:
            self.model.add(points[round - 1, 0] >= points[round, 0])
        kept = [sum(self.laid[round, seat, Card.PUDDING] for round in ROUNDS) for seat in self.seats]
        for left, right in zip(kept[1:], kept[2:], strict=False):
            self.model.add(left >= right)

    def _objective(self, totals: dict[int, Expression]) -> Expression:
        if self.goal == "seat":
            return totals[0]
        best_other = self.model.new_int_var(-BEST_ROUND, len(ROUNDS) * BEST_ROUND, "best_other")
        for seat in self.seats[1:]:
            self.model.add(best_other >= totals[seat])
        return totals[0] - best_other
