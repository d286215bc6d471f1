"""The workspace of the matrix-game kernels: one float array that the caller makes once and hands to every call.

A kernel that allocates nothing can run inside a search tens of millions of times. The array has shape
``(WORK_ROWS, WORK_COLUMNS)`` and these rows; small whole numbers (pick numbers, labels) are kept in it as floats.

======================  ================================================================================
``TABLEAU ..``          the simplex tableau, ``MAX_PICKS + 1`` rows
``BASIC``, ``NONBASIC`` the labels of the tableau's rows and columns
``KERNEL_ROWS`` ...     the rows and columns of the last game's kernel, and the weight of each
``FLOOR``, ``CEILING``  a number for each row and for each column: least and largest payoff, or a scratch
``REPORT``              how the last game was decided, see the ``REPORT`` columns below
======================  ================================================================================
"""

from __future__ import annotations

import numpy as np

MAX_PICKS = 96
"""The most rows or columns of a game; chopsticks give a seat up to about 80 picks."""

TOLERANCE = 1e-12
"""The one tolerance of the kernels, in payoff units, made for payoffs up to a few hundred.

A game is a saddle point when the best pure guarantees of the two sides differ by no more than this, and a mixed
solution is accepted when what the two mixes guarantee differs by no more than this. Rounding in sums of payoffs up to
60 stays below it, and ten turns of such errors stay well below the 1e-9 that values are promised to.
"""

TABLEAU = 0
TABLEAU_TAIL = TABLEAU + MAX_PICKS + 1
BASIC = TABLEAU_TAIL + MAX_PICKS + 1
NONBASIC = BASIC + 1
KERNEL_ROWS = BASIC + 2
KERNEL_COLUMNS = BASIC + 3
ROW_WEIGHTS = BASIC + 4
COLUMN_WEIGHTS = BASIC + 5
FLOOR = BASIC + 6
CEILING = BASIC + 7
REPORT = BASIC + 8

WORK_ROWS = REPORT + 1
WORK_COLUMNS = MAX_PICKS + 4

HOW = 0
"""``REPORT`` column: one of the codes below."""
KERNEL_SIZE = 1
"""``REPORT`` column: picks of each side in the kernel (set for mixed solutions)."""
GAP = 2
"""``REPORT`` column: the proven gap between the guarantees of the two mixes (set for mixed solutions)."""
PIVOTS = 3
"""``REPORT`` column: simplex pivots (set for simplex solutions)."""

FORCED, SADDLE, CLOSED_FORM, SIMPLEX, REPAIRED = range(5)
DECIDED_BY = ("forced", "saddle", "closed form", "simplex", "repaired simplex")
"""The names of the ``HOW`` codes."""


def make_workspace() -> np.ndarray:
    """A workspace for the matrix-game kernels; one for each thread that calls them."""
    return np.zeros((WORK_ROWS, WORK_COLUMNS))
