"""The greedy rule: take the pick that adds most to what your own table is worth right now.

The worth of a table is what its finished sets, dumplings and nigiri score, plus the stated values of
``data/greedy.toml`` for what is unfinished: a tempura waiting for its pair, one or two sashimi, an open wasabi, each
maki icon, each pudding of this round, chopsticks in front. The *immediate gain* of a pick is the worth of the table
after it less the worth before; a pair taken with chopsticks is weighed as a whole, the chopsticks given up counted. The
rule looks neither at other tables nor at the cards to come. Ties go to the first pick in card order.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from solvers.data_files import data_folder
from solvers.endgame.jit import kernel
from solvers.endgame.packing import (
    CHOPSTICKS,
    FLOATS,
    I8,
    MAKI,
    MAKI_OUT,
    OWN,
    POINTS,
    PUDDING,
    ROW,
    SASHIMI,
    SEATS,
    TEMPURA,
    WASABI,
)
from solvers.endgame.seats_moves import AFTER, FIRST, MANY, MOVE_LAYERS, MOVES
from solvers.game.cards import Card
from solvers.game.picks import Pick
from solvers.game.position import Position, lay_pick
from solvers.game.rules import Rules
from solvers.game.scoring import (
    dumpling_points,
    maki_icons,
    nigiri_points,
    open_wasabi,
    sashimi_points,
    tempura_points,
)

_TIE = 1e-9


@cache
def _values() -> Mapping[str, Any]:
    return tomllib.loads((data_folder() / "greedy.toml").read_text(encoding="utf-8"))


def greedy_worth(table: Sequence[Card]) -> float:
    """What the greedy rule thinks a table is worth, in points."""
    unfinished, other = _values()["unfinished"], _values()["other"]
    tempura, sashimi = table.count(Card.TEMPURA), table.count(Card.SASHIMI)
    worth = float(tempura_points(tempura) + sashimi_points(sashimi) + nigiri_points(table))
    worth += dumpling_points(table.count(Card.DUMPLING))
    worth += unfinished["tempura"] * (tempura % 2)
    worth += (0.0, *unfinished["sashimi"])[sashimi % 3]
    worth += unfinished["wasabi"] * open_wasabi(table)
    worth += other["maki_icon"] * maki_icons(table)
    worth += other["pudding"] * table.count(Card.PUDDING)
    worth += other["chopsticks"] * table.count(Card.CHOPSTICKS)
    return float(worth)


def greedy_gain(position: Position, seat: int, pick: Pick, rules: Rules | None = None) -> float:
    """The immediate gain of one of the seat's distinct picks, in points."""
    table = position.tables[seat]
    _, after = lay_pick(position.hands[seat], table, pick, rules or Rules())
    return greedy_worth(after) - greedy_worth(table)


def greedy_pick(position: Position, seat: int, rules: Rules | None = None) -> Pick:
    """The seat's pick by the greedy rule: highest immediate gain, ties in card order."""
    rules = rules or Rules()
    picks = position.picks(seat, rules)
    gains = [greedy_gain(position, seat, pick, rules) for pick in picks]
    return next(pick for pick, gain in zip(picks, gains, strict=True) if gain >= max(gains) - _TIE)


def greedy_vector() -> tuple[float, ...]:
    """The values of ``data/greedy.toml`` as :func:`greedy_move` takes them."""
    unfinished, other = _values()["unfinished"], _values()["other"]
    return (
        unfinished["tempura"],
        *unfinished["sashimi"],
        unfinished["wasabi"],
        other["maki_icon"],
        other["pudding"],
        other["chopsticks"],
    )


@kernel(I8(FLOATS, MOVES, I8))
def greedy_move(reals: Any, moves: Any, seat: Any) -> Any:
    """The number of the seat's greedy pick in ``moves`` (unreduced boards; held to :func:`greedy_pick` by a test)."""
    best, highest = 0, 0.0
    for pick in range(moves[MANY, seat, 0]):
        table = moves[AFTER, seat, pick]
        sashimi = (table >> SASHIMI) & 3
        worth = (table >> POINTS) + reals[1] * ((table >> TEMPURA) & 1)
        if sashimi:
            worth += reals[1 + sashimi]
        worth += reals[4] * ((table >> WASABI) & 7) + reals[5] * ((table >> MAKI) & MAKI_OUT)
        worth += reals[6] * ((table >> PUDDING) & 15) + reals[7] * ((table >> CHOPSTICKS) & 7)
        if pick == 0 or worth > highest + _TIE:
            best, highest = pick, worth
    return best


@kernel((ROW, FLOATS, MOVES))
def keep_greedy(frame: Any, reals: Any, moves: Any) -> Any:
    """Leave every seat but ``OWN`` only its greedy pick."""
    for seat in range(frame[SEATS]):
        if seat != frame[OWN]:
            best = greedy_move(reals, moves, seat)
            moves[MANY, seat, 0] = 1
            for layer in range(FIRST, MOVE_LAYERS):
                moves[layer, seat, 0] = moves[layer, seat, best]
