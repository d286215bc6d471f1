"""The errors a user can cause, each with one line that says what is wrong, where, and what would be right."""

from __future__ import annotations


def shown(text: str, limit: int = 60) -> str:
    """A quoted text for an error message, its middle left out when it is long."""
    if len(text) > limit:
        text = text[: limit // 2] + " … " + text[-limit // 2 :]
    return repr(text)


class SushiGoError(ValueError):
    """Base of every error this toolkit raises on purpose.

    ``kind`` is the short name used in the JSON form of an error.
    """

    kind = "error"


class NotationError(SushiGoError):
    """A text (position, card, pick) that cannot be read or describes an impossible position."""

    kind = "notation"


class RulesError(SushiGoError):
    """An unknown rules option, value or preset."""

    kind = "rules"


class IllegalPick(SushiGoError):
    """A pick the rules do not allow; the message is the reason."""

    kind = "illegal-pick"


class UsageError(SushiGoError):
    """A question that has no answer as asked (for example a zero-sum answer for ``points``)."""

    kind = "usage"


class LimitReached(RuntimeError):
    """A limit on time, memory or states stopped the work before it was done.

    ``stats`` says what had been finished by then; ``bounds`` holds what was proven of the value asked for, where the
    work had come so far: the least and the most it can be, ``None`` on a side nothing was proven of.
    """

    kind = "limit"

    def __init__(self, message: str, stats: dict[str, object] | None = None) -> None:
        super().__init__(message)
        self.stats: dict[str, object] = stats or {}
        self.bounds: tuple[float | None, float | None] = (None, None)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a solve; ``bounds`` as for :class:`LimitReached`."""

    def __init__(self, bounds: tuple[float | None, float | None]) -> None:
        super().__init__()
        self.bounds = bounds
