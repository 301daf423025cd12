"""Faults in the first batch of a store, where there is nothing yet: who comes next begins it anew."""

from __future__ import annotations

from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.checks.crashes import attempt, crashes, operations_of
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version
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
    """From the opening of the store on."""
    return operations_of(lab, lambda: _first_batch(lab), "A first batch")


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
    return attempt(lab, lambda: lab.open().begin(EMPTY), FIRST)
