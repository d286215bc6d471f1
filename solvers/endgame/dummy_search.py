"""The compiled search of the dummy variant: the value of a position by exhausting draws and picks.

One turn is one stage game (see :mod:`solvers.endgame.dummy_stage`): a row for each draw and pick of the controller, a
column for each pick of the rival, and each entry the value of the position they lead to. Nothing is pruned and nothing
is remembered between turns: with three cards a hand the search takes hundredths of a second.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.duel_state import C, held
from solvers.endgame.dummy_state import UNSEEN, ending, give, lay_on, list_own
from solvers.endgame.jit import kernel
from solvers.endgame.matrix import solve_game

MAX_OWN = 128
"""More than any hand of ten cards has distinct picks, pairs in both orders included."""

MOST_CUTS = 64
"""Plans of the controller kept at a time in :func:`stage_value`; stage games met so far need fewer than ten."""

NOISE = 1e-11
"""A bound and a value of a stage game this close, in proportion, count as the same number."""


@kernel("f8(u8, u8, i8, i8, i8, f8, i8[::1], i8[::1], f8[::1])")
def last_turn(
    hand: Any, rival_hand: Any, own: Any, rival: Any, dummy: Any, lead: Any, unseen: Any, pile: Any, rules: Any
) -> Any:
    """The controller's value with one card in each hand: it chooses which of its two cards goes to the dummy."""
    card = last = 0
    for kind in range(12):
        if held(hand, kind):
            card = kind
        if held(rival_hand, kind):
            last = kind
    rival, points = lay_on(rival, last)
    lead -= points
    own_keeps, keeps = lay_on(own, card)
    dummy_gets = give(dummy, card)
    top = pile[pile.size - 1]
    total = weight = 0.0
    for drawn in range(12):
        count = unseen[drawn] if top == UNSEEN else np.int64(drawn == top)
        if count:
            own_takes, takes = lay_on(own, drawn)
            best = max(
                ending(lead + keeps, own_keeps, rival, give(dummy, drawn), rules),
                ending(lead + takes, own_takes, rival, dummy_gets, rules),
            )
            total += count * best
            weight += count
    return total / weight


@kernel("f8(f8[:, ::1], i8, i8[::1], f8[::1], i8, f8[::1], f8[::1])")
def reply(payoffs: Any, width: Any, starts: Any, chances: Any, draws: Any, mix: Any, plan: Any) -> Any:
    """What the controller gets from its best reply to the rival's ``mix``, draw by draw.

    ``plan`` is filled with what that reply gets against each single pick of the rival.
    """
    for j in range(width):
        plan[j] = 0.0
    total = 0.0
    for draw in range(draws):
        best, chosen = -np.inf, starts[draw]
        for row in range(starts[draw], starts[draw + 1]):
            value = 0.0
            for j in range(width):
                value += payoffs[row, j] * mix[j]
            if value > best:
                best, chosen = value, row
        total += chances[draw] * best
        for j in range(width):
            plan[j] += chances[draw] * payoffs[chosen, j]
    return total


@kernel("b1(f8[:, ::1], i8, i8, f8[::1])")
def among(cuts: Any, count: Any, width: Any, plan: Any) -> Any:
    """Whether ``plan`` is one of the rows ``cuts[:count]``."""
    for row in range(count):
        j = 0
        while j < width and cuts[row, j] == plan[j]:
            j += 1
        if j == width:
            return True
    return False


@kernel("i8(f8[:, ::1], i8, i8, f8[::1])")
def keep(cuts: Any, count: Any, width: Any, plan: Any) -> Any:
    """Write ``plan`` behind the first ``count`` rows; returns the new number of rows."""
    for j in range(width):
        cuts[count, j] = plan[j]
    return count + 1


