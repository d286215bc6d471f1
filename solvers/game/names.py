"""Card names in six languages, on input and on output (``data/card_names.toml``)."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from typing import Any

from solvers.data_files import data_folder
from solvers.errors import NotationError, shown
from solvers.game.cards import KINDS, LETTERS, Card, cards_from_letters

LANGUAGES = ("en", "pt", "es", "fr", "de", "it")


def fold(name: str) -> str:
    """A name without accents, case and punctuation, so that spellings can be compared."""
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(char for char in plain if not unicodedata.combining(char)).casefold()
    return re.sub(r"[\W_]+", " ", plain).strip()


def card_from_name(name: str) -> Card:
    """The card a person named, by letter or by full name in any of the languages.

    Raises :class:`NotationError` for an unknown name, and for a bare "maki", which has no icon count.
    """
    if len(name) == 1 and name in LETTERS:
        return Card(LETTERS.index(name))
    folded = fold(name)
    if folded in _ambiguous():
        raise NotationError(f"{shown(name)} has no icon count: write maki1, maki2 or maki3")
    if folded in _spellings():
        return _spellings()[folded]
    if name and set(name.upper()) <= set(LETTERS):
        raise NotationError(f"{shown(name)} is not a card; letters are capitals, so write {shown(name.upper())}")
    raise NotationError(
        f"{shown(name)} is not a card; the letters are {LETTERS[:-1]}, or write a name such as squid_nigiri"
    )


def cards_from_text(text: str) -> tuple[Card, ...]:
    """Cards as a person types them: a run of letters (``"WQ"``), one name, or names separated by commas.

    Raises :class:`NotationError` naming the part that is no card.
    """
    if set(text) <= set(LETTERS):
        return cards_from_letters(text)
    if "," in text or text != text.upper() or fold(text) in _spellings().keys() | _ambiguous():
        return tuple(card_from_name(name) for name in text.split(","))
    return cards_from_letters(text)  # capitals with a wrong one among them: the error names that letter


def card_name(card: Card, language: str = "en") -> str:
    """The card's name in one of :data:`LANGUAGES`; raises :class:`NotationError` for another language."""
    if language not in LANGUAGES:
        raise NotationError(f"no card names in {shown(language)}: the languages are {', '.join(LANGUAGES)}")
    if card is Card.UNSEEN:
        return "?"
    name: str = _file()["names"][language][card.name.lower()]
    return name


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads((data_folder() / "card_names.toml").read_text(encoding="utf-8"))


@cache
def _spellings() -> dict[str, Card]:
    """The kind each folded spelling names."""
    spellings: dict[str, Card] = {}
    for card in KINDS:
        key = card.name.lower()
        for name in (key, *_file()["aliases"][key], *(_file()["names"][language][key] for language in LANGUAGES)):
            spellings[fold(name)] = card
    return spellings


@cache
def _ambiguous() -> frozenset[str]:
    """Folded spellings that name a maki roll without its icons."""
    return frozenset(fold(name) for name in _file()["ambiguous"]["maki"])
