"""How stores end: what they say of it, and that every ending comes back."""

from __future__ import annotations

from collections.abc import Callable

from rockstate.conformance.calls.call import Call
from rockstate.conformance.calls.expectations import expect, refused, tried
from rockstate.conformance.calls.rows import Pair
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version, key, value, write, write_calls
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store


@check("R08")
def a_store_says_whether_it_was_committed(lab: Lab) -> None:
    executor = lab.open()
    store = executor.begin(EMPTY)
    write(lab, store, {"a": "1"})
    expect(store.has_committed(), False, "hasCommitted before the commit")
    one = store.commit()
    expect(store.has_committed(), True, "hasCommitted after the commit")
    unchanged = executor.begin(one)
    expect(unchanged.has_committed(), False, "hasCommitted before a commit of no change")
    two = unchanged.commit()
    expect(unchanged.has_committed(), True, "hasCommitted after a commit of no change")
    aborted = executor.begin(two)
    write(lab, aborted, {"a": "2"})
    aborted.abort()
    expect(aborted.has_committed(), False, "hasCommitted after an abort")


@check("R06", needs={"multiple-values"})
def no_kind_of_write_goes_through_after_commit(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), [value("1")])
    store.create_family("one")
    one = store.commit()
    _refuse_writes(lab, store, "commit")
    _expect_as_committed(executor.begin(one))


@check("R07", needs={"multiple-values"})
def no_kind_of_write_goes_through_after_abort(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), [value("1")])
    store.create_family("one")
    one = store.commit()
    store = executor.begin(one)
    store.create_family("one")
    store.abort()
    _refuse_writes(lab, store, "abort")
    _expect_as_committed(executor.begin(one))


@check("R06", needs={"delete-range"})
def no_range_is_deleted_after_the_end(lab: Lab) -> None:
    executor = lab.open(encoder="range", families="column-families" in lab.capabilities)
    store = executor.begin(EMPTY)
    store.put([1, "k"], value("1"))
    one = store.commit()
    with refused("A delete of a range after commit must be refused"):
        store.delete_range([0, ""], [9, ""])
    store = executor.begin(one)
    store.abort()
    with refused("A delete of a range after abort must be refused"):
        store.delete_range([0, ""], [9, ""])
    store = executor.begin(one)
    expect(store.scan(), [[[1, "k"], value("1")]], "A scan after late deletes of ranges")
    store.abort()


@check("R04", needs={"delete-range"})
def an_aborted_delete_of_a_range_deletes_nothing(lab: Lab) -> None:
    executor = lab.open(encoder="range", families="column-families" in lab.capabilities)
    rows: list[Pair] = [[[t, "k"], value(str(t))] for t in range(5)]
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", *row) for row in rows])
    one = store.commit()
    store = executor.begin(one)
    store.delete_range([1, ""], [3, ""])
    expect(store.scan(), [*rows[:1], *rows[3:]], "A scan after a delete of a range")
    store.abort()
    store = executor.begin(one)
    expect(store.scan(), rows, "A scan after an aborted delete of a range")
    expect(store.get([2, "k"]), value("2"), "A get after an aborted delete of a range")
    store.put([9, "k"], value("9"))
    two = store.commit()
    for reader in (executor, lab.open("fresh", encoder="range", families="column-families" in lab.capabilities)):
        store = reader.begin_read(two)
        expect(store.scan(), [*rows, [[9, "k"], value("9")]], "The version after an aborted delete of a range")
        store.release()


@check("R04")
def an_abort_ends_what_is_being_read(lab: Lab) -> None:
    """A task that fails half-way closes none of its iterators."""
    executor = lab.open()
    rows = {f"row{i:02d}": "1" for i in range(40)}
    one = commit(lab, executor, EMPTY, rows)
    for _ in range(3):
        store = executor.begin(one)
        write(lab, store, {"own": "1"}, ["row07"])
        store.open("scan").next(5)
        store.open("scan")
        store.abort()
        executor.maintain()
    two = commit(lab, executor, one, {"b": "1"})
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {**rows, "b": "1"}, "after transactions that were aborted as they were read")
    executor.restart()
    expect_version(executor, one, rows, "after those, and a restart")


