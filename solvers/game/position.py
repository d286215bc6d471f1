"""A position: everything both sides of the table can see between two turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from solvers.errors import IllegalPick, NotationError
from solvers.game.cards import HAND_SIZES, Card, count_cards, letters, sorted_cards
from solvers.game.picks import Pick, check_pick, distinct_picks, laid_order
from solvers.game.rules import Rules
from solvers.game.scoring import Breakdown, pudding_points, score_round, winners

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """Hands, tables and what earlier rounds left, between two turns of a round.

    Hands are kept in card order, tables in the order laid. Two positions are equal when their canonical texts are.
    Construction checks only shapes; :meth:`check_deck` holds a position against a deck, and :meth:`parse` does both.
    Raises :class:`NotationError` when the parts contradict each other.
    """

    hands: tuple[Cards, ...]
    tables: tuple[Cards, ...]
    puddings: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    round: int = 3
    out: Cards = ()
    direction: str = "left"

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "hands", tuple(sorted_cards(hand) for hand in self.hands))
        set_field(self, "tables", tuple(tuple(table) for table in self.tables))
        set_field(self, "puddings", tuple(self.puddings) or (0,) * self.contestants)
        set_field(self, "scores", tuple(self.scores) or (0,) * self.contestants)
        set_field(self, "out", sorted_cards(self.out))
        _check_shape(self)

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> Position:
        """Read the one-line notation (interface, section 2); raises :class:`NotationError` with the place and the mend.

        Where the text has no ``d=``, the rules say which way this round passes. A text with ``y=`` or ``c=``, or of two
        hands under rules that say ``dummy``, gives a :class:`solvers.game.dummy.DummyPosition`.
        """
        from solvers.game.notation import parse_position

        return parse_position(text, rules or Rules())

    def __str__(self) -> str:
        from solvers.game.notation import format_position

        return format_position(self)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r})"

    def _repr_html_(self) -> str:
        from solvers.game.drawing import position_svg

        return position_svg(self, "inherit")

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.hands)

    @property
    def contestants(self) -> int:
        """Number of tables that compete for maki and puddings; the dummy variant has one more than seats."""
        return self.seats

    @property
    def cards_left(self) -> int:
        """Cards in each hand."""
        return len(self.hands[0])

    def picks(self, seat: int, rules: Rules | None = None) -> tuple[Pick, ...]:
        """Every distinct legal pick of a seat in card order; empty when the round is over."""
        return distinct_picks(self.hands[seat], self.tables[seat], rules or Rules())

    def find_pick(self, seat: int, pick: Sequence[Card], rules: Rules | None = None) -> Pick:
        """The distinct pick that ``pick`` amounts to; raises :class:`IllegalPick` with the reason if there is none."""
        check_pick(self.hands[seat], self.tables[seat], pick)
        return laid_order(self.tables[seat], pick, rules or Rules())

    def joint_picks(self, rules: Rules | None = None) -> tuple[tuple[Pick, ...], ...]:
        """The distinct legal picks of every seat."""
        return tuple(self.picks(seat, rules) for seat in range(self.seats))

    def play(self, picks: Sequence[Sequence[Card]], rules: Rules | None = None) -> Position:
        """The position after every seat has laid its pick and passed on the rest (rules.md, Turn).

        Raises :class:`IllegalPick`, naming the seat, when one of the picks is not allowed.
        """
        rules = rules or Rules()
        if len(picks) != self.seats:
            raise IllegalPick(f"{len(picks)} picks for {self.seats} seats: every seat picks once a turn")
        rests: list[Cards] = []
        tables: list[Cards] = []
        for seat, pick in enumerate(picks):
            rest, table = self._lay(seat, pick, rules)
            rests.append(rest)
            tables.append(table)
        shift = -1 if self.direction == "left" else 1
        hands = tuple(rests[(seat + shift) % self.seats] for seat in range(self.seats))
        return replace(self, hands=hands, tables=tuple(tables))

    def _lay(self, seat: int, pick: Sequence[Card], rules: Rules) -> tuple[Cards, Cards]:
        """The seat's remaining hand and its table after ``pick``."""
        try:
            check_pick(self.hands[seat], self.tables[seat], pick)
        except IllegalPick as error:
            raise IllegalPick(f"seat {seat}: {error}") from None
        return lay_pick(self.hands[seat], self.tables[seat], pick, rules)

    def breakdown(self, rules: Rules | None = None) -> tuple[Breakdown, ...]:
        """Each seat's points by card if the round ended now."""
        return score_round(self.tables, rules)

    def round_points(self, rules: Rules | None = None) -> tuple[int, ...]:
        """Each seat's points of this round if it ended now."""
        return tuple(part.total for part in self.breakdown(rules))

    def pudding_counts(self) -> tuple[int, ...]:
        """Each seat's puddings: those kept from earlier rounds and those on its table."""
        return tuple(kept + table.count(Card.PUDDING) for kept, table in zip(self.puddings, self.tables, strict=True))

    def pudding_points(self, rules: Rules | None = None) -> tuple[int, ...] | None:
        """The pudding bonus and penalty, or ``None`` before the last round."""
        return pudding_points(self.pudding_counts(), rules) if self.round == 3 else None

    def totals(self, rules: Rules | None = None) -> tuple[int, ...]:
        """Earlier points, this round's, and in the last round the puddings'."""
        bonus = self.pudding_points(rules) or (0,) * self.contestants
        return tuple(map(sum, zip(self.scores, self.round_points(rules), bonus, strict=True)))

    def winners(self, rules: Rules | None = None) -> tuple[int, ...] | None:
        """The seats that share the win if the game ended now, or ``None`` before the last round."""
        return winners(self.totals(rules), self.pudding_counts()) if self.round == 3 else None

    def known_cards(self) -> Counter[Card]:
        """How many of each kind the position shows, puddings kept from earlier rounds included."""
        known = count_cards(card for pile in (*self.hands, *self.tables, self.out) for card in pile)
        known[Card.PUDDING] += sum(self.puddings)
        return known

    def check_deck(self, rules: Rules | None = None) -> None:
        """Raise :class:`NotationError` when a kind of card occurs more often than the deck has it.

        Puddings kept from earlier rounds count: they lie in front of their owners until the end.
        """
        rules = rules or Rules()
        seen = self.known_cards()
        for card, number in rules.deck().items():
            if seen[card] > number:
                kept = " (with those kept in p=)" if card is Card.PUDDING and any(self.puddings) else ""
                raise NotationError(f"{seen[card]} {card.letter} in the position{kept}: the deck has only {number}")

    def swap_seats(self, order: Sequence[int]) -> Position:
        """The same position with seat ``order[i]`` sitting at ``i``; only rotations keep who passes to whom."""
        return replace(
            self,
            hands=tuple(self.hands[seat] for seat in order),
            tables=tuple(self.tables[seat] for seat in order),
            puddings=tuple(self.puddings[seat] for seat in order),
            scores=tuple(self.scores[seat] for seat in order),
        )


