"""Commits that are told to make a snapshot: stopped or failed on the way, and in feeds and replays afterwards."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect_rows
from rockstate.conformance.calls.outcomes import Version, Violation
from rockstate.conformance.checks.crashes import attempt, crashes, operations_of
from rockstate.conformance.checks.reading_back import applied
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version, pairs_of, write
from rockstate.conformance.checks.scene import points
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import FaultMode, Lab

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
