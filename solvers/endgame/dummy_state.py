"""Packed states of the dummy variant for the compiled search, and what the end of a round is worth.

Everything is seen from the *controller*, the seat that draws. A hand is a word of 4-bit counts as in
:mod:`solvers.endgame.duel_state`. A *table word* holds what a table still bears on::

    bits 0-11   the seat features of `duel_state`: tempura 1, sashimi 2, dumplings 3, open wasabi 3, chopsticks 3
    bits 12-18  maki icons
    bits 19-    puddings, those kept from earlier rounds included

Points a seat makes at once are banked in the *lead*, the controller's points so far less the rival's. The dummy's
table holds only icons and puddings: its other cards score nothing that counts, for its points decide nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from solvers.endgame.duel_state import CHOPSTICKS_BIT, WASABI_BIT, C, E, P, Q, W, held, lay
from solvers.endgame.jit import kernel
from solvers.game.cards import KINDS, MAKI_ICONS, Card
from solvers.game.dummy import DummyPosition
from solvers.game.rules import Rules
from solvers.game.scoring import maki_points, pudding_points

SEAT_MASK = (1 << 12) - 1
ICONS_BIT, PUDDINGS_BIT = 12, 19
ICONS_MASK = (1 << (PUDDINGS_BIT - ICONS_BIT)) - 1
NO_CARD = -1
UNSEEN = int(Card.UNSEEN)

# The vector `ending_vector` makes: 27 orders of three icon counts for each set of seats without icons, then 27 orders
# of three pudding counts, then the rest.
ORDERS = 27
PUDDING_ORDERS = 8 * ORDERS
PUDDING_VALUE = PUDDING_ORDERS + ORDERS
WIN = PUDDING_VALUE + 1
STRICT = WIN + 1
ENDING_LENGTH = STRICT + 1

_ICONS = np.array([MAKI_ICONS.get(card, 0) for card in KINDS], dtype=np.int64)


def ending_vector(round_number: int, objective: str, rules: Rules, pudding_value: float) -> np.ndarray:
    """What a finished round is worth to the controller beyond the points banked, as float64.

    Prizes depend on three counts only through which of any two is larger, and for maki through which are zero; every
    such case occurs among counts up to 3, where the game room is asked. Entries are the controller's prize less the
    rival's.
    """
    vector = np.zeros(ENDING_LENGTH)
    for counts in product(range(4), repeat=3):
        vector[ORDERS * no_icons(*counts) + order(*counts)] = _lead(maki_points, counts, rules)
        if round_number == 3:
            vector[PUDDING_ORDERS + order(*counts)] = _lead(pudding_points, counts, rules)
    vector[PUDDING_VALUE] = 0.0 if round_number == 3 else pudding_value
    vector[WIN] = objective == "win"
    vector[STRICT] = rules.chopsticks_order == "strict_prior"
    return vector


def _lead(prizes: Callable[[Sequence[int], Rules], tuple[int, ...]], counts: Sequence[int], rules: Rules) -> int:
    points = prizes(counts, rules)
    return points[0] - points[1]


def hand_word(cards: Sequence[Card]) -> np.uint64:
    """A hand as a word of 4-bit counts."""
    return np.uint64(sum(1 << (4 * card) for card in cards))


def table_word(position: DummyPosition, place: int) -> tuple[int, int]:
    """The word of one table (the dummy's is place 2) and the points banked on it."""
    word, points = position.puddings[place] << PUDDINGS_BIT, 0
    for card in position.tables[place]:
        word, gain = lay_on(word, int(card))
        points += int(gain)
    return int(word), points


@kernel("i8(i8, i8, i8)", inline=True)
def order(first: Any, second: Any, third: Any) -> Any:
    """A number below 27 for which of any two counts is larger."""
    code = 9 * (1 + (first > second) - (first < second))
    code += 3 * (1 + (first > third) - (first < third))
    return code + 1 + (second > third) - (second < third)


@kernel("i8(i8, i8, i8)", inline=True)
def no_icons(first: Any, second: Any, third: Any) -> Any:
    """A number below 8 for which of three counts are zero."""
    return (first == 0) + 2 * (second == 0) + 4 * (third == 0)


@kernel("UniTuple(i8, 2)(i8, i8)")
def lay_on(table: Any, kind: Any) -> Any:
    """A seat's table word after one more card, and the points made at once."""
    seat, gain = lay(table & SEAT_MASK, kind)
    return (table & ~SEAT_MASK) + seat + (_ICONS[kind] << ICONS_BIT) + ((kind == P) << PUDDINGS_BIT), gain


@kernel("i8(i8, i8)")
def give(table: Any, kind: Any) -> Any:
    """The dummy's table word after one more card."""
    return table + (_ICONS[kind] << ICONS_BIT) + ((kind == P) << PUDDINGS_BIT)


@kernel("f8(f8, i8, i8, i8, f8[::1])")
def ending(lead: Any, own: Any, rival: Any, dummy: Any, rules: Any) -> Any:
    """The controller's utility when the round ends; the rival's is the opposite.

    For ``win`` it is 1 for a win, 0 for a shared one and -1 for a loss: twice the share of the win, less 1.
    """
    own_icons = (own >> ICONS_BIT) & ICONS_MASK
    rival_icons = (rival >> ICONS_BIT) & ICONS_MASK
    dummy_icons = (dummy >> ICONS_BIT) & ICONS_MASK
    own_puddings, rival_puddings, dummy_puddings = own >> PUDDINGS_BIT, rival >> PUDDINGS_BIT, dummy >> PUDDINGS_BIT
    case = ORDERS * no_icons(own_icons, rival_icons, dummy_icons) + order(own_icons, rival_icons, dummy_icons)
    margin = lead + rules[case] + rules[PUDDING_ORDERS + order(own_puddings, rival_puddings, dummy_puddings)]
    margin += rules[PUDDING_VALUE] * (own_puddings - rival_puddings)
    if rules[WIN] == 0.0:
        return margin
    if margin == 0.0:
        margin = np.float64(own_puddings - rival_puddings)
    return np.float64((margin > 0.0) - (margin < 0.0))


@kernel("i8(i8, i8, i8, u8, i8, i8[:, ::1], u8[::1])")
def _add(count: Any, first: Any, second: Any, hand: Any, table: Any, picks: Any, rests: Any) -> Any:
    after, points = lay_on(table, first)
    rest = hand - (np.uint64(1) << np.uint64(4 * first))
    if second != NO_CARD:
        after, more = lay_on(after, second)
        after -= 1 << CHOPSTICKS_BIT
        points += more
        rest = rest - (np.uint64(1) << np.uint64(4 * second)) + (np.uint64(1) << np.uint64(4 * C))
    picks[count, 0] = first
    picks[count, 1] = second
    picks[count, 2] = after
    picks[count, 3] = points
    rests[count] = rest
    return count + 1


@kernel("i8(u8, i8, f8[::1], i8[:, ::1], u8[::1])")
def list_own(hand: Any, table: Any, rules: Any, picks: Any, rests: Any) -> Any:
    """A seat's distinct picks in the order of ``distinct_picks``; returns how many.

    Row ``i`` of ``picks`` is first card, second card (or -1), table word afterwards, points made; ``rests[i]`` is the
    hand left, used chopsticks returned. The hand must have cards enough to lay two with chopsticks.
    """
    count = 0
    for kind in range(12):
        if held(hand, kind):
            count = _add(count, kind, NO_CARD, hand, table, picks, rests)
    if (table >> CHOPSTICKS_BIT) & 7 == 0:
        return count
    waiting = (table >> WASABI_BIT) & 7
    for first in range(C):
        if held(hand, first):
            for second in range(C):
                if held(hand, second) > (first == second):
                    nigiri, both = E <= first <= Q, E <= second <= Q
                    swappable = (nigiri and both and waiting == 1) or (
                        waiting == 0 and rules[STRICT] == 0.0 and ((nigiri and second == W) or (both and first == W))
                    )
                    if first <= second or swappable:
                        count = _add(count, first, second, hand, table, picks, rests)
    return count
