"""``sushigo study`` and ``sushigo lab`` from the command line."""

from __future__ import annotations

import json
import subprocess

import pytest
import typer

import analysis.studies
from analysis import cli_lab, cli_study
from analysis.studies import study_names
from analysis.study.tables import parse_table
from tests.analysis.cli_runner import sushigo
from tests.study_examples import DICE_STUDY


@pytest.fixture
def dice(monkeypatch, tmp_path):
    """A study of dice among the others, and a store of its own."""
    monkeypatch.setitem(analysis.studies.HOMES, "dice", "tests.analysis.test_cli_study")
    monkeypatch.setenv("SUSHIGO_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setattr(cli_study, "_checkout_tables", lambda: tmp_path / "tables")
    return tmp_path


STUDY = DICE_STUDY


def test_the_list_names_every_study_with_its_question():
    run = sushigo("study", "list", "--json")
    assert run.status == 0
    assert [row["study"] for row in run.json] == list(study_names())
    assert all(row["question"].endswith("?") and row["tables"] for row in run.json)
    assert "card-values" in sushigo("study", "list").out


def test_a_full_run_writes_its_tables(dice):
    run = sushigo("study", "run", "dice", "--set", "throws=9", "--seed", "4", "--workers", "1")
    assert run.status == 0, run.err
    table = parse_table("dice_mean", (dice / "tables" / "dice_mean.csv").read_text(encoding="utf-8"))
    assert table.header["command"] == "sushigo study run dice --seed 4 --set throws=9"
    assert table.header["samples"] == "9 dice" and "wrote" in run.out and "Mean of the dice" in run.out
    assert "dice: 3 of 3 chunks" in run.err


def test_a_quick_run_only_prints_unless_told_where_to(dice):
    assert sushigo("study", "run", "dice", "--quick", "--workers", "1").status == 0
    assert not (dice / "tables").exists()
    run = sushigo("study", "run", "dice", "--quick", "--workers", "1", "--out", str(dice / "here"), "--json")
    assert (dice / "here" / "dice_rolls.csv").is_file()
    assert len(run.json["tables"][1]["rows"]) == 5
    assert "dice: 2 of 2 chunks were finished before" in run.err


def test_tables_are_shown_in_every_format(dice):
    sushigo("study", "run", "dice", "--workers", "1")
    folder = ("--from", str(dice / "tables"))
    monkey = {
        "markdown": "|   sides |",
        "html": "<table>",
        "latex": "\\begin{tabular}",
        "csv": "# command: sushigo study run dice --seed 1",
    }
    for form, expected in monkey.items():
        assert expected in sushigo("study", "show", "dice_mean", "--format", form, *folder).out
    assert "standard error" in sushigo("study", "show", "dice_mean", *folder).out
    shown = json.loads(sushigo("study", "show", "dice_mean", "--json", *folder).out)
    assert shown[0]["made"]["seed"] == 1 and shown[0]["rows"][0]["sides"] == 6


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "luck"), "no study 'luck': the studies are card-values"),
        (("run", "mixing", "--set", "deals"), "--set deals: write name=value"),
        (("run", "mixing", "--set", "luck=1"), "study mixing has no parameter 'luck'"),
        (("run", "mixing", "--workers", "0"), "--workers 0: write a number of processes"),
        (("run", "mixing", "--store", "/dev/null/x"), "cannot use the study store /dev/null/x"),
        (("show", "luck"), "no table 'luck'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(words, message, tmp_path):
    run = sushigo("study", *words)
    assert run.status == 2
    assert run.err.startswith("error: ") and message in run.err and run.err.count("\n") == 1


def test_lab_opens_the_notebooks_folder(monkeypatch):
    started = []
    monkeypatch.setattr(cli_lab.importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(
        subprocess, "run", lambda words, check: started.append(words) or subprocess.CompletedProcess(words, 0)
    )
    assert sushigo("lab", "--no-browser", "--port", "9999").status == 0
    words = started[0]
    assert words[1:3] == ["-m", "jupyterlab"] and "--no-browser" in words and words[words.index("--port") + 1] == "9999"
    assert words[words.index("--notebook-dir") + 1].endswith("notebooks")


def test_lab_without_jupyterlab_names_the_extra(monkeypatch):
    monkeypatch.setattr(cli_lab.importlib.util, "find_spec", lambda name: None)
    run = sushigo("lab")
    assert run.status == 2 and run.err.count("\n") == 1 and "sushigo-analysis[notebooks]" in run.err


def test_lab_copies_the_notebooks_of_an_installed_package(monkeypatch, tmp_path):
    package = tmp_path / "site" / "analysis"
    (package / "_notebooks").mkdir(parents=True)
    (package / "_notebooks" / "01_reading_positions.ipynb").write_text("{}")
    monkeypatch.setattr(cli_lab.analysis, "__file__", str(package / "__init__.py"))
    monkeypatch.chdir(tmp_path)
    folder = cli_lab.notebooks_folder()
    (folder / "mine.ipynb").write_text("{}")
    assert sorted(path.name for path in cli_lab.notebooks_folder().iterdir()) == [
        "01_reading_positions.ipynb",
        "mine.ipynb",
    ]


def test_lab_without_jupyter_says_what_to_install(monkeypatch):
    monkeypatch.setattr(cli_lab.importlib.util, "find_spec", lambda name: None)
    run = sushigo("lab")
    assert run.status == 2 and "pip install 'sushigo-analysis[notebooks]'" in run.err


def test_both_commands_export_an_app():
    assert isinstance(cli_study.app, typer.Typer) and isinstance(cli_lab.app, typer.Typer)
