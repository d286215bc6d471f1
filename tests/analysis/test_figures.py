"""Charts of solutions and tables: what is drawn, that it is drawn alike every time, and that it can be kept."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import rcParams
from matplotlib.colors import to_hex

from analysis.figures import bars, draw, house_style, lines, matrix_figure, picks_figure, save_figure
from analysis.figures.solutions import game_matrix
from analysis.figures.style import FOR_AND_AGAINST, SEATS
from solvers import Position, SushiGoError, UsageError, solve

MIXED = "TP/SW W/D p=0/1 s=21/20"


@pytest.fixture(scope="module")
def solution():
    return solve(Position.parse("QP2/SWD W/D p=0/1 s=21/20"), engine="plain")


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_the_heat_map_shows_the_matrix_game_and_both_mixes(solution):
    figure = matrix_figure(solution)
    heat, top, side = figure.axes
    matrix = game_matrix(solution)
    np.testing.assert_array_equal(heat.images[0].get_array(), matrix)
    assert [label.get_text() for label in heat.get_yticklabels()] == ["2", "Q", "P"]
    assert [label.get_text() for label in heat.get_xticklabels()] == ["S", "D", "W"]
    row_mix, column_mix = (list(mix.values()) for mix in solution.strategy(solution.position))
    assert [bar.get_width() for bar in side.patches] == pytest.approx(row_mix)
    assert [bar.get_height() for bar in top.patches] == pytest.approx(column_mix)
    assert len(texts(side)) == sum(chance > 0.0005 for chance in row_mix)
    assert texts(heat)[0] == f"{matrix[0, 0]:+.1f}".replace("-", "\u2212")
    value = np.array(row_mix) @ matrix @ np.array(column_mix)
    assert value == pytest.approx(solution.value)


def test_the_heat_map_of_a_later_turn(solution):
    after = solution.position.play([solution.line[0][0], solution.line[0][1]])
    assert matrix_figure(solution, after).axes[0].images[0].get_array().shape == tuple(map(len, after.joint_picks()))


def test_colours_favour_the_seat_they_belong_to():
    assert to_hex(FOR_AND_AGAINST(1.0)) == SEATS[0].lower() and to_hex(FOR_AND_AGAINST(0.0)) == SEATS[1].lower()


def test_only_matrix_games_have_a_heat_map(solution):
    from dataclasses import replace

    with pytest.raises(UsageError, match="solve it against equilibrium"):
        matrix_figure(replace(solution, solver=None))


def test_picks_are_bars_best_first(solution):
    chances, losses = picks_figure(solution, seat=1).axes
    answer = solution.seat(1)
    assert [label.get_text() for label in chances.get_yticklabels()] == [row.pick[0].letter for row in answer.picks]
    assert [bar.get_width() for bar in chances.patches] == [row.probability for row in answer.picks]
    assert [bar.get_width() for bar in losses.patches] == [row.loss for row in answer.picks]


ROWS = [
    {"card": "squid", "left": 3, "value": 1.5, "se": 0.5, "other": -1.0, "other_se": None},
    {"card": "egg", "left": 2, "value": -0.5, "se": 0.25, "other": None, "other_se": None},
]


def test_bars_carry_their_intervals():
    axes = bars(ROWS, "card", {"one way": ("value", "se"), "another": ("other", "other_se")}, "Title", "points").axes[0]
    first, second = (container for container in axes.containers if hasattr(container, "patches"))
    assert [bar.get_width() for bar in first.patches] == [1.5, -0.5]
    assert second.patches[0].get_width() == -1.0 and np.isnan(second.patches[1].get_width())
    segments = axes.collections[0].get_segments()
    assert [segment[:, 0].tolist() for segment in segments] == [[0.52, 2.48], pytest.approx([-0.99, -0.01])]
    assert axes.get_title(loc="left") == "Title" and axes.get_xlabel() == "points"


def test_lines_run_down_to_the_last_cards():
    axes = lines(ROWS, "left", "value", "se", "card", "Title", ("cards left", "points")).axes[0]
    assert axes.xaxis_inverted()
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["squid", "egg"]


def test_figures_are_kept_as_svg_and_png_alike_every_time(tmp_path, solution):
    for name in ("a.svg", "a.png"):
        first = save_figure(picks_figure(solution), tmp_path / name).read_bytes()
        assert save_figure(picks_figure(solution), tmp_path / f"b.{name}").read_bytes() == first
    with pytest.raises(UsageError, match="cannot save a figure as a.bmp"):
        save_figure(picks_figure(solution), tmp_path / "a.bmp")
    with pytest.raises(SushiGoError, match="cannot write"):
        save_figure(picks_figure(solution), tmp_path / "no" / "a.svg")


def test_the_house_style_leaves_no_trace():
    before = dict(rcParams)
    with house_style():
        assert rcParams["svg.hashsalt"] == "sushigo"
    assert dict(rcParams) == before


def test_a_position_is_an_image(tmp_path):
    drawing = draw(Position.parse(MIXED), language="de")
    assert drawing._repr_svg_().startswith("<svg") and "Pudding" in drawing.svg
    assert drawing.save(tmp_path / "p.svg").read_text(encoding="utf-8") == drawing.svg
    with pytest.raises(SushiGoError, match="cannot write"):
        drawing.save(tmp_path / "no" / "p.svg")
