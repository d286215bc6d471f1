"""Ends of a round, many at once: contests and utilities in loops that become vector instructions.

Ends stand in *lanes*. Of every seat an end has one int32 word, which is its table (:mod:`solvers.endgame.packing`)
without the fields below maki. The words of all ends of one seat are a *plane*; planes follow each other in one array at
a fixed distance, so that the compiler can tell them apart. The seat asked about, if there is one, has the first plane,
and the others follow it round the table. There always are five planes: ``NOBODY``, the word of a seat that does not
exist, is out of the contests and behind everybody else. Sums on the way are in single precision, exact for such small
whole numbers: twice as many fit in a vector, and numba would widen sums of int32.

The same is done for one end after the other in :mod:`solvers.endgame.seats_ends`, to which this is held by tests.
Measured, four seats and one seat's margin: 4 ns an end with the contest for maki open and 7 with both, some 55 ns
there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from solvers.endgame.jit import lean_kernel
from solvers.endgame.packing import (
    BOOL,
    F8,
    FLOATS,
    I8,
    LAST_ROUND,
    MAKI,
    MAKI_MIN_ICONS,
    MAKI_MOST,
    MAKI_OUT,
    MAKI_SECOND,
    MAKI_TIE_PAYS_SECOND,
    MARGIN,
    MAX_SEATS,
    OBJECTIVE,
    OWN,
    POINTS,
    PUDDING,
    PUDDING_BOTH,
    PUDDING_FEWEST,
    PUDDING_MOST,
    ROW,
    SCORES,
    SEATS,
    WIN,
)

LANES = 1040
"""Lanes of a plane: room for the 1024 ends of the largest board of two cards, and a little more, as planes whose
distance is a power of two would get into each other's way in the processor's caches."""
PLANES = MAX_SEATS
WORDS = numba.int32[::1]
I4 = numba.int32

F4 = numba.float32
SINGLES = numba.float32[::1]

_NOUGHT, _ONE, _OUT = np.float32(0), np.float32(1), np.float32(-1)
_ICONS, _COUNT = np.int32(MAKI_OUT), np.int32(15)
_PUDDING, _POINTS = np.int32(PUDDING - MAKI), np.int32(POINTS - MAKI)
_B, _C, _D, _E = (plane * LANES for plane in range(1, PLANES))
NOBODY = np.int32(MAKI_OUT | (15 << (PUDDING - MAKI)))
"""The word of a seat that does not exist."""
_BEHIND = -1e12
"""The score of a seat that does not exist."""
_TIE_BREAKS = 16.0
"""For ``win`` totals are multiplied by this, so that puddings can break ties."""


@lean_kernel(F4(F4, F4), inline=True)
def _higher(one: Any, two: Any) -> Any:
    return one if one > two else two


@lean_kernel(F4(F4, F4), inline=True)
def _lower(one: Any, two: Any) -> Any:
    return one if one < two else two


@lean_kernel(F4(I4), inline=True)
def _icons(word: Any) -> Any:
    """Maki icons, -1 if out of the contest."""
    icons = np.int32(word & _ICONS)
    return _OUT if icons == _ICONS else np.float32(icons)


@lean_kernel(F4(I4), inline=True)
def _puddings(word: Any) -> Any:
    """Puddings; 15 for a seat that does not exist."""
    return np.float32(np.int32((word >> _PUDDING) & _COUNT))


@lean_kernel(F4(F4, F4), inline=True)
def _below(number: Any, bound: Any) -> Any:
    return number if number < bound else _OUT


@lean_kernel(F4(F4, F4, F4, F4, F4, F4), inline=True)
def _tied(value: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    """How many of five numbers are this one."""
    ab = (_ONE if a == value else _NOUGHT) + (_ONE if b == value else _NOUGHT)
    cd = (_ONE if c == value else _NOUGHT) + (_ONE if d == value else _NOUGHT)
    return ab + cd + (_ONE if e == value else _NOUGHT)


@lean_kernel(F4(F4, F4, F4, F4, F4), inline=True)
def _gain(number: Any, top: Any, prize: Any, other: Any, other_prize: Any) -> Any:
    """What a seat gets for its number of icons or puddings."""
    return (prize if number == top else _NOUGHT) + (other_prize if number == other else _NOUGHT)


@lean_kernel((ROW, SINGLES))
def set_prizes(frame: Any, prizes: Any) -> Any:
    """Copy the prizes of both contests by the number of tied seats, from ``MAKI_MOST`` on as in the frame."""
    for place in range(prizes.shape[0]):
        prizes[place] = frame[MAKI_MOST + place]


@lean_kernel(numba.types.UniTuple(F4, MAX_SEATS)(SINGLES, I8), inline=True)
def _by_ties(prizes: Any, place: Any) -> Any:
    """The prizes of one, two and more tied seats that begin behind ``place`` of the frame."""
    start = place - MAKI_MOST
    return prizes[start + 1], prizes[start + 2], prizes[start + 3], prizes[start + 4], prizes[start + 5]


@lean_kernel(F4(numba.types.UniTuple(F4, MAX_SEATS), F4), inline=True)
def _each(prizes: Any, tied: Any) -> Any:
    """What each of so many tied seats gets."""
    few = prizes[0] if tied == _ONE else (prizes[1] if tied == np.float32(2) else prizes[2])
    many = prizes[3] if tied == np.float32(4) else prizes[4]
    return few if tied < np.float32(4) else many


@lean_kernel((ROW, SINGLES, WORDS, I8, SINGLES), vector=True)
def pay_maki(frame: Any, table: Any, words: Any, many: Any, points: Any) -> Any:
    """Add every seat's maki prize to its points."""
    least, both = np.float32(max(frame[MAKI_MIN_ICONS], 0)), frame[MAKI_TIE_PAYS_SECOND] == 1
    firsts, seconds = _by_ties(table, MAKI_MOST), _by_ties(table, MAKI_SECOND)
    for lane in range(many):
        a, b, c = _icons(words[lane]), _icons(words[_B + lane]), _icons(words[_C + lane])
        d, e = _icons(words[_D + lane]), _icons(words[_E + lane])
        most = _higher(_higher(_higher(a, b), _higher(c, d)), e)
        x, y, z = _below(a, most), _below(b, most), _below(c, most)
        second = _higher(_higher(_higher(x, y), _higher(z, _below(d, most))), _below(e, most))
        winners = _tied(most, a, b, c, d, e)
        first_prize = _each(firsts, winners) if most >= least else _NOUGHT
        paid = (second >= least) & ((winners == _ONE) | both)
        second_prize = _each(seconds, _tied(second, a, b, c, d, e)) if paid else _NOUGHT
        points[lane] += _gain(a, most, first_prize, second, second_prize)
        points[_B + lane] += _gain(b, most, first_prize, second, second_prize)
        points[_C + lane] += _gain(c, most, first_prize, second, second_prize)
        points[_D + lane] += _gain(d, most, first_prize, second, second_prize)
        points[_E + lane] += _gain(e, most, first_prize, second, second_prize)