@check("R52")
def no_ending_of_a_store_hangs(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    committed = executor.begin(one)
    write(lab, committed, {"a": "2"})
    two = committed.commit()
    for ending in (committed.abort, committed.commit, committed.abort):
        tried(ending)
    aborted = executor.begin(two)
    write(lab, aborted, {"a": "3"})
    for ending in (aborted.abort, aborted.abort, aborted.commit, aborted.abort):
        tried(ending)
    reading = executor.begin_read(two)
    for ending in (reading.release, reading.release, reading.abort):
        tried(ending)
    tried(executor.maintain)
    executor.restart()
    executor.begin(two).abort()


@check("R52")
def the_store_of_a_task_that_failed_while_reading_holds_up_nobody(lab: Lab) -> None:
    """An aggregation whose first row fails has its read store open; nobody releases it: only the task ends."""

    def read(store: Store) -> None:
        store.open("scan").next()

    _expect_to_go_on(lab, read, "after tasks that failed while they read")


@check("R52")
def an_end_that_is_interrupted_holds_up_nobody(lab: Lab) -> None:
    """Spark aborts and releases the stores of a task that is killed on its own thread, which stays interrupted."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    store = executor.begin(one)
    write(lab, store, {"lost": "1"}, ["a"])
    executor.interrupt()
    tried(store.abort)
    reading = executor.begin_read(one)
    reading.get(key("a"))
    executor.interrupt()
    tried(reading.release)
    two = commit(lab, executor, one, {"b": "2"})
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {"a": "1", "b": "2"}, "after an abort and a release that were interrupted")


@check("R52")
def a_transaction_that_nobody_aborts_holds_up_nobody(lab: Lab) -> None:
    """transformWithState, and groups with an initial state, begin theirs by themselves: no task aborts it."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    for _ in range(2):
        executor.begin_task()
        store = executor.begin(one, unwatched=True)
        write(lab, store, {"lost": "1"}, ["a"])
        store.open("scan").next()
        executor.fail_task()
    two = commit(lab, executor, one, {"b": "2"})
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {"a": "1", "b": "2"}, "after tasks that failed and whose stores nobody aborted")


@check("R52", needs={"read-store-upgrade"})
def the_stores_of_a_task_that_failed_after_an_upgrade_hold_up_nobody(lab: Lab) -> None:
    """Spark aborts the transaction of such a task, and leaves the read store that it was made of."""

    def upgrade(reading: Store) -> None:
        store = reading.upgrade()
        write(lab, store, {"lost": "1"}, ["a"])
        store.open("scan").next()

    _expect_to_go_on(lab, upgrade, "after tasks that failed as they wrote")


def _expect_to_go_on(lab: Lab, work: Callable[[Store], None], when: str) -> None:
    """A batch commits after two tasks that have failed in their work on a read store."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    for _ in range(2):
        executor.begin_task()
        reading = executor.begin_read(one)
        reading.get(key("a"))
        work(reading)
        executor.fail_task()
    two = commit(lab, executor, one, {"b": "2"})
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {"a": "1", "b": "2"}, when)


def _refuse_writes(lab: Lab, store: Store, after: str) -> None:
    """Every kind of write to a store of multiple values with families; each is tried alone."""
    writes: dict[str, Call] = {
        "A merge": store.call("merge", key("a"), value("late")),
        "A merge into a new key": store.call("merge", key("late"), value("late")),
        "A put into a family": store.call("put", key("late"), value("late"), family="one"),
        "A new family": store.call("create_family", "late", encoder="none"),
        "The removal of a family": store.call("remove_family", "one"),
    }
    if lab.has("put_list"):
        writes["A list of values"] = store.call("put_list", key("a"), [value("late")])
        writes["A merge of a list"] = store.call("merge_list", key("a"), [value("late")])
    for what, call in writes.items():
        with refused(f"{what} after {after} must be refused"):
            lab.do(call)


def _expect_as_committed(store: Store) -> None:
    expect(store.values(key("a")), [value("1")], "The values of a key after late writes")
    expect(store.values(key("late")), [], "The values of a key that was written late")
    store.create_family("one")
    expect(store.scan(family="one"), [], "A family after late writes")
    store.abort()
