"""Rows that equal, byte by byte, what Spark makes of their columns; `coming_back` asks it of plain scans and gets."""

from __future__ import annotations

from typing import Any

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.checks.open_iterators import PREFIX, RANGE, Kind, filled, opened
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.scans_of_values import SCAN_MULTI
from rockstate.conformance.lab.lab import Lab


@check("R20", needs={"prefix-scan"})
def rows_of_a_prefix_scan_equal_those_that_were_put(lab: Lab) -> None:
    """A session window tells by UnsafeRow.equals whether a session has changed, and which keys of a scan it has."""
    _expect_equal(lab, PREFIX)


@check("R20", needs={"range-scan"})
def rows_of_a_range_scan_equal_those_that_were_put(lab: Lab) -> None:
    """Expiry removes a key by the bytes that it has within a row of the index (TTLState.toTTLRow)."""
    _expect_equal(lab, RANGE)


@check("R20", needs={"multiple-values"})
def values_of_a_key_equal_those_that_were_put(lab: Lab) -> None:
    """A list with expiry puts the values that stay back as they came: they would grow each time."""
    _expect_equal(lab, SCAN_MULTI)


def _expect_equal(lab: Lab, kind: Kind) -> None:
    """Rows by the kind's scan, by get, and by valuesIterator where a key has several: own ones, and read afresh."""
    executor = opened(lab, kind)
    one_by_one = "get" if len(kind.texts) == 1 else "values"
    asked: list[tuple[Any, ...]] = [(kind.name, *kind.args), *((one_by_one, each) for each in kind.within[:4])]
    store = filled(lab, kind, executor)
    for call in asked:
        expect(store.unequal(*call), [], f"Rows of {call} that do not equal others of the same columns")
    version = store.commit()
    store = opened(lab, kind, "fresh").begin(version)
    for call in asked:
        expect(store.unequal(*call), [], f"Rows of {call}, read afresh, that do not equal others of the same columns")
    store.abort()
