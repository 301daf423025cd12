"""How stores end: what they say of it, and that every ending comes back."""

from __future__ import annotations

from collections.abc import Callable

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.outcomes import StoreError, Timeout
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, write
from rockstate.conformance.lab.lab import Lab


@check("R08")
def a_store_says_whether_it_was_committed(lab: Lab) -> None:
    executor = lab.open()
    store = executor.begin(EMPTY)
    write(lab, store, {"a": "1"})
    expect(store.has_committed(), False, "hasCommitted before the commit")
    one = store.commit()
    expect(store.has_committed(), True, "hasCommitted after the commit")
    aborted = executor.begin(one)
    write(lab, aborted, {"a": "2"})
    aborted.abort()
    expect(aborted.has_committed(), False, "hasCommitted after an abort")


@check("R52")
def no_ending_of_a_store_hangs(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    committed = executor.begin(one)
    write(lab, committed, {"a": "2"})
    two = committed.commit()
    for ending in (committed.abort, committed.commit, committed.abort):
        _comes_back(ending)
    aborted = executor.begin(two)
    write(lab, aborted, {"a": "3"})
    for ending in (aborted.abort, aborted.abort, aborted.commit, aborted.abort):
        _comes_back(ending)
    reading = executor.begin_read(two)
    for ending in (reading.release, reading.release, reading.abort):
        _comes_back(ending)
    _comes_back(executor.maintain)
    executor.restart()
    executor.begin(two).abort()


def _comes_back(ending: Callable[[], object]) -> None:
    """Whether it may throw is for other rules to say."""
    try:
        ending()
    except Timeout:
        raise
    except StoreError:
        pass
