"""The answer to a position: values, mixes, losses and the principal line, whichever way the others play.

A *stage* is one simultaneous turn of a solution: each seat's distinct picks, how often it takes each, and what each is
worth when everything else follows the solution. Every way of solving provides stages through the :class:`Solver`
protocol; everything printed about a solution is read off them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from solvers.endgame.dummy_answer import DrawAnswer, DrawStage, draw_answer
from solvers.errors import UsageError
from solvers.game.cards import Card, letters
from solvers.game.dummy import ControllerPick
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True)
class SeatStage:
    """One seat's part of a stage; the three tuples run parallel, in card order of the picks.

    ``answered`` is false for a seat whose play is assumed rather than solved (a uniform opponent): its mix is known,
    but values of its picks are not part of the answer. The controller of a dummy position picks after a draw: its
    picks stand in ``draws``, one part for each card it may hold, and the three tuples are empty.
    """

    seat: int
    value: float
    picks: tuple[Pick, ...]
    mix: tuple[float, ...]
    pick_values: tuple[float, ...]
    answered: bool = True
    draws: tuple[DrawStage, ...] = ()


JointWeight = tuple[tuple[Pick, ...], float]
"""A joint pick of several seats, in seat order, and its chance."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One simultaneous turn of a solution, seat by seat.

    ``coalition`` is there for ``paranoid`` only: the joint mix of all seats but the answered one, who choose together.
    Their ``mix`` in ``seats`` is each one's share of it, which says less.
    """

    seats: tuple[SeatStage, ...]
    coalition: tuple[JointWeight, ...] = ()


class Solver(Protocol):
    """Something that knows the solution at every position reachable from the one it was made for."""

    def stage(self, position: Position) -> Stage:
        """The stage at ``position``, which must be reachable and not over."""

    def stats(self) -> Mapping[str, Any]:
        """Counters of the search so far; ``states`` is the number of states stored."""


@dataclass(frozen=True, slots=True)
class PickAnswer:
    """One pick of one seat: its probability, its value to the seat, and what it loses against the best pick."""

    pick: Pick
    probability: float
    value: float
    loss: float

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"pick": letters(self.pick), "probability": self.probability, "value": self.value, "loss": self.loss}


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """One seat's value and every distinct legal pick, best first (ties in card order).

    For the controller of a dummy position ``draws`` has the picks instead, draw by draw.
    """

    seat: int
    value: float
    picks: tuple[PickAnswer, ...]
    draws: tuple[DrawAnswer, ...] = ()

    def drawn(self, card: Card) -> DrawAnswer:
        """The controller's picks after it drew ``card``; raises :class:`UsageError` when this seat cannot draw it."""
        for answer in self.draws:
            if answer.card is card:
                return answer
        possible = letters(answer.card for answer in self.draws) or "nothing"
        raise UsageError(f"seat {self.seat} does not draw {card.letter} here: it can draw {possible}")

    def as_dict(self) -> dict[str, Any]:
        """The JSON form; ``draws`` only for a controller."""
        answer: dict[str, Any] = {
            "seat": self.seat,
            "value": self.value,
            "picks": [row.as_dict() for row in self.picks],
        }
        if self.draws:
            answer["draws"] = [draw.as_dict() for draw in self.draws]
        return answer


