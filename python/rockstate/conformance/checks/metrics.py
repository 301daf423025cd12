"""Metrics: the number of keys is exact, and every custom metric is declared."""

from __future__ import annotations

import math
from collections.abc import Iterable

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.outcomes import Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SNAPSHOTS,
    begin_empty,
    commit,
    expect_version,
    here_and_afresh,
    key,
    scanned,
    value,
    write,
    write_calls,
)
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab

OF_OPERATORS = {
    "numOutputRows",
    "numRowsDroppedByWatermark",
    "numTotalStateRows",
    "numUpdatedStateRows",
    "allUpdatesTimeMs",
    "numRemovedStateRows",
    "allRemovalsTimeMs",
    "commitTimeMs",
    "stateMemory",
    "numShufflePartitions",
    "numStateStoreInstances",
}
"""The metrics that each stateful operator has of its own (StateStoreWriter)."""


@check("R33")
def keys_are_counted_exactly(lab: Lab) -> None:
    executor = lab.open()
    store = executor.begin(EMPTY)
    write(lab, store, {"a": "1", "b": "1", "c": "1"})
    write(lab, store, {"a": "1"})
    one = store.commit()
    expect(store.metrics().rows, 3, "numKeys after three keys, one written twice")
    store = executor.begin(one)
    write(lab, store, {"a": "2"})
    store.get(key("b"))
    write(lab, store, {"b": "2", "d": "2"})
    store.get(key("e"))
    write(lab, store, {"e": "2", "f": "2"})
    write(lab, store, {}, ["f", "c", "never there", "d"])
    write(lab, store, {"d": "3"}, ["never there"])
    two = store.commit()
    expect(store.metrics().rows, 4, "numKeys after overwrites, removes, and removes of absent keys")
    for reader in (executor, lab.open("fresh")):
        expect(_count(reader, two), 4, "numKeys of an empty batch on that version")


@check("R33")
def keys_are_counted_over_many_batches(lab: Lab) -> None:
    conf = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "3"}
    executor = lab.open(conf=conf)
    version = EMPTY
    there: set[str] = set()
    for i in range(1, 11):
        puts = {f"row{n}": str(i) for n in range(i, i * 3, 2)}
        removes = [f"row{n}" for n in range(0, i * 2, 5)]
        store = executor.begin(version)
        write(lab, store, puts, removes)
        version = store.commit()
        there = (there - set(removes)) | set(puts)
        expect(store.metrics().rows, len(there), f"numKeys of batch {i}")
        executor.maintain()
        if i % 3 == 0:
            executor.restart()
    expect(sorted(row[0][0] for row in scanned(executor, version)), sorted(there), "The keys of a scan")


