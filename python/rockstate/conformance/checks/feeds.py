"""What the state data source reads: the change feed, and versions replayed from a snapshot."""

from __future__ import annotations

from rockstate.conformance.calls.answers import Change
from rockstate.conformance.calls.expectations import expect_rows
from rockstate.conformance.calls.outcomes import StoreError, Timeout, Version, Violation
from rockstate.conformance.calls.rows import Pair
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, commit_each, key, pairs_of, value
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab

SNAPSHOTS = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}


@check("R39")
def changes_applied_to_one_version_give_another(lab: Lab) -> None:
    executor = lab.open()
    versions, wanted = _history(lab, executor)
    fresh = lab.open("fresh")
    for first in range(1, len(versions)):
        for last in range(first, len(versions)):
            changes = fresh.changes(first, versions[last])
            found = _applied(wanted[first - 1], changes)
            what = f"Version {first - 1} with the changes from {first} to {last}"
            expect_rows(found, pairs_of(wanted[last]), what)


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
def replay_from_a_version_after_is_refused(lab: Lab) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    versions, _ = _history(lab, executor, maintain=True)
    rows = _replayed(lab.open("fresh", conf=SNAPSHOTS), versions[6], versions[4])
    if rows is not None:
        raise Violation(f"Version 4, replayed from a snapshot of version 6, was not refused, but {rows}")


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


def _applied(rows: dict[str, str], changes: list[Change]) -> list[Pair]:
    after = {name: value(text) for name, text in rows.items()}
    for change in changes:
        name = str(change.key[0])
        if change.type == "delete_record":
            after.pop(name, None)
        elif change.type == "put_record" and change.value is not None:
            after[name] = change.value
        else:
            raise Violation(f"A change that only puts and removes cannot make: {change}")
    return [[key(name), row] for name, row in after.items()]


def _replayed(executor: Executor, snapshot: Version, version: Version) -> list[Pair] | None:
    """The rows of a version replayed from a snapshot; None where it was refused."""
    try:
        store = executor.replay(snapshot, version)
    except Timeout:
        raise
    except StoreError:
        return None
    try:
        return store.scan()
    finally:
        store.abort()
