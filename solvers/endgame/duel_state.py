"""Packed states of a two-seat round for the fast engine, and the reductions that merge equivalent states.

A state is three 64-bit words. A *hand word* holds thirteen 4-bit counts, one for each kind of card and one, ``JUNK``,
for cards that have become worthless to both seats. The *feature word* holds what the tables still bear on::

    bits 0-11   seat 0: tempura 1, sashimi 2, dumplings 3, open wasabi 3, chopsticks 3
    bits 12-23  seat 1: the same
    bits 24-30  maki icons of seat 0 less those of seat 1, plus 64
    bits 31-32  whether seat 0, seat 1 has any maki
    bits 33-38  puddings of seat 0 less those of seat 1, plus 32
    bits 39-    for ``win`` only: twice the margin banked so far, plus 2048

Points are *banked* the moment they can no longer change and leave the state; a state's value is what is still to come.
The proof of each reduction stands at the line that makes it, in :func:`reduce_state`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.game.cards import KINDS, MAKI_ICONS, NIGIRI_POINTS, Card
from solvers.game.position import Position
from solvers.game.rules import Rules
from solvers.game.scoring import DUMPLING_POINTS, SASHIMI_SET, TEMPURA_PAIR, WASABI_FACTOR, maki_points, pudding_points

T, S, D = int(Card.TEMPURA), int(Card.SASHIMI), int(Card.DUMPLING)
M1, M2, M3 = int(Card.MAKI1), int(Card.MAKI2), int(Card.MAKI3)
E, L, Q = int(Card.EGG_NIGIRI), int(Card.SALMON_NIGIRI), int(Card.SQUID_NIGIRI)
P, W, C = int(Card.PUDDING), int(Card.WASABI), int(Card.CHOPSTICKS)
JUNK = 12
NO_CARD = -1

TEMPURA_BIT, SASHIMI_BIT, DUMPLING_BIT, WASABI_BIT, CHOPSTICKS_BIT = 0, 1, 3, 6, 9
SEAT_BITS = 12
SEAT_MASK = (1 << SEAT_BITS) - 1
MAKI_BIT, HAS_MAKI_BIT, PUDDING_BIT, SCORE_BIT = 24, 31, 33, 39
MAKI_ZERO, PUDDING_ZERO, SCORE_ZERO = 64, 32, 2048
MAKI_DECIDED = 36
"""The maki difference that stands for "decided" while the second prize is open.

