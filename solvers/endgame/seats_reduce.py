"""Reductions: boards with the same future become the same board.

A reduction replaces a board by another one whose game is the same, up to a constant that is *banked* at once: there is
a one-to-one match between the lines of play of both (in ``FULL_REDUCTION``, up to picks that differ only in which
worthless card is taken), legal picks matching legal picks, and the final utilities of every seat that counts differ by
the banked constant. Values then differ by the constant, and so do the values of matching picks; best replies, zero-sum
values, equilibria and logit responses are the same, as none of them changes when a constant is added to a utility.

Throughout, ``reach`` of a seat for a kind of card is an upper bound on how many of them the seat can still take: no
more than the hands hold that it will see; and if no hand comes round twice and the seat cannot use chopsticks, no more
than one from each.

1. *Tempura, sashimi.* If laid + reach falls short of a set, no line completes it: the started set pays nothing, and is
   dropped. Such cards pay this seat nothing.
2. *Dumplings.* Every laid dumpling has been paid when laid. With reach 0 the count has no use, and from five on further
   ones pay nothing: both are the same to the seat.
3. *Wasabi.* Open wasabi beyond the nigiri the seat can reach stay open for ever. Capping them keeps, besides the value,
   which pairs have two orders: with ``m`` nigiri taken on the way, a pair that takes the next one (two) needs
   ``m + 1`` (``m + 2``) within reach, so a capped count is then still at least 1 (2), and so is the true one.
4. *Chopsticks.* Used at most once a turn and never with one card in hand: more than ``cards - 1`` in front are idle.
5. *Maki.* Prizes depend on comparisons of icon counts and on who has any. A seat that is sure to stay behind two others
   (behind one, if second place is not paid) is out of the contest: its count does not matter. Taking the same number of
   icons from all seats in the contest keeps all comparisons (each keeps one, so that who has any stays the same). When
   every prize is sure, the prizes are paid into the points and all seats are out.
6. *Puddings* (last round). The same; for ``win`` the counts also break ties, so their order must be sure too, and is
   kept as ranks. In rounds 1 and 2 a pudding is worth a fixed sum, banked when points are.
7. *Points.* For ``points``, and for ``margin`` between two seats, the utility is the points so far plus something that
   does not depend on them: they are banked. So are the own points where one seat's ``margin`` is asked for, as they are
   added to a utility that compares the others' alone. What all compared seats have is taken off all; for ``margin`` it
   is banked (with the opposite sign where only the others have it).
8. *Seats that do not count.* When the answer is one seat's ``points``, the other seats' sets and nigiri are no part of
   any utility and are dropped (with ``KEEP_PICKS`` their wasabi stay, as they decide how many picks they have).
9. *Out of the running.* For ``win``, and for the rivals in one seat's ``margin``, a seat that is sure to end behind
   another one changes no utility with its points: it shares in no win, and is never the best rival. Its points are
   replaced by ``NO_CHANCE``, which keeps it last, and its sets and nigiri are dropped. "Sure" compares bounds: the
   least the other can end with against the most this seat can. When the win is decided, nothing on any table matters.
10. *Worthless cards* (``FULL_REDUCTION`` only, as the number of distinct picks changes). A kind that pays no seat that
    counts, whatever happens, differs from another such kind in name only, so all become blank cards. Chopsticks in hand
    are never blank.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import (
    BLANK,
    BOARD,
    BOOL,
    CHOPSTICKS,
    DUMPLING,
    ENOUGH_DUMPLINGS,
    FLOATS,
    FULL_REDUCTION,
    HANDS,
    I8,
    KEEP_PICKS,
    KINDS,
    LAST_ROUND,
    MAKI,
    MAKI_MOST,
    MAKI_OUT,
    MARGIN,
    MOST_PUDDINGS,
    NO_REDUCTION,
    OBJECTIVE,
    OWN,
    POINTS,
    PUDDING,
    PUDDING_FEWEST,
    PUDDING_MOST,
    PUDDING_PAID,
    REDUCE,
    ROW,
    SASHIMI,
    SCORES,
    SEATS,
    STICKS,
    TABLES,
    TEMPURA,
    TOTAL,
    UPSTREAM,
    WASABI,
    WIN,
    held,
)
from solvers.endgame.seats_contests import reduce_maki, reduce_pudding
from solvers.endgame.seats_moves import (
    BANKED,
    BANKED_PUDDINGS,
    HIGH,
    LOW,
    PAYS,
    REACH,
    TOTALS,
    USES,
)
from solvers.game.cards import NIGIRI_POINTS, Card
from solvers.game.scoring import SASHIMI_SET, TEMPURA_PAIR, WASABI_FACTOR

_T, _S, _D, _P, _W, _C = (
    int(card) for card in (Card.TEMPURA, Card.SASHIMI, Card.DUMPLING, Card.PUDDING, Card.WASABI, Card.CHOPSTICKS)
)
_EGG, _SALMON, _SQUID = int(Card.EGG_NIGIRI), int(Card.SALMON_NIGIRI), int(Card.SQUID_NIGIRI)
_MAKI1 = int(Card.MAKI1)
_COUNT = 15
"""A field of a hand word."""
_ALL_MAKI = 0xFFF << (4 * _MAKI1)
_ALL_NIGIRI = 0xFFF << (4 * _EGG)
NO_CHANCE = -(1 << 20)
"""The points of a seat out of the running (with what it may make in one turn, still far below any other's)."""
_NIGIRI = tuple(NIGIRI_POINTS.get(card, 0) for card in Card)
_ONES = sum(1 << (4 * kind) for kind in range(KINDS))
_BELOW_STICKS = (1 << (4 * _C)) - 1
_ONES_BELOW_STICKS = _BELOW_STICKS // 15
_NO_MORE = 7
"""In the dumpling field: further dumplings pay nothing, or there are none."""


@lean_kernel(I8(I8))
def presence(hand: Any) -> Any:
    """A hand word with every count of a kind that is not zero made one."""
    found = hand | (hand >> 1)
    return (found | (found >> 2)) & _ONES


@lean_kernel((ROW, BOARD, I8, BOARD), inline=True)
def fill_reach(frame: Any, board: Any, cards: Any, scratch: Any) -> Any:
    """Write reach (a word of counts like a hand) and uses of chopsticks for every seat (see the module's text)."""
    seats, upstream, sticks = frame[SEATS], frame[UPSTREAM], frame[STICKS]
    everything = 0
    for seat in range(seats):
        everything += board[HANDS, seat]
        scratch[LOW, seat] = presence(board[HANDS, seat])
    for seat in range(seats):
        own = (board[TABLES, seat] >> CHOPSTICKS) & 7
        uses = min(cards - 1, own)
        if sticks > own or (own > 0 and cards >= seats + 3):  # others, or the own ones when they come round again
            uses = min(cards - 1, own + cards - 2)
        scratch[USES, seat] = uses
        if cards > seats or (cards == seats and uses):
            scratch[REACH, seat] = everything
            continue
        reach, giver = 0, seat
        for _ in range(cards):
            reach += board[HANDS, giver] if uses else scratch[LOW, giver]
            giver += upstream
            if giver < 0:
                giver += seats
            elif giver >= seats:
                giver -= seats
        scratch[REACH, seat] = reach


@lean_kernel((ROW, BOARD, I8, I8))
def forget_table(frame: Any, board: Any, seat: Any, uses: Any) -> Any:
    """Drop all that a table would still be worth, contests of this round apart, with its points.

    In rounds 1 and 2 that includes puddings, which are only counted: what all seats have is banked from the others'.
    """
    kept = (7 << CHOPSTICKS) | (MAKI_OUT << MAKI)
    if frame[LAST_ROUND]:
        kept |= 15 << PUDDING
    if frame[REDUCE] == KEEP_PICKS and uses:
        kept |= 7 << WASABI
    board[TABLES, seat] &= kept


@lean_kernel((ROW, BOARD, BOARD, I8), inline=True)
def reduce_table(frame: Any, board: Any, scratch: Any, seat: Any) -> Any:
    """Steps 1-4 and 8 for one seat; ``PAYS`` gets the fields of kinds that still pay it. Few branches, for speed."""
    table, reach, uses = board[TABLES, seat], scratch[REACH, seat], scratch[USES, seat]
    own = frame[OWN]
    nigiri = held(reach, _EGG) + held(reach, _SALMON) + held(reach, _SQUID)
    waiting = (table >> WASABI) & 7
    table -= max(((table >> CHOPSTICKS) & 7) - uses, 0) << CHOPSTICKS
    table -= max(waiting - nigiri, 0) << WASABI
    if own >= 0 and own != seat and frame[OBJECTIVE] == TOTAL:
        board[TABLES, seat] = table
        forget_table(frame, board, seat, uses)
        scratch[PAYS, seat] = 0
    else:
        tempura = I8(((table >> TEMPURA) & 1) + held(reach, _T) >= 2)
        sashimi = I8(((table >> SASHIMI) & 3) + held(reach, _S) >= 3)
        dumplings = I8(held(reach, _D) > 0) & I8((table >> DUMPLING) & 7 < ENOUGH_DUMPLINGS)
        table &= ~(((1 - tempura) << TEMPURA) | (3 * (1 - sashimi) << SASHIMI))
        table |= _NO_MORE * (1 - dumplings) << DUMPLING
        board[TABLES, seat] = table
        scratch[PAYS, seat] = (
            (tempura * _COUNT << (4 * _T))
            | (sashimi * _COUNT << (4 * _S))
            | (dumplings * _COUNT << (4 * _D))
            | (presence(reach) * _COUNT & _ALL_NIGIRI)
            | (I8(nigiri > waiting) * _COUNT << (4 * _W))
        )


@lean_kernel(BOOL(I8))
def is_out(table: Any) -> Any:
    """Whether a table belongs to a seat out of the running."""
    return table >> POINTS < NO_CHANCE // 2


@lean_kernel(I8(I8, I8, I8))
def most_gain(table: Any, reach: Any, takes: Any) -> Any:
    """A bound on the points that ``takes`` cards within reach can add to a reduced table, contests apart."""
    tempura = TEMPURA_PAIR * ((((table >> TEMPURA) & 1) + held(reach, _T)) >> 1)
    sashimi = SASHIMI_SET * ((((table >> SASHIMI) & 3) + held(reach, _S)) // 3)
    dumplings = ENOUGH_DUMPLINGS * held(reach, _D)
    factor = WASABI_FACTOR if (table >> WASABI) & 7 or held(reach, _W) else 1
    nigiri, best = 0, 0
    for kind in range(_EGG, _SQUID + 1):
        points = factor * _NIGIRI[kind] * I8(held(reach, kind) > 0)
        nigiri += points * held(reach, kind)
        best = max(best, points)
    best = max(best, min(tempura, TEMPURA_PAIR), min(sashimi, SASHIMI_SET), min(dumplings, ENOUGH_DUMPLINGS))
    return min(takes * best, tempura + sashimi + dumplings + nigiri)


@lean_kernel(BOOL(ROW, FLOATS, BOARD, I8, BOOL, BOOL, BOARD, FLOATS), inline=True)
def drop_hopeless(
    frame: Any,
    reals: Any,
    board: Any,
    cards: Any,
    maki_open: Any,
    pudding_open: Any,
    scratch: Any,
    numbers: Any,
) -> Any:
    """Step 9; says whether the win is decided. Seats out of the running get no kinds that pay (``PAYS``).

    Once the seat asked about is out, it does not matter which of the others are: none is marked, so that every way to
    such a board leads to the same one.
    """
    seats, own, win = frame[SEATS], frame[OWN], frame[OBJECTIVE] == WIN
    prizes = frame[MAKI_MOST + 1] * I8(maki_open) + frame[PUDDING_MOST + 1] * I8(pudding_open)
    penalty = frame[PUDDING_FEWEST + 1] * I8(pudding_open)
    worth = 0.0 if frame[LAST_ROUND] else reals[0]
    surest = -np.inf
    for seat in range(seats):
        table = board[TABLES, seat]
        total = frame[SCORES + seat] + (table >> POINTS) + worth * ((table >> PUDDING) & 15)
        puddings = worth * held(scratch[REACH, seat], _P)
        numbers[TOTALS + seat] = total + prizes + max(puddings, 0.0)
        if win or seat != own:
            surest = max(surest, total + penalty + min(puddings, 0.0))
    running = 0
    for seat in range(seats):
        behind = (win or seat != own) and numbers[TOTALS + seat] < surest  # unless it gains enough
        if behind:
            gain = most_gain(board[TABLES, seat], scratch[REACH, seat], cards + scratch[USES, seat])
            behind = numbers[TOTALS + seat] + gain < surest
        if behind:
            forget_table(frame, board, seat, scratch[USES, seat])
            board[TABLES, seat] += NO_CHANCE << POINTS
            scratch[PAYS, seat] = 0
        else:
            running += 1
    lost = own >= 0 and is_out(board[TABLES, own])
    decided = win and (running <= 1 or lost)
    if decided:
        for seat in range(seats):
            last = is_out(board[TABLES, seat]) and not (lost and seat != own)
            forget_table(frame, board, seat, scratch[USES, seat])
            board[TABLES, seat] |= (MAKI_OUT << MAKI) | (15 << PUDDING)
            board[TABLES, seat] += (PUDDING_PAID - 15) << PUDDING
            if last:
                board[TABLES, seat] += NO_CHANCE << POINTS
            scratch[PAYS, seat] = 0
    return decided


@lean_kernel((BOARD, I8, I8), inline=True)
def blank_out(board: Any, seats: Any, paying: Any) -> Any:
    """Step 10: cards of kinds that are not in ``paying`` (a word with those fields of a hand full) become blank."""
    for seat in range(seats):
        hand = board[HANDS, seat]
        worthless = hand & _BELOW_STICKS & ~paying
        count = ((worthless * _ONES_BELOW_STICKS) >> (4 * (_C - 1))) & _COUNT  # the sum of all fields: ten at most
        board[HANDS, seat] = hand - worthless + (count << (4 * BLANK))


@lean_kernel((ROW, BOARD, BOARD), inline=True)
def bank_points(frame: Any, board: Any, scratch: Any) -> Any:
    """Step 7 (and 6 in rounds 1 and 2) for ``points`` and ``margin``: write what leaves the board to ``BANKED`` and
    ``BANKED_PUDDINGS``, ordered as utilities are."""
    seats, own, margin, counted = frame[SEATS], frame[OWN], frame[OBJECTIVE] == MARGIN, 1 - frame[LAST_ROUND]
    alone = seats == 2 or not margin  # every seat's points can be banked
    points, puddings = 1 << 30, MOST_PUDDINGS  # what all rivals have whose points are compared
    for seat in range(seats):
        table = board[TABLES, seat]
        if seat != own and not is_out(table):
            points, puddings = min(points, table >> POINTS), min(puddings, (table >> PUDDING) & 15)
    puddings *= counted
    for seat in range(seats):
        table = board[TABLES, seat]
        off, puddings_off = points, puddings
        if alone or seat == own:
            off, puddings_off = table >> POINTS, counted * ((table >> PUDDING) & 15)
        if not is_out(table):
            board[TABLES, seat] = table - (off << POINTS) - (puddings_off << PUDDING)
        scratch[LOW, seat] = off
        scratch[HIGH, seat] = puddings_off
    for item in range(1 if own >= 0 else seats):
        seat = own if own >= 0 else item
        scratch[BANKED, item] = scratch[LOW, seat]
        scratch[BANKED_PUDDINGS, item] = scratch[HIGH, seat]
        if margin:
            scratch[BANKED, item] -= scratch[LOW, 1 - seat] if alone else points
            scratch[BANKED_PUDDINGS, item] -= scratch[HIGH, 1 - seat] if alone else puddings


@lean_kernel(BOOL(ROW))
def banks_nothing(frame: Any) -> Any:
    """Whether the banked constants are nought at every board (points of all are compared, or nothing is reduced)."""
    margin = frame[OBJECTIVE] == MARGIN and frame[OWN] < 0 and frame[SEATS] > 2
    return frame[REDUCE] == NO_REDUCTION or frame[OBJECTIVE] == WIN or margin


@lean_kernel((ROW, BOARD), inline=True)
def take_off_common(frame: Any, board: Any) -> Any:
    """Step 7 where nothing is banked by it: take off what all seats have that are not out of the running."""
    seats = frame[SEATS]
    points, puddings = 1 << 30, MOST_PUDDINGS
    for seat in range(seats):
        table = board[TABLES, seat]
        if not is_out(table):
            points, puddings = min(points, table >> POINTS), min(puddings, (table >> PUDDING) & 15)
    common = points << POINTS
    if frame[LAST_ROUND] == 0:
        common += puddings << PUDDING
    for seat in range(seats):
        if not is_out(board[TABLES, seat]):
            board[TABLES, seat] -= common


@lean_kernel((ROW, FLOATS, BOARD, I8, BOARD, FLOATS))
def reduce_board(frame: Any, reals: Any, board: Any, cards: Any, scratch: Any, numbers: Any) -> Any:
    """Reduce a board of two or more cards in place, and write what is banked, points and in rounds 1 and 2 puddings, to
    ``scratch``; ``numbers`` is scratch too."""
    if frame[REDUCE] == NO_REDUCTION:
        for seat in range(frame[SEATS]):
            scratch[BANKED, seat] = 0
            scratch[BANKED_PUDDINGS, seat] = 0
        return
    seats, own, objective = frame[SEATS], frame[OWN], frame[OBJECTIVE]
    fill_reach(frame, board, cards, scratch)
    for seat in range(seats):
        reduce_table(frame, board, scratch, seat)
    maki_open = not reduce_maki(frame, board, scratch)
    pudding_open = frame[LAST_ROUND] == 1 and not reduce_pudding(frame, board, scratch)
    decided = False
    if objective == WIN or (objective == MARGIN and own >= 0 and seats > 2):
        decided = drop_hopeless(frame, reals, board, cards, maki_open, pudding_open, scratch, numbers)
    if frame[REDUCE] == FULL_REDUCTION:
        paying = 0
        for seat in range(seats):
            paying |= scratch[PAYS, seat]
        if maki_open and not decided:
            paying |= _ALL_MAKI
        if (pudding_open or frame[LAST_ROUND] == 0) and not decided:
            paying |= _COUNT << (4 * _P)
        blank_out(board, seats, paying)
    if banks_nothing(frame):
        take_off_common(frame, board)
    else:
        bank_points(frame, board, scratch)
