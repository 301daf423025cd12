"""Commits that fail: nothing of them is seen, on the executor where they failed no more than on any other."""

from __future__ import annotations

from collections.abc import Callable

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import NotApplicable, StoreError, Timeout, Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    begin_with,
    commit,
    commit_in_each,
    expect_count,
    expect_version,
    expect_version_or_error,
    key,
    pairs_of,
    value,
    write,
)
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

ROWS = {"a": "1", "b": "1"}
POINTS = 12
"""At how many storage operations a check fails at most."""


@check("R49")
def a_failed_commit_is_seen_nowhere(lab: Lab) -> None:
    failed = 0
    for at in range(1, lab.effort.at_most(POINTS) + 1):
        scene = _failed(lab.fresh(), at)
        if scene is None:
            break
        failed += scene.has_failed
        if scene.has_failed:
            scene.expect_base_as_it_was()
            scene.expect_next_alike()
            scene.retry_with_other_rows()
        scene.lab.close()
    if not failed:
        raise NotApplicable("No write to the storage that failed made a commit fail")


@check("R49", needs={"column-families"})
def a_failed_commit_leaves_the_families_as_they_were(lab: Lab) -> None:
    def begin(executor: Executor, base: Version) -> Store:
        return begin_with(executor, base, "kept", "gone")

    def write_second(store: Store) -> None:
        store.remove_family("gone")
        store.create_family("new")
        for family in ("kept", "new"):
            store.put(key("b"), value("failed"), family=family)

    def expect_retried(executor: Executor, one: Version, when: str) -> None:
        store = begin(executor, one)
        expect(sorted(store.families()), ["default", "gone", "kept"], f"The families {when}")
        for family in ("gone", "kept"):
            expect_rows(store.scan(family=family), pairs_of({"a": family}), f"The rows of {family} {when}")
        store.put(key("c"), value("again"))
        two = store.commit()
        expect_count(store, 3, f"numKeys of the batch that was done again {when}")
        store = begin(executor, two)
        store.create_family("new")
        expect(store.scan(family="new"), [], f"The rows of a family that was made by no commit {when}")
        store.abort()

    _fail_each(lab, lambda executor: commit_in_each(executor, "kept", "gone"), begin, write_second, expect_retried)


@check("R49", needs={"multiple-values"})
def a_failed_commit_adds_no_values(lab: Lab) -> None:
    def first(executor: Executor) -> Version:
        store = executor.begin(EMPTY)
        store.put_list(key("a"), [value("1")])
        return store.commit()

    def expect_retried(executor: Executor, one: Version, when: str) -> None:
        store = executor.begin(one)
        expect(store.values(key("a")), [value("1")], f"The values of a key {when}")
        store.merge(key("a"), value("2"))
        two = store.commit()
        store = executor.begin_read(two)
        expect(store.values(key("a")), [value("1"), value("2")], f"The values of a key in the batch done again {when}")
        store.release()

    _fail_each(
        lab,
        first,
        lambda executor, base: executor.begin(base),
        lambda store: store.merge(key("a"), value("2")),
        expect_retried,
    )


@check("R08")
def a_failed_commit_is_not_said_to_have_committed(lab: Lab) -> None:
    for at in range(1, lab.effort.at_most(POINTS) + 1):
        scene = _failed(lab.fresh(), at)
        if scene is None:
            break
        if scene.has_failed:
            expect(scene.said, False, f"hasCommitted after a commit whose write {at} failed")
        scene.lab.close()


class _Scene:
    """A store with one version, and the executor whose commit of the next has failed, or not."""

    def __init__(self, lab: Lab, executor: Executor, one: Version, store: Store, at: int) -> None:
        self.lab = lab
        self.executor = executor
        self.one = one
        self.what = f"after a commit whose write {at} failed"
        self.has_failed = False
        self.said = False
        try:
            store.commit()
        except Timeout:
            raise
        except StoreError:
            self.has_failed = True
        self.said = store.has_committed()
        if self.has_failed:
            store.abort()

    def expect_base_as_it_was(self) -> None:
        """The version that was to be gone on from, here and elsewhere."""
        for reader in (self.executor, self.lab.open("fresh")):
            expect_version(reader, self.one, ROWS, self.what)

    def expect_next_alike(self) -> None:
        """The version that was to be made is there on no executor, or, with its file, on every one."""
        following = Version(2, self.one.id)
        wanted = {"a": "failed", "c": "failed"}
        here = expect_version_or_error(self.executor, following, wanted, self.what)
        there = expect_version_or_error(self.lab.open("other"), following, wanted, self.what)
        if here and not there:
            raise Violation(
                f"Version 2 can be read on the executor that failed to commit it and on no other {self.what}"
            )

    def retry_with_other_rows(self) -> None:
        """The batch is done again with other rows, as from a source that cannot repeat itself."""
        two = commit(self.lab, self.executor, self.one, {"d": "again"})
        for reader in (self.executor, self.lab.open("last")):
            expect_version(reader, two, {**ROWS, "d": "again"}, f"committed with other rows {self.what}")


def _fail_each(
    lab: Lab,
    first: Callable[[Executor], Version],
    begin: Callable[[Executor, Version], Store],
    write_second: Callable[[Store], None],
    expect_retried: Callable[[Executor, Version, str], None],
) -> None:
    """Has each write of a second version's commit fail in turn; then the executor goes on from the first as if new."""
    failed = 0
    for at in range(1, lab.effort.at_most(POINTS) + 1):
        fresh = lab.fresh()
        executor = fresh.open(
            families="column-families" in lab.capabilities, multi="multiple-values" in lab.capabilities
        )
        one = first(executor)
        store = begin(executor, one)
        write_second(store)
        fresh.fault(at, "fail_once")
        scene = _Scene(fresh, executor, one, store, at)
        is_reached = fresh.heal()
        if scene.has_failed:
            failed += 1
            expect_retried(executor, one, scene.what)
        fresh.close()
        if not is_reached:
            break
    if not failed:
        raise NotApplicable("No write to the storage that failed made a commit fail")


def _failed(lab: Lab, at: int) -> _Scene | None:
    """A scene in which the `at`-th write of a commit failed; None if a commit makes fewer."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    store = executor.begin(one)
    write(lab, store, {"a": "failed", "c": "failed"}, ["b"])
    lab.fault(at, "fail_once")
    scene = _Scene(lab, executor, one, store, at)
    if lab.heal():
        return scene
    lab.close()
    return None
