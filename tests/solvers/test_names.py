"""Card names in six languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import NotationError
from solvers.game.cards import KINDS, LETTERS, Card
from solvers.game.names import LANGUAGES, card_from_name, card_name, cards_from_text, fold
from solvers.game.position import Position

ALIASES: dict[str, list[str]] = json.loads(
    (Path(__file__).parents[1] / "data" / "card_aliases.json").read_text("utf-8")
)["aliases"]
SPELLINGS = [(kind, spelling) for kind, spellings in ALIASES.items() for spelling in spellings]


def test_the_list_names_every_kind() -> None:
    assert set(ALIASES) == {card.name.lower() for card in KINDS}


@pytest.mark.parametrize(("kind", "spelling"), SPELLINGS)
def test_every_spelling_is_read(kind: str, spelling: str) -> None:
    card = Card[kind.upper()]
    assert card_from_name(spelling) is card
    assert card_from_name(spelling.upper()) is card
    assert card_from_name(fold(spelling)) is card
    assert card_from_name(fold(spelling).replace(" ", "_")) is card


@pytest.mark.parametrize("language", LANGUAGES)
def test_printed_names_are_read_back(language: str) -> None:
    names = [card_name(card, language) for card in KINDS]
    assert len(set(names)) == len(KINDS)
    assert [card_from_name(name) for name in names] == list(KINDS)


def test_the_languages_print_differently() -> None:
    squid = {language: card_name(Card.SQUID_NIGIRI, language) for language in LANGUAGES}
    assert squid == {
        "en": "squid nigiri",
        "pt": "nigiri de lula",
        "es": "nigiri de calamar",
        "fr": "nigiri au calmar",
        "de": "Tintenfisch-Nigiri",
        "it": "nigiri di seppia",
    }


@pytest.mark.parametrize("card", Card)
def test_letters_are_names(card: Card) -> None:
    assert card_from_name(card.letter) is card
    assert LETTERS[card] == card.letter


@pytest.mark.parametrize("spelling", ["maki", "Maki", "MAKIS", "maki roll", "Maki-Rolle", "rolinho"])
def test_a_bare_maki_is_refused_with_the_three_spellings(spelling: str) -> None:
    with pytest.raises(NotationError, match="no icon count: write maki1, maki2 or maki3"):
        card_from_name(spelling)


@pytest.mark.parametrize("name", ["", "sushi", "TT", "t", "maki4", "wasabi squid", "x" * 500])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(NotationError) as caught:
        card_from_name(name)
    assert "is not a card" in str(caught.value)
    assert len(str(caught.value)) < 200


def test_small_letters_are_pointed_out() -> None:
    with pytest.raises(NotationError, match="letters are capitals, so write 'TP'"):
        cards_from_text("tp")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(NotationError, match="no card names in 'jp': the languages are en, pt, es, fr, de, it"):
        card_name(Card.WASABI, "jp")


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("WQ", "WQ"),
        ("wasabi", "W"),
        ("WASABI", "W"),
        ("Seppia", "Q"),
        ("wasabi,squid_nigiri", "WQ"),
        ("W,lachs-nigiri,3", "WL3"),
        ("nigiri_à_l’omelette,GYOZA", "ED"),
    ],
)
def test_cards_from_text(text: str, letters: str) -> None:
    assert cards_from_text(text) == tuple(Card(LETTERS.index(letter)) for letter in letters)


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(LANGUAGES)), min_size=1, max_size=4))
def test_a_hand_of_mixed_names_is_the_hand_of_letters(named: list[tuple[Card, str]]) -> None:
    words = ",".join(card_name(card, language).replace(" ", "_") for card, language in named)
    plain = "".join(card.letter for card, _ in named)
    assert cards_from_text(words) == cards_from_text(plain)
    assert Position.parse(f"{words}/{'T' * len(named)} -/-") == Position.parse(f"{plain}/{'T' * len(named)} -/-")
