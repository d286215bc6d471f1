"""The two contests between seats, most maki and most and fewest puddings, with their ties and rounding.

A contest is modelled by *places*. For each place (first, second, most, fewest) a variable says who shares it, and
another how many do; ``shares[seat, tied]`` joins the two, so that the points paid are a sum over those variables with
the rounded prize as the factor and never exceed the prize, not even in the linear relaxation.
Source: the 2014 booklet, p. 3-5; the prizes come from :mod:`solvers.game.scoring`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ortools.sat.python import cp_model

from solvers.ceilings.draft_model import Expression
from solvers.game.rules import Rules
from solvers.game.scoring import maki_points, pudding_points


@dataclass(frozen=True, slots=True)
class Place:
    """One place in a contest: which seats hold it, and how many share it (0: nobody holds it)."""

    held: list[cp_model.IntVar]
    tied: dict[int, cp_model.IntVar]
    shares: dict[tuple[int, int], cp_model.IntVar]

    @property
    def empty(self) -> cp_model.IntVar | None:
        """1 when nobody holds the place; ``None`` where somebody always does."""
        return self.tied.get(0)

    def points(self, seat: int, prize: Callable[[int], int]) -> Expression:
        """What the place pays a seat, ``prize(tied)`` being one seat's part."""
        return sum(prize(tied) * share for (who, tied), share in self.shares.items() if who == seat)


def place(model: cp_model.CpModel, seats: int, name: str, can_be_empty: bool) -> Place:
    """A place with its variables, tied together; who holds it is for the caller to say."""
    held = [model.new_bool_var(f"{name}_{seat}") for seat in range(seats)]
    sizes = range(0 if can_be_empty else 1, seats + 1)
    tied = {size: model.new_bool_var(f"{name}_tied_{size}") for size in sizes}
    shares = {
        (seat, size): model.new_bool_var(f"{name}_{seat}_of_{size}") for seat in range(seats) for size in sizes if size
    }
    model.add_exactly_one(tied.values())
    for size in sizes:
        if size:
            model.add(sum(shares[seat, size] for seat in range(seats)) == size * tied[size])
    for seat in range(seats):
        model.add(sum(shares[seat, size] for size in sizes if size) == held[seat])
    return Place(held, tied, shares)


def maki(
    model: cp_model.CpModel, icons: Sequence[Expression], most_icons: int, rules: Rules, total: int | None = None
) -> list[Expression]:
    """The maki points of every seat: 6 for the most icons, 3 for the second most, as the options say.

    ``most_icons`` is an upper limit for any seat's icons. ``total`` is the sum of all seats' icons where it is known
    beforehand: all it adds are cuts.
    """
    seats = range(len(icons))
    top = model.new_int_var(0, most_icons, "most_icons")
    first = place(model, len(icons), "first", can_be_empty=rules.maki_min_icons > 0)
    for seat in seats:
        behind = [~first.held[seat]] if first.empty is None else [~first.held[seat], ~first.empty]
        model.add(icons[seat] <= top)
        model.add(icons[seat] == top).only_enforce_if(first.held[seat])
        model.add(icons[seat] <= top - 1).only_enforce_if(behind)
    if first.empty is not None:
        model.add(top == 0).only_enforce_if(first.empty)
        model.add(top >= rules.maki_min_icons).only_enforce_if(~first.empty)
    if total is not None:
        _share_out(model, first, top, len(icons), total)
    points = [first.points(seat, lambda tied: maki_points((1,) * tied, rules)[0]) for seat in seats]
    if not rules.maki_second_place:
        return points
    second = _second_place(model, icons, top, most_icons, first, rules, total)
    return [
        points[seat] + second.points(seat, lambda tied: maki_points((2, *(1,) * tied), rules)[-1]) for seat in seats
    ]


