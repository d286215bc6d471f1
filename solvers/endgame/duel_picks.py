"""The picks of a packed two-seat state, best-looking first.

Good order is what makes the search prune: it costs nothing in exactness, so the estimates here are rough and few.
"""

from __future__ import annotations

from typing import Any

from solvers.endgame.duel_state import (
    CHOPSTICKS_BIT,
    DUMPLING_BIT,
    ICONS,
    JUNK,
    M1,
    M2,
    M3,
    NO_CARD,
    R_LAST_ROUND,
    R_PUDDING_VALUE,
    R_STRICT,
    SASHIMI_BIT,
    TEMPURA_BIT,
    WASABI_BIT,
    C,
    D,
    E,
    L,
    P,
    Q,
    S,
    T,
    W,
    held,
    lay,
)
from solvers.endgame.jit import lean_kernel

MAX_PICKS = 96
"""No hand of ten cards has more distinct picks, pairs in both orders included."""

# A pick is one word: the seat's features after it (bits 0-11) and these.
GAIN_BIT, ICONS_BIT, PUDDINGS_BIT, FIRST_BIT, SECOND_BIT = 12, 20, 24, 28, 32
_NIBBLE = 15
WORTHS = 16
"""Room for one rough worth a kind of card."""

# Rough worth in points, for ordering only.
_HALF_TEMPURA, _FIRST_SASHIMI, _SECOND_SASHIMI, _OPEN_WASABI, _MAKI_ICON, _PUDDING, _CHOPSTICKS = (
    2.0,
    1.5,
    3.5,
    3.0,
    0.9,
    2.0,
    1.0,
)
_DENIAL = 0.7
_PAIR_COST = 1.0
_WRONG_ORDER = 2.0


@lean_kernel("f8(i8, i8, i8, f8[::1])", inner=True)
def rough_worth(kind: Any, seat: Any, total: Any, rules: Any) -> Any:
    """About what one card is worth to a seat with these features, given all cards left (both hands summed)."""
    if kind == T:
        if (seat >> TEMPURA_BIT) & 1:
            return 5.0
        return _HALF_TEMPURA if held(total, T) > 1 else 0.0
    if kind == S:
        laid = (seat >> SASHIMI_BIT) & 3
        if laid + held(total, S) < 3:
            return 0.0
        if laid == 2:
            return 10.0
        return _SECOND_SASHIMI if laid == 1 else _FIRST_SASHIMI
    if kind == D:
        laid = (seat >> DUMPLING_BIT) & 7
        return min(laid, 5) + 1.0 if laid < 5 else 0.0
    if kind == M1 or kind == M2 or kind == M3:
        return _MAKI_ICON * ICONS[kind]
    if kind == E or kind == L or kind == Q:
        points = kind - E + 1.0
        return 3.0 * points if (seat >> WASABI_BIT) & 7 else points
    if kind == P:
        return _PUDDING if rules[R_LAST_ROUND] != 0.0 else rules[R_PUDDING_VALUE]
    if kind == W:
        return _OPEN_WASABI if held(total, E) + held(total, L) + held(total, Q) else 0.0
    if kind == C:
        return _CHOPSTICKS
    return 0.0


@lean_kernel("void(i8, i8, i8, i8, i8, i8[::1], i8[::1])", inner=True)
def write_pick(place: Any, first: Any, second: Any, seat: Any, hand: Any, picks: Any, rests: Any) -> Any:
    """Write one pick and the hand it leaves to pass on."""
    after, gain = lay(seat, first)
    icons, puddings = int(ICONS[first]), int(first == P)
    rest = hand - (1 << (4 * first))
    if second != NO_CARD:
        after, more = lay(after, second)
        after -= 1 << CHOPSTICKS_BIT
        gain += more
        icons += int(ICONS[second])
        puddings += int(second == P)
        rest += (1 << (4 * C)) - (1 << (4 * second))
    picks[place] = (
        after
        | gain << GAIN_BIT
        | icons << ICONS_BIT
        | puddings << PUDDINGS_BIT
        | first << FIRST_BIT
        | (second & _NIBBLE) << SECOND_BIT
    )
    rests[place] = rest


@lean_kernel("void(i8, f8, i8[::1])", inner=True)
def _rank(place: Any, worth: Any, order: Any) -> Any:
    """Insert pick ``place`` into the order, best first. An entry is the worth in sixteenths above the pick's place."""
    entry = (int(16.0 * worth) << 8) - place
    while place > 0 and order[place - 1] < entry:
        order[place] = order[place - 1]
        place -= 1
    order[place] = entry


@lean_kernel("void(i8, i8, i8, f8[::1], f8[::1])", inner=True)
def rough_worths(total: Any, seat0: Any, seat1: Any, rules: Any, worths: Any) -> Any:
    """Write each kind's rough worth to seat 0, then to seat 1, what it keeps from the rival included."""
    for kind in range(JUNK):
        if held(total, kind):
            own, rival = rough_worth(kind, seat0, total, rules), rough_worth(kind, seat1, total, rules)
            worths[kind] = own + _DENIAL * rival
            worths[WORTHS + kind] = rival + _DENIAL * own
    worths[JUNK] = 0.0
    worths[WORTHS + JUNK] = 0.0


@lean_kernel("i8(i8, i8, i8, f8[::1], f8[::1], i8[::1], i8[::1], i8[::1])", inner=True)
def _list_pairs(count: Any, hand: Any, seat: Any, rules: Any, worths: Any, picks: Any, rests: Any, order: Any) -> Any:
    """Add the picks of two cards to the list."""
    waiting = (seat >> WASABI_BIT) & 7
    for first in range(JUNK + 1):
        if first == C or not held(hand, first):
            continue
        nigiri_first = E <= first <= Q
        for second in range(first, JUNK + 1):
            if second == C or held(hand, second) < (2 if first == second else 1):
                continue
            worth = worths[first] + worths[second] - _PAIR_COST
            nigiri_second = E <= second <= Q
            both_orders = nigiri_first and (
                (nigiri_second and first != second and waiting == 1)
                or (second == W and waiting == 0 and rules[R_STRICT] == 0.0)
            )
            write_pick(count, first, second, seat, hand, picks, rests)
            _rank(count, worth - (_WRONG_ORDER if both_orders else 0.0), order)
            count += 1
            if both_orders:
                write_pick(count, second, first, seat, hand, picks, rests)
                _rank(count, worth, order)
                count += 1
    return count


@lean_kernel("i8(i8, i8, f8[::1], f8[::1], i8[::1], i8[::1], i8[::1])", inner=True)
def list_picks(hand: Any, seat: Any, rules: Any, worths: Any, picks: Any, rests: Any, order: Any) -> Any:
    """Fill ``picks``, ``rests`` (the hand passed on) and ``order`` with a seat's distinct picks; returns how many."""
    count = 0
    for kind in range(JUNK + 1):
        if held(hand, kind):
            write_pick(count, kind, NO_CARD, seat, hand, picks, rests)
            _rank(count, worths[kind], order)
            count += 1
    if (seat >> CHOPSTICKS_BIT) & 7 != 0:
        count = _list_pairs(count, hand, seat, rules, worths, picks, rests, order)
    for place in range(count):
        order[place] = (-order[place]) & 255
    return count
