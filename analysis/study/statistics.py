"""Means and regressions with honest standard errors: observations of one deal are not independent of each other.

Both estimators use the cluster-robust variance with the usual small-sample factor (Liang and Zeger 1986; Cameron and
Miller, "A practitioner's guide to cluster-robust inference", J. Human Resources 50, 2015, eq. 11 and 12). With one
observation a cluster they become the ordinary standard error of a mean and White's HC1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from solvers.errors import UsageError


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error (nan from a single cluster), observations and clusters."""

    mean: float
    standard_error: float
    samples: int
    clusters: int

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The confidence interval of Student's t with one degree of freedom less than there are clusters."""
        if self.clusters < 2:
            return (float("-inf"), float("inf"))
        reach = float(stats.t.ppf((1 + level) / 2, self.clusters - 1)) * self.standard_error
        return self.mean - reach, self.mean + reach

    def p_value(self) -> float:
        """The two-sided p-value of a mean of zero (1 when there is no telling)."""
        if self.clusters < 2 or not self.standard_error > 0:
            return 1.0
        return float(2 * stats.t.sf(abs(self.mean) / self.standard_error, self.clusters - 1))


def mean_by_cluster(values: Sequence[float], clusters: Sequence[Any]) -> Estimate:
    """The mean of ``values``, each of the deal ``clusters`` names; raises :class:`UsageError` when there are none."""
    if not len(values):
        raise UsageError("no observations to take a mean of: run the study with more samples")
    numbers = np.asarray(values, dtype=float)
    mean = float(numbers.mean())
    totals = _cluster_sums(numbers[:, None] - mean, clusters)[:, 0]
    groups = len(totals)
    if groups < 2:
        return Estimate(mean, float("nan"), len(numbers), groups)
    variance = groups / (groups - 1) * float(totals @ totals) / len(numbers) ** 2
    return Estimate(mean, variance**0.5, len(numbers), groups)


@dataclass(frozen=True, slots=True)
class Regression:
    """A least-squares fit without intercept.

    ``r_squared`` is the share of the squared target (about zero, not about its mean) that is explained, ``residual``
    the standard deviation of what is left.
    """

    coefficients: np.ndarray
    covariance: np.ndarray
    r_squared: float
    residual: float
    samples: int
    clusters: int

    def contrast(self, weights: Sequence[float] | np.ndarray) -> Estimate:
        """A linear combination of the coefficients with its standard error."""
        row = np.asarray(weights, dtype=float)
        variance = max(float(row @ self.covariance @ row), 0.0)
        return Estimate(float(row @ self.coefficients), variance**0.5, self.samples, self.clusters)


def regress(target: Sequence[float] | np.ndarray, design: np.ndarray, clusters: Sequence[Any]) -> Regression:
    """Least squares of ``target`` on the columns of ``design`` (no intercept is added), cluster-robust.

    Raises :class:`UsageError` when there are too few clusters, or columns that depend on each other.
    """
    y, x = np.asarray(target, dtype=float), np.asarray(design, dtype=float)
    rows, columns = x.shape
    groups = len(set(clusters))
    if groups <= columns or np.linalg.matrix_rank(x) < columns:
        raise UsageError(f"{groups} deals cannot tell {columns} effects apart: run the study with more samples")
    bread = np.linalg.inv(x.T @ x)
    coefficients = bread @ x.T @ y
    errors = y - x @ coefficients
    scores = _cluster_sums(x * errors[:, None], clusters)
    factor = groups / (groups - 1) * (rows - 1) / (rows - columns)
    covariance = factor * bread @ (scores.T @ scores) @ bread
    explained = 1 - float(errors @ errors) / float(y @ y) if y.any() else 0.0
    residual = (float(errors @ errors) / (rows - columns)) ** 0.5
    return Regression(coefficients, covariance, explained, residual, rows, groups)


def false_discovery(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's adjusted p-values: keeping those up to q makes the expected share of false ones q."""
    return [float(value) for value in stats.false_discovery_control(p_values)] if len(p_values) else []


def _cluster_sums(scores: np.ndarray, clusters: Sequence[Any]) -> np.ndarray:
    """The rows of ``scores`` added up within each cluster."""
    _, where = np.unique(list(clusters), return_inverse=True)
    sums = np.zeros((where.max() + 1, scores.shape[1]))
    np.add.at(sums, where, scores)
    return sums