def _share_out(model: cp_model.CpModel, best: Place, top: Expression, seats: int, total: int) -> None:
    """Cuts that follow from knowing what all seats have together: who is best has a fair share, or more.

    They halve the time a margin takes to prove, as the relaxation cannot split the icons as it likes any more.
    """
    model.add(seats * top >= total)
    for tied, literal in best.tied.items():
        model.add(tied * top <= total).only_enforce_if(literal)
    if total and best.empty is not None:
        model.add(best.empty == 0)


def _second_place(
    model: cp_model.CpModel,
    icons: Sequence[Expression],
    top: Expression,
    most_icons: int,
    first: Place,
    rules: Rules,
    total: int | None,
) -> Place:
    """Second place goes to the most icons among the seats behind, if it is paid at all and any of them counts."""
    paid_after_tie = maki_points((2, 2, 1), rules)[-1] > 0
    runner_up = model.new_int_var(0, most_icons, "second_most_icons")
    second = place(model, len(icons), "second", can_be_empty=True)
    taken = ~second.tied[0]
    model.add(runner_up <= top - 1).only_enforce_if(taken)
    model.add(runner_up >= rules.maki_min_icons).only_enforce_if(taken)
    alone = [] if paid_after_tie else [first.tied[1]]
    if not paid_after_tie:
        model.add_implication(taken, first.tied[1])
    for seat, count in enumerate(icons):
        model.add_at_most_one(first.held[seat], second.held[seat])
        model.add(count == runner_up).only_enforce_if(second.held[seat])
        model.add(count <= runner_up - 1).only_enforce_if(taken, ~first.held[seat], ~second.held[seat])
        # nobody second though the place is paid: then nobody behind has icons enough to count
        model.add(count <= rules.maki_min_icons - 1).only_enforce_if(second.tied[0], ~first.held[seat], *alone)
    if total is not None and not paid_after_tie:
        others = len(icons) - 1
        model.add(top == total).only_enforce_if(second.tied[0], first.tied[1])
        model.add(top + others * runner_up >= total).only_enforce_if(taken)
        for tied, literal in second.tied.items():
            model.add(top + tied * runner_up <= total).only_enforce_if(literal)
    return second


def puddings(
    model: cp_model.CpModel, counts: Sequence[Expression], most: int, rules: Rules, total: int | None = None
) -> list[Expression]:
    """The pudding points of every seat at the end of the game: 6 for the most, −6 for the fewest, ties rounded.

    ``most`` is an upper limit for any seat's puddings. ``total`` is the sum of all seats' puddings where it is known
    beforehand: all it adds are cuts.
    """
    seats = len(counts)
    highest = model.new_int_var(0, most, "most_puddings")
    best = place(model, seats, "most_puddings", can_be_empty=False)
    for seat, count in enumerate(counts):
        model.add(count == highest).only_enforce_if(best.held[seat])
        model.add(count <= highest - 1).only_enforce_if(~best.held[seat])
    if total is not None:
        _share_out(model, best, highest, seats, total)

    def prize(tied: int) -> int:
        return pudding_points((1,) * tied + (0,) * (seats - tied), rules)[0]

    points = [best.points(seat, prize) for seat in range(seats)]
    if pudding_points((1, *(0,) * (seats - 1)), rules)[-1] == 0:
        return points
    lowest = model.new_int_var(0, most, "fewest_puddings")
    worst = place(model, seats, "fewest_puddings", can_be_empty=False)
    for seat, count in enumerate(counts):
        model.add(count == lowest).only_enforce_if(worst.held[seat])
        model.add(count >= lowest + 1).only_enforce_if(~worst.held[seat])
    if total is not None:
        for tied, literal in worst.tied.items():
            model.add(seats * lowest + seats - tied <= total).only_enforce_if(literal)

    def loss(tied: int) -> int:
        """All equal is already in what the most are paid."""
        return pudding_points((1,) * (seats - tied) + (0,) * tied, rules)[-1] if tied < seats else 0

    return [points[seat] + worst.points(seat, loss) for seat in range(seats)]