@lean_kernel((ROW, SINGLES, WORDS, I8, SINGLES), vector=True)
def pay_puddings(frame: Any, table: Any, words: Any, many: Any, points: Any) -> Any:
    """Add every seat's pudding bonus or penalty to its points."""
    both, nobody = frame[PUDDING_BOTH] == 1, np.float32(15)
    prizes, penalties = _by_ties(table, PUDDING_MOST), _by_ties(table, PUDDING_FEWEST)
    for lane in range(many):
        a, b, c = _puddings(words[lane]), _puddings(words[_B + lane]), _puddings(words[_C + lane])
        d, e = _puddings(words[_D + lane]), _puddings(words[_E + lane])
        x, y, z = _below(c, nobody), _below(d, nobody), _below(e, nobody)
        most, fewest = _higher(_higher(_higher(a, b), _higher(x, y)), z), _lower(_lower(_lower(a, b), _lower(c, d)), e)
        paid = both | (most != fewest)
        prize = _each(prizes, _tied(most, a, b, c, d, e)) if paid else _NOUGHT
        penalty = _each(penalties, _tied(fewest, a, b, c, d, e)) if paid else _NOUGHT
        points[lane] += _gain(a, most, prize, fewest, penalty)
        points[_B + lane] += _gain(b, most, prize, fewest, penalty)
        points[_C + lane] += _gain(c, most, prize, fewest, penalty)
        points[_D + lane] += _gain(d, most, prize, fewest, penalty)
        points[_E + lane] += _gain(e, most, prize, fewest, penalty)


@lean_kernel(F8(F8, F8), inline=True)
def _better(one: Any, two: Any) -> Any:
    return one if one > two else two


@lean_kernel((WORDS, I8, SINGLES), vector=True)
def read_points(words: Any, many: Any, points: Any) -> Any:
    """Write the points on every table."""
    for plane in range(PLANES):
        ends, sums = words[plane * LANES : plane * LANES + many], points[plane * LANES : plane * LANES + many]
        for lane in range(many):
            sums[lane] = np.float32(np.int32(ends[lane] >> _POINTS))


