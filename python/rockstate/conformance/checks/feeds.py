"""What the state data source reads: the change feed, and versions replayed from a snapshot."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product

from rockstate.conformance.calls.answers import Change
from rockstate.conformance.calls.expectations import expect, expect_rows, tried
from rockstate.conformance.calls.outcomes import NotInSpark, StoreError, Timeout, Version, Violation
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.reading_back import applied
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, begin_with, commit, commit_each, declare, key, pairs_of, value
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

SNAPSHOTS = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}


@check("R39")
def changes_applied_to_one_version_give_another(lab: Lab) -> None:
    executor = lab.open()
    versions, wanted = _history(lab, executor)
    fresh = lab.open("fresh")
    for first in range(1, len(versions)):
        for last in range(first, len(versions)):
            changes = fresh.changes(first, versions[last])
            found = applied(changes, pairs_of(wanted[first - 1]))
            what = f"Version {first - 1} with the changes from {first} to {last}"
            expect_rows(found, pairs_of(wanted[last]), what)


@check("R39")
def changes_from_before_a_snapshot_are_told(lab: Lab) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    versions, wanted = _history(lab, executor, maintain=True)
    fresh = lab.open("fresh", conf=SNAPSHOTS)
    for first in range(1, len(versions)):
        found = applied(fresh.changes(first, versions[-1]), pairs_of(wanted[first - 1]))
        what = f"Version {first - 1} with the changes since, over snapshots"
        expect_rows(found, pairs_of(wanted[-1]), what)


@check("R39", needs={"column-families"})
def changes_of_a_family_are_its_own(lab: Lab) -> None:
    """The state data source asks for the family of a variable by name, on a provider that was told of it."""
    executor = lab.open(families=True)
    version = EMPTY
    for i in range(3):
        store = begin_with(executor, version, "one", "two")
        for name in ("default", "one", "two"):
            store.put(key("a"), value(f"{name}{i}"), family=name)
            store.put(key(f"of {name}"), value(str(i)), family=name)
        version = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        begin_with(reader, version, "one", "two").abort()
        for name in ("one", "two"):
            changes = [
                [change.version, change.key[0], change.value] for change in reader.changes(1, version, family=name)
            ]
            wanted = [
                [i, each, value(text)] for i in range(3) for each, text in (("a", f"{name}{i}"), (f"of {name}", str(i)))
            ]
            expect(sorted(changes, key=str), wanted, f"The change feed of the family {name}, sorted")


@check("R39", needs={"column-families", "multiple-values"})
def changes_tell_puts_from_merges(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = _begin_with_values(executor, EMPTY)
    store.put_list(key("a"), [value("1"), value("2")], family="values")
    store.merge(key("b"), value("3"), family="values")
    one = store.commit()
    store = _begin_with_values(executor, one)
    store.merge_list(key("a"), [value("4"), value("5")], family="values")
    store.put(key("b"), value("6"), family="values")
    store.merge(key("b"), value("7"), family="values")
    two = store.commit()
    store = _begin_with_values(executor, two)
    store.remove(key("a"), family="values")
    three = store.commit()
    wanted = {1: {"a": "12", "b": "3"}, 2: {"a": "1245", "b": "67"}, 3: {"b": "67"}}
    fresh = lab.open("fresh", families=True)
    _begin_with_values(fresh, three).abort()
    for last, rows in wanted.items():
        values = _values_after(fresh.changes(1, (one, two, three)[last - 1], family="values"))
        expect(values, {name: [value(c) for c in texts] for name, texts in rows.items()}, f"The changes up to {last}")


@check("R39")
def changes_are_in_the_order_of_versions(lab: Lab) -> None:
    executor = lab.open()
    versions = commit_each(lab, executor, EMPTY, [{"a": str(i)} for i in range(1, 6)])
    changes = lab.open("fresh").changes(1, versions[5])
    batches = [change.version for change in changes]
    if batches != [0, 1, 2, 3, 4]:
        raise Violation(f"Five versions with one change each gave changes of the batches {batches}, not 0 to 4")


@check("R39")
def changes_of_a_version_not_there_are_refused(lab: Lab) -> None:
    executor = lab.open()
    versions = commit_each(lab, executor, EMPTY, [{"a": "1"}, {"a": "2"}])
    try:
        changes = executor.changes(1, Version(3, versions[2].id))
    except Timeout:
        raise
    except StoreError:
        return
    raise Violation(f"The changes up to a version that nobody committed were not refused, but {changes}")


@check("R40")
def a_version_replayed_from_any_snapshot_is_the_same(lab: Lab) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    versions, wanted = _history(lab, executor, maintain=True)
    replayed = 0
    for snapshot in range(1, len(versions)):
        for last in range(snapshot, len(versions), 2):
            rows = _replayed(lab.open("fresh", conf=SNAPSHOTS), versions[snapshot], versions[last])
            if rows is None:
                break
            replayed += 1
            what = f"Version {last}, replayed from the snapshot of version {snapshot}"
            expect_rows(rows, pairs_of(wanted[last]), what)
    if not replayed:
        raise Violation("No version could be replayed from any snapshot")


@check("R40")
def a_version_replayed_to_be_read_is_the_same(lab: Lab) -> None:
    """The state data source asks for it read-only, which 4.0 cannot say."""
    if not lab.has("upgrade"):
        raise NotInSpark("replay to read only", "4.1", lab.driver.spark)
    executor = lab.open(conf=SNAPSHOTS)
    versions, wanted = _history(lab, executor, maintain=True)
    replayed = 0
    for snapshot in range(1, len(versions) - 1):
        rows = _replayed(lab.open("fresh", conf=SNAPSHOTS), versions[snapshot], versions[-1], read_only=True)
        if rows is not None:
            replayed += 1
            expect_rows(rows, pairs_of(wanted[-1]), f"The last version, replayed from {snapshot} to be read only")
    if not replayed:
        raise Violation("No version could be replayed from any snapshot to be read only")


@check("R40", needs={"column-families"})
def a_version_replayed_has_its_families(lab: Lab) -> None:
    executor = lab.open(families=True, conf=SNAPSHOTS)
    versions = [EMPTY]
    for i in range(5):
        store = begin_with(executor, versions[-1], "one")
        store.put(key("a"), value(str(i)))
        store.put(key(f"row{i}"), value(str(i)), family="one")
        store.remove(key(f"row{i - 2}"), family="one")
        versions.append(store.commit())
        executor.maintain()
    replayed = 0
    for snapshot, read_only in product(range(1, 5), (False, True)):
        fresh = lab.open("fresh", families=True, conf=SNAPSHOTS)
        declare(fresh, versions[-1], "one")  # as StatePartitionReader does
        found = tried(partial(fresh.replay, versions[snapshot], versions[-1], read_only=read_only))
        if found is not None:
            replayed += 1
            what = f"replayed from version {snapshot}{', to read' if read_only else ''}"
            expect_rows(found.scan(family="one"), pairs_of({"row3": "3", "row4": "4"}), f"The rows of a family {what}")
            expect_rows(found.scan(), pairs_of({"a": "4"}), f"The rows of the default family {what}")
            found.abort()
        fresh.close()
    if not replayed:
        raise Violation("No version with families could be replayed from any snapshot")


@check("R40")
def replay_from_a_version_after_is_refused(lab: Lab) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    versions, _ = _history(lab, executor, maintain=True)
    rows = _replayed(lab.open("fresh", conf=SNAPSHOTS), versions[6], versions[4])
    if rows is not None:
        raise Violation(f"Version 4, replayed from a snapshot of version 6, was not refused, but {rows}")


@check("R40")
def replay_to_a_version_that_is_not_there_is_refused(lab: Lab) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    versions, _ = _history(lab, executor, maintain=True)
    missing = replace(versions[7], version=8)
    for snapshot in versions[1:]:
        rows = _replayed(lab.open("fresh", conf=SNAPSHOTS), snapshot, missing)
        if rows is not None:
            raise Violation(f"Version 8, which nobody committed, was not refused to a replay from {snapshot}: {rows}")


def _history(lab: Lab, executor: Executor, *, maintain: bool = False) -> tuple[list[Version], list[dict[str, str]]]:
    """Seven versions with puts, overwrites, removes and keys that come back; their rows."""
    versions = [EMPTY]
    wanted: list[dict[str, str]] = [{}]
    for i in range(1, 8):
        puts = {f"row{i}": str(i), "counter": str(i), **({"back": str(i)} if i % 2 else {})}
        removes = [f"row{i - 2}", "never there", *([] if i % 2 else ["back"])]
        versions.append(commit(lab, executor, versions[-1], puts, removes))
        wanted.append({**{name: text for name, text in wanted[-1].items() if name not in removes}, **puts})
        if maintain:
            executor.maintain()
    return versions, wanted


def _begin_with_values(executor: Executor, version: Version) -> Store:
    store = executor.begin(version)
    store.create_family("values", multi=True)
    return store


def _values_after(changes: list[Change]) -> dict[str, list[Row]]:
    """The values of each key after changes of an empty store."""
    after: dict[str, list[Row]] = {}
    for change in changes:
        name = str(change.key[0])
        if change.type == "delete_record":
            after.pop(name, None)
        elif change.value is not None:
            after[name] = [*(after.get(name, []) if change.type == "merge_record" else []), change.value]
    return after


def _replayed(executor: Executor, snapshot: Version, version: Version, *, read_only: bool = False) -> list[Pair] | None:
    """The rows of a version replayed from a snapshot; None where it was refused."""
    try:
        store = executor.replay(snapshot, version, read_only=read_only)
    except Timeout:
        raise
    except StoreError:
        return None
    try:
        return store.scan()
    finally:
        store.abort()