@dataclass(frozen=True, repr=False)
class Solution:
    """A solved position. Immutable; :meth:`strategy` looks up further positions on demand.

    ``value`` is the utility of seat 0, or of the only seat asked for. ``assumptions`` says what the answer rests on
    beyond the rules (the worth of a pudding, how the others play); ``proven`` is true only where the value follows
    from exhausting the tree. In the dummy variant ``draws`` are the cards drawn along ``line``, whose turns then end
    with the card laid for the dummy.
    """

    position: Position
    rules: Rules
    objective: str
    against: str
    value: float
    seats: tuple[SeatAnswer, ...]
    line: tuple[tuple[Pick, ...], ...]
    stats: Mapping[str, Any]
    proven: bool = True
    pudding_value: float | None = None
    assumptions: Mapping[str, Any] = field(default_factory=dict)
    draws: tuple[Card, ...] = ()
    solver: Solver | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        claim = "proven" if self.proven else "estimated"
        turn = "/".join(letters(pick) for pick in self.line[0]) if self.line else "none"
        return (
            f"<Solution of {str(self.position)!r}: {self.objective} {self.value:.9g}, {claim}, likeliest picks {turn}>"
        )

    def seat(self, seat: int) -> SeatAnswer:
        """The answer for one seat; raises :class:`UsageError` when that seat was not solved for."""
        for answer in self.seats:
            if answer.seat == seat:
                return answer
        raise UsageError(f"seat {seat} was not solved for: ask for seat {', '.join(str(a.seat) for a in self.seats)}")

    def best_pick(self, seat: int = 0) -> Pick:
        """The seat's likeliest pick (ties: card order); for a controller see :meth:`SeatAnswer.drawn`."""
        answer = self.seat(seat)
        if answer.draws:
            raise UsageError(f"seat {seat} draws before it picks: ask .seat({seat}).drawn(card).best for each card")
        return max(answer.picks, key=lambda row: row.probability).pick

    def strategy(self, position: Position) -> tuple[dict[Pick, float], ...]:
        """Each seat's mix at any position reachable from this one, as probabilities by pick.

        Empty for the controller of a dummy position, whose mixes depend on the draw (:meth:`draw_strategy`).
        """
        return tuple(dict(zip(part.picks, part.mix, strict=True)) for part in self._stage(position).seats)

    def draw_strategy(self, position: Position) -> dict[Card, dict[ControllerPick, float]]:
        """The controller's mix after each draw at a dummy position; empty for any other position."""
        parts = (draw for part in self._stage(position).seats for draw in part.draws)
        return {draw.card: dict(zip(draw.picks, draw.mix, strict=True)) for draw in parts}

    def _stage(self, position: Position) -> Stage:
        if self.solver is None:
            raise UsageError("this solution was loaded without its solver: solve the position again for its strategy")
        return self.solver.stage(position)

    def graph(self, least: float = 0.0) -> nx.DiGraph:
        """The positions reached with at least the probability ``least`` when every seat follows the solution.

        See :func:`solvers.endgame.graph.solution_graph` for what nodes and edges carry, and for exports.
        """
        from solvers.endgame.graph import solution_graph

        return solution_graph(self, least)

    def table(self) -> list[dict[str, Any]]:
        """One row a pick: seat, pick, probability, value, loss. Ready for a data frame or a printed table.

        A controller's rows also have the draw, its chance, and the card for the dummy.
        """
        rows: list[dict[str, Any]] = []
        for answer in self.seats:
            rows += ({"seat": answer.seat, **row.as_dict()} for row in answer.picks)
            for draw in answer.draws:
                start = {"seat": answer.seat, "draw": draw.card.letter, "chance": draw.chance}
                rows += ({**start, **row.as_dict()} for row in draw.picks)
        return rows

    def _repr_html_(self) -> str:
        from solvers.endgame.solution_html import solution_html

        return solution_html(self)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form (interface, section 5)."""
        answer: dict[str, Any] = {
            "position": str(self.position),
            "rules": self.rules.as_dict(),
            "objective": self.objective,
            "against": self.against,
            "proven": self.proven,
            "value": self.value,
            "seats": [answer.as_dict() for answer in self.seats],
            "line": [[letters(pick) for pick in turn] for turn in self.line],
            "stats": dict(self.stats),
        }
        if self.draws:
            answer["draws"] = [card.letter for card in self.draws]
        if self.pudding_value is not None:
            answer["pudding_value"] = self.pudding_value
        if self.assumptions:
            answer["assumptions"] = dict(self.assumptions)
        return answer


def seat_answer(part: SeatStage) -> SeatAnswer:
    """A seat's stage as an answer, best pick first.

    Losses are counted from the seat's value, which is that of its best pick; against ``quantal:L``, where the seat's
    value has its own mistakes in it, from the best pick.
    """
    best = max((part.value, *part.pick_values))
    rows = [
        PickAnswer(pick, chance, value, _no_negative_zero(best - value))
        for pick, chance, value in zip(part.picks, part.mix, part.pick_values, strict=True)
    ]
    rows.sort(key=lambda row: round(row.loss, 9))
    return SeatAnswer(part.seat, part.value, tuple(rows), tuple(map(draw_answer, part.draws)))


def likeliest_picks(stage: Stage) -> tuple[Pick, ...]:
    """The likeliest joint pick of a stage (ties: card order): each seat's likeliest, as seats mix independently, or the
    likeliest joint pick of a coalition."""
    picks = [part.picks[likeliest(part.mix)] for part in stage.seats]
    if stage.coalition:
        joint = stage.coalition[likeliest([weight for _, weight in stage.coalition])][0]
        rivals = [place for place, part in enumerate(stage.seats) if not part.answered]
        for place, pick in zip(rivals, joint, strict=True):
            picks[place] = pick
    return tuple(picks)


def likeliest(mix: Sequence[float]) -> int:
    """The first place of a mix whose chance is the largest."""
    most = max(mix)
    return next(place for place, chance in enumerate(mix) if chance >= most - 1e-9)


def principal_line(solver: Solver, position: Position, rules: Rules) -> tuple[tuple[Pick, ...], ...]:
    """The likeliest joint pick turn by turn to the end of the round, the forced last cards included."""
    line: list[tuple[Pick, ...]] = []
    while position.cards_left:
        picks = likeliest_picks(solver.stage(position))
        line.append(picks)
        position = position.play(picks, rules)
    return tuple(line)


def _no_negative_zero(number: float) -> float:
    return number + 0.0 if abs(number) > 1e-12 else 0.0
