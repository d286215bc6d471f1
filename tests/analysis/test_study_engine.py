"""The study engine: seeds, workers, the store, a kill half way, a Dask cluster."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.study.run import command_line, run_study
from analysis.study.store import Store, default_store
from solvers.errors import SushiGoError, UsageError
from tests.study_examples import DICE, DICE_STUDY, roll

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "store.sqlite") as opened:
        yield opened


def figures(result):
    """What must not depend on how a run went: everything but the seconds."""
    heads = [{key: value for key, value in table.header.items() if key != "seconds"} for table in result.tables]
    return [(table.name, table.columns, table.rows) for table in result.tables], heads


def count_chunks(path):
    try:
        with sqlite3.connect(path) as base:
            return base.execute("select count(*) from chunks").fetchone()[0]
    except sqlite3.Error:
        return 0


def test_every_sample_has_its_own_stream_and_the_last_chunk_is_short(store):
    chunks = list(DICE_STUDY.chunks({"throws": 40, "sides": 6}, 1))
    assert [chunk.samples for chunk in chunks] == [3] * 13 + [1]
    throws = [
        tuple(record["dice"])
        for chunk in list(DICE_STUDY.chunks({"throws": 40, "sides": 10**9}, 1))
        for record in chunk.run()
    ]
    assert len(set(throws)) == 40


def test_chunk_streams_are_those_numpy_documents():
    chunk = list(DICE_STUDY.chunks({"throws": 9, "sides": 6}, 7))[2]
    children = np.random.SeedSequence(7).spawn(3)[2].spawn(3)
    assert chunk.run() == [roll({"sides": 6}, np.random.default_rng(child)) for child in children]


def test_more_samples_keep_the_earlier_ones(store):
    few = run_study(DICE_STUDY, store, {"throws": 12}, workers=1)
    many = run_study(DICE_STUDY, store, {"throws": 21}, workers=1)
    assert many.tables[1].rows[:12] == few.tables[1].rows
    assert count_chunks(store.path) == 7


def test_same_seed_same_result_for_any_number_of_workers(tmp_path):
    results = []
    for workers in (1, 2):
        with Store(tmp_path / f"{workers}.sqlite") as store:
            results.append(figures(run_study(DICE_STUDY, store, seed=5, workers=workers)))
    assert results[0] == results[1]
    with Store(tmp_path / "other.sqlite") as store:
        assert figures(run_study(DICE_STUDY, store, seed=6, workers=1)) != results[0]


def test_finished_chunks_are_not_run_again(store, monkeypatch):
    first = run_study(DICE_STUDY, store, workers=1)

    def never(parameters, random):
        raise AssertionError("ran a finished chunk again")

    again = replace(DICE_STUDY, sizes=((replace(DICE, answer=never), "throws"),))
    assert figures(run_study(again, store, workers=1)) == figures(first)
    with pytest.raises(AssertionError):
        run_study(replace(DICE_STUDY, sizes=((replace(DICE, answer=never, version=2), "throws"),)), store, workers=1)


def test_progress_starts_with_what_is_stored(store):
    told = []
    run_study(DICE_STUDY, store, {"throws": 12}, workers=1)
    run_study(DICE_STUDY, store, {"throws": 20}, workers=1, progress=lambda done, total: told.append((done, total)))
    assert told == [(4, 7), (5, 7), (6, 7), (7, 7)]


def test_a_killed_run_resumes_to_the_same_figures(tmp_path):
    path = tmp_path / "killed.sqlite"
    code = (
        "from pathlib import Path; from analysis.study.run import run_study; from analysis.study.store import Store;"
        "from tests.study_examples import DICE_STUDY;"
        f"run_study(DICE_STUDY, Store(Path({str(path)!r})), seed=3, workers=1)"
    )
    environment = {**os.environ, "DICE_DELAY": "0.03", "PYTHONPATH": str(ROOT)}
    running = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=environment)
    deadline = time.monotonic() + 60
    while count_chunks(path) < 3 and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    kept = count_chunks(path)
    assert 3 <= kept < 14
    ran = []
    with Store(path) as store:
        resumed = run_study(DICE_STUDY, store, seed=3, workers=1, progress=lambda done, total: ran.append(done))
    assert ran == list(range(kept, 15))
    with Store(tmp_path / "whole.sqlite") as store:
        assert figures(resumed) == figures(run_study(DICE_STUDY, store, seed=3, workers=1))


def test_the_same_code_runs_on_a_dask_cluster(tmp_path):
    from distributed import LocalCluster

    with Store(tmp_path / "here.sqlite") as store:
        here = run_study(DICE_STUDY, store, seed=3, workers=1)
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**settings) as cluster, Store(tmp_path / "there.sqlite") as store:
        there = run_study(DICE_STUDY, store, seed=3, dask=cluster.scheduler_address)
        assert count_chunks(store.path) == 14
    assert figures(there) == figures(here)


def test_no_scheduler_is_one_clear_line(store, monkeypatch):
    with pytest.raises(UsageError, match="no Dask scheduler at nonsense://x"):
        run_study(DICE_STUDY, store, dask="nonsense://x")


def test_the_header_says_how_to_make_the_table_again(store):
    result = run_study(DICE_STUDY, store, {"sides": 8}, seed=4, quick=True, workers=1)
    head = result.tables[0].header
    assert head["command"] == "sushigo study run dice --quick --seed 4 --set sides=8"
    assert list(head) == ["command", "seed", "version", "samples", "seconds"]
    assert head["samples"] == "5 dice"
    assert command_line(DICE_STUDY, DICE_STUDY.settings({}), 1) == "sushigo study run dice --seed 1"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"colour": 1}, "no parameter 'colour': it has throws, sides"),
        ({"sides": "six"}, "sides=six: it must be a whole number, such as 6"),
        ({"throws": 0}, "throws=0: a study needs at least one sample"),
    ],
)
def test_bad_parameters_are_refused(changes, message):
    with pytest.raises(UsageError, match=message):
        DICE_STUDY.settings(changes)


def test_a_store_that_is_no_store_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "text.sqlite"
    path.write_text("this is not a database, however long it may be " * 40)
    with pytest.raises(SushiGoError, match="cannot use the study store"):
        Store(path)
    monkeypatch.setenv("SUSHIGO_STORE", str(path))
    assert default_store() == path
