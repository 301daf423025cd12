"""Snapshots hold what the changes before them have made, and a commit that is told to make one is like any other."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Row
from rockstate.conformance.checks.contents import STRANGE_TEXTS, STRANGE_VALUES
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SNAPSHOTS,
    begin_empty,
    begin_with,
    commit,
    commit_in_each,
    expect_count,
    expect_version,
    key,
    pairs_of,
    value,
    write,
    write_calls,
)
from rockstate.conformance.checks.side_by_side import Both
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

MANY = 3000


@check("R03")
def versions_with_a_snapshot_of_their_own_survive_the_loss_of_the_executor(lab: Lab) -> None:
    """The one that a query's repartitioning commits has to have one."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    store = executor.begin(one, snapshot=True)
    write(lab, store, {"c": "2"}, ["b"])
    two = store.commit()
    expect_count(store, 2, "numKeys of a commit that made a snapshot")
    three = commit(lab, executor, two, {"a": "3"})
    wanted = {one: {"a": "1", "b": "1"}, two: {"a": "1", "c": "2"}, three: {"a": "3", "c": "2"}}
    for reader in (executor, lab.open("fresh")):
        for version, rows in wanted.items():
            expect_version(reader, version, rows, "around a commit that was told to make a snapshot")
    executor.maintain()
    for version, rows in wanted.items():
        expect_version(lab.open("after"), version, rows, "after a commit that made a snapshot, and maintenance")


@check("R03")
def versions_survive_with_each_compression(lab: Lab) -> None:
    """The codecs that spark.sql.streaming.stateStore.compression.codec may name."""
    for codec in ("lz4", "lzf", "snappy", "zstd"):
        conf = {**SNAPSHOTS, "spark.sql.streaming.stateStore.compression.codec": codec}
        executor = lab.open(codec, place=(codec, 0), conf=conf)
        one = commit(lab, executor, EMPTY, {"a": "1", "b": "1" * 500})
        executor.maintain()
        two = commit(lab, executor, one, {"a": "2"})
        fresh = lab.open(f"fresh_{codec}", place=(codec, 0), conf=conf)
        expect_version(fresh, one, {"a": "1", "b": "1" * 500}, f"compressed by {codec}")
        expect_version(fresh, two, {"a": "2", "b": "1" * 500}, f"compressed by {codec}")


@check("R40")
def a_commit_that_is_told_to_make_a_snapshot_can_be_replayed_from(lab: Lab) -> None:
    executor, one = _first(lab)
    store = executor.begin(one, snapshot=True)
    _expect_to_be_replayed(lab, executor, store, "A version replayed from a snapshot asked for")


@check("R40", needs={"read-store-upgrade"})
def an_upgrade_that_is_told_to_make_a_snapshot_can_be_replayed_from(lab: Lab) -> None:
    """Operators that read first get the store that Spark's coordinator wants a snapshot of by an upgrade."""
    executor, one = _first(lab)
    store = executor.begin_read(one).upgrade(snapshot=True)
    _expect_to_be_replayed(lab, executor, store, "A version replayed from an upgrade's snapshot")


@check("R40", needs={"read-store-upgrade"})
def an_upgrade_by_another_instance_makes_the_snapshot_that_it_is_told_to(lab: Lab) -> None:
    """Spark's coordinator asks for one just when an executor is given a store anew (SPARK-56476)."""
    first, one = _first(lab)
    second = lab.open_beside(first, "second")
    store = first.begin_read(one).upgrade(snapshot=True, on=second)
    _expect_to_be_replayed(lab, second, store, "A version replayed from the snapshot of another instance's upgrade")


def _first(lab: Lab) -> tuple[Executor, Version]:
    executor = lab.open()
    return executor, commit(lab, executor, EMPTY, {"a": "1", "b": "1"})


def _expect_to_be_replayed(lab: Lab, executor: Executor, store: Store, what: str) -> None:
    """What a transaction on the first version commits can be replayed from."""
    write(lab, store, {"c": "2"}, ["b"])
    two = store.commit()
    executor.maintain()
    three = commit(lab, executor, two, {"a": "3"})
    replayed = lab.open("fresh").replay(two, three)
    expect_rows(replayed.scan(), pairs_of({"a": "3", "c": "2"}), what)
    replayed.abort()


