"""The simplex of :mod:`solvers.endgame.matrix_simplex` with twice the digits, for the few games that defeat floats.

Games whose payoffs nearly tie in many places (differences of 1e-12 to 1e-8 where others are 1 and more) lead a float
simplex into pivots that are mostly rounding. Here every number is an unevaluated sum of two floats, about 32 digits
(Dekker, *Numerische Mathematik* 18, 1971; the functions below are his), which leaves room below any difference that
float payoffs can have. Slow, but hardly ever called: the caller checks every solution against the payoffs.
"""

from __future__ import annotations

import math
from typing import Any

from solvers.endgame.jit import lean_kernel
from solvers.endgame.matrix_work import BASIC, NONBASIC, TABLEAU, TABLEAU_TAIL

NOTHING = 1e-28
"""Below this a number with 32 digits and of the order of 1 counts as zero."""

SPLITTER = 134217729.0

PAIR = "UniTuple(f8, 2)"


@lean_kernel(f"{PAIR}(f8, f8, f8, f8)", inner=True)
def add(a: Any, a_tail: Any, b: Any, b_tail: Any) -> Any:
    """The sum of two pairs."""
    total = a + b
    back = total - a
    tail = (a - (total - back)) + (b - back) + (a_tail + b_tail)
    head = total + tail
    return head, tail - (head - total)


@lean_kernel(f"{PAIR}(f8, f8, f8, f8)", inner=True)
def multiply(a: Any, a_tail: Any, b: Any, b_tail: Any) -> Any:
    """The product of two pairs; the heads' product is exact thanks to splitting each into two half-length parts."""
    product = a * b
    split = SPLITTER * a
    a1 = split - (split - a)
    a2 = a - a1
    split = SPLITTER * b
    b1 = split - (split - b)
    b2 = b - b1
    tail = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2 + (a * b_tail + a_tail * b)
    head = product + tail
    return head, tail - (head - product)


@lean_kernel(f"{PAIR}(f8, f8)", inner=True)
def invert(a: Any, a_tail: Any) -> Any:
    """One over a pair: one step of Newton's method from the float quotient."""
    guess = 1.0 / a
    error, error_tail = multiply(guess, 0.0, a, a_tail)
    error, error_tail = add(1.0, 0.0, -error, -error_tail)
    error, error_tail = multiply(error, error_tail, guess, 0.0)
    return add(guess, 0.0, error, error_tail)


@lean_kernel("void(f8[:,::1], i8, i8, f8, f8, f8[:,::1])", inner=True)
def fill(a: Any, m: Any, n: Any, low: Any, high: Any, work: Any) -> Any:
    """Write the first tableau; the scale is a power of two, so that no digit of a payoff is lost."""
    scale = math.ldexp(1.0, -math.frexp(high - low)[1])
    for i in range(m + 1):
        for j in range(n + 1):
            work[TABLEAU + i, j], work[TABLEAU_TAIL + i, j] = 1.0, 0.0
            if i < m and j < n:
                head, tail = add(a[i, j] * scale, 0.0, -low * scale, 0.0)
                work[TABLEAU + i, j], work[TABLEAU_TAIL + i, j] = add(head, tail, 1.0, 0.0)
    for i in range(m):
        work[BASIC, i] = n + i
    for j in range(n):
        work[TABLEAU + m, j] = -1.0
        work[NONBASIC, j] = j
    work[TABLEAU + m, n] = 0.0


@lean_kernel("void(i8, i8, i8, i8, f8[:,::1])", inner=True)
def exchange_pairs(row: Any, column: Any, m: Any, n: Any, work: Any) -> Any:
    """Pivot on pairs."""
    r, r_tail = TABLEAU + row, TABLEAU_TAIL + row
    inverse, inverse_tail = invert(work[r, column], work[r_tail, column])
    work[r, column], work[r_tail, column] = 1.0, 0.0
    for j in range(n + 1):
        work[r, j], work[r_tail, j] = multiply(work[r, j], work[r_tail, j], inverse, inverse_tail)
    for i in range(m + 1):
        t, t_tail = TABLEAU + i, TABLEAU_TAIL + i
        factor, factor_tail = -work[t, column], -work[t_tail, column]
        if i != row and factor != 0.0:
            work[t, column], work[t_tail, column] = 0.0, 0.0
            for j in range(n + 1):
                head, tail = multiply(factor, factor_tail, work[r, j], work[r_tail, j])
                work[t, j], work[t_tail, j] = add(work[t, j], work[t_tail, j], head, tail)
    work[BASIC, row], work[NONBASIC, column] = work[NONBASIC, column], work[BASIC, row]


@lean_kernel("i8(i8, i8, b1, f8[:,::1])", inner=True)
def entering(m: Any, n: Any, by_gain: Any, work: Any) -> Any:
    """The column with the largest gain, or by Bland's rule the smallest label with any; -1 at the optimum."""
    costs = TABLEAU + m
    best = -1
    for j in range(n):
        if work[costs, j] < -NOTHING:
            better = work[costs, j] < work[costs, best] if by_gain else work[NONBASIC, j] < work[NONBASIC, best]
            if best < 0 or better:
                best = j
    return best


@lean_kernel("i8(i8, i8, i8, f8[:,::1])", inner=True)
def leaving(column: Any, m: Any, n: Any, work: Any) -> Any:
    """The row whose value first reaches zero; ties go to the smallest label."""
    best = -1
    least, least_tail = 0.0, 0.0
    for i in range(m):
        if work[TABLEAU + i, column] > NOTHING:
            ratio, ratio_tail = invert(work[TABLEAU + i, column], work[TABLEAU_TAIL + i, column])
            ratio, ratio_tail = multiply(ratio, ratio_tail, work[TABLEAU + i, n], work[TABLEAU_TAIL + i, n])
            less = add(ratio, ratio_tail, -least, -least_tail)[0]
            tied = abs(less) <= NOTHING
            if best < 0 or (tied and work[BASIC, i] < work[BASIC, best]) or (less < 0.0 and not tied):
                best, least, least_tail = i, ratio, ratio_tail
    return best


@lean_kernel("i8(f8[:,::1], i8, i8, f8, f8, f8[:,::1])", inner=True)
def optimise_pairs(a: Any, m: Any, n: Any, low: Any, high: Any, work: Any) -> Any:
    """Solve the game ``a[:m, :n]`` with payoffs from ``low`` to ``high`` from the start; returns the number of pivots.

    While the sum grows the column with the largest gain enters, from a pivot without gain to the next gain Bland's.
    """
    fill(a, m, n, low, high, work)
    gained = True
    limit = 64 * (m + n)
    for pivots in range(limit):
        column = entering(m, n, gained, work)
        if column < 0:
            return pivots
        row = leaving(column, m, n, work)
        if row < 0:
            return pivots
        gained = work[TABLEAU + row, n] > NOTHING
        exchange_pairs(row, column, m, n, work)
    return limit
