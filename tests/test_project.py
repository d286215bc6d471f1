"""The shape of the project: who imports whom, what start-up loads, and what an installed wheel carries."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
MODULES = sorted(path.relative_to(ROOT) for room in ("solvers", "analysis") for path in (ROOT / room).rglob("*.py"))
HEAVY = {"numpy", "numba", "scipy", "ortools", "networkx", "matplotlib", "pandas", "typer", "rich", "joblib"}
PUBLIC = [
    "Card", "IllegalPick", "Interrupted", "LimitReached", "Limits", "NotationError", "Position", "Rules", "RulesError",
    "Solution", "SushiGoError", "UsageError", "against_solution", "best_draft", "best_game", "best_hand", "best_reply",
    "solve",
]  # fmt: skip


def imported(path: Path) -> set[str]:
    """The top-level packages a module imports anywhere, inside functions too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relative to itself"
            names.add((node.module or "").partition(".")[0])
    return names


def loaded_after(code: str) -> set[str]:
    """The top-level packages in ``sys.modules`` after running ``code`` in a fresh interpreter."""
    script = f"{code}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(run.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("path", [path for path in MODULES if path.parts[0] == "solvers"], ids=str)
def test_solvers_import_nothing_from_upstairs(path: Path) -> None:
    assert not imported(path) & {"analysis", "tests", "matplotlib", "typer", "rich", "pandas", "IPython"}


@pytest.mark.parametrize("path", [path for path in MODULES if path.parts[0] == "analysis"], ids=str)
def test_analysis_imports_nothing_from_the_tests(path: Path) -> None:
    assert not imported(path) & {"tests", "pytest", "hypothesis"}


@pytest.mark.parametrize("path", [path for path in MODULES if path.parts[1] == "game"], ids=str)
def test_the_game_room_needs_only_the_standard_library(path: Path) -> None:
    assert imported(path) <= set(sys.stdlib_module_names) | {"solvers"}


def test_everything_imported_is_declared() -> None:
    declared = {name.split(">")[0].split("[")[0] for name in PROJECT["project"]["dependencies"]}
    optional = {name.split(">")[0] for extra in PROJECT["project"]["optional-dependencies"].values() for name in extra}
    used = set().union(*map(imported, MODULES)) - set(sys.stdlib_module_names) - {"solvers", "analysis"}
    assert used <= declared | optional | {"cycler"}, "cycler is matplotlib's own"


def test_importing_solvers_loads_nothing_heavy() -> None:
    assert not loaded_after("import solvers") & HEAVY
    assert not loaded_after("from solvers import Position, Rules, Card; Position.parse('TP/SW W/D')") & HEAVY


def test_the_light_commands_load_no_numerics() -> None:
    code = "from analysis.cli import main; main(['show', 'TP/SW W/D']); main(['score', 'TP/SW W/D', '--json'])"
    assert not loaded_after(code) & (HEAVY - {"typer", "rich"})


def test_solving_does_not_load_what_it_does_not_need() -> None:
    code = "from analysis.cli import main; main(['solve', 'TP/SW W/D', '--json'])"
    assert not loaded_after(code) & {"matplotlib", "ortools", "networkx", "pandas", "joblib"}


def test_the_public_names() -> None:
    import solvers

    assert sorted(solvers.__all__) == PUBLIC
    assert all(getattr(solvers, name).__name__ == name for name in PUBLIC)
    assert dir(solvers) == PUBLIC
    with pytest.raises(AttributeError, match="no attribute 'Solver'"):
        _ = solvers.Solver  # type: ignore[attr-defined]


def test_a_wheel_carries_the_data_and_works_from_any_folder(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    wheel = next(tmp_path.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "installed")
    data = {str(path.relative_to(ROOT / "data")) for path in (ROOT / "data").rglob("*.*") if path.is_file()}
    assert {name.removeprefix("solvers/_data/") for name in names if name.startswith("solvers/_data/")} >= data
    assert {name.partition("/")[0] for name in names} == {
        "solvers",
        "analysis",
        wheel.name.split("-py")[0] + ".dist-info",
    }
    code = (
        "import sys; sys.path.insert(0, 'installed')\n"
        "import solvers; assert 'installed' in solvers.__file__, solvers.__file__\n"
        "from analysis.cli import main; sys.exit(main(['score', '-/- 3/2', '--rules', 'sheet-001', '--json']))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert '"round": [6, 0]' in run.stdout


def test_only_the_agreed_names_are_visible() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    top = {name.partition("/")[0] for name in listed.stdout.splitlines()}
    rooms = {"solvers", "analysis", "notebooks", "tests", "data"}
    assert top <= rooms | {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".gitignore", ".ci"}


def test_data_holds_no_code() -> None:
    assert not [path for path in (ROOT / "data").rglob("*") if path.suffix in (".py", ".sh", ".ipynb")]
