"""The official two-player variant with a dummy: three tables, two seats, and a face-down pile.

On a turn the *controller* draws the top card of the pile into its own hand, then picks for itself and one card for the
dummy, while the other seat (the *rival*) picks as usual. After the reveal the two seats swap hands, the pile stays, and
control goes to the other seat; so it does through all rounds. Source: rules.md, "The official two-player variant".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from solvers.errors import IllegalPick, NotationError
from solvers.game.cards import Card, count_cards, letters, sorted_cards
from solvers.game.picks import Pick, check_pick, distinct_picks, laid_order
from solvers.game.position import Cards, Position, lay_pick
from solvers.game.rules import Rules
from solvers.game.scoring import winners

HAND_SIZE = 9
"""Cards dealt to each seat and to the pile."""

DUMMY = 2
"""Where the dummy stands in everything that is listed by table: behind the two seats."""

ASSUMPTIONS: Mapping[str, str] = {
    "dummy_competes": "the dummy's table competes for maki and pudding, with the pudding penalty on",
    "dummy_cannot_win": "the dummy cannot win: the winner is one of the two seats",
    "dummy_lays_like_a_seat": "the dummy never uses chopsticks, and its nigiri must go on its open wasabi",
    "controller_chopsticks": "the controller may use its own chopsticks when it holds three cards after the draw",
}
"""What the booklet leaves open and this toolkit assumes; every answer about the variant carries it."""


class ControllerPick(NamedTuple):
    """What the controller takes from its hand after the draw: its own pick, and one card for the dummy."""

    own: Pick
    dummy: Card


@dataclass(frozen=True, slots=True, repr=False)
class DummyPosition(Position):
    """A position of the dummy variant, between two turns: what both seats can see.

    Tables, kept puddings and earlier points have a third entry, the dummy's. ``pile`` lists the draw pile from the top:
    a card that both seats know, or ``Card.UNSEEN``; it holds as many cards as each hand (default: all unseen).
    ``controller`` is the seat that draws this turn. The two always swap hands, so ``direction`` is always left.
    """

    pile: Cards = ()
    controller: int = 0

    def __post_init__(self) -> None:
        pile = tuple(self.pile) or (Card.UNSEEN,) * (len(self.hands[0]) if self.hands else 0)
        object.__setattr__(self, "pile", pile)
        object.__setattr__(self, "direction", "left")
        _check_entries(self)
        Position.__post_init__(self)
        _check_pile(self)

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> DummyPosition:
        """Read the notation with its fields ``y=`` and ``c=``, whether or not the rules say ``dummy``."""
        position = Position.parse(text, dummy_rules(rules))
        if not isinstance(position, DummyPosition):
            raise NotationError(f"{position.seats} hands: the dummy variant is for two seats")
        return position

    @property
    def contestants(self) -> int:
        """The two seats and the dummy."""
        return 3

    @property
    def rival(self) -> int:
        """The seat that does not draw this turn."""
        return 1 - self.controller

    def known_cards(self) -> Counter[Card]:
        """How many of each kind the position shows, known cards of the pile and kept puddings included."""
        return Position.known_cards(self) + count_cards(self.pile)

    def unseen(self, rules: Rules | None = None) -> Counter[Card]:
        """The cards of the deck that the position does not show; an unseen pile card is any of them, equally likely."""
        return Counter(dummy_rules(rules).deck()) - self.known_cards()

    def draws(self, rules: Rules | None = None) -> tuple[tuple[Card, Fraction], ...]:
        """What the controller can draw this turn and how likely, in card order; empty when the round is over."""
        if not self.pile:
            return ()
        if self.pile[0] is not Card.UNSEEN:
            return ((self.pile[0], Fraction(1)),)
        unseen = self.unseen(rules)
        return tuple((card, Fraction(unseen[card], unseen.total())) for card in sorted(unseen))

    def reveal(self, card: Card, rules: Rules | None = None) -> DummyPosition:
        """The same position with the top card of the pile known; raises :class:`IllegalPick` if it cannot be that."""
        possible = [drawn for drawn, _ in self.draws(rules)]
        if card not in possible:
            raise IllegalPick(f"{card.letter} cannot be drawn: the top of the pile can be {letters(possible) or '-'}")
        return replace(self, pile=(card, *self.pile[1:]))

    def hand_after_draw(self) -> Cards:
        """The controller's hand with the top card of the pile; raises :class:`IllegalPick` when that card is unseen."""
        if not self.pile:
            raise IllegalPick("the pile is empty: the round is over")
        if self.pile[0] is Card.UNSEEN:
            raise IllegalPick("the card drawn is not known: reveal the top of the pile before the controller picks")
        return sorted_cards((*self.hands[self.controller], self.pile[0]))

    def controller_picks(self, rules: Rules | None = None) -> tuple[ControllerPick, ...]:
        """Every distinct legal pick of the controller after the draw, by its own pick and then the dummy's card."""
        hand = self.hand_after_draw()
        return tuple(
            ControllerPick(own, card)
            for own in distinct_picks(hand, self.tables[self.controller], rules or Rules())
            for card in sorted(count_cards(hand) - count_cards(own))
        )

    def picks(self, seat: int, rules: Rules | None = None) -> tuple[Pick, ...]:
        """Every distinct pick a seat can lay before itself, in card order; the controller's after a known draw."""
        if not self.pile:
            return ()
        if seat == self.controller:
            return tuple(dict.fromkeys(pick.own for pick in self.controller_picks(rules)))
        return distinct_picks(self.hands[seat], self.tables[seat], rules or Rules())

    def find_pick(self, seat: int, pick: Sequence[Card], rules: Rules | None = None) -> Pick:
        """The distinct pick that ``pick`` amounts to; raises :class:`IllegalPick` with the reason if there is none."""
        if seat == self.controller:
            check_own_pick(self.hand_after_draw(), self.tables[seat], pick)
        else:
            check_pick(self.hands[seat], self.tables[seat], pick)
        return laid_order(self.tables[seat], pick, rules or Rules())

    def play(self, picks: Sequence[Sequence[Card]], rules: Rules | None = None) -> DummyPosition:
        """The position after one turn; ``picks`` are those of seat 0, seat 1 and the card laid for the dummy.

        The top card of the pile must be known (see :meth:`reveal`). Raises :class:`IllegalPick`, naming the seat, when
        the rules do not allow a pick.
        """
        rules = rules or Rules()
        if len(picks) != self.contestants:
            raise IllegalPick(f"{len(picks)} picks: a turn with the dummy has three, of seat 0, seat 1 and the dummy")
        hand, given = self.hand_after_draw(), picks[DUMMY]
        try:
            check_controller_pick(hand, self.tables[self.controller], picks[self.controller], given)
        except IllegalPick as error:
            raise IllegalPick(f"seat {self.controller}: {error}") from None
        hands, tables = list(self.hands), list(self.tables)
        kept = list(hand)
        kept.remove(given[0])
        hands[self.rival], tables[self.controller] = lay_pick(
            kept, self.tables[self.controller], picks[self.controller], rules
        )
        hands[self.controller], tables[self.rival] = self._lay(self.rival, picks[self.rival], rules)
        tables[DUMMY] = (*tables[DUMMY], *given)
        return replace(self, hands=tuple(hands), tables=tuple(tables), pile=self.pile[1:], controller=self.rival)

    def winners(self, rules: Rules | None = None) -> tuple[int, ...] | None:
        """The seats that share the win if the game ended now, never the dummy; ``None`` before the last round."""
        if self.round != 3:
            return None
        return winners(self.totals(rules)[:DUMMY], self.pudding_counts()[:DUMMY])

    def next_round(
        self, hands: Sequence[Sequence[Card]], pile: Sequence[Card] = (), rules: Rules | None = None
    ) -> DummyPosition:
        """The first position of the next round: control goes on alternating, and the dummy keeps its puddings.

        Raises :class:`IllegalPick` while cards are left to lay, and after the last round.
        """
        if self.cards_left:
            raise IllegalPick(f"the round is not over: {self.cards_left} cards are left in each hand")
        if self.round == 3:
            raise IllegalPick("the game is over: there are three rounds")
        return DummyPosition(
            hands=tuple(map(tuple, hands)),
            tables=((), (), ()),
            puddings=self.pudding_counts(),
            scores=self.totals(rules),
            round=self.round + 1,
            out=(*self.out, *(card for table in self.tables for card in table if card is not Card.PUDDING)),
            pile=tuple(pile),
            controller=self.controller,
        )

    def check_deck(self, rules: Rules | None = None) -> None:
        """As for any position; and the deck must have enough unseen cards for the unseen ones of the pile."""
        Position.check_deck(self, rules)
        hidden, left = self.pile.count(Card.UNSEEN), self.unseen(rules).total()
        if hidden > left:
            raise NotationError(f"{hidden} unseen cards in y=: only {left} of the deck are not in the position")

    def swap_seats(self, order: Sequence[int]) -> DummyPosition:
        """The same position with seat ``order[i]`` sitting at ``i``; the dummy stays where it is."""
        places = (*order, DUMMY)
        return replace(
            self,
            hands=tuple(self.hands[seat] for seat in order),
            tables=tuple(self.tables[place] for place in places),
            puddings=tuple(self.puddings[place] for place in places),
            scores=tuple(self.scores[place] for place in places),
            controller=list(order).index(self.controller),
        )


