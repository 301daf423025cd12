"""What instances leave in their process, and on its local disk."""

from __future__ import annotations

import time
from collections.abc import Callable

from rockstate.conformance.calls.outcomes import Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, commit, scanned, write
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab

INSTANCES = 50
SECONDS = 5
"""For what is closed or deleted in the background."""


@check("R34")
def instances_that_only_declare_metrics_leave_no_threads(lab: Lab) -> None:
    """The driver makes two of them for each operator of a plan, asks them for metrics, and never closes them."""
    executor = lab.open()
    executor.declared_before()
    before = lab.threads()
    for _ in range(INSTANCES):
        executor.declared_before()
    more = lab.threads() - before
    if more >= INSTANCES:
        raise Violation(f"There are {more} more threads after {INSTANCES} instances were asked for their metrics")


@check("R13")
def instances_that_are_closed_leave_no_threads(lab: Lab) -> None:
    """An executor has many partitions' instances one after the other, as they move, in a process that goes on."""
    _expect_no_more(lab, lab.threads, "threads")


@check("R13")
def instances_that_are_closed_leave_no_local_files(lab: Lab) -> None:
    _expect_no_more(lab, lab.local_files, "files on the local disk")


@check("R13")
def instances_that_are_closed_leave_the_file_system_to_others(lab: Lab) -> None:
    """Hadoop gives all of a process the same one; who closes it ends what others read and write."""
    _closed(lab).files_of_others()


@check("R13")
def instances_leave_the_configuration_to_others(lab: Lab) -> None:
    """All tasks of an executor share one: what is changed there holds for their files, too."""
    _closed(lab).conf_of_others()


def _closed(lab: Lab) -> Executor:
    """An instance that has committed and was maintained, and is closed."""
    executor = lab.open(conf=SNAPSHOTS)
    commit(lab, executor, EMPTY, {"a": "1"})
    executor.maintain()
    executor.close_early()
    return executor


def _expect_no_more(lab: Lab, count: Callable[[], int], of_what: str) -> None:
    """As many lives as there are instances, twice: pools fill up in the first round, and what closes later has time.

    What a busy machine has not ended yet of the first round must not hide what the second one leaves.
    """
    many = lab.effort.at_most(INSTANCES)
    for i in range(many):
        _live(lab, i)
    before = _steady(count)
    for i in range(many, 2 * many):
        _live(lab, i)
    for _ in range(SECONDS):
        if count() - before <= many // 2:
            return
        time.sleep(1)
    more = count() - before
    raise Violation(f"There are {more} more {of_what} after {many} instances were opened and closed")


def _steady(count: Callable[[], int]) -> int:
    """How many there are once there are no fewer a second later."""
    last = count()
    for _ in range(SECONDS):
        time.sleep(1)
        now = count()
        if now >= last:
            return now
        last = now
    return last


def _live(lab: Lab, partition: int) -> None:
    """An instance that commits twice, with maintenance, and reads, aborts, and is closed."""
    executor = lab.open("a", conf=SNAPSHOTS, place=("default", partition))
    version = EMPTY
    for i in range(2):
        version = commit(lab, executor, version, {f"row{i}": "1"})
        executor.maintain()
    scanned(executor, version)
    store = executor.begin(version)
    write(lab, store, {"aborted": "1"})
    store.abort()
    executor.close()
