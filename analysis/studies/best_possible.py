"""Best possible against equilibrium: how many points a deal holds for a seat, and how many exact play gives it.

*Best possible* is the most points the seat could score if everyone played for it with all hands open, a proven optimum
of :mod:`solvers.ceilings`. *Equilibrium* is what it scored when both seats drew their picks from their equilibrium
mixes for the margin: one play of each deal, so that its mean is unbiased and its spread holds the luck of the mixing.
Both are of the same deals (the same seed gives this study and the others the same deals). Points are those of the
objective ``points``: before the last round a pudding counts at the stated worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.studies.rounds import PARAMETERS, QUICK, ROUNDS, setting
from analysis.study.deals import random_deal
from analysis.study.model import Parameters, Record, Sampler, Study
from analysis.study.statistics import Estimate, mean_by_cluster
from analysis.study.tables import Table
from solvers.ceilings.draft import best_draft
from solvers.game.position import Position


def answer_drafts(parameters: Parameters, random: np.random.Generator) -> Record:
    """A random deal (the same as the sample ``rounds`` has under this seed) and each seat's best possible points."""
    deal = random_deal(random, round=parameters["round"], cards=parameters["cards"])
    worth = parameters["pudding_value"]
    best = [best_draft(deal, goal="seat", seat=seat, pudding_value=worth) for seat in range(2)]
    return {
        "deal": str(deal),
        "best": [draft.value for draft in best],
        "proven": [draft.proven for draft in best],
    }


DRAFTS = Sampler("drafts", 1, answer_drafts, ("cards", "round", "pudding_value"), chunk_size=ROUNDS.chunk_size)


def summarise(parameters: Parameters, records: Mapping[str, Sequence[Record]]) -> list[Table]:
    """Means over the deals both samples have."""
    pairs = list(zip(records["rounds"], records["drafts"], strict=False))
    assert all(played["deal"] == draft["deal"] for played, draft in pairs)
    deals = [deal for deal in range(len(pairs)) for _ in range(2)]
    best = [points for _, draft in pairs for points in draft["best"]]
    scored = [points for played, _ in pairs for points in equilibrium_points(played, parameters)]
    share = [mine / most for mine, most in zip(scored, best, strict=True)]
    short = [most - mine for mine, most in zip(scored, best, strict=True)]
    rows = [
        _row("best possible points", mean_by_cluster(best, deals), best),
        _row("points in equilibrium", mean_by_cluster(scored, deals), scored),
        _row("points left on the table", mean_by_cluster(short, deals), short),
        _row("share of the best possible", mean_by_cluster(share, deals), share),
    ]
    proven = sum(all(draft["proven"]) for _, draft in pairs)
    note = f"{setting(parameters)} Points of one seat. Best possible proven optimal in {proven} of {len(pairs)} deals."
    return [Table.of("best_possible", "Best possible points beside the equilibrium's", rows, note)]


def equilibrium_points(played: Record, parameters: Parameters) -> list[float]:
    """Both seats' points at the end of the round played from the equilibrium mixes, puddings counted."""
    end = Position.parse(played["equilibrium"]["tables"])
    worth = 0.0 if end.round == 3 else parameters["pudding_value"]
    return [total + worth * count for total, count in zip(end.totals(), end.pudding_counts(), strict=True)]


def _row(name: str, estimate: Estimate, values: Sequence[float]) -> dict[str, Any]:
    return {
        "figure": name,
        "mean": estimate.mean,
        "standard_error": estimate.standard_error,
        "lowest": min(values),
        "highest": max(values),
        "seats": estimate.samples,
        "deals": estimate.clusters,
    }


STUDY = Study(
    name="best-possible",
    question="How much of what a deal holds for a seat does exact play bring it?",
    sizes=((ROUNDS, "deals"), (DRAFTS, "drafts")),
    summarise=summarise,
    parameters={**PARAMETERS, "drafts": 600},
    quick={**QUICK, "drafts": 4},
    tables=("best_possible",),
)
