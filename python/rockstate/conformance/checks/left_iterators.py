"""Iterators that a task leaves half-read: what users get of a map or a list cannot be closed."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.checks.open_iterators import PREFIX, RANGE, SCAN, Kind, filled, opened
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, key, value
from rockstate.conformance.lab.lab import Lab


@check("R01")
def a_commit_takes_a_scan_that_is_left_half_read(lab: Lab) -> None:
    _left_half_read(lab, SCAN)


@check("R01", needs={"prefix-scan"})
def a_commit_takes_a_prefix_scan_that_is_left_half_read(lab: Lab) -> None:
    _left_half_read(lab, PREFIX)


@check("R01", needs={"range-scan"})
def a_commit_takes_a_range_scan_that_is_left_half_read(lab: Lab) -> None:
    _left_half_read(lab, RANGE)


@check("R01", needs={"multiple-values"})
def a_commit_takes_values_of_a_key_that_are_left_half_read(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), [value(text) for text in "12345"])
    one = store.commit()
    store = executor.begin(one)
    values = store.open("values", key("a"))
    expect(values.next(2), [value("1"), value("2")], "The first values of a key")
    store.merge(key("a"), value("6"))
    two = store.commit()
    executor.maintain()
    executor.restart()
    for reader in (executor, lab.open("fresh", families=True, multi=True)):
        store = reader.begin(two)
        found = store.values(key("a"))
        expect(found, [value(text) for text in "123456"], "A key's values, which were left half-read at their commit")
        store.abort()


def _left_half_read(lab: Lab, kind: Kind) -> None:
    executor = opened(lab, kind)
    store = filled(lab, kind, executor)
    store.open(kind.name, *kind.args).next(3)
    store.open(kind.name, *kind.args)
    store.put(kind.within[0], value("2"))
    store.remove(kind.within[1])
    version = store.commit()
    executor.maintain()
    executor.restart()
    wanted = [[each, value("1")] for each in kind.within[2:] + kind.beside] + [[kind.within[0], value("2")]]
    for reader in (executor, opened(lab, kind, "fresh")):
        reading = reader.begin_read(version)
        expect_rows(reading.scan(), wanted, f"A version at whose commit a {kind.name} was left half-read")
        reading.release()
