"""Result tables and the statistics in them."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from statsmodels.stats.multitest import multipletests

from analysis.study.statistics import false_discovery, mean_by_cluster, regress
from analysis.study.tables import Table, parse_table, read_table
from solvers.errors import UsageError

ROWS = [
    {"card": "maki roll (3)", "value": 1.25, "standard_error": 0.5, "hands": 12},
    {"card": "egg, nigiri", "value": -0.5, "standard_error": float("nan"), "hands": 1},
]
TABLE = Table.of("values", "Values", ROWS, note="Open hands.")


def test_csv_round_trip(tmp_path):
    table = Table("values", "Values", TABLE.columns, TABLE.rows, TABLE.note, {"command": "x --y z", "seed": 3})
    path = table.write(tmp_path / "new")
    assert path.read_text().splitlines() == [
        "# title: Values",
        "# command: x --y z",
        "# seed: 3",
        "# note: Open hands.",
        "card,value,standard_error,hands",
        "maki roll (3),1.25,0.5,12",
        '"egg, nigiri",-0.5,,1',
    ]
    assert read_table("values", tmp_path / "new") == table


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(-99, 99)), min_size=1, max_size=5))
def test_figures_survive_the_file(rows):
    table = Table.of("t", "T", [{"figure": figure, "count": count} for figure, count in rows])
    assert parse_table("t", table.to_csv()) == table


def test_exports():
    assert TABLE.export("text").splitlines()[2] == "maki roll (3)     1.25              0.50       12"
    assert TABLE.export("markdown").splitlines()[2] == "| maki roll (3) |    1.25 |             0.50 |      12 |"
    assert "\u22120.50" in TABLE.export("html") and "<table>" in TABLE.export("html")
    latex = TABLE.export("latex")
    assert "\\toprule" in latex and "-0.50" in latex and "standard error" in latex
    with pytest.raises(UsageError, match="unknown table format 'word'"):
        TABLE.export("word")


def test_html_escapes():
    assert "<b>" not in Table.of("t", "T", [{"a": "<b>"}]).export("html")


def test_looking_things_up():
    assert TABLE.one(card="egg, nigiri")["value"] == -0.5
    assert TABLE.one(card="egg, nigiri")["standard_error"] is None
    with pytest.raises(LookupError):
        TABLE.one(card="none")
    assert TABLE.pick("hands").rows == ((12,), (1,))
    with pytest.raises(UsageError, match="no table 'none'"):
        read_table("none")


def test_a_mean_of_independent_values_is_the_textbook_one():
    values = [1.0, 4.0, 2.0, 7.0]
    estimate = mean_by_cluster(values, range(4))
    assert estimate.mean == 3.5
    assert estimate.standard_error == pytest.approx(np.std(values, ddof=1) / 2)


def test_copies_of_an_observation_add_nothing():
    once = mean_by_cluster([1.0, 4.0, 2.0], "abc")
    twice = mean_by_cluster([1.0, 1.0, 4.0, 4.0, 2.0, 2.0], "aabbcc")
    assert (twice.mean, twice.standard_error) == pytest.approx((once.mean, once.standard_error))


def test_one_cluster_has_no_error():
    estimate = mean_by_cluster([1.0, 2.0], [0, 0])
    assert np.isnan(estimate.standard_error) and estimate.p_value() == 1.0
    with pytest.raises(UsageError, match="no observations"):
        mean_by_cluster([], [])


def test_intervals_cover():
    random = np.random.default_rng(1)
    hits = 0
    for _ in range(400):
        shared = random.normal(size=12)
        values = np.repeat(shared, 5) + random.normal(size=60)
        low, high = mean_by_cluster(values, np.repeat(np.arange(12), 5)).interval(0.9)
        hits += low < 0 < high
    assert 330 <= hits <= 385


@given(hnp.arrays(float, (30, 4), elements=st.floats(-3, 3)), st.integers(0, 2**32 - 1))
def test_regression_equals_statsmodels(noise, seed):
    random = np.random.default_rng(seed)
    design = random.normal(size=(30, 3)) + noise[:, :3]
    target = design @ [1.0, -2.0, 0.5] + noise[:, 3] + random.normal(size=30)
    clusters = random.integers(0, 12, size=30)
    fit = regress(target, design, clusters)
    oracle = sm.OLS(target, design).fit(cov_type="cluster", cov_kwds={"groups": clusters})
    np.testing.assert_allclose(fit.coefficients, oracle.params, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(fit.covariance, oracle.cov_params(), rtol=1e-6, atol=1e-10)
    assert fit.r_squared == pytest.approx(oracle.rsquared)
    contrast = oracle.t_test([[1, -1, 0]])
    estimate = fit.contrast([1, -1, 0])
    assert (estimate.mean, estimate.standard_error) == pytest.approx((contrast.effect[0], contrast.sd[0, 0]))


def test_regression_refuses_what_it_cannot_tell_apart():
    design = np.ones((8, 2))
    with pytest.raises(UsageError, match="cannot tell 2 effects apart"):
        regress(np.arange(8.0), design, range(8))


@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=20))
def test_false_discovery_equals_statsmodels(values):
    np.testing.assert_allclose(false_discovery(values), multipletests(values, method="fdr_bh")[1])
    assert false_discovery([]) == []