The deck has 54 icons, so a lead larger than the icons left leaves at most 26: they cannot make up 36, nor do they take
36 out of the seven bits of the field.
"""

# Places in the rules vector the kernels take (see `rules_vector`).
R_MAKI_LEAD, R_MAKI_ALONE, R_PUDDING_PRIZE, R_LAST_ROUND, R_PUDDING_VALUE, R_WIN, R_STRICT, R_LENGTH = range(8)

ICONS = np.array([MAKI_ICONS.get(card, 0) for card in KINDS] + [0], dtype=np.int64)
_NIGIRI = np.array([NIGIRI_POINTS.get(card, 0) for card in KINDS] + [0], dtype=np.int64)
_DUMPLINGS = np.array(DUMPLING_POINTS, dtype=np.int64)
_DUMPLING_CAP = len(DUMPLING_POINTS) - 1


def rules_vector(position: Position, objective: str, rules: Rules, pudding_value: float) -> np.ndarray:
    """What the kernels need to know of rules, round and objective, as float64 (indices ``R_…``)."""
    vector = np.zeros(R_LENGTH)
    both, alone = maki_points((2, 1), rules), maki_points((1, 0), rules)
    prize = pudding_points((1, 0), rules)
    vector[R_MAKI_LEAD] = both[0] - both[1]
    vector[R_MAKI_ALONE] = alone[0] - alone[1]
    vector[R_PUDDING_PRIZE] = prize[0] - prize[1]
    vector[R_LAST_ROUND] = position.round == 3
    vector[R_PUDDING_VALUE] = pudding_value
    vector[R_WIN] = objective == "win"
    vector[R_STRICT] = rules.chopsticks_order == "strict_prior"
    return vector


@lean_kernel("i8(i8, i8)", inner=True)
def held(hand: Any, kind: Any) -> Any:
    """How many cards of ``kind`` a hand word holds."""
    return (hand >> (4 * kind)) & 15


@lean_kernel("UniTuple(i8, 2)(i8, i8)", inner=True)
def lay(seat: Any, kind: Any) -> Any:
    """Lay one card on a seat's table: its new feature bits and the points it makes at once.

    Maki and puddings are contests between the seats and are not seat features.
    """
    if kind == T:
        return seat ^ (1 << TEMPURA_BIT), TEMPURA_PAIR * ((seat >> TEMPURA_BIT) & 1)
    if kind == S:
        if (seat >> SASHIMI_BIT) & 3 == 2:
            return seat - (2 << SASHIMI_BIT), SASHIMI_SET
        return seat + (1 << SASHIMI_BIT), 0
    if kind == D:
        laid = (seat >> DUMPLING_BIT) & 7
        if laid >= _DUMPLING_CAP:
            return seat, 0
        return seat + (1 << DUMPLING_BIT), int(_DUMPLINGS[laid + 1] - _DUMPLINGS[laid])
    if kind == W:
        return seat + (1 << WASABI_BIT), 0
    if kind == C:
        return seat + (1 << CHOPSTICKS_BIT), 0
    if E <= kind <= Q:
        if (seat >> WASABI_BIT) & 7:
            return seat - (1 << WASABI_BIT), WASABI_FACTOR * int(_NIGIRI[kind])
        return seat, int(_NIGIRI[kind])
    return seat, 0


@lean_kernel("f8(i8, b1, b1, f8[::1])", inner=True)
def maki_margin(difference: Any, seat0_has: Any, seat1_has: Any, rules: Any) -> Any:
    """Seat 0's maki points less seat 1's, at the end of the round."""
    if difference > 0:
        return rules[R_MAKI_LEAD] if seat1_has else rules[R_MAKI_ALONE]
    if difference < 0:
        return -(rules[R_MAKI_LEAD] if seat0_has else rules[R_MAKI_ALONE])
    return 0.0


@lean_kernel("UniTuple(i8, 2)(i8, i8, i8)", inner=True)
def to_junk(hand0: Any, hand1: Any, kind: Any) -> Any:
    """Both hands with every card of ``kind`` turned into junk."""
    shift, junk = 4 * kind, 4 * JUNK
    count0, count1 = (hand0 >> shift) & 15, (hand1 >> shift) & 15
    return hand0 - (count0 << shift) + (count0 << junk), hand1 - (count1 << shift) + (count1 << junk)


@lean_kernel("i8(i8)", inner=True)
def hand_size(hand: Any) -> Any:
    """Cards in a hand word."""
    sums = (hand & 0x0F0F0F0F0F0F0F0F) + ((hand >> 4) & 0x0F0F0F0F0F0F0F0F)
    sums += sums >> 8
    sums += sums >> 16
    sums += sums >> 32
    return sums & 255


@lean_kernel("i8(i8, i8, i8, i8)", inner=True)
def reduce_seat(seat: Any, tempura: Any, sashimi: Any, nigiri_and_more: Any) -> Any:
    """Seat features without what the cards left can no longer change (proofs in :func:`reduce_state`).

    ``nigiri_and_more`` packs the nigiri left (bits 0-7), whether dumplings are left (bit 8) and the turns on which
    chopsticks can still be used (bits 9-).
    """
    if (seat >> TEMPURA_BIT) & 1 and tempura == 0:
        seat -= 1 << TEMPURA_BIT
    laid = (seat >> SASHIMI_BIT) & 3
    if laid and laid + sashimi < 3:
        seat -= laid << SASHIMI_BIT
    if not (nigiri_and_more >> 8) & 1:
        seat &= ~(7 << DUMPLING_BIT)
    nigiri = nigiri_and_more & 255
    waiting = (seat >> WASABI_BIT) & 7
    if waiting > nigiri:
        seat -= (waiting - nigiri) << WASABI_BIT
    turns = nigiri_and_more >> 9
    sticks = (seat >> CHOPSTICKS_BIT) & 7
    if sticks > turns:
        seat -= (sticks - turns) << CHOPSTICKS_BIT
    return seat


@lean_kernel("Tuple((i8, i8, i8, f8))(i8, i8, i8, f8[::1])", inner=True)
def reduce_state(hand0: Any, hand1: Any, features: Any, rules: Any) -> Any:
    """The canonical state of the same game, and the points (seat 0's less seat 1's) banked on the way.

    Each step keeps the value of the state plus the bank, because the two games have the same picks (up to picks that
    differ only in which worthless card is taken) and pay the same at the end of every line:

    - *tempura, sashimi*: a seat's unpaired tempura, or its sashimi short of a set, matters only if enough cards are
      left to complete it; no line can, so the feature is dropped. When no seat can complete anything with the cards
      left, those cards never pay and become junk.
    - *dumplings*: with none left the count pays nothing more (each card's worth was banked when laid), and from five on
      further ones pay nothing.
    - *wasabi*: only as many open wasabi can ever be used as nigiri are left; with none left wasabi cards are junk.
    - *chopsticks*: used at most once a turn and never with one card in hand, so more than (cards in hand - 1) in front
      are idle; taken with two cards in hand they can never be used, so from then on they are junk in hand.
    - *maki, puddings*: a lead larger than all icons (puddings) left decides the contest; its prize is banked, and the
      cards are junk. If the loser's second prize is still open (it has no maki yet), only "decided" is kept.
    """
    total = hand0 + hand1
    cards = hand_size(hand0)
    bank = 0.0
    tempura, sashimi, dumplings = held(total, T), held(total, S), held(total, D)
    nigiri = held(total, E) + held(total, L) + held(total, Q)
    more = nigiri | ((1 if dumplings else 0) << 8) | ((cards - 1) << 9)
    seat0 = features & SEAT_MASK
    seat1 = (features >> SEAT_BITS) & SEAT_MASK
    seat0 = reduce_seat(seat0, tempura, sashimi, more)
    seat1 = reduce_seat(seat1, tempura, sashimi, more)
    either = seat0 | seat1
    if tempura == 1 and not (either >> TEMPURA_BIT) & 1:
        hand0, hand1 = to_junk(hand0, hand1, T)
    if sashimi and sashimi < 3 and not (either >> SASHIMI_BIT) & 3:
        hand0, hand1 = to_junk(hand0, hand1, S)
    if dumplings and min((seat0 >> DUMPLING_BIT) & 7, (seat1 >> DUMPLING_BIT) & 7) >= _DUMPLING_CAP:
        hand0, hand1 = to_junk(hand0, hand1, D)
        seat0 &= ~(7 << DUMPLING_BIT)
        seat1 &= ~(7 << DUMPLING_BIT)
    if nigiri == 0 and held(total, W):
        hand0, hand1 = to_junk(hand0, hand1, W)
    if cards <= 2 and held(total, C):
        hand0, hand1 = to_junk(hand0, hand1, C)

    difference: Any = ((features >> MAKI_BIT) & 127) - MAKI_ZERO
    has0 = (features >> HAS_MAKI_BIT) & 1 != 0
    has1 = (features >> (HAS_MAKI_BIT + 1)) & 1 != 0
    icons = held(total, M1) + 2 * held(total, M2) + 3 * held(total, M3)
    if rules[R_MAKI_LEAD] == rules[R_MAKI_ALONE]:
        has0 = has1 = True
    if abs(difference) > icons:
        if icons == 0 or (has1 if difference > 0 else has0):
            bank += maki_margin(difference, has0, has1, rules)
            difference = 0
            has0 = has1 = False
            if icons:
                hand0, hand1 = to_junk(hand0, hand1, M1)
                hand0, hand1 = to_junk(hand0, hand1, M2)
                hand0, hand1 = to_junk(hand0, hand1, M3)
        else:
            difference = MAKI_DECIDED if difference > 0 else -MAKI_DECIDED
    elif icons == 0:
        has0 = has1 = False

    lead: Any = ((features >> PUDDING_BIT) & 63) - PUDDING_ZERO
    puddings = held(total, P)
    if rules[R_LAST_ROUND] == 0.0:
        lead = 0
    elif abs(lead) > puddings:
        sign = 1.0 if lead > 0 else -1.0
        bank += sign * rules[R_PUDDING_PRIZE]
        if rules[R_WIN] != 0.0:
            bank += 0.5 * sign  # equal totals go to the seat with more puddings: half a point settles just that
        lead = 0
        if puddings:
            hand0, hand1 = to_junk(hand0, hand1, P)
    word = seat0 | (seat1 << SEAT_BITS) | ((difference + MAKI_ZERO) << MAKI_BIT)
    if has0:
        word |= 1 << HAS_MAKI_BIT
    if has1:
        word |= 1 << (HAS_MAKI_BIT + 1)
    word |= (lead + PUDDING_ZERO) << PUDDING_BIT
    word |= (features >> SCORE_BIT) << SCORE_BIT
    return hand0, hand1, word, bank