@kernel("f8(f8[:, ::1], i8, i8[::1], f8[::1], i8, f8[:, ::1])")
def stage_value(payoffs: Any, width: Any, starts: Any, chances: Any, draws: Any, work: Any) -> Any:
    """The value of a stage game: rows ``starts[d]`` to ``starts[d + 1]`` are the controller's picks after draw ``d``.

    The controller's plans (a pick for each draw) are too many to list, so only some are: the game of these plans
    bounds the value from below, the best reply to the rival's mix in it bounds it from above and is the next plan
    (Kelley, *Journal of the SIAM* 8, 1960). Plans are finite in number, so the bounds meet.
    """
    cuts = np.empty((MOST_CUTS, width))
    plan, weights, mix = np.zeros(width), np.empty(MOST_CUTS), np.zeros(width)
    count = 0
    if width == 1:
        mix[0] = 1.0
        return reply(payoffs, width, starts, chances, draws, mix, plan)
    for j in range(min(width, MOST_CUTS)):
        mix[j] = 1.0
        reply(payoffs, width, starts, chances, draws, mix, plan)
        mix[j] = 0.0
        if not among(cuts, count, width, plan):
            count = keep(cuts, count, width, plan)
    while True:
        bound = solve_game(cuts, count, width, weights, mix, work)
        value = reply(payoffs, width, starts, chances, draws, mix, plan)
        if value <= bound + NOISE * (1.0 + abs(bound)) or among(cuts, count, width, plan):
            return value
        if count == MOST_CUTS:  # the plans in use give the bound alone; a cut that bites again will be found again
            count = 0
            for row in range(MOST_CUTS):
                if weights[row] > 0.0:
                    count = keep(cuts, count, width, cuts[row])
        count = keep(cuts, count, width, plan)


@kernel("f8[:, ::1](f8[:, ::1])")
def lengthened(rows: Any) -> Any:
    """A copy of an array with room for twice as many rows."""
    longer = np.empty((2 * rows.shape[0], rows.shape[1]))
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            longer[row, column] = rows[row, column]
    return longer


@kernel("f8(i8, u8, u8, i8, i8, i8, f8, i8[::1], i8[::1], f8[::1], f8[:, ::1], i8[::1])")
def search(
    cards: Any,
    hand: Any,
    rival_hand: Any,
    own: Any,
    rival: Any,
    dummy: Any,
    lead: Any,
    unseen: Any,
    pile: Any,
    rules: Any,
    work: Any,
    counter: Any,
) -> Any:
    """The controller's utility at a position with ``cards`` cards in each hand.

    ``hand`` and ``own`` are the controller's hand and table word, ``lead`` its points so far less the rival's;
    ``unseen`` has the number of unseen cards of each kind, and is as before when the call returns; ``pile`` has the
    kinds of the pile, whose last ``cards`` are still there; ``rules`` is the vector of ``ending_vector``, ``work`` a
    matrix workspace; ``counter[0]`` counts the turns met.
    """
    counter[0] += 1
    if cards == 1:
        return last_turn(hand, rival_hand, own, rival, dummy, lead, unseen, pile, rules)
    columns, column_rests = np.empty((MAX_OWN, 4), np.int64), np.empty(MAX_OWN, np.uint64)
    picks, rests = np.empty((MAX_OWN, 4), np.int64), np.empty(MAX_OWN, np.uint64)
    width = list_own(rival_hand, rival, rules, columns, column_rests)
    payoffs = np.empty((64, width))
    starts, chances = np.zeros(13, np.int64), np.zeros(12)
    top = pile[pile.size - cards]
    hidden = top == UNSEEN
    draws, rows = 0, 0
    for drawn in range(12):
        if unseen[drawn] == 0 if hidden else drawn != top:
            continue
        chances[draws] = unseen[drawn] if hidden else 1.0
        unseen[drawn] -= hidden
        holding = hand + (np.uint64(1) << np.uint64(4 * drawn))
        count = list_own(holding, own, rules, picks, rests)
        for i in range(count):
            for given in range(12):
                if not held(holding if given == C else rests[i], given):  # used chopsticks come back after the reveal
                    continue
                if rows == payoffs.shape[0]:
                    payoffs = lengthened(payoffs)
                passed = rests[i] - (np.uint64(1) << np.uint64(4 * given))
                after = give(dummy, given)
                for j in range(width):
                    payoffs[rows, j] = -search(
                        cards - 1,
                        passed,
                        column_rests[j],
                        columns[j, 2],
                        picks[i, 2],
                        after,
                        columns[j, 3] - picks[i, 3] - lead,
                        unseen,
                        pile,
                        rules,
                        work,
                        counter,
                    )
                rows += 1
        unseen[drawn] += hidden
        draws += 1
        starts[draws] = rows
    total = chances.sum()
    for draw in range(draws):
        chances[draw] /= total
    return stage_value(payoffs, width, starts, chances, draws, work)
