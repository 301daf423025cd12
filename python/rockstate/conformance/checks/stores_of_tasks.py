"""What belongs to which store: those of one task, of a task's later attempt, of other partitions, of other queries."""

from __future__ import annotations

from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version, write
from rockstate.conformance.lab.lab import Lab

NAMES = ("left-keyToNumValues", "left-keyWithIndexToValue", "right-keyToNumValues", "right-keyWithIndexToValue")
PARTITIONS = (0, 1, 127, 128, 199, 255, 256, 32_767, 32_768, 65_536)
"""Around those that other numbers of bytes can count."""


@check("R14")
def stores_that_one_task_has_open_are_apart(lab: Lab) -> None:
    """A join has four, and a query with two operators one of each (SymmetricHashJoinStateManager)."""
    first = lab.open(place=(NAMES[0], 3))
    others = [lab.open_with(first, "other", on_its_thread=True, place=(name, 3)) for name in NAMES[1:]]
    executors = [first, *others]
    versions = [EMPTY for _ in executors]
    for batch in range(2):
        first.begin_task()
        stores = [each.begin(version) for each, version in zip(executors, versions, strict=True)]
        for i, store in enumerate(stores):
            write(lab, store, {"a": f"{i}", f"row{batch}": f"{i}"})
        versions = [store.commit() for store in stores]
        first.end_task()
    for i, version in enumerate(versions):
        wanted = {"a": f"{i}", "row0": f"{i}", "row1": f"{i}"}
        reader = lab.open("reader", place=(NAMES[i], 3))
        expect_version(reader, version, wanted, "of one of four stores that a task had open")


@check("R37")
def the_second_attempt_of_a_task_has_its_own_rows(lab: Lab) -> None:
    """It is told which attempt it is, and is not the first that its executor runs."""
    for where in ("here", "elsewhere"):
        place = (where, 2)
        executor = lab.open(place=place)
        one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
        executor.begin_task()
        write(lab, executor.begin(one), {"a": "lost", "lost": "2"}, ["b"])
        executor.fail_task()
        again = executor if where == "here" else lab.open("again", place=place)
        again.begin_task(attempt=1)
        store = again.begin(one)
        write(lab, store, {"a": "2", "c": "2"})
        two = store.commit()
        again.end_task()
        wanted = {"a": "2", "b": "1", "c": "2"}
        for reader in (again, lab.open("fresh", place=place)):
            expect_version(reader, two, wanted, f"of a task's second attempt {where}")


@check("R37")
def the_second_attempt_of_a_task_that_had_committed_has_its_own_rows(lab: Lab) -> None:
    """The first one's answer was lost."""
    first, second = lab.open("first"), lab.open("second")
    one = commit(lab, first, EMPTY, {"a": "1", "b": "1"})
    first.begin_task()
    commit(lab, first, one, {"a": "lost", "lost": "2"}, ["b"])
    first.end_task()
    second.begin_task(attempt=1)
    two = commit(lab, second, one, {"a": "2", "c": "2"})
    second.end_task()
    expect_version(lab.open("fresh"), two, {"a": "2", "b": "1", "c": "2"}, "of the second attempt that committed")


@check("R14")
def partitions_of_any_number_are_apart(lab: Lab) -> None:
    versions = {
        partition: commit(lab, lab.open("first", place=("default", partition)), EMPTY, {"a": str(partition)})
        for partition in PARTITIONS
    }
    for partition, one in versions.items():
        executor = lab.open("second", place=("default", partition))
        two = commit(lab, executor, one, {"b": str(partition)})
        wanted = {"a": str(partition), "b": str(partition)}
        expect_version(lab.open("fresh", place=("default", partition)), two, wanted, f"of partition {partition}")


@check("R14")
def queries_of_one_process_are_apart(lab: Lab) -> None:
    """Each has a checkpoint of its own, and an operator 0 with a partition 0."""
    places = [("default", 0, 0, folder) for folder in ("first", "second")]
    here = lab.open("here", place=places[0])
    executors = [here, lab.open_beside(here, "there", place=places[1])]
    versions = [EMPTY, EMPTY]
    for batch in range(2):
        for i, executor in enumerate(executors):
            versions[i] = commit(lab, executor, versions[i], {"a": f"{i}", f"row{i}{batch}": "1"})
            executor.maintain()
    for i, version in enumerate(versions):
        wanted = {"a": f"{i}", f"row{i}0": "1", f"row{i}1": "1"}
        expect_version(executors[i], version, wanted, "of one of two queries in a process")
        beside = lab.open_beside(here, "beside", place=places[i])
        expect_version(beside, version, wanted, "of one of two queries in a process, loaded there again")