@check("R04")
def an_aborted_transaction_is_in_no_snapshot(lab: Lab) -> None:
    """Maintenance comes for the first time between a failed attempt and the next one."""
    executor = lab.open(conf=SNAPSHOTS)
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    store = executor.begin(one)
    write(lab, store, {"c": "aborted"}, ["b"])
    store.abort()
    executor.maintain()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, one, {"a": "1", "b": "1"}, "after an abort and maintenance")


@check("R20")
def any_row_comes_back_from_a_snapshot(lab: Lab) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    keys: list[Row] = [*([text] for text in STRANGE_TEXTS), [None]]
    rows = [[each, STRANGE_VALUES[i % len(STRANGE_VALUES)]] for i, each in enumerate(keys)]
    rows += [[key(f"row{i}"), each] for i, each in enumerate(STRANGE_VALUES)]
    many = [[key(f"many{i:05d}"), value(str(i))] for i in range(MANY)]
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", *row) for row in (*rows, *many)])
    version = store.commit()
    for i in range(3):
        executor.maintain()
        version = commit(lab, executor, version, {"counter": str(i)})
    executor.maintain()
    wanted = [*rows, *many, [key("counter"), value("2")]]
    reading = lab.open("fresh", conf=SNAPSHOTS).begin_read(version)
    expect_rows(reading.scan(), wanted, "All rows, read from a snapshot")
    for row_key, row_value in rows:
        expect(reading.get(row_key), row_value, f"A get of {row_key}, read from a snapshot")
    reading.release()


@check("R25")
def deleted_ranges_stay_deleted_over_snapshots(lab: Lab) -> None:
    families = "column-families" in lab.capabilities
    executor = lab.open(encoder="range", families=families, conf=SNAPSHOTS)
    both = Both(lab, executor, "range")
    both.put(*[(t, "k") for t in (-300, -2, -1, 0, 1, 2, 300)])
    both.commit()
    for first, last in ((-2, 1), (1, 300)):
        executor.maintain()
        both.begin(executor)
        both.delete_range((first, "k"), (last, "k"))
        both.put((first, "k"))
        both.commit()
        executor.maintain()
        both.begin(lab.open("fresh", encoder="range", families=families, conf=SNAPSHOTS))
        both.expect_ranges("after a delete of a range, read from a snapshot")
        both.store.abort()


@check("R12")
def a_version_started_empty_stays_empty_over_snapshots(lab: Lab) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    version = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    executor.maintain()
    store = begin_empty(executor, version)
    write(lab, store, {"b": "2"})
    version = store.commit()
    expect_version(lab.open("fresh", conf=SNAPSHOTS), version, {"b": "2"}, "that was started empty, over a snapshot")
    for i in range(2):
        executor.maintain()
        version = commit(lab, executor, version, {"c": str(i)})
    executor.maintain()
    wanted = {"b": "2", "c": "1"}
    expect_version(lab.open("after", conf=SNAPSHOTS), version, wanted, "after one started empty, and snapshots")


@check("R30")
def a_removed_family_stays_gone_over_snapshots(lab: Lab) -> None:
    executor = lab.open(families=True, conf=SNAPSHOTS)
    version = commit_in_each(executor, "one", "two")
    executor.maintain()
    store = begin_with(executor, version, "one", "two")
    store.remove_family("one")
    version = store.commit()
    for i in range(3):
        executor.maintain()
        _expect_one_is_gone(lab, lab.open(f"fresh{i}", families=True, conf=SNAPSHOTS), version)
        store = begin_with(executor, version, "two")
        store.put(key("b"), value(str(i)), family="two")
        version = store.commit()


def _expect_one_is_gone(lab: Lab, reader: Executor, version: Version) -> None:
    store = reader.begin(version)
    if lab.has("families"):
        expect(store.families(), ["two"], "The families after one was removed, read from a snapshot")
    store.create_family("one")
    store.create_family("two")
    expect(store.scan(family="one"), [], "The rows of a family that was removed and made again, over a snapshot")
    expect(store.get(key("a"), family="two"), value("two"), "The row of a family that stayed, over a snapshot")
    store.abort()
