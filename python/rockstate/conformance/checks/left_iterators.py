"""Iterators that a task leaves half-read, to a commit or an abort: what users get of a map or list cannot be closed."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.open_iterators import (
    PREFIX,
    PREFIX_MULTI,
    RANGE,
    RANGE_MULTI,
    SCAN,
    Kind,
    filled,
    opened,
)
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, key, value
from rockstate.conformance.lab.executor import Executor
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


@check("R01", needs={"prefix-scan", "multiple-values"})
def a_commit_takes_a_prefix_scan_of_values_that_is_left_half_read(lab: Lab) -> None:
    """A semi join stops reading a key's rows at the first that matches, and commits."""
    _left_half_read(lab, PREFIX_MULTI)


@check("R01", needs={"range-scan", "multiple-values"})
def a_commit_takes_a_range_scan_of_values_that_is_left_half_read(lab: Lab) -> None:
    _left_half_read(lab, RANGE_MULTI)


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


@check("R04", needs={"prefix-scan"})
def an_abort_ends_a_prefix_scan_that_is_half_read(lab: Lab) -> None:
    """A user's function may fail while it goes through a map or its timers (MapStateImpl, TimerStateImpl)."""
    _aborted_half_read(lab, PREFIX)


@check("R04", needs={"range-scan"})
def an_abort_ends_a_range_scan_that_is_half_read(lab: Lab) -> None:
    """A user's function may fail as a timer fires: the timers are being scanned."""
    _aborted_half_read(lab, RANGE)


@check("R04", needs={"prefix-scan", "multiple-values"})
def an_abort_ends_a_prefix_scan_of_values_that_is_half_read(lab: Lab) -> None:
    """A join's condition may fail on one of the rows of a key."""
    _aborted_half_read(lab, PREFIX_MULTI)


@check("R04", needs={"range-scan", "multiple-values"})
def an_abort_ends_a_range_scan_of_values_that_is_half_read(lab: Lab) -> None:
    _aborted_half_read(lab, RANGE_MULTI)


@check("R04", needs={"multiple-values"})
def an_abort_ends_values_of_a_key_that_are_half_read(lab: Lab) -> None:
    """A user's function may fail while it goes through a list."""
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), [value(text) for text in "12345"])
    one = store.commit()
    for _ in range(2):
        store = executor.begin(one)
        store.merge(key("a"), value("aborted"))
        store.open("values", key("a")).next(2)
        store.open("values", key("a"))
        store.abort()
        executor.maintain()
    store = executor.begin(one)
    store.merge(key("a"), value("6"))
    two = store.commit()
    executor.restart()
    for reader in (executor, lab.open("fresh", families=True, multi=True)):
        store = reader.begin(two)
        found = store.values(key("a"))
        expect(found, [value(text) for text in "123456"], "A key's values, after aborts that left them half-read")
        store.abort()


@check("R22")
def a_scan_may_be_closed_after_its_store(lab: Lab) -> None:
    _closed_late(lab, SCAN)


@check("R22", needs={"prefix-scan"})
def a_prefix_scan_may_be_closed_after_its_store(lab: Lab) -> None:
    _closed_late(lab, PREFIX)


@check("R22", needs={"range-scan"})
def a_range_scan_may_be_closed_after_its_store(lab: Lab) -> None:
    """Whoever is told of a task's end closes them in any order: one that throws fails a task that has committed."""
    _closed_late(lab, RANGE)


def _closed_late(lab: Lab, kind: Kind) -> None:
    executor = opened(lab, kind)
    store = filled(lab, kind, executor)
    half, unread = (store.open(kind.name, *kind.args) for _ in range(2))
    half.next(3)
    two = store.commit()
    half.close()
    unread.close()
    for begin in (executor.begin, executor.begin_read):
        store = begin(two)
        half, unread = (store.open(kind.name, *kind.args) for _ in range(2))
        half.next(3)
        store.abort()
        half.close()
        unread.close()
    _expect_after(lab, kind, executor, two, _rows(kind, kind.within + kind.beside))


def _left_half_read(lab: Lab, kind: Kind) -> None:
    executor = opened(lab, kind)
    store = filled(lab, kind, executor)
    store.open(kind.name, *kind.args).next(3)
    store.open(kind.name, *kind.args)
    store.put(kind.within[0], value("2"))
    store.remove(kind.within[1])
    version = store.commit()
    executor.maintain()
    wanted = [*_rows(kind, kind.within[2:] + kind.beside), [kind.within[0], value("2")]]
    _expect_after(lab, kind, executor, version, wanted)


def _aborted_half_read(lab: Lab, kind: Kind) -> None:
    """Two attempts fail with one iterator half-way and another not begun; a third goes through."""
    executor = opened(lab, kind)
    store = filled(lab, kind, executor)
    for _ in range(2):
        store.open(kind.name, *kind.args).next(3)
        store.open(kind.name, *kind.args)
        store.abort()
        executor.maintain()
        store = executor.begin(store.base)
        store.put(kind.within[0], value("2"))
    store.remove(kind.within[2])
    version = store.commit()
    wanted = [*_rows(kind, kind.within[4::2] + kind.beside), [kind.within[0], value("2")]]
    _expect_after(lab, kind, executor, version, wanted)


def _rows(kind: Kind, keys: list[Row]) -> list[Pair]:
    return [[each, value(text)] for each in keys for text in kind.texts]


def _expect_after(lab: Lab, kind: Kind, executor: Executor, version: Version, wanted: list[Pair]) -> None:
    """The version's rows on its executor, restarted, and on a fresh one."""
    executor.restart()
    for reader in (executor, opened(lab, kind, "fresh")):
        reading = reader.begin_read(version)
        found = reading.scan() if kind.texts == "1" else reading.scan_multi()
        expect_rows(found, wanted, f"A version that was made after a {kind.name} was left half-read")
        reading.release()
