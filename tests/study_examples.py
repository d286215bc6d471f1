"""Small studies the tests run, in a module of their own so that other processes can import them."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.study.model import Record, Sampler, Study
from analysis.study.statistics import mean_by_cluster
from analysis.study.tables import Table


def roll(parameters: Mapping[str, Any], random: np.random.Generator) -> Record:
    """One throw of some dice; ``DICE_DELAY`` makes it slow enough to be killed half way."""
    time.sleep(float(os.environ.get("DICE_DELAY", "0")))
    return {"dice": [int(number) for number in random.integers(1, parameters["sides"] + 1, size=3)]}


def total(parameters: Mapping[str, Any], records: Mapping[str, Sequence[Record]]) -> list[Table]:
    sums = [sum(record["dice"]) for record in records["dice"]]
    estimate = mean_by_cluster(sums, range(len(sums)))
    row = {"sides": parameters["sides"], "mean": estimate.mean, "standard_error": estimate.standard_error}
    rolls = [{"number": number, "sum": value} for number, value in enumerate(sums)]
    return [Table.of("dice_mean", "Mean of the dice", [row]), Table.of("dice_rolls", "Every throw", rolls)]


DICE = Sampler("dice", 1, roll, ("sides",), chunk_size=3)
DICE_STUDY = Study(
    "dice", "How high do three dice go?", ((DICE, "throws"),), total, {"throws": 40, "sides": 6}, {"throws": 5}
)
