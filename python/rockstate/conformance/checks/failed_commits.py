"""Commits that fail: nothing of them is seen, on the executor where they failed no more than on any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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

_Prepared = tuple[Executor, Version, Store]


@check("R49")
def a_failed_commit_is_seen_nowhere(lab: Lab) -> None:
    for scene in _failed(lab, _with_rows):
        scene.expect_base_as_it_was()
        scene.expect_next_alike()
        scene.retry_with_other_rows()


@check("R49", needs={"column-families"})
def a_failed_commit_leaves_the_families_as_they_were(lab: Lab) -> None:
    def begin(executor: Executor, base: Version) -> Store:
        return begin_with(executor, base, "kept", "gone")

    def prepare(fresh: Lab) -> _Prepared:
        executor = fresh.open(families=True)
        one = commit_in_each(executor, "kept", "gone")
        store = begin(executor, one)
        store.remove_family("gone")
        store.create_family("new")
        for family in ("kept", "new"):
            store.put(key("b"), value("failed"), family=family)
        return executor, one, store

    for scene in _failed(lab, prepare):
        executor, when = scene.executor, scene.what
        store = begin(executor, scene.one)
        expect(sorted(store.families()), ["gone", "kept"], f"The families {when}")
        for family in ("gone", "kept"):
            expect_rows(store.scan(family=family), pairs_of({"a": family}), f"The rows of {family} {when}")
        store.put(key("c"), value("again"))
        two = store.commit()
        expect_count(store, 3, f"numKeys of the batch that was done again {when}")
        store = begin(executor, two)
        store.create_family("new")
        expect(store.scan(family="new"), [], f"The rows of a family that was made by no commit {when}")
        store.abort()


@check("R49", needs={"multiple-values"})
def a_failed_commit_adds_no_values(lab: Lab) -> None:
    def prepare(fresh: Lab) -> _Prepared:
        executor = fresh.open(families=True, multi=True)
        store = executor.begin(EMPTY)
        store.put_list(key("a"), [value("1")])
        one = store.commit()
        store = executor.begin(one)
        store.merge(key("a"), value("2"))
        return executor, one, store

    for scene in _failed(lab, prepare):
        executor, when = scene.executor, scene.what
        store = executor.begin(scene.one)
        expect(store.values(key("a")), [value("1")], f"The values of a key {when}")
        store.merge(key("a"), value("2"))
        two = store.commit()
        store = executor.begin_read(two)
        expect(store.values(key("a")), [value("1"), value("2")], f"The values of a key in the batch done again {when}")
        store.release()


@check("R08")
def a_failed_commit_is_not_said_to_have_committed(lab: Lab) -> None:
    for scene in _failed(lab, _with_rows):
        expect(scene.said, False, f"hasCommitted {scene.what}")


class _Scene:
    """A store with one version, and the executor whose commit of the next has failed."""

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


def _with_rows(lab: Lab) -> _Prepared:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    store = executor.begin(one)
    write(lab, store, {"a": "failed", "c": "failed"}, ["b"])
    return executor, one, store


def _failed(lab: Lab, prepare: Callable[[Lab], _Prepared]) -> Iterator[_Scene]:
    """The scenes in which the commit failed with one of its writes, each of which fails in turn.

    Args:
        prepare: opens an executor and commits a version; the store goes on from that and is to be committed.
    """
    failed = 0
    for at in range(1, lab.effort.at_most(POINTS) + 1):
        fresh = lab.fresh()
        executor, one, store = prepare(fresh)
        fresh.fault(at, "fail_once")
        scene = _Scene(fresh, executor, one, store, at)
        if not fresh.heal():
            fresh.close()
            break
        if scene.has_failed:
            failed += 1
            yield scene
        fresh.close()
    if not failed:
        raise NotApplicable("No write to the storage that failed made a commit fail")
