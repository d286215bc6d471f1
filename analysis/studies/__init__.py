"""The studies, each a module: its question, its tables, and how they are summed up from solved deals."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from solvers.errors import UsageError

if TYPE_CHECKING:
    from analysis.study.model import Study

HOMES = {
    "card-values": "analysis.studies.card_values",
    "first-picks": "analysis.studies.first_picks",
    "worth-when": "analysis.studies.worth_when",
    "mixing": "analysis.studies.mixing",
    "thumb-rules": "analysis.studies.thumb_rules",
    "best-possible": "analysis.studies.best_possible",
}


def study_names() -> tuple[str, ...]:
    """Every study, in the order ``sushigo study list`` prints them."""
    return tuple(HOMES)


def get_study(name: str) -> Study:
    """The study of that name; raises :class:`UsageError` when there is none."""
    if name not in HOMES:
        raise UsageError(f"no study {name!r}: the studies are {', '.join(HOMES)}")
    study: Study = import_module(HOMES[name]).STUDY
    return study
