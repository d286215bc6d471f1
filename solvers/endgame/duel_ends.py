"""The last one and two turns of a two-seat round in closed form, so that they never enter the search's table."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.duel_state import (
    HAS_MAKI_BIT,
    ICONS,
    MAKI_BIT,
    MAKI_ZERO,
    PUDDING_BIT,
    PUDDING_ZERO,
    R_LAST_ROUND,
    R_PUDDING_PRIZE,
    R_PUDDING_VALUE,
    R_WIN,
    SCORE_BIT,
    SCORE_ZERO,
    SEAT_BITS,
    SEAT_MASK,
    P,
    lay,
    maki_margin,
)
from solvers.endgame.jit import lean_kernel

_BRUIJN = 0x03F79D71B4CB0A89
_POSITION = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    _POSITION[((_BRUIJN << _bit) & 0xFFFFFFFFFFFFFFFF) >> 58] = _bit


@lean_kernel("i8(i8)", inner=True)
def first_kind(hand: Any) -> Any:
    """The lowest kind of card in a hand word that is not empty."""
    lowest = np.uint64(hand & -hand)  # unsigned, because the product wraps around
    return int(_POSITION[np.int64((lowest * np.uint64(_BRUIJN)) >> np.uint64(58))]) >> 2


@lean_kernel("f8(i8, i8, i8, i8, b1, b1, i8, f8, f8[::1])", inner=True)
def settle(
    kind0: Any,
    kind1: Any,
    seat0: Any,
    seat1: Any,
    has0_bits: Any,
    has1_bits: Any,
    contest: Any,
    banked: Any,
    rules: Any,
) -> Any:
    """The value once each seat lays its last card: ``contest`` packs maki difference (x 1024) and pudding lead."""
    _, gain0 = lay(seat0, kind0)
    _, gain1 = lay(seat1, kind1)
    lead = (contest & 1023) - 512
    difference = (contest >> 10) - 512
    icons0, icons1 = int(ICONS[kind0]), int(ICONS[kind1])
    difference += icons0 - icons1
    margin = banked + gain0 - gain1
    if difference != 0:
        margin += maki_margin(difference, has0_bits or icons0 > 0, has1_bits or icons1 > 0, rules)
    puddings = int(kind0 == P) - int(kind1 == P)
    lead += puddings
    tie_break = 0.0
    if rules[R_LAST_ROUND] == 0.0:
        margin += puddings * rules[R_PUDDING_VALUE]
    elif lead > 0:
        margin += rules[R_PUDDING_PRIZE]
        tie_break = 0.5
    elif lead < 0:
        margin -= rules[R_PUDDING_PRIZE]
        tie_break = -0.5
    if rules[R_WIN] == 0.0:
        return margin
    margin += tie_break
    return 1.0 if margin > 0.0 else (0.0 if margin < 0.0 else 0.5)


@lean_kernel("f8(i8, i8, i8, f8[::1])", inner=True)
def forced_value(hand0: Any, hand1: Any, features: Any, rules: Any) -> Any:
    """The value with one card in each hand."""
    contest = (
        ((((features >> MAKI_BIT) & 127) - MAKI_ZERO + 512) << 10)
        + ((features >> PUDDING_BIT) & 63)
        - PUDDING_ZERO
        + 512
    )
    banked = 0.5 * ((features >> SCORE_BIT) - SCORE_ZERO) if rules[R_WIN] != 0.0 else 0.0
    return settle(
        first_kind(hand0),
        first_kind(hand1),
        features & SEAT_MASK,
        (features >> SEAT_BITS) & SEAT_MASK,
        (features >> HAS_MAKI_BIT) & 1 != 0,
        (features >> (HAS_MAKI_BIT + 1)) & 1 != 0,
        contest,
        banked,
        rules,
    )


@lean_kernel("f8(i8, i8, i8, i8, i8, f8[::1])", inner=True)
def two_turns(taken0: Any, passed0: Any, taken1: Any, passed1: Any, features: Any, rules: Any) -> Any:
    """The value when each seat lays its pick and then the card the other passed on."""
    seat0, gain0 = lay(features & SEAT_MASK, taken0)
    seat1, gain1 = lay((features >> SEAT_BITS) & SEAT_MASK, taken1)
    icons0, icons1 = int(ICONS[taken0]), int(ICONS[taken1])
    difference = ((features >> MAKI_BIT) & 127) - MAKI_ZERO + icons0 - icons1
    puddings = int(taken0 == P) - int(taken1 == P)
    lead = ((features >> PUDDING_BIT) & 63) - PUDDING_ZERO + puddings
    banked = float(gain0 - gain1)
    if rules[R_LAST_ROUND] == 0.0:
        banked += rules[R_PUDDING_VALUE] * puddings
    if rules[R_WIN] != 0.0:
        banked += 0.5 * ((features >> SCORE_BIT) - SCORE_ZERO)
    has0 = (features >> HAS_MAKI_BIT) & 1 != 0 or icons0 > 0
    has1 = (features >> (HAS_MAKI_BIT + 1)) & 1 != 0 or icons1 > 0
    contest = ((difference + 512) << 10) + lead + 512
    return settle(passed1, passed0, seat0, seat1, has0, has1, contest, banked, rules)


@lean_kernel("f8(i8, i8, i8, f8[::1])", inner=True)
def last_choice(hand0: Any, hand1: Any, features: Any, rules: Any) -> Any:
    """The value with two cards in each hand and no chopsticks in front, in closed form: a 2 x 2 game of four ends."""
    a = first_kind(hand0)
    b = first_kind(hand0 - (1 << (4 * a)))
    c = first_kind(hand1)
    d = first_kind(hand1 - (1 << (4 * c)))
    ac = two_turns(a, b, c, d, features, rules)
    if a == b and c == d:
        return ac
    if a == b:
        return min(ac, two_turns(a, b, d, c, features, rules))
    if c == d:
        return max(ac, two_turns(b, a, c, d, features, rules))
    ad = two_turns(a, b, d, c, features, rules)
    bc = two_turns(b, a, c, d, features, rules)
    bd = two_turns(b, a, d, c, features, rules)
    low = max(min(ac, ad), min(bc, bd))
    high = min(max(ac, bc), max(ad, bd))
    if low >= high:
        return low
    return (ac * bd - ad * bc) / (ac + bd - ad - bc)
