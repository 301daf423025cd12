"""What instances leave in their process, and on its local disk."""

from __future__ import annotations

from rockstate.conformance.calls.outcomes import Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, write
from rockstate.conformance.lab.lab import Lab

INSTANCES = 50


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
    for i in range(3):
        _live(lab, i)
    before, many = lab.threads(), lab.effort.at_most(INSTANCES)
    for i in range(many):
        _live(lab, 3 + i)
    more = lab.threads() - before
    if more >= many:
        raise Violation(f"There are {more} more threads after {many} instances were opened and closed")


@check("R13")
def instances_that_are_closed_leave_no_local_files(lab: Lab) -> None:
    for i in range(3):
        _live(lab, i)
    before, many = lab.local_files(), lab.effort.at_most(INSTANCES)
    for i in range(many):
        _live(lab, 3 + i)
    more = lab.local_files() - before
    if more >= many:
        raise Violation(f"There are {more} more files on the local disk after {many} instances were opened and closed")


def _live(lab: Lab, partition: int) -> None:
    """An instance that commits twice, with maintenance, and reads, and is closed."""
    executor = lab.open("a", conf=SNAPSHOTS, place=("default", partition))
    version = EMPTY
    for i in range(2):
        store = executor.begin(version)
        write(lab, store, {f"row{i}": "1"})
        version = store.commit()
        executor.maintain()
    reading = executor.begin_read(version)
    reading.scan()
    reading.release()
    executor.close()
