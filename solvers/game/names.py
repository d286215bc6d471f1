"""Card names in six languages, on input and on output (``data/card_names.toml``)."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache

from solvers.data_files import data_folder
from solvers.errors import NotationError
from solvers.game.cards import KINDS, LETTERS, Card

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
    if name in LETTERS and len(name) == 1:
        return Card(LETTERS.index(name))
    folded = fold(name)
    if folded in _tables()["ambiguous"]:
        raise NotationError(f"{name!r} has no icon count: write maki1, maki2 or maki3")
    try:
        return _tables()["card"][folded]
    except KeyError:
        raise NotationError(f"{name!r} is not a card; the letters are {LETTERS[:-1]}, or write a name such as squid nigiri") from None


def card_name(card: Card, language: str = "en") -> str:
    """The card's name in one of :data:`LANGUAGES`; raises :class:`NotationError` for another language."""
    if language not in LANGUAGES:
        raise NotationError(f"no card names in {language!r}: the languages are {', '.join(LANGUAGES)}")
    return _file()["names"][language][card.name.lower()]


@cache
def _file() -> dict:
    return tomllib.loads((data_folder() / "card_names.toml").read_text(encoding="utf-8"))


@cache
def _tables() -> dict:
    """Folded spellings: ``card`` to the kind, ``ambiguous`` for those that name no single kind."""
    spellings: dict[str, Card] = {}
    for card in KINDS:
        key = card.name.lower()
        names = [key, *_file()["aliases"][key], *(_file()["names"][lang][key] for lang in LANGUAGES)]
        for name in names:
            spellings[fold(name)] = card
    ambiguous = {fold(name) for name in _file()["ambiguous"]["maki"]}
    return {"card": spellings, "ambiguous": ambiguous}
