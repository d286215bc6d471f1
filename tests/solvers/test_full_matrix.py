"""The matrix game of a turn, every entry against the plain engine's."""

from __future__ import annotations

import numpy as np
import pytest

from solvers import Position, Rules, solve
from solvers.endgame.full_matrix import full_matrix


@pytest.mark.parametrize(
    ("text", "objective"),
    [
        ("TP/SW W/D p=0/1 s=21/20", "margin"),
        ("TPQE/SWL2 WC/D3 p=0/1 s=21/20", "margin"),
        ("TPQE/SWL2 WC/D3 p=0/1 s=21/22", "win"),
        ("TSP3/SWLC TS/CD r=2", "margin"),
        ("Q/L W/- s=3/1", "margin"),
    ],
)
def test_every_entry_is_exact(text, objective):
    position = Position.parse(text)
    fast, plain = (solve(position, objective, engine=engine) for engine in ("fast", "plain"))
    rows, columns = position.joint_picks()
    exact = plain.solver.engine.stage_matrix(position, rows, columns)
    np.testing.assert_allclose(full_matrix(fast.solver, position), exact, atol=1e-9)
    np.testing.assert_array_equal(full_matrix(plain.solver, position), exact)


def test_a_later_turn_and_other_rules():
    rules = Rules(maki_second_place=False, wasabi_cards=5)
    position = Position.parse("TP3Q/SW2D W/D s=1/2", rules)
    fast, plain = (solve(position, rules=rules, engine=engine) for engine in ("fast", "plain"))
    after = position.play([(position.hands[0][0],), (position.hands[1][0],)], rules)
    exact = plain.solver.engine.stage_matrix(after, *after.joint_picks(rules))
    np.testing.assert_allclose(full_matrix(fast.solver, after), exact, atol=1e-9)
