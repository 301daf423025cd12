"""Runs one and the same logic in both forms of transformWithState, frames and rows.

The logic works on plain tuples and on whatever handle it is given: Spark's, or the model's of `state_model`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyspark
import pytest
from pyspark import cloudpickle
from pyspark.sql import DataFrame, GroupedData, Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor


def travels_with_the_query(module: str) -> None:
    """Spark's Python workers cannot import the tests: what `module` defines is sent to them whole."""
    cloudpickle.register_pickle_by_value(sys.modules[module])  # type: ignore[no-untyped-call]


travels_with_the_query(__name__)

Tuples = Iterable[tuple[Any, ...]]


class Logic:
    """What a processor does. `columns` are those of its result, as DDL; a key is what rows are grouped by."""

    columns: str

    def init(self, handle: Any) -> None:
        """Makes the state variables."""
        raise NotImplementedError

    def on_rows(self, key: Any, rows: Tuples, now_millis: int) -> Tuples:
        """Handles a key's rows of one batch, at the batch's processing time, and returns what to emit."""
        raise NotImplementedError

    def on_timer(self, key: Any, expired_millis: int) -> Tuples:
        """Handles a timer that has expired, and returns what to emit."""
        return ()

    def on_initial_state(self, key: Any, row: tuple[Any, ...]) -> None:
        """Handles one row of a key's initial state."""


class _Processor(StatefulProcessor):
    def __init__(self, logic: Logic) -> None:
        self._logic = logic
        self._columns = [column.split()[0] for column in logic.columns.split(", ")]

    def init(self, handle: Any) -> None:
        self._logic.init(handle)

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Any]:
        tuples = [row for some in rows for row in self._tuples(some)]
        return self._emitted(self._logic.on_rows(key[0], tuples, timerValues.getCurrentProcessingTimeInMs()))

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Any]:
        return self._emitted(self._logic.on_timer(key[0], expiredTimerInfo.getExpiryTimeInMs()))

    def handleInitialState(self, key: Any, initialState: Any, timerValues: Any) -> None:
        for row in self._tuples(initialState):
            self._logic.on_initial_state(key[0], row)

    def _tuples(self, rows: Any) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    def _emitted(self, rows: Tuples) -> Iterator[Any]:
        raise NotImplementedError


class _Frames(_Processor):
    def _tuples(self, rows: pd.DataFrame) -> list[tuple[Any, ...]]:
        return list(zip(*(rows[column].tolist() for column in rows.columns), strict=True))

    def _emitted(self, rows: Tuples) -> Iterator[pd.DataFrame]:
        if emitted := list(rows):
            yield pd.DataFrame(emitted, columns=self._columns)


class _Rows(_Processor):
    def _tuples(self, rows: Row) -> list[tuple[Any, ...]]:
        return [tuple(rows)]

    def _emitted(self, rows: Tuples) -> Iterator[Row]:
        return (Row(*self._columns)(*row) for row in rows)


@dataclass(frozen=True)
class Form:
    """One of the operator's two forms; `method` is PySpark's, on grouped data."""

    name: str
    method: str
    processor: type[_Processor]

    def run(self, grouped: GroupedData, logic: Logic, time_mode: str, initial: GroupedData | None = None) -> DataFrame:
        """The operator with `logic` over `grouped`, in append mode; skips the test where PySpark has no such form."""
        method: Callable[..., DataFrame] | None = getattr(grouped, self.method, None)
        if method is None:
            pytest.skip(f"PySpark {pyspark.__version__} has no GroupedData.{self.method}")
        return method(self.processor(logic), logic.columns, "append", time_mode, initial)


FORMS = (
    Form("pandas", "transformWithStateInPandas", _Frames),
    Form("rows", "transformWithState", _Rows),
)