def lay_pick(hand: Sequence[Card], table: Sequence[Card], pick: Sequence[Card], rules: Rules) -> tuple[Cards, Cards]:
    """The rest of the hand and the table after a legal pick, used chopsticks back in the hand (rules.md, Turn 3)."""
    rest, kept, laid = list(hand), list(table), tuple(pick)
    if rules.chopsticks_order == "strict_prior" and Card.WASABI in laid:
        laid = laid_order(table, laid, rules)  # so that the table, read in order, shows the squid plain
    for card in laid:
        rest.remove(card)
    if len(laid) == 2:
        kept.remove(Card.CHOPSTICKS)
        rest.append(Card.CHOPSTICKS)
    return sorted_cards(rest), (*kept, *laid)


def _check_shape(position: Position) -> None:
    seats = position.seats
    if seats not in HAND_SIZES:
        raise NotationError(f"{seats} hands: the game is for 2 to 5 seats, with hands separated by /")
    for name, values in (("tables", position.tables), ("p=", position.puddings), ("s=", position.scores)):
        if len(values) != position.contestants:
            raise NotationError(
                f"{name}: {len(values)} given for {seats} seats; write one for each seat, separated by /"
            )
    sizes = {len(hand) for hand in position.hands}
    if len(sizes) > 1:
        text = "/".join(letters(hand) or "-" for hand in position.hands)
        raise NotationError(f"hands {text} differ in size: all hands hold the same number of cards between turns")
    if position.cards_left > HAND_SIZES[seats]:
        most = HAND_SIZES[seats]
        raise NotationError(f"hands of {position.cards_left} cards: with {seats} seats a hand holds at most {most}")
    if any(count < 0 for count in position.puddings):
        raise NotationError("p= has a negative number: puddings are counted from 0")
    if position.round not in (1, 2, 3):
        raise NotationError(f"r={position.round}: the round is 1, 2 or 3")
    if position.direction not in ("left", "right"):
        raise NotationError(f"direction {position.direction!r}: it is left or right")
    if any(Card.UNSEEN in pile for pile in (*position.tables, position.out)):
        raise NotationError("? on a table or in x=: those cards lie face up, so write the card")
