"""Replays to be read only, and of keys with many values."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator

from rockstate.conformance.calls.expectations import expect, expect_rows, tried
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Pair
from rockstate.conformance.checks.reading_back import replayed
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SELDOM,
    SNAPSHOTS,
    begin_empty,
    begin_with,
    commit,
    key,
    pairs_of,
    value,
    write,
)
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


@check("R40", needs={"column-families", "range-scan", "prefix-scan"})
def a_replay_has_families_in_their_order(lab: Lab) -> None:
    """Timers, and the windows of a key: who reads them declares their families in a transaction, and aborts it."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    versions = [EMPTY]
    for times in ([5, -5, 7], [300, -300], [0], [1, -1]):
        store = _with_timers(executor, versions[-1])
        for t in times:
            store.put([t, "k"], value(str(t)), family="timers")
            store.put(["late" if t > 0 else "early", t], value(str(t)), family="windows")
        if 0 in times:
            store.remove([7, "k"], family="timers")
            store.remove(["late", 7], family="windows")
        versions.append(store.commit())
        executor.maintain()

    wanted = [-300, -5, -1, 0, 1, 5, 300]
    for snapshot, store in _replayed(lab, versions[1:4], versions[4], _with_timers, "version with timers"):
        where = f"replayed from {snapshot}"
        expect([pair[0][0] for pair in store.scan(family="timers")], wanted, f"The order of timers, {where}")
        if lab.has("range"):
            found = store.range([-5, ""], [5, ""], family="timers")
            expect(found, [[[t, "k"], value(str(t))] for t in wanted[1:5]], f"Timers from -5 up to 5, {where}")
        for prefix, times in (("early", wanted[:4]), ("late", wanted[4:]), ("never", [])):
            rows: list[Pair] = [[[prefix, t], value(str(t))] for t in times]
            expect_rows(store.prefix([prefix], family="windows"), rows, f"The windows of {prefix!r}, {where}")


@check("R40", needs={"column-families"})
def a_replay_has_families_made_after_its_snapshot(lab: Lab) -> None:
    """A query whose new program has one more variable."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    versions = [EMPTY]
    for i in range(4):
        names = ("one",) if i < 2 else ("one", "two")
        store = begin_with(executor, versions[-1], *names)
        for family in names:
            store.put(key(f"row{i}"), value(family), family=family)
        versions.append(store.commit())
        executor.maintain()

    what = "version with a family that came later"
    for snapshot, store in _replayed(lab, versions[1:3], versions[4], _with_two, what):
        rows = {f"row{i}": "two" for i in (2, 3)}
        expect_rows(store.scan(family="two"), pairs_of(rows), f"The family that came later, replayed from {snapshot}")


@check("R40", needs={"column-families"})
def a_replay_to_be_read_is_told_of_its_families(lab: Lab) -> None:
    """So reads the state data source a join whose sides are families (state formats 3 and 4), and aborts the store."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    versions = [EMPTY]
    for i in range(4):
        store = _with_two(executor, versions[-1])
        for family in ("one", "two"):
            store.put(key(f"row{i}"), value(family), family=family)
        versions.append(store.commit())
        executor.maintain()

    def fresh() -> Executor:
        return lab.open("fresh", families=True, conf=SNAPSHOTS)

    def replay(executor: Executor, snapshot: Version) -> Store:
        return executor.replay(snapshot, versions[4], read_only=True)

    for snapshot, store in replayed(versions[1:4], fresh, replay, "version of two families"):
        for family in ("one", "two"):
            store.create_family(family)
            rows = pairs_of({f"row{i}": family for i in range(4)})
            expect_rows(store.scan(family=family), rows, f"The family {family}, replayed from {snapshot} to be read")
        store.abort()


@check("R40", needs={"checkpoint-ids"})
def a_replay_takes_no_snapshot_of_an_attempt_that_lost(lab: Lab) -> None:
    """Where that attempt has made a snapshot, and the one that won has none; a refusal is as good."""
    executor = lab.open(conf=SELDOM)
    one = commit(lab, executor, EMPTY, {"a": "1"})
    loser = lab.open("loser", conf=SELDOM).begin(one, snapshot=True)
    write(lab, loser, {"a": "lost", "lost": "2"})
    loser.commit()
    two = commit(lab, executor, one, {"b": "2"})
    three = commit(lab, executor, two, {"c": "3"})
    store = tried(functools.partial(lab.open("fresh").replay, two, three))
    if store is not None:
        wanted = {"a": "1", "b": "2", "c": "3"}
        expect_rows(store.scan(), pairs_of(wanted), "A replay from a version of which another attempt has a snapshot")
        store.abort()


@check("R40", needs={"column-families"})
def a_replay_over_a_family_made_again_has_nothing_from_before(lab: Lab) -> None:
    """A variable is removed, and one of its name is there again some batches later."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    versions = [EMPTY]
    for i in range(4):
        store = _with_two(executor, versions[-1])
        if i == 2:
            store.remove_family("one")
            store.create_family("one")
        for family in ("one", "two"):
            store.put(key(f"row{i}"), value(family), family=family)
        versions.append(store.commit())
        executor.maintain()

    what = "version with a family that was made again"
    for snapshot, store in _replayed(lab, versions[1:4], versions[4], _with_two, what):
        for family, first in (("one", 2), ("two", 0)):
            rows = {f"row{i}": family for i in range(first, 4)}
            expect_rows(store.scan(family=family), pairs_of(rows), f"The family {family}, replayed from {snapshot}")


def _replayed(
    lab: Lab, snapshots: Iterable[Version], end: Version, begun: Callable[[Executor, Version], Store], what: str
) -> Iterator[tuple[Version, Store]]:
    """The stores of `end`, to read, replayed from each of the snapshots that there are.

    Args:
        begun: a transaction that has made itself known its families: who reads them begins one, and aborts it.
        what: what `end` is, if there is no snapshot.
    """

    def fresh() -> Executor:
        executor = lab.open("fresh", families=True, conf=SNAPSHOTS)
        begun(executor, end).abort()
        return executor

    def replay(executor: Executor, snapshot: Version) -> Store:
        return executor.replay_read(snapshot, end)

    for snapshot, store in replayed(snapshots, fresh, replay, what):
        yield snapshot, store
        store.release()


def _with_two(executor: Executor, version: Version) -> Store:
    return begin_with(executor, version, "one", "two")


def _with_timers(executor: Executor, version: Version) -> Store:
    store = executor.begin(version)
    store.create_family("timers", encoder="range")
    store.create_family("windows", encoder="prefix")
    return store
