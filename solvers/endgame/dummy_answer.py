"""The controller's part of an answer in the dummy variant: one set of picks for each card it may draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from solvers.game.cards import Card, letters
from solvers.game.dummy import ControllerPick
from solvers.game.picks import Pick


@dataclass(frozen=True, slots=True)
class DrawStage:
    """What the controller does after one draw; the three tuples run parallel, in the order of ``controller_picks``.

    ``chance`` is how likely the draw is, ``value`` the controller's utility once it holds that card. The rival does not
    see the card before both have picked, so its mix is the same for every draw.
    """

    card: Card
    chance: float
    value: float
    picks: tuple[ControllerPick, ...]
    mix: tuple[float, ...]
    pick_values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class DrawnPick:
    """One choice of the controller after a draw: its own pick, the card for the dummy, and what that is worth.

    ``probability`` is among the picks after this draw; ``loss`` is against the value of the draw.
    """

    pick: Pick
    dummy: Card
    probability: float
    value: float
    loss: float

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "pick": letters(self.pick),
            "dummy": self.dummy.letter,
            "probability": self.probability,
            "value": self.value,
            "loss": self.loss,
        }


@dataclass(frozen=True, slots=True)
class DrawAnswer:
    """One possible draw: its chance, the controller's value with it, and every choice, best first."""

    card: Card
    chance: float
    value: float
    picks: tuple[DrawnPick, ...]

    @property
    def best(self) -> DrawnPick:
        """The likeliest choice (ties: the better one, then card order)."""
        return max(self.picks, key=lambda row: round(row.probability, 9))

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "draw": self.card.letter,
            "chance": self.chance,
            "value": self.value,
            "picks": [row.as_dict() for row in self.picks],
        }


def draw_answer(part: DrawStage) -> DrawAnswer:
    """A draw of a stage as an answer: losses against the value of the draw, best choice first."""
    rows = [
        DrawnPick(pick.own, pick.dummy, chance, value, part.value - value)
        for pick, chance, value in zip(part.picks, part.mix, part.pick_values, strict=True)
    ]
    rows.sort(key=lambda row: round(row.loss, 9))
    return DrawAnswer(part.card, part.chance, part.value, tuple(rows))
