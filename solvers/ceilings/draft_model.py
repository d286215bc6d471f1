"""The rest of a round as whole numbers: who takes what from which hand, and when, with every hand open.

Cards of a kind are alike, so nothing is said about single cards. What is decided:

``from_hand[seat, hand, card]``
    how many cards of a kind the seat takes from a hand over all its visits to it. For most kinds that is all that
    matters: within its visits a seat can take them in any order.
``take[seat, turn, card]``
    the same by turn, for the *timed* kinds only, those whose turn matters: chopsticks, and for seats whose points are
    counted wasabi and nigiri.
``other[seat, turn]``
    cards of all other kinds the seat takes on the turn.
``use[seat, turn]``
    whether the seat uses chopsticks on the turn.

A *hand* keeps the number of the seat that holds it in the position, wherever it travels. Source of the rules named
below: the 2014 booklet, p. 2-4 (rules.md, Turn 1-5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from ortools.sat.python import cp_model

from solvers.game.cards import KINDS, NIGIRI_POINTS, Card, count_cards
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules
from solvers.game.scoring import open_wasabi

Expression = cp_model.LinearExpr | int
WASABI_AND_NIGIRI = (*NIGIRI_POINTS, Card.WASABI)


class DraftModel:
    """The feasible picks of all seats from a position to the end of the round.

    ``counted`` are the seats whose own cards are to be scored. ``fixed`` gives picks that are already known, by seat
    and turn (turn 0 is the next one); the others are free.
    """

    def __init__(
        self,
        position: Position,
        rules: Rules,
        counted: Collection[int],
        fixed: Mapping[tuple[int, int], Pick] | None = None,
    ) -> None:
        self.position = position
        self.rules = rules
        self.counted = frozenset(counted)
        self.fixed = dict(fixed or {})
        self.model = cp_model.CpModel()
        self.seats = range(position.seats)
        self.turns = range(position.cards_left)
        self.hands = [count_cards(hand) for hand in position.hands]
        self.tables = [count_cards(table) for table in position.tables]
        everything = sum((*self.hands, *self.tables), Counter[Card]())
        self.chopsticks = everything[Card.CHOPSTICKS]
        self._wasabi_matters = self._can_meet_a_nigiri()
        self.take: dict[tuple[int, int, Card], Expression] = {}
        self.other: dict[tuple[int, int], Expression] = {}
        self.use: dict[tuple[int, int], Expression] = {}
        self.from_hand: dict[tuple[int, int, Card], Expression] = {}
        self._take_cards_each_turn()
        self._take_every_card_once()
        if self.chopsticks:
            self._return_chopsticks()
        self._keep_to_fixed_picks()

    def holder(self, hand: int, turn: int) -> int:
        """The seat that holds a hand on a turn: hands are passed on after every turn."""
        return (hand + turn * self._step()) % len(self.seats)

    def hand_of(self, seat: int, turn: int) -> int:
        """The hand a seat holds on a turn."""
        return (seat - turn * self._step()) % len(self.seats)

    def visits(self, seat: int, hand: int) -> list[int]:
        """The turns on which the seat holds the hand."""
        return [turn for turn in self.turns if self.hand_of(seat, turn) == hand]

    def timed(self, seat: int) -> tuple[Card, ...]:
        """The kinds whose turn matters for a seat, in card order."""
        kinds: list[Card] = []
        if self._wasabi_matters and seat in self.counted:
            kinds += WASABI_AND_NIGIRI
        if self.chopsticks:
            kinds.append(Card.CHOPSTICKS)
        return tuple(kinds)

    def final_count(self, seat: int, card: Card) -> Expression:
        """How many cards of a kind lie in front of the seat at the end of the round."""
        taken = sum(self.from_hand[seat, hand, card] for hand in self.seats)
        if card is Card.CHOPSTICKS:
            taken -= sum(self.use[seat, turn] for turn in self.turns)
        return self.tables[seat][card] + taken

    def most(self, seat: int, card: Card) -> int:
        """An upper limit for :meth:`final_count`, puddings kept from earlier rounds left out."""
        return self.tables[seat][card] + sum(hand[card] for hand in self.hands)

    def _step(self) -> int:
        return 1 if self.position.direction == "left" else -1

    def _can_meet_a_nigiri(self) -> bool:
        wasabi = any(hand[Card.WASABI] for hand in self.hands) or any(map(open_wasabi, self.position.tables))
        return wasabi and any(hand[card] for hand in self.hands for card in NIGIRI_POINTS)

    def _number(self, most: int, name: str) -> Expression:
        """A whole number from 0 to ``most``; the constant 0 where nothing else is possible."""
        return self.model.new_int_var(0, most, name) if most else 0

    def _take_cards_each_turn(self) -> None:
        """Turn 1 and 3: one card a turn, two with chopsticks, and never two from a hand of one card."""
        most = 2 if self.chopsticks else 1
        for seat in self.seats:
            for turn in self.turns:
                hand = self.hands[self.hand_of(seat, turn)]
                can_use = self.chopsticks and turn != self.turns[-1]
                self.use[seat, turn] = self._number(1 if can_use else 0, f"use_{seat}_{turn}")
                self.other[seat, turn] = self._number(most, f"other_{seat}_{turn}")
                for card in self.timed(seat):
                    # chopsticks travel, so any hand may hold one by now; they are never one card of two
                    limit = 1 if card is Card.CHOPSTICKS else min(hand[card], most)
                    self.take[seat, turn, card] = self._number(limit, f"take_{seat}_{turn}_{card.letter}")
                taken = sum(self.take[seat, turn, card] for card in self.timed(seat)) + self.other[seat, turn]
                self.model.add(taken == 1 + self.use[seat, turn])

    def _take_every_card_once(self) -> None:
        """Turn 4 and 5: a hand is passed on until its last card is laid, so each of its cards ends on some table."""
        most = 2 if self.chopsticks else 1
        for hand in self.seats:
            for seat in self.seats:
                visits, timed = self.visits(seat, hand), self.timed(seat)
                for card in KINDS:
                    if card in timed:
                        self.from_hand[seat, hand, card] = sum(self.take[seat, turn, card] for turn in visits)
                    else:
                        limit = min(self.hands[hand][card], most * len(visits))
                        self.from_hand[seat, hand, card] = self._number(limit, f"from_{seat}_{hand}_{card.letter}")
                untimed = sum(self.from_hand[seat, hand, card] for card in KINDS if card not in timed)
                self.model.add(untimed == sum(self.other[seat, turn] for turn in visits))
            for card in KINDS:
                if self.hands[hand][card] and card is not Card.CHOPSTICKS:
                    taken = sum(self.from_hand[seat, hand, card] for seat in self.seats)
                    self.model.add(taken == self.hands[hand][card])

    def _return_chopsticks(self) -> None:
        """Turn 3: chopsticks lie in front before they are used, and go into the hand that is passed on."""
        card = Card.CHOPSTICKS
        for hand in self.seats:
            held: Expression = self.hands[hand][card]
            for turn in self.turns:
                seat = self.holder(hand, turn)
                self.model.add(self.take[seat, turn, card] <= held)
                after = self._number(self.chopsticks, f"held_{hand}_{turn}")
                self.model.add(after == held - self.take[seat, turn, card] + self.use[seat, turn])
                held = after
            self.model.add(held == 0)
        for seat in self.seats:
            in_front: Expression = self.tables[seat][card]
            for turn in self.turns:
                self.model.add(self.use[seat, turn] <= in_front)
                self.model.add(self.use[seat, turn] + self.take[seat, turn, card] <= 1)
                after = self._number(self.chopsticks, f"in_front_{seat}_{turn}")
                self.model.add(after == in_front + self.take[seat, turn, card] - self.use[seat, turn])
                in_front = after

    def _keep_to_fixed_picks(self) -> None:
        """Picks that are already known; of untimed kinds a seat then takes at least those from the hand."""
        known: Counter[tuple[int, int, Card]] = Counter()
        for (seat, turn), pick in self.fixed.items():
            counts = count_cards(pick)
            self.model.add(self.use[seat, turn] == len(pick) - 1)
            for card in self.timed(seat):
                self.model.add(self.take[seat, turn, card] == counts[card])
            for card in pick:
                known[seat, self.hand_of(seat, turn), card] += 1
        for key, number in known.items():
            self.model.add(self.from_hand[key] >= number)
