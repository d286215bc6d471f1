"""Positions, rules and solutions drawn for a notebook."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import Position, Rules, UsageError
from solvers.endgame.solution import PickAnswer, SeatAnswer, Solution
from solvers.game.cards import Card, cards_from_letters
from solvers.game.drawing import card_svg, position_svg, stacks
from solvers.game.names import LANGUAGES, card_name
from solvers.game.pictures import BANDS, PAPER

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return [node.text for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_every_card_of_a_position_is_drawn_once():
    position = Position.parse("TPC3/SWE2 WQWLC/DDWE1 p=0/1 s=21/20")
    drawn = [text for text in texts(position_svg(position)) if len(text) == 1]
    assert sorted(drawn) == sorted("TPC3SWE2WQWLCDDWE1")
    assert {"Seat 0", "Seat 1", "points 21", "puddings 1", "tempura", "maki (3)", "squid"} <= set(
        texts(position_svg(position))
    )
    assert texts(position_svg(position))[0] == "Round 3 · 4 cards in each hand · hands pass left"


@given(
    st.lists(st.sampled_from("TSD123ELQPWC?"), min_size=2, max_size=20), st.sampled_from(["light", "dark", "inherit"])
)
@settings(max_examples=40)
def test_any_position_is_well_formed_and_fits_its_frame(cards, theme):
    half = len(cards) // 2
    hands = [cards_from_letters(cards[:half]), cards_from_letters(cards[half : 2 * half])]
    tables = [tuple(card for card in hand if card is not Card.UNSEEN) for hand in hands]
    root = ElementTree.fromstring(position_svg(Position(hands=hands, tables=tables), theme))
    width, height = float(root.get("width")), float(root.get("height"))
    for group in root.iter(f"{SVG}g"):
        x, y = map(float, re.findall(r"[\d.]+", group.get("transform", "")))
        assert 0 <= x <= width - 56 and 0 <= y <= height - 40


@pytest.mark.parametrize(
    ("position", "headline"),
    [
        ("T/S D/E", "Round 3 · one card in each hand · hands pass left"),
        ("-/- D/E r=1 d=R", "Round 1 · over"),
        ("TT/SS D/E r=2 d=R", "Round 2 · 2 cards in each hand · hands pass right"),
    ],
)
def test_the_headline_says_where_the_round_is(position, headline):
    assert texts(position_svg(Position.parse(position)))[0] == headline


def test_a_nigiri_lies_on_the_first_open_wasabi():
    piles = stacks(cards_from_letters("QWWTEL"))
    assert ["".join(card.letter for card in pile) for pile in piles] == ["Q", "WE", "WL", "T"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_are_named_in_every_language(language):
    for card in Card:
        svg = f"<svg xmlns='http://www.w3.org/2000/svg'>{card_svg(card, 0, 0, language)}</svg>"
        label = texts(svg)[-1]
        assert (
            label == "?"
            if card is Card.UNSEEN
            else label in card_name(card, language).replace(" roll", "").replace("-Rolle", "")
        )


def contrast(first, second):
    """The contrast ratio of two colours (WCAG 2.1)."""

    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("card", list(BANDS))
def test_letters_read_on_their_band(card):
    assert contrast("#222222", BANDS[card]) >= 4.5
    assert contrast("#222222", PAPER) >= 4.5


def test_dark_and_light_differ_and_inherit_takes_the_page():
    position = Position.parse("T/S -/-")
    assert position_svg(position, "dark") != position_svg(position, "light")
    assert "currentColor" in position_svg(position, "inherit") and position._repr_html_() == position_svg(
        position, "inherit"
    )
    with pytest.raises(UsageError, match="unknown theme 'neon'"):
        position_svg(position, "neon")


def test_rules_show_where_they_depart():
    html = Rules(wasabi_cards=5)._repr_html_()
    assert "<td>wasabi_cards</td><td><b>5</b></td>" in html
    assert html.count("<b>") == 1 and "<td>maki_second_place</td><td>true</td>" in html


def test_a_solution_shows_every_pick():
    tempura, pudding = (Card.TEMPURA,), (Card.PUDDING,)
    rows = (PickAnswer(tempura, 0.75, 1.5, 0.0), PickAnswer(pudding, 0.25, 1.5, 0.0))
    solution = Solution(
        Position.parse("TP/SW W/D"),
        Rules(),
        "margin",
        "equilibrium",
        1.5,
        (SeatAnswer(0, 1.5, rows),),
        ((tempura, pudding),),
        {},
        pudding_value=2.0,
    )
    html = solution._repr_html_()
    assert "margin +1.5" in html and "75.0%" in html and "width:68px" in html
    assert "proven" in html and "a pudding is worth 2 points" in html and "Likeliest line: T/P" in html
