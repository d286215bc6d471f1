"""The command ``sushigo``: one line for every error, and the exit statuses (interface, section 6).

This module imports next to nothing, so that even an interrupt during start-up ends without a traceback. The commands
live in modules of their own, loaded when they are called for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from analysis.exit_status import DONE, INTERRUPTED, LIMIT, WRONG_INPUT


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (default: the process's own) and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(words)
    except KeyboardInterrupt as stop:
        return _interrupted(stop, "--json" in words)
    except BrokenPipeError:  # the reader has gone (sushigo … | head): nothing is left to say to it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def _run(words: list[str]) -> int:
    from analysis.cli_app import run
    from analysis.cli_common import report_error, report_stop
    from solvers.errors import LimitReached, SushiGoError

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show a character gets a question mark
            stream.reconfigure(errors="replace")
    as_json = "--json" in words
    try:
        status = run(words)
        sys.stdout.flush()
        return status
    except SushiGoError as error:
        report_error(error.kind, str(error), as_json)
        return WRONG_INPUT
    except LimitReached as error:
        report_stop(error, as_json)
        return LIMIT
    except MemoryError:
        report_error("limit", "out of memory: set a smaller --memory or --max-states", as_json)
        return LIMIT


def _interrupted(stop: KeyboardInterrupt, as_json: bool) -> int:
    from analysis.cli_common import report_interrupt

    report_interrupt(stop, as_json)
    return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
