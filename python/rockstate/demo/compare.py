"""Compares what the streams wrote with the batch computations, row for row."""

from collections import Counter
from dataclasses import dataclass

import pandas as pd

from rockstate.demo import expected
from rockstate.demo.data import SENTINEL
from rockstate.demo.places import Places
from rockstate.demo.queries import QUERIES
from rockstate.demo.sink import read_sink

Row = tuple[object, ...]


@dataclass(frozen=True)
class Comparison:
    """How one query's result differs from its batch computation: rows it lacks, and rows it should not have."""

    query: str
    rows: int
    missing: Counter[Row]
    unexpected: Counter[Row]

    @property
    def differing_rows(self) -> int:
        """Zero if both are the same multiset of rows."""
        return self.missing.total() + self.unexpected.total()


def compare_results(places: Places, flights: pd.DataFrame, weather: pd.DataFrame) -> list[Comparison]:
    """Compute every query's result from the source and compare it with what is in the query's sink."""
    comparisons = []
    for query in QUERIES:
        wanted = getattr(expected, query.name)(flights, weather)
        comparisons.append(compare(query.name, wanted, _without_sentinel(read_sink(places.sink(query.name)))))
    return comparisons


def compare(query: str, wanted: pd.DataFrame, actual: pd.DataFrame) -> Comparison:
    """Compare two results as multisets of rows. Values must be equal, not close; nulls equal nulls."""
    wanted_rows, actual_rows = Counter(_rows(wanted, wanted)), Counter(_rows(actual, wanted))
    return Comparison(query, len(wanted), wanted_rows - actual_rows, actual_rows - wanted_rows)


def _rows(frame: pd.DataFrame, like: pd.DataFrame) -> list[Row]:
    """The rows as tuples of plain values, with the columns in the order of `like`."""
    if set(frame.columns) != set(like.columns):
        raise ValueError(f"the columns {sorted(frame.columns)} should be {sorted(like.columns)}")
    columns = [frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in like.columns]
    return list(zip(*columns, strict=True))


def _without_sentinel(result: pd.DataFrame) -> pd.DataFrame:
    column = "carrier" if "carrier" in result else "tailnum"
    return result[result[column] != SENTINEL]
