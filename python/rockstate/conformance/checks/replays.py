"""Replays to be read only, and of keys with many values."""

from __future__ import annotations

import functools

from rockstate.conformance.calls.expectations import expect, expect_rows, tried
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.checks.reading_back import replayed
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, begin_empty, commit, key, pairs_of, value, write
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store


@check("R40")
def a_read_store_can_be_replayed(lab: Lab) -> None:
    """So reads the state data source, and releases it at the task's end, too."""
    executor = lab.open(conf=SNAPSHOTS)
    versions = [EMPTY]
    for i in range(4):
        versions.append(commit(lab, executor, versions[-1], {"a": str(i), f"row{i}": "1"}, [f"row{i - 2}"]))
        executor.maintain()

    def fresh() -> Executor:
        return lab.open("fresh", conf=SNAPSHOTS)

    def replay(executor: Executor, snapshot: Version) -> Store:
        return executor.replay_read(snapshot, versions[4])

    for snapshot, store in replayed(versions[1:4], fresh, replay, "version to be read"):
        wanted = {"a": "3", "row2": "1", "row3": "1"}
        expect_rows(store.scan(), pairs_of(wanted), f"A read store replayed from {snapshot}")
        expect(store.get(key("a")), value("3"), f"A get in a read store replayed from {snapshot}")
        store.release()
        store.release()


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

    def fresh() -> Executor:
        return lab.open("fresh", families=True, multi=True, conf=SNAPSHOTS)

    def replay(executor: Executor, snapshot: Version) -> Store:
        return executor.replay(snapshot, versions[4])

    for snapshot, store in replayed(versions[1:4], fresh, replay, "version with many values"):
        wanted = [value(str(i)) for i in range(4)]
        expect(store.values(key("a")), wanted, f"A key's values, replayed from the snapshot of {snapshot}")
        store.abort()


@check("R40")
def a_replay_over_a_version_started_empty_has_nothing_from_before(lab: Lab) -> None:
    """So the state data source reads over a repartition in place; a refusal is as good."""
    executor = lab.open(conf=SNAPSHOTS)
    one = commit(lab, executor, EMPTY, {"old": "1"})
    executor.maintain()
    store = begin_empty(executor, commit(lab, executor, one, {"older": "2"}))
    write(lab, store, {"new": "3"})
    three = store.commit()
    four = commit(lab, executor, three, {"newer": "4"})
    for last, wanted in ((three, {"new": "3"}), (four, {"new": "3", "newer": "4"})):
        replayed = tried(functools.partial(lab.open("fresh").replay, one, last))
        if replayed is not None:
            expect_rows(replayed.scan(), pairs_of(wanted), "A replay over a version that was started empty")
            replayed.abort()