@check("R33")
def aborted_rows_are_not_counted(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    store = executor.begin(one)
    write(lab, store, {"c": "2", "d": "2"}, ["a"])
    store.abort()
    expect(_count(executor, one), 2, "numKeys after an abort")


@check("R33")
def keys_of_an_older_version_are_counted(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1", "c": "1"})
    two = commit(lab, executor, one, {"d": "2"}, ["a", "b"])
    expect(_count(executor, one), 3, "numKeys of a batch on an older version")
    expect(two.version, 2, "The number of the second version")


@check("R33", needs={"column-families"})
def keys_of_all_families_are_counted(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = executor.begin(EMPTY)
    store.create_family("other")
    families = ("default", "other")
    write_calls(
        lab, [store.call("put", key(f"row{i}"), value("1"), family=family) for family in families for i in range(3)]
    )
    store.remove(key("row1"), family="other")
    one = store.commit()
    expect(store.metrics().rows, 5, "numKeys of two families")
    for reader in (executor, lab.open("fresh", families=True)):
        expect(_count(reader, one), 5, "numKeys of two families, loaded again")
    store = lab.open("last", families=True).begin(one)
    store.create_family("other")
    store.remove_family("other")
    store.commit()
    expect(store.metrics().rows, 3, "numKeys after a family was removed")


@check("R33", needs={"column-families"})
def keys_of_internal_families_are_not_counted(lab: Lab) -> None:
    """Operators keep indexes and counts in them: they are no rows of the user's."""
    conf = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}
    executor = lab.open(families=True, conf=conf)
    version = EMPTY
    for i in range(4):
        store = executor.begin(version)
        store.create_family("other")
        store.create_family("$index", internal=True)
        for family in ("default", "other", "$index"):
            write_calls(lab, [store.call("put", key(f"row{n}"), value("1"), family=family) for n in (i, i + 1)])
        store.remove(key("row0"), family="$index")
        version = store.commit()
        expect(store.metrics().rows, 2 * (i + 2), f"numKeys of batch {i}, with an internal family")
        executor.maintain()
    fresh = lab.open("fresh", families=True, conf=conf)
    expect(_count(fresh, version), 10, "numKeys with an internal family, loaded again")


@check("R33")
def keys_of_a_version_started_empty_are_counted_anew(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1", "c": "1"})
    store = begin_empty(executor, one)
    write(lab, store, {"b": "2", "d": "2"})
    two = store.commit()
    expect(store.metrics().rows, 2, "numKeys of a version that was started empty")
    expect(_count(lab.open("fresh"), two), 2, "numKeys of a version that was started empty, loaded again")


@check("R33", needs={"read-store-upgrade"})
def keys_of_an_upgraded_read_store_are_counted(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    store = executor.begin_read(one).upgrade()
    write(lab, store, {"b": "2", "c": "2"})
    two = store.commit()
    expect(store.metrics().rows, 3, "numKeys of an upgraded read store")
    expect(_count(lab.open("fresh"), two), 3, "numKeys after an upgraded read store, loaded again")


@check("R33", needs={"multiple-values"})
def a_key_with_many_values_counts_once(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), [value("1"), value("2")])
    store.merge(key("a"), value("3"))
    store.merge(key("b"), value("1"))
    store.merge_list(key("c"), [value("1"), value("2")])
    store.merge(key("c"), value("3"))
    one = store.commit()
    expect(store.metrics().rows, 3, "numKeys of three keys with many values")
    store = executor.begin(one)
    store.merge(key("a"), value("4"))
    store.remove(key("b"))
    store.merge(key("b"), value("5"))
    store.remove(key("c"))
    two = store.commit()
    expect(store.metrics().rows, 2, "numKeys after merges and removes")
    expect(_count(lab.open("fresh", families=True, multi=True), two), 2, "numKeys of many values, loaded afresh")


@check("R33", needs={"delete-range"})
def keys_removed_by_range_are_not_counted(lab: Lab) -> None:
    executor = lab.open(encoder="range", families="column-families" in lab.capabilities)
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", [t, "k"], value("1")) for t in range(10)])
    one = store.commit()
    store = executor.begin(one)
    store.delete_range([2, ""], [7, ""])
    store.commit()
    expect(store.metrics().rows, 5, "numKeys after a delete of a range of five keys")


@check("R34")
def every_custom_metric_is_declared(lab: Lab) -> None:
    executor = lab.open()
    declared = set(executor.custom_metrics())
    version = EMPTY
    for i in range(3):
        store = executor.begin(version)
        write(lab, store, {f"row{i}": "1"})
        version = store.commit()
        executor.maintain()
        metrics = store.metrics()
        _expect_declared(metrics.custom, declared, "Custom metrics are reported that are not declared")
        for name, amount in {**metrics.custom, "memoryUsedBytes": metrics.memory}.items():
            if not math.isfinite(amount) or amount < 0:
                raise Violation(f"The metric {name} is {amount}")
    expect_version(executor, version, {f"row{i}": "1" for i in range(3)}, "after metrics were read")


@check("R34")
def metrics_are_declared_before_a_store_is_opened(lab: Lab) -> None:
    """Spark asks an instance for them that it never opens."""
    executor = lab.open()
    declared = set(executor.declared_before())
    store = executor.begin(EMPTY)
    write(lab, store, {"a": "1"})
    store.commit()
    what = "Metrics are reported that are not declared before a store is opened"
    _expect_declared(store.metrics().custom, declared, what)


@check("R34", needs={"column-families"})
def metrics_of_a_store_with_families_are_declared(lab: Lab) -> None:
    """An operator looks each metric up by its name among those declared (longMetric), and fails without it."""
    executor = lab.open(families=True)
    declared = set(executor.declared_before())
    store = executor.begin(EMPTY)
    store.create_family("other")
    store.create_family("$index", internal=True)
    for family in ("default", "other", "$index"):
        store.put(key("a"), value("1"), family=family)
    store.commit()
    _expect_declared(store.metrics().custom, declared, "Metrics of a store with families are not declared")


@check("R34")
def metrics_of_a_store_that_was_loaded_are_declared(lab: Lab) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    declared = set(executor.declared_before())
    version = commit(lab, executor, EMPTY, {"a": "1"})
    for reader in here_and_afresh(lab, executor):
        store = reader.begin(version)
        write(lab, store, {"a": "2"})
        version = store.commit()
        _expect_declared(store.metrics().custom, declared, "Metrics of a store that was loaded are not declared")


@check("R34")
def metrics_of_a_commit_with_a_snapshot_are_declared(lab: Lab) -> None:
    executor = lab.open()
    declared = set(executor.declared_before())
    version = EMPTY
    for snapshot in (True, False):
        store = executor.begin(version, snapshot=snapshot)
        write(lab, store, {"a": str(snapshot)})
        version = store.commit()
        _expect_declared(store.metrics().custom, declared, "Metrics of a commit with a snapshot are not declared")


@check("R34")
def metrics_of_any_kind_of_batch_are_declared(lab: Lab) -> None:
    """One that removes, one that reads, one that does nothing, and one that does all of it."""
    executor = lab.open()
    declared = set(executor.declared_before())
    version = commit(lab, executor, EMPTY, {"a": "1", "b": "1", "c": "1"})
    kinds: dict[str, tuple[dict[str, str], list[str]]] = {
        "removes": ({}, ["a"]),
        "reads": ({}, []),
        "does nothing": ({}, []),
        "does all": ({"a": "2"}, ["b", "a"]),
    }
    for kind, (puts, removes) in kinds.items():
        store = executor.begin(version)
        write(lab, store, puts, removes)
        if kind != "does nothing":
            store.scan()
            store.contains(key("c"))
        version = store.commit()
        executor.maintain()
        _expect_declared(store.metrics().custom, declared, f"Metrics of a batch that {kind} are not declared")


@check("R34")
def metrics_of_an_instance_are_declared(lab: Lab) -> None:
    executor = lab.open(place=("left", 3))
    declared = set(executor.instance_metrics())
    version = EMPTY
    for i in range(2):
        store = executor.begin(version)
        write(lab, store, {f"row{i}": "1"})
        version = store.commit()
        executor.maintain()
        what = "Metrics of an instance are reported that are not declared for it"
        _expect_declared(store.metrics().instance, declared, what)


@check("R34")
def a_metric_has_no_name_of_the_operators(lab: Lab) -> None:
    """The operator's own would be shown no more, or it would show the store's: they are one map by name."""
    executor = lab.open()
    for names in (executor.custom_metrics(), executor.instance_metrics()):
        expect(sorted(OF_OPERATORS.intersection(names)), [], "The metrics of the provider that operators have, too")
        expect(len(names), len(set(names)), "How many names the provider's metrics have")


@check("R34")
def metrics_of_an_instance_are_found_among_those_declared(lab: Lab) -> None:
    """Operators look each up by itself, not by its name, among those of an instance that was never opened."""
    executor = lab.open(place=("left", 3))
    store = executor.begin(EMPTY)
    write(lab, store, {"a": "1"})
    one = store.commit()
    expect(store.unknown_metrics(), [], "The metrics of an instance that are equal to none of those declared")
    executor.maintain()
    store = lab.open("fresh", place=("left", 3)).begin(one)
    store.commit()
    expect(store.unknown_metrics(), [], "The metrics of a fresh instance that are equal to none of those declared")


def _expect_declared(reported: Iterable[str], declared: set[str], message: str) -> None:
    undeclared = set(reported) - declared
    if undeclared:
        raise Violation(f"{message}: {sorted(undeclared)}")


def _count(executor: Executor, version: Version) -> int:
    """numKeys of an empty batch on a version."""
    store = executor.begin(version)
    store.commit()
    return store.metrics().rows
