"""Compares what the streams wrote with the batch computations, row for row."""

from dataclasses import dataclass

import pandas as pd

from rockstate.demo import expected
from rockstate.demo.data import SENTINEL
from rockstate.demo.places import Places
from rockstate.demo.queries import QUERIES
from rockstate.demo.sink import read_batches

TIMES = "times"


@dataclass(frozen=True)
class Comparison:
    """How one query's result of `rows` rows differs from its batch computation.

    `differences` holds each row that the result has too often (`times` above zero) or not often enough (below zero).
    """

    query: str
    rows: int
    differences: pd.DataFrame

    @property
    def differing_rows(self) -> int:
        """Rows missing plus rows too many: zero if both are the same multiset of rows."""
        return int(self.differences[TIMES].abs().sum())


def compare_results(places: Places, flights: pd.DataFrame, weather: pd.DataFrame) -> list[Comparison]:
    """Compute every query's result from the source and compare it with what is in the query's sink."""
    comparisons = []
    for query in QUERIES:
        wanted = getattr(expected, query.name)(flights, weather)
        actual = _without_sentinel(read_batches(places.sink(query.name)))
        comparisons.append(Comparison(query.name, len(actual), differences(wanted, actual)))
    return comparisons


def differences(wanted: pd.DataFrame, actual: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that do not occur equally often in both. Values must be equal, not close; nulls equal nulls.

    Raises ValueError if the two do not have the same columns.
    """
    columns = list(wanted.columns)
    if set(columns) != set(actual.columns):
        raise ValueError(f"the columns {sorted(actual.columns)} should be {sorted(columns)}")
    both = pd.concat([wanted.assign(**{TIMES: -1}), actual.assign(**{TIMES: 1})])
    balance = both.groupby(columns, dropna=False, sort=False)[TIMES].sum()
    return balance[balance != 0].reset_index()


def _without_sentinel(result: pd.DataFrame) -> pd.DataFrame:
    column = "carrier" if "carrier" in result else "tailnum"
    return result[result[column] != SENTINEL]
