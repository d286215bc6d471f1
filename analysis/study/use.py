"""A study's tables for a reader: the shipped ones, or made anew."""

from __future__ import annotations

from analysis.study.tables import Table, read_table


def study_tables(name: str, run: bool = False, seed: int = 1) -> dict[str, Table]:
    """The tables of a study by name: read from the shipped ones, or with ``run`` made anew on all cores.

    A run takes minutes, keeps what it finished, and writes nothing to the shipped tables. Raises
    :class:`UsageError` for an unknown study.
    """
    from analysis.studies import get_study

    study = get_study(name)
    if not run:
        return {table: read_table(table) for table in study.tables}
    from analysis.study.run import run_study
    from analysis.study.store import Store, default_store

    with Store(default_store()) as store:
        return {table.name: table for table in run_study(study, store, seed=seed).tables}
