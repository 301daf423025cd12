"""The end of a task that has gone well: whoever asked to be told of it has nothing to complain of."""

from __future__ import annotations

from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version, write
from rockstate.conformance.lab.lab import Lab


@check("R05")
def the_end_of_a_task_that_has_committed_is_quiet(lab: Lab) -> None:
    """A provider may ask to be told of it; what it throws then fails a task whose batch is committed."""
    executor = lab.open()
    versions = [EMPTY]
    is_upgraded = lab.has("upgrade") and "read-store-upgrade" in lab.capabilities
    for i in range(3):
        executor.begin_task()
        reading = executor.begin_read(versions[-1])
        reading.open("scan").next()
        store = reading.upgrade() if is_upgraded else executor.begin(versions[-1])
        write(lab, store, {f"row{i}": "1"})
        store.open("scan").next()
        versions.append(store.commit())
        executor.end_task()
    rows = {f"row{i}": "1" for i in range(3)}
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, versions[-1], rows, "whose tasks have ended well")


@check("R05")
def the_end_of_a_task_that_only_reads_is_quiet(lab: Lab) -> None:
    """A limit over a stream, and whoever reads state, may end before its rows do."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    for is_released in (True, False):
        executor.begin_task()
        reading = executor.begin_read(one)
        reading.open("scan").next()
        if is_released:
            reading.release()
        executor.end_task()
    two = commit(lab, executor, one, {"c": "2"})
    expect_version(executor, two, {"a": "1", "b": "1", "c": "2"}, "after tasks that only read")
