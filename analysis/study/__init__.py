"""The study engine: many seeded questions to the solvers, stored chunk by chunk, summed up in tables."""

from analysis.study.tables import Table, read_table
from analysis.study.use import study_tables

__all__ = ["Table", "read_table", "study_tables"]
