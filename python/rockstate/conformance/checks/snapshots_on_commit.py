"""Commits that are told to make a snapshot: stopped or failed on the way, and in feeds and replays afterwards."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version, Violation
from rockstate.conformance.checks.crashes import attempt, crashes, operations_of
from rockstate.conformance.checks.reading_back import applied
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version, key, pairs_of, value, write
from rockstate.conformance.checks.scene import points
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import FaultMode, Lab
from rockstate.conformance.lab.store import Store

BEFORE, AFTER, LAST = {"a": "1", "b": "1"}, {"a": "2", "c": "2"}, {"a": "2", "c": "3"}


@check("R47")
def a_crash_in_a_commit_with_a_snapshot_leaves_the_old_version_or_the_new(lab: Lab) -> None:
    for at, mode in crashes(lab, _operations(lab.fresh())):
        _go_on_after(lab.fresh(), at, mode)


@check("R49")
def a_commit_with_a_snapshot_of_which_a_write_fails_fails_or_does_no_harm(lab: Lab) -> None:
    for at in points(lab, len(_operations(lab.fresh()))):
        _go_on_after(lab.fresh(), at, "fail_once")


@check("R39")
def changes_of_a_commit_with_a_snapshot_are_told(lab: Lab) -> None:
    versions = _history(lab)
    for first, rows in ((1, {}), (2, BEFORE), (3, AFTER)):
        found = applied(lab.open("fresh").changes(first, versions[3]), pairs_of(rows))
        expect_rows(found, pairs_of(LAST), f"Version {first - 1} with the changes since, over a snapshot of a commit")


@check("R40")
def a_replay_goes_on_over_a_commit_with_a_snapshot(lab: Lab) -> None:
    versions = _history(lab)
    for snapshot in (versions[1], versions[2]):
        store = lab.open("fresh").replay(snapshot, versions[3])
        expect_rows(store.scan(), pairs_of(LAST), f"A version replayed from {snapshot}, which a commit has made")
        store.abort()


@check("R40")
def a_commit_without_changes_makes_the_snapshot_that_it_is_told_to(lab: Lab) -> None:
    """Spark's coordinator asks for one where a store lags behind, and that of an idle partition does."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, BEFORE)
    two = executor.begin(one, snapshot=True).commit()
    executor.maintain()
    three = commit(lab, executor, two, {"c": "3"})
    store = lab.open("fresh").replay(two, three)
    expect_rows(store.scan(), pairs_of({**BEFORE, "c": "3"}), "A version replayed from a commit without changes")
    store.abort()


@check("R29", needs={"column-families", "multiple-values", "range-scan", "prefix-scan"})
def a_commit_that_makes_a_snapshot_keeps_families_of_any_kind(lab: Lab) -> None:
    """Joins and state variables have such, and Spark asks for snapshots of any store that lags behind."""
    executor = lab.open(families=True)
    store = _begin_kinds(executor, EMPTY)
    store.put_list(key("a"), [value("1"), value("2")], family="list")
    store.merge(key("gone"), value("1"), family="list")
    store.put([5, "k"], value("5"), family="timers")
    store.put(["p", 1], value("1"), family="map")
    version = store.commit()
    store = _begin_kinds(executor, version, snapshot=True)
    store.merge(key("a"), value("3"), family="list")
    store.merge(key("new"), value("4"), family="list")
    store.remove(key("gone"), family="list")
    store.merge(key("gone"), value("back"), family="list")
    store.put([-5, "k"], value("-5"), family="timers")
    store.put(["p", 2], value("2"), family="map")
    two = store.commit()
    for i in range(2):
        for reader in (executor, lab.open(f"fresh{i}", families=True)):
            store = _begin_kinds(reader, two)
            for name, texts in {"a": ["1", "2", "3"], "new": ["4"], "gone": ["back"]}.items():
                wanted = [value(text) for text in texts]
                expect(store.values(key(name), family="list"), wanted, f"The values of {name!r} in such a snapshot")
            expect([pair[0][0] for pair in store.scan(family="timers")], [-5, 5], "The timers in such a snapshot")
            expect_rows(
                store.prefix(["p"], family="map"),
                [[["p", k], value(str(k))] for k in (1, 2)],
                "A map in such a snapshot",
            )
            store.abort()
        executor.maintain()
    store = _begin_kinds(executor, two)
    store.merge(key("a"), value("5"), family="list")
    three = store.commit()
    store = _begin_kinds(lab.open("last", families=True), three)
    wanted = [value(text) for text in "1235"]
    expect(store.values(key("a"), family="list"), wanted, "The values of a key, merged to after such a snapshot")
    store.abort()


def _begin_kinds(executor: Executor, version: Version, *, snapshot: bool = False) -> Store:
    store = executor.begin(version, snapshot=snapshot)
    store.create_family("list", multi=True)
    store.create_family("timers", encoder="range")
    store.create_family("map", encoder="prefix")
    return store


def _history(lab: Lab) -> list[Version]:
    """Three versions, of which the first two have a snapshot that their commits, or maintenance, were told to make."""
    executor = lab.open()
    store = executor.begin(EMPTY, snapshot=True)
    write(lab, store, BEFORE)
    one = store.commit()
    executor.maintain()
    store = executor.begin(one, snapshot=True)
    write(lab, store, AFTER, ["b"])
    two = store.commit()
    executor.maintain()
    return [EMPTY, one, two, commit(lab, executor, two, {"c": "3"})]


def _operations(lab: Lab) -> list[str]:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, BEFORE)
    return operations_of(lab, lambda: _second_batch(lab, executor, one), "A batch that is told to make a snapshot")


def _go_on_after(lab: Lab, at: int, mode: FaultMode) -> None:
    """The batch is done again with the same rows, as a task's next attempt does it, and gone on from."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, BEFORE)
    lab.fault(at, mode)
    two = _second_batch(lab, executor, one)
    lab.heal()
    what = f"after a fault at write {at} of a commit with a snapshot ({mode})"
    fresh = lab.open("fresh")
    expect_version(fresh, one, BEFORE, what)
    if two is None:
        two = _second_batch(lab, fresh, one)
    if two is None:
        raise Violation(f"The batch could not be done again {what}")
    expect_version(lab.open("reader"), two, AFTER, what)
    three = commit(lab, fresh, two, {"c": "3"})
    fresh.maintain()
    expect_version(lab.open("last"), three, LAST, f"a batch later, {what}")
    lab.close()


def _second_batch(lab: Lab, executor: Executor, one: Version) -> Version | None:
    return attempt(lab, lambda: executor.begin(one, snapshot=True), AFTER, ["b"])
