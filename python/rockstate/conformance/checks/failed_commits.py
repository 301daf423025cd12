"""Commits that fail: nothing of them is seen, on the executor where they failed no more than on any other."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.outcomes import NotApplicable, StoreError, Timeout, Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version, expect_version_or_error, write
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