def dummy_rules(rules: Rules | None = None) -> Rules:
    """The same rules with the variant switched on, as every answer about it states them."""
    return replace(rules or Rules(), two_player_variant="dummy")


def check_own_pick(hand: Sequence[Card], table: Sequence[Card], pick: Sequence[Card]) -> None:
    """Raise :class:`IllegalPick` with the reason when the controller cannot take ``pick`` for itself.

    ``hand`` is its hand after the draw.
    """
    check_pick(hand, table, pick)
    if len(pick) == len(hand):
        raise IllegalPick(f"{letters(pick)} takes the whole hand {letters(hand)}: one card must be left for the dummy")


def check_controller_pick(
    hand: Sequence[Card], table: Sequence[Card], own: Sequence[Card], given: Sequence[Card]
) -> None:
    """Raise :class:`IllegalPick` with the reason when the controller cannot take ``own`` and give the dummy ``given``.

    ``hand`` is its hand after the draw.
    """
    check_own_pick(hand, table, own)
    if len(given) != 1:
        raise IllegalPick(f"{len(given)} cards for the dummy: it gets exactly one, for it never uses chopsticks")
    if count_cards((*own, *given))[given[0]] > count_cards(hand)[given[0]]:
        raise IllegalPick(
            f"no {letters(given)} is left for the dummy: the hand {letters(hand)} without {letters(own)} has none"
        )


def _check_entries(position: DummyPosition) -> None:
    if position.seats != 2:
        raise NotationError(f"{position.seats} hands: the dummy variant (y= or c=) is for two seats")
    for name, values in (("tables", position.tables), ("p=", position.puddings), ("s=", position.scores)):
        if len(values) != position.contestants and (values or name == "tables"):
            raise NotationError(
                f"{name}: {len(values)} given for two seats and the dummy; write three, the dummy's last"
            )
    if position.controller not in (0, 1):
        raise NotationError(f"c={position.controller}: the controller is seat 0 or seat 1")


def _check_pile(position: DummyPosition) -> None:
    if position.cards_left > HAND_SIZE:
        raise NotationError(f"hands of {position.cards_left} cards: with the dummy a hand holds at most {HAND_SIZE}")
    if len(position.pile) != position.cards_left:
        raise NotationError(
            f"y={letters(position.pile) or '-'} has {len(position.pile)} cards: the pile holds as many as each hand, "
            f"{position.cards_left}; an unseen card is ?"
        )
