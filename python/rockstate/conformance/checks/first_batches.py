"""Faults in the first batch of a store, where there is nothing yet: who comes next begins it anew."""

from __future__ import annotations

from contextlib import suppress

from rockstate.conformance.calls.outcomes import NotApplicable, StoreError, Timeout, Version, Violation
from rockstate.conformance.checks.crashes import crashes
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version, write
from rockstate.conformance.checks.scene import points
from rockstate.conformance.lab.lab import FaultMode, Lab

FIRST, OTHERS = {"a": "first", "b": "first"}, {"b": "again", "c": "again"}


@check("R47")
def a_crash_in_the_first_batch_is_no_obstacle(lab: Lab) -> None:
    for at, mode in crashes(lab, _operations(lab.fresh())):
        _begin_anew_after(lab.fresh(), at, mode)


@check("R49")
def a_write_that_fails_once_in_the_first_batch_does_no_harm(lab: Lab) -> None:
    for at in points(lab, len(_operations(lab.fresh()))):
        _begin_anew_after(lab.fresh(), at, "fail_once")


def _operations(lab: Lab) -> list[str]:
    """The mutating storage operations of a first batch, from the opening of its store to its commit."""
    if _first_batch(lab) is None:
        raise Violation("A first batch without any fault was refused")
    operations = lab.calls().transcript
    lab.close()
    if not operations:
        raise NotApplicable("A first batch does not write to the storage")
    return operations


def _begin_anew_after(lab: Lab, at: int, mode: FaultMode) -> None:
    lab.fault(at, mode)
    first = _first_batch(lab)
    lab.heal()
    what = f"after a fault at write {at} of the first batch ({mode})"
    if first is not None:
        expect_version(lab.open("reader"), first, FIRST, f"that was committed, {what}")
    fresh = lab.open("fresh")
    expect_version(fresh, EMPTY, {}, what)
    one = commit(lab, fresh, EMPTY, OTHERS)
    for reader in (fresh, lab.open("other")):
        expect_version(reader, one, OTHERS, f"with other rows {what}")
    two = commit(lab, fresh, one, {"d": "2"})
    expect_version(lab.open("last"), two, {**OTHERS, "d": "2"}, f"a batch later, {what}")
    lab.close()


def _first_batch(lab: Lab) -> Version | None:
    """The version of a first batch; None where anything of it failed, and then it is aborted."""
    try:
        store = lab.open().begin(EMPTY)
    except Timeout:
        raise
    except StoreError:
        return None
    try:
        write(lab, store, FIRST)
        return store.commit()
    except Timeout:
        raise
    except StoreError:
        with suppress(StoreError):
            store.abort()
        return None