@lean_kernel((ROW, FLOATS, WORDS, I8, SINGLES, FLOATS), vector=True)
def add_up(frame: Any, reals: Any, words: Any, many: Any, points: Any, totals: Any) -> Any:
    """Write the totals by which seats are compared."""
    seats, first, win = frame[SEATS], max(frame[OWN], 0), frame[OBJECTIVE] == WIN
    worth = 0.0 if frame[LAST_ROUND] else reals[0]
    for plane in range(PLANES):
        score = float(frame[SCORES + (first + plane) % seats]) if plane < seats else _BEHIND
        start, stop = plane * LANES, plane * LANES + many
        ends, gains, sums = words[start:stop], points[start:stop], totals[start:stop]
        for lane in range(many):
            sums[lane] = score + np.float64(gains[lane])
        if worth != 0.0:
            for lane in range(many):
                sums[lane] += worth * np.float64(_puddings(ends[lane]))
        if win:
            for lane in range(many):
                sums[lane] = _TIE_BREAKS * sums[lane] + np.float64(_puddings(ends[lane]))


@lean_kernel((FLOATS, I8, I8, FLOATS), vector=True)
def _margins(totals: Any, kept: Any, many: Any, out: Any) -> Any:
    """Each kept plane's total less the best other one."""
    for lane in range(many):
        others = _better(_better(totals[_B + lane], totals[_C + lane]), _better(totals[_D + lane], totals[_E + lane]))
        out[lane] = totals[lane] - others
    if kept > 1:
        for lane in range(many):
            a, b, c, d, e = totals[lane], totals[_B + lane], totals[_C + lane], totals[_D + lane], totals[_E + lane]
            ab, de = _better(a, b), _better(d, e)
            cde = _better(c, de)
            abc = _better(ab, c)
            out[_B + lane] = b - _better(a, cde)
            out[_C + lane] = c - _better(ab, de)
            out[_D + lane] = d - _better(abc, e)
            out[_E + lane] = e - _better(abc, d)


@lean_kernel((FLOATS, I8, I8, FLOATS), vector=True)
def _win_shares(totals: Any, kept: Any, many: Any, out: Any) -> Any:
    """Each kept plane's share of the win."""
    for lane in range(many):
        a, b, c, d, e = totals[lane], totals[_B + lane], totals[_C + lane], totals[_D + lane], totals[_E + lane]
        best = _better(_better(_better(a, b), _better(c, d)), e)
        ties = (1.0 if a == best else 0.0) + (1.0 if b == best else 0.0) + (1.0 if c == best else 0.0)
        ties += (1.0 if d == best else 0.0) + (1.0 if e == best else 0.0)
        out[lane] = (1.0 if a == best else 0.0) / ties
        if kept > 1:
            out[_B + lane] = (1.0 if b == best else 0.0) / ties
            out[_C + lane] = (1.0 if c == best else 0.0) / ties
            out[_D + lane] = (1.0 if d == best else 0.0) / ties
            out[_E + lane] = (1.0 if e == best else 0.0) / ties


class Sums(NamedTuple):
    """A copy of the prizes (:func:`set_prizes`), and scratch in planes like those of the words: points, totals."""

    prizes: np.ndarray
    points: np.ndarray
    totals: np.ndarray


def new_sums() -> Sums:
    """Room for all lanes."""
    return Sums(
        np.zeros(4 * (MAX_SEATS + 1), dtype=np.float32),
        np.zeros(PLANES * LANES, dtype=np.float32),
        np.zeros(PLANES * LANES),
    )


@lean_kernel((ROW, FLOATS, WORDS, I8, BOOL, BOOL, numba.typeof(new_sums()), FLOATS))
def score_lanes(frame: Any, reals: Any, words: Any, many: Any, maki: Any, puddings: Any, sums: Any, out: Any) -> Any:
    """Write the utilities of the first ``many`` lanes to ``out``: planes of ``LANES``, a seat each, or ``OWN``'s alone.

    ``maki`` and ``puddings`` say whether these contests are still to be paid.
    """
    prizes, points, totals = sums
    read_points(words, many, points)
    if maki:
        pay_maki(frame, prizes, words, many, points)
    if puddings:
        pay_puddings(frame, prizes, words, many, points)
    add_up(frame, reals, words, many, points, totals)
    kept = 1 if frame[OWN] >= 0 else frame[SEATS]
    if frame[OBJECTIVE] == MARGIN:
        _margins(totals, kept, many, out)
    elif frame[OBJECTIVE] == WIN:
        _win_shares(totals, kept, many, out)
    else:
        for plane in range(kept):
            for lane in range(plane * LANES, plane * LANES + many):
                out[lane] = totals[lane]
