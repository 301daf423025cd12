"""Commits are told to Spark's coordinator, which asks for them at a batch's end."""

from __future__ import annotations

from collections.abc import Sequence

from rockstate.conformance.calls.expectations import refused
from rockstate.conformance.calls.outcomes import NotApplicable, StoreError, Timeout, Version
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, write
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.kinds import Place
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store


@check("R58")
def each_commit_is_told_to_the_coordinator(lab: Lab) -> None:
    """Without it the next query with foreachBatch fails with STATE_STORE_COMMIT_VALIDATION_FAILED."""
    places: Sequence[Place] = (("default", 0), ("left", 0, 7))
    for place in places:
        executor = lab.open(place=place)
        version = EMPTY
        for i in range(3):
            executor.track_commit(version)
            base, version = version, commit(lab, executor, version, {"a": str(i)} if i != 1 else {})
            executor.validate_commit(base)


@check("R58", needs={"read-store-upgrade"})
def the_commit_of_an_upgraded_store_is_told_to_the_coordinator(lab: Lab) -> None:
    executor = lab.open()
    executor.track_commit(EMPTY)
    store = executor.begin_read(EMPTY).upgrade()
    write(lab, store, {"a": "1"})
    store.commit()
    executor.validate_commit(EMPTY)


@check("R58")
def a_transaction_that_was_aborted_is_not_told_to_the_coordinator(lab: Lab) -> None:
    executor, one, store = _tracked(lab)
    store.abort()
    with refused("The coordinator has heard of a transaction that was aborted"):
        executor.validate_commit(one)


@check("R58")
def a_commit_that_failed_is_not_told_to_the_coordinator(lab: Lab) -> None:
    executor, one, store = _tracked(lab)
    lab.fault(1, "crash_before")
    try:
        store.commit()
    except Timeout:
        raise
    except StoreError:
        with refused("The coordinator has heard of a commit that failed"):
            executor.validate_commit(one)
    else:
        raise NotApplicable("A commit needs no write")
    finally:
        lab.heal()


def _tracked(lab: Lab) -> tuple[Executor, Version, Store]:
    """A transaction with a write, its base, and its executor, whose commit Spark's coordinator is to hear of."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    executor.track_commit(one)
    store = executor.begin(one)
    write(lab, store, {"a": "2"})
    return executor, one, store
