"""The rules options and their presets.

Every option is described in ``data/rules/official.toml``; a preset file states only where it departs from that one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from solvers.data_files import data_folder
from solvers.errors import RulesError
from solvers.game.cards import DECK, Card

ALLOWED: Mapping[str, tuple[Any, ...]] = {
    "pass_direction": ("left", "right", "alternate"),
    "maki_second_place": (True, False),
    "maki_min_icons": (1, 0),
    "maki_tie": ("split", "full"),
    "pudding_tie": ("split", "full"),
    "wasabi_cards": (6, 5),
    "pudding_all_equal": ("none", "both"),
    "chopsticks_order": ("sequenced", "strict_prior"),
    "two_player_variant": ("none", "dummy"),
}
"""The allowed values of each option, default first."""


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """One set of rules options; the defaults are the official game.

    Raises :class:`RulesError` when an option has a value that does not exist.
    """

    pass_direction: str = "left"
    maki_second_place: bool = True
    maki_min_icons: int = 1
    maki_tie: str = "split"
    pudding_tie: str = "split"
    wasabi_cards: int = 6
    pudding_all_equal: str = "none"
    chopsticks_order: str = "sequenced"
    two_player_variant: str = "none"

    def __post_init__(self) -> None:
        for field in fields(self):
            value, allowed = getattr(self, field.name), ALLOWED[field.name]
            if not any(value == choice and type(value) is type(choice) for choice in allowed):
                choices = ", ".join(_spell(choice) for choice in allowed)
                raise RulesError(f"rules option {field.name} = {_spell(value)}: it can be {choices}")

    def __repr__(self) -> str:
        """The options that depart from the official game, as one would type them."""
        changed = ", ".join(f"{name}={value!r}" for name, value in self.departures().items())
        return f"Rules({changed})"

    def departures(self) -> dict[str, Any]:
        """The options that differ from the official game."""
        return {name: value for name, value in self.as_dict().items() if value != ALLOWED[name][0]}

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Rules:
        """Rules with ``options`` changed from the default; raises :class:`RulesError` for an unknown name."""
        for name in options:
            if name not in ALLOWED:
                raise RulesError(f"unknown rules option {name!r}; the options are {', '.join(ALLOWED)}")
        return cls(**options)

    @classmethod
    def preset(cls, name: str) -> Rules:
        """The preset ``data/rules/NAME.toml``; raises :class:`RulesError` when there is none of that name."""
        if name not in preset_names():
            raise RulesError(f"no rules preset {name!r}; the presets are {', '.join(preset_names())}")
        return cls.from_file(data_folder() / "rules" / f"{name}.toml")

    @classmethod
    def from_file(cls, path: Path) -> Rules:
        """The rules a TOML file states under ``[options]``; raises :class:`RulesError` when it cannot be read."""
        try:
            options = tomllib.loads(path.read_text(encoding="utf-8")).get("options", {})
        except OSError as error:
            raise RulesError(f"cannot read rules file {path}: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise RulesError(f"rules file {path} is not TOML: {error}") from None
        if not isinstance(options, dict):
            raise RulesError(f"rules file {path}: [options] must be a table")
        return cls.from_options(options)

    def direction(self, round_number: int) -> str:
        """The way hands are passed in a round: ``"left"`` or ``"right"``."""
        if self.pass_direction == "alternate":
            return "right" if round_number == 2 else "left"
        return self.pass_direction

    def deck(self) -> dict[Card, int]:
        """How many of each kind this game's deck holds."""
        return {**DECK, Card.WASABI: self.wasabi_cards}

    def _repr_html_(self) -> str:
        from solvers.game.drawing import rules_html

        return rules_html(self)

    def as_dict(self) -> dict[str, Any]:
        """Every option by name, as printed in JSON."""
        return asdict(self)


def preset_names() -> tuple[str, ...]:
    """The shipped presets, the official one first."""
    found = sorted(path.stem for path in (data_folder() / "rules").glob("*.toml"))
    return tuple(sorted(found, key=lambda name: name != "official"))


def _spell(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
