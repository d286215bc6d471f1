"""The table of commands, each loaded only when it is called for, and typer's errors turned into ours."""

from __future__ import annotations

from importlib import import_module

import typer

from analysis.exit_status import DONE, INTERRUPTED
from solvers.errors import UsageError

COMMANDS = {
    "solve": "analysis.cli_solve",
    "score": "analysis.cli_position",
    "show": "analysis.cli_position",
    "tree": "analysis.cli_tree",
    "best": "analysis.cli_best",
    "puzzle": "analysis.cli_puzzle",
    "study": "analysis.cli_study",
    "lab": "analysis.cli_lab",
    "bench": "analysis.cli_bench",
}
"""The module that mounts each command on the app, in the order ``--help`` lists them."""

HELP = "Optimal play in the card game Sushi Go!: solve positions exactly, score them, draw them, and try puzzles."


def run(words: list[str]) -> int:
    """Run a command line and return its exit status; raises :class:`UsageError` for options that are wrong.

    A position may begin with the empty hands ``-/-``, which would read as an option: a space in front prevents that.
    """
    words = [f" {word}" if word.startswith("-/") else word for word in words]
    named = next((word for word in words if not word.startswith("-")), "")
    command = typer.main.get_command(_app(named))
    try:
        status = command.main(words or ["--help"], prog_name="sushigo", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except SystemExit:  # typer's way out when the reader of a pipe has gone
        raise BrokenPipeError from None
    except _CLICK_ERROR as error:
        raise UsageError(_one_line(error)) from None
    if status == INTERRUPTED:  # typer's other way to say Ctrl-C
        raise KeyboardInterrupt
    return status if isinstance(status, int) else DONE


def _app(named: str) -> typer.Typer:
    """The app with the named command only, or with all of them where the name is none of ours."""
    app = typer.Typer(
        help=HELP,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_version_option)
    modules = [COMMANDS[named]] if named in COMMANDS else list(dict.fromkeys(COMMANDS.values()))
    for module in modules:
        import_module(module).mount(app)
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"sushigo {version('sushigo-analysis')}")
        raise typer.Exit


def _version_option(
    version: bool = typer.Option(False, "--version", help="Print the version.", callback=_show_version, is_eager=True),
) -> None:
    """The options before the command."""


_CLICK_ERROR: type[Exception] = typer.BadParameter.__mro__[2]
"""The base of typer's own errors; typer has no public name for it."""


def _one_line(error: Exception) -> str:
    """What is wrong with the options, and where to read what would be right."""
    text = error.format_message() if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "sushigo"
    return f"{' '.join(text.split()).rstrip('.')} (see {path} --help)"
