"""Deleted ranges: what is read of their keys one by one, in the transaction that deleted them and after it."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Row
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, value, write_calls
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

KEYS: list[Row] = [[t, name] for t in (-300, -1, 0, 1, 300) for name in ("", "k")]
FIRST, LAST = -1, 300
"""The range that is deleted."""
MANY = 800


@check("R25")
def a_deleted_range_is_gone_for_every_read(lab: Lab) -> None:
    executor, one = _written(lab)
    store = executor.begin(one)
    own: Row = [0, "own write"]
    store.put(own, value("own"))
    _expect(store, [*KEYS, own], [], "before a delete of a range")
    store.delete_range([FIRST, ""], [LAST, ""])
    _expect_deleted(store, own, "in the transaction that deleted the range")
    store.put([0, "k"], value("again"))
    expect(store.get([0, "k"]), value("again"), "A get of a deleted key that was put again")
    expect(store.get([0, ""]), None, "A get of a deleted key beside one that was put again")
    store.remove([0, "k"])
    _expect_deleted(store, own, "after a deleted key was put and removed")
    two = store.commit()
    for reader in (executor, _open(lab, "fresh")):
        store = reader.begin(two)
        _expect_deleted(store, own, "in the next transaction")
        store.abort()
        store = reader.begin_read(two)
        _expect_deleted(store, own, "in a read store")
        store.release()
    store = executor.begin(one)
    _expect(store, KEYS, [own], "in the version before")
    store.abort()


@check("R25", needs={"multi-get"})
def a_deleted_range_is_gone_for_multi_get(lab: Lab) -> None:
    executor, one = _written(lab)
    store = executor.begin(one)
    wanted = [value(str(each)) for each in KEYS]
    expect(store.multi_get(KEYS), wanted, "A multiGet before a delete of a range")
    store.delete_range([FIRST, ""], [LAST, ""])
    left = [None if FIRST <= each[0] < LAST else value(str(each)) for each in KEYS]
    expect(store.multi_get(KEYS), left, "A multiGet after a delete of a range")
    two = store.commit()
    for reader in (executor, _open(lab, "fresh")):
        store = reader.begin(two)
        expect(store.multi_get(KEYS), left, "A multiGet once a delete of a range is committed")
        store.abort()


@check("R25", needs={"prefix-scan"})
def a_deleted_range_is_gone_for_prefix_scans(lab: Lab) -> None:
    """A range encoder's first columns are a prefix, too."""
    executor, one = _written(lab)
    store = executor.begin(one)
    _expect_prefixes(store, KEYS, "before a delete of a range")
    store.delete_range([FIRST, ""], [LAST, ""])
    left = [each for each in KEYS if not FIRST <= each[0] < LAST]
    _expect_prefixes(store, left, "after a delete of a range")
    two = store.commit()
    for reader in (executor, _open(lab, "fresh")):
        store = reader.begin(two)
        _expect_prefixes(store, left, "once a delete of a range is committed")
        store.abort()


@check("R25")
def a_deleted_range_may_have_many_keys(lab: Lab) -> None:
    """It is gone by snapshot, by a delta after one, and on an executor that had the version before."""
    behind, executor = _open(lab, "behind"), _open(lab, "a")
    keys: list[Row] = [[t, "k"] for t in range(-MANY, MANY)]
    version = EMPTY
    for half in (keys[::2], keys[1::2]):
        store = executor.begin(version)
        write_calls(lab, [store.call("put", each, value("1")) for each in half])
        version = store.commit()
    executor.maintain()
    behind.begin_read(version).release()
    store = executor.begin(version)
    store.delete_range([1 - MANY, ""], [MANY - 1, ""])
    left = [[each, value("1")] for each in (keys[0], keys[-1])]
    expect_rows(store.scan(), left, "The rows beside a deleted range of many keys")
    version = store.commit()
    for reader in (behind, executor, _open(lab, "fresh")):
        for _ in range(2):
            store = reader.begin(version)
            expect_rows(store.scan(), left, "The rows beside a deleted range of many keys, committed")
            store.put([0, "k"], value("1"))
            store.abort()
            reader.maintain()


def _open(lab: Lab, name: str) -> Executor:
    return lab.open(name, encoder="range", families="column-families" in lab.capabilities, conf=SNAPSHOTS)


def _written(lab: Lab) -> tuple[Executor, Version]:
    executor = _open(lab, "a")
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", each, value(str(each))) for each in KEYS])
    return executor, store.commit()


def _expect_deleted(store: Store, own: Row, when: str) -> None:
    deleted = [each for each in KEYS if FIRST <= each[0] < LAST]
    _expect(store, [each for each in KEYS if each not in deleted], [*deleted, own], when)


def _expect(store: Store, there: list[Row], gone: list[Row], when: str) -> None:
    for each in there:
        wanted = value("own") if each[1] == "own write" else value(str(each))
        expect(store.get(each), wanted, f"A get of {each} {when}")
        expect(store.contains(each), True, f"Asking for {each} {when}")
    for each in gone:
        expect(store.get(each), None, f"A get of {each}, which was deleted, {when}")
        expect(store.contains(each), False, f"Asking for {each}, which was deleted, {when}")


def _expect_prefixes(store: Store, there: list[Row], when: str) -> None:
    for t in sorted({each[0] for each in KEYS}):
        wanted = [[each, value(str(each))] for each in there if each[0] == t]
        expect_rows(store.prefix([t]), wanted, f"The rows of {t} {when}")
