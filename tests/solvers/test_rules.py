"""Rules options and presets."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from solvers.data_files import data_folder
from solvers.errors import RulesError
from solvers.game.cards import Card
from solvers.game.rules import ALLOWED, Rules, preset_names
from tests.strategies import rules_options


def test_the_defaults_are_the_first_allowed_values() -> None:
    assert Rules().as_dict() == {name: values[0] for name, values in ALLOWED.items()}


@given(rules_options(dummy=True))
def test_the_repr_is_what_one_would_type(rules: Rules) -> None:
    assert eval(repr(rules)) == rules
    assert Rules(**rules.departures()) == rules


def test_the_repr_says_only_what_departs() -> None:
    assert repr(Rules()) == "Rules()"
    assert repr(Rules.preset("sheet-001")) == "Rules(pass_direction='right', maki_second_place=False)"


def test_the_presets() -> None:
    assert preset_names() == ("official", "sheet-000", "sheet-001", "sheet-002", "sheet-004")


@pytest.mark.parametrize(
    ("name", "departures"),
    [
        ("official", {}),
        ("sheet-000", {}),
        ("sheet-001", {"pass_direction": "right", "maki_second_place": False}),
        ("sheet-002", {"wasabi_cards": 5}),
        ("sheet-004", {}),
    ],
)
def test_a_preset_departs_only_where_it_says(name: str, departures: dict[str, Any]) -> None:
    assert Rules.preset(name) == Rules(**departures)
    stated = tomllib.loads((data_folder() / "rules" / f"{name}.toml").read_text("utf-8"))["options"]
    assert stated == (departures if name != "official" else Rules().as_dict())


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in ALLOWED.items() for value in values])
def test_every_allowed_value_is_accepted(name: str, value: Any) -> None:
    assert Rules.from_options({name: value}).as_dict()[name] == value


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"maki_tie": "half"}, "rules option maki_tie = half: it can be split, full"),
        ({"wasabi_cards": 7}, "rules option wasabi_cards = 7: it can be 6, 5"),
        ({"wasabi_cards": "6"}, "rules option wasabi_cards = 6: it can be 6, 5"),
        ({"maki_min_icons": True}, "rules option maki_min_icons = true: it can be 1, 0"),
        ({"maki_second_place": 1}, "rules option maki_second_place = 1: it can be true, false"),
        ({"maki": 1}, "unknown rules option 'maki'; the options are pass_direction,"),
    ],
)
def test_a_wrong_option_is_one_line(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.from_options(options)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_an_unknown_preset_names_the_presets() -> None:
    with pytest.raises(RulesError, match="no rules preset 'party'; the presets are official, sheet-000"):
        Rules.preset("party")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"options = 3", r"\[options\] must be a table"),
        (b"[options", "is not TOML"),
        (b"\xff\xfe", "is not TOML"),
        (b"[options]\nwasabi = 5", "unknown rules option 'wasabi'"),
        (b"[options]\nwasabi_cards = 4", "wasabi_cards = 4: it can be 6, 5"),
    ],
)
def test_a_bad_rules_file(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(content)
    with pytest.raises(RulesError, match=message):
        Rules.from_file(path)


def test_a_missing_rules_file(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot read rules file"):
        Rules.from_file(tmp_path / "none.toml")


def test_a_file_without_options_is_the_official_game(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('title = "nothing"\n')
    assert Rules.from_file(path) == Rules()


def test_the_deck_of_five_wasabi() -> None:
    assert sum(Rules().deck().values()) == 108
    assert sum(Rules(wasabi_cards=5).deck().values()) == 107
    assert Rules(wasabi_cards=5).deck()[Card.WASABI] == 5


@pytest.mark.parametrize(("way", "rounds"), [("left", "LLL"), ("right", "RRR"), ("alternate", "LRL")])
def test_directions(way: str, rounds: str) -> None:
    rules = Rules(pass_direction=way)
    assert "".join(rules.direction(number)[0].upper() for number in (1, 2, 3)) == rounds
