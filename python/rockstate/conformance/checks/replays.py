"""Replays to be read only, and of keys with many values."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import StoreError, Timeout, Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, key, pairs_of, value
from rockstate.conformance.lab.lab import Lab

SNAPSHOTS = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "1"}


@check("R40")
def a_read_store_can_be_replayed(lab: Lab) -> None:
    """So reads the state data source, and releases it at the task's end, too."""
    executor = lab.open(conf=SNAPSHOTS)
    versions = [EMPTY]
    for i in range(4):
        versions.append(commit(lab, executor, versions[-1], {"a": str(i), f"row{i}": "1"}, [f"row{i - 2}"]))
        executor.maintain()
    replayed = 0
    for snapshot in range(1, 4):
        try:
            store = lab.open("fresh", conf=SNAPSHOTS).replay_read(versions[snapshot], versions[4])
        except Timeout:
            raise
        except StoreError:
            continue
        replayed += 1
        wanted = {"a": "3", "row2": "1", "row3": "1"}
        expect_rows(store.scan(), pairs_of(wanted), f"A read store replayed from {snapshot}")
        expect(store.get(key("a")), value("3"), f"A get in a read store replayed from {snapshot}")
        store.release()
        store.release()
    if not replayed:
        raise Violation("No version could be replayed from any snapshot as a read store")


@check("R40", needs={"multiple-values"})
def a_replay_adds_each_value_once(lab: Lab) -> None:
    """A join has such keys. What is in the snapshot already must not be merged again."""
    executor = lab.open(families=True, multi=True, conf=SNAPSHOTS)
    versions: list[Version] = [EMPTY]
    for i in range(4):
        store = executor.begin(versions[-1])
        store.merge(key("a"), value(str(i)))
        versions.append(store.commit())
        executor.maintain()
    replayed = 0
    for snapshot in range(1, 4):
        fresh = lab.open("fresh", families=True, multi=True, conf=SNAPSHOTS)
        try:
            store = fresh.replay(versions[snapshot], versions[4])
        except Timeout:
            raise
        except StoreError:
            continue
        replayed += 1
        wanted = [value(str(i)) for i in range(4)]
        expect(store.values(key("a")), wanted, f"A key's values, replayed from the snapshot of version {snapshot}")
        store.abort()
    if not replayed:
        raise Violation("No version with many values could be replayed from any snapshot")
