"""Instances that Spark closes while a task uses them, or is about to: right, or refused, never empty."""

from __future__ import annotations

from contextlib import suppress

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import StoreError, Timeout
from rockstate.conformance.checks.crashes import attempt
from rockstate.conformance.checks.maintenance import CONF, History
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    commit,
    expect_count,
    expect_version,
    expect_version_or_error,
    key,
    pairs_of,
    value,
    write,
)
from rockstate.conformance.lab.lab import Lab

ROWS = {"counter": "41", "a": "1", "b": "2"}


@check("R13")
def what_an_open_store_reads_after_a_close_is_right_or_refused(lab: Lab) -> None:
    """Spark closes an instance whose partition another executor has by now, whatever task is at work on it."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    for is_read_first in (True, False):
        user = lab.open("user")
        store = user.begin(one)
        if is_read_first:
            expect(store.get(key("a")), value("1"), "A get before the close")
        user.start_closing()
        try:
            expect(store.get(key("counter")), value("41"), "A get after the instance was closed")
            expect_rows(store.scan(), pairs_of(ROWS), "A scan after the instance was closed")
            store.put(key("counter"), value("42"))
            two = store.commit()
            expect_version(lab.open("fresh"), two, {**ROWS, "counter": "42"}, "committed after its instance was closed")
        except Timeout:
            raise
        except StoreError:
            with suppress(StoreError):
                store.abort()
        user.close()
    expect_version(lab.open("fresh"), one, ROWS, "that stores were on whose instances were closed")


@check("R13")
def an_instance_that_is_closed_opens_its_versions_or_refuses(lab: Lab) -> None:
    """Between a task's asking for the instance and its asking for the version Spark may close it."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    executor.close_early()
    expect_version_or_error(executor, one, ROWS, "asked of an instance that is closed")
    two = attempt(lab, lambda: executor.begin(one), {"counter": "42"})
    if two is not None:
        expect_version(lab.open("fresh"), two, {**ROWS, "counter": "42"}, "committed on an instance that is closed")


@check("R34")
def metrics_of_a_commit_are_told_though_its_instance_is_closed(lab: Lab) -> None:
    """Spark asks for them once a task has committed; where they are refused, the batch fails that is committed."""
    executor = lab.open()
    store = executor.begin(commit(lab, executor, EMPTY, ROWS))
    write(lab, store, {"d": "4"})
    store.commit()
    executor.start_closing()
    expect_count(store, 4, "numKeys of a commit whose instance was closed since")


@check("R41")
def maintenance_of_an_instance_that_is_closed_harms_nothing(lab: Lab) -> None:
    """Spark goes through a copy of its instances, of which a task may have closed one meanwhile."""
    history = History(lab, lab.open(conf=CONF))
    for _ in range(6):
        history.go_on()
    history.executor.close_early()
    for _ in range(2):
        with suppress(StoreError):
            history.executor.maintain()
        history.expect(lab.open("fresh", conf=CONF), 6, "after maintenance of an instance that was closed")
        history.expect(lab.open("fresh", conf=CONF), 5, "after maintenance of an instance that was closed")
