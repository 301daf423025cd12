"""Transactions: nothing of one is seen before its commit, nothing at all after its abort, and no write comes later."""

from __future__ import annotations

from contextlib import suppress

from rockstate.conformance.calls.expectations import expect, expect_rows, refused
from rockstate.conformance.calls.outcomes import StoreError, Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SELDOM,
    commit,
    commit_each,
    expect_version,
    key,
    pairs_of,
    value,
    write,
)
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store


@check("R01")
def all_of_a_batch_becomes_visible_with_its_commit(lab: Lab) -> None:
    executor, reader = lab.open(), lab.open("reader")
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1", "c": "1"})
    store = executor.begin(one)
    write(lab, store, {"a": "2", "d": "2"}, ["b"])
    expect_version(reader, one, {"a": "1", "b": "1", "c": "1"}, "while the next is being written")
    two = store.commit()
    expect_version(reader, two, {"a": "2", "c": "1", "d": "2"}, "once committed")
    expect_version(reader, one, {"a": "1", "b": "1", "c": "1"}, "once the next is committed")


@check("R02")
def a_version_cannot_be_opened_before_its_commit(lab: Lab) -> None:
    executor, reader = lab.open(), lab.open("reader")
    one = commit(lab, executor, EMPTY, {"a": "1"})
    store = executor.begin(one)
    write(lab, store, {f"row{i}": "uncommitted" for i in range(200)})
    with refused("The version of an open transaction must be refused"):
        reader.begin(Version(2, one.id))
    store.abort()
    with refused("The version of an aborted transaction must be refused"):
        reader.begin(Version(2, one.id))
    expect_version(reader, one, {"a": "1"}, "beside an aborted transaction")


@check("R02")
def two_attempts_at_a_version_do_not_see_each_other(lab: Lab) -> None:
    here = lab.open("here")
    there = lab.open_beside(here, "there")
    one = commit(lab, here, EMPTY, {"a": "1", "b": "1"})
    first, second = here.begin(one), there.begin(one)
    write(lab, first, {"a": "first", "c": "first"})
    expect_rows(second.scan(), pairs_of({"a": "1", "b": "1"}), "What an attempt sees while another writes")
    write(lab, second, {"d": "second"}, ["b"])
    expect_rows(first.scan(), pairs_of({"a": "first", "b": "1", "c": "first"}), "What the other attempt sees")
    expect(second.get(key("c")), None, "Another attempt's row")
    expect(second.contains(key("c")), False, "Asking for another attempt's row")
    two = first.commit()
    expect_rows(second.scan(), pairs_of({"a": "1", "d": "second"}), "What an attempt sees once the other committed")
    second.abort()
    for reader in (here, there, lab.open("fresh")):
        expect_version(reader, two, {"a": "first", "b": "1", "c": "first"}, "after the losing attempt aborted")


@check("R37")
def attempts_with_the_same_rows_end_in_that_version(lab: Lab) -> None:
    here, there = lab.open("here"), lab.open("there")
    one = commit(lab, here, EMPTY, {"a": "1", "b": "1"})
    attempts = [here.begin(one), there.begin(one)]
    for store in attempts:
        write(lab, store, {"a": "2", "c": "2"}, ["b"])
    versions = []
    for store in attempts:
        try:
            versions.append(store.commit())
        except StoreError:
            store.abort()
    if not versions:
        raise Violation("Both attempts at a version were refused")
    for version in versions:
        expect_version(lab.open("fresh"), version, {"a": "2", "c": "2"}, "committed by two attempts with the same rows")
    three = commit(lab, lab.open("next"), versions[-1], {"d": "3"})
    expect_version(lab.open("fresh"), three, {"a": "2", "c": "2", "d": "3"}, "after a version with two attempts")


@check("R38")
def a_zombie_that_commits_late_changes_nothing(lab: Lab) -> None:
    dead, alive = lab.open("dead"), lab.open("alive")
    one = commit(lab, dead, EMPTY, {"a": "1", "b": "1"})
    zombie = dead.begin(one)
    write(lab, zombie, {"a": "2"}, ["b"])
    two = commit(lab, alive, one, {"a": "2"}, ["b"])
    three = commit(lab, alive, two, {"c": "3"})
    alive.maintain()
    _commit_late(zombie)
    for reader in (alive, lab.open("fresh")):
        expect_version(reader, two, {"a": "2"}, "after a zombie with the same rows committed late")
        expect_version(reader, three, {"a": "2", "c": "3"}, "after a zombie with the same rows committed late")
    four = commit(lab, lab.open("next"), three, {"d": "4"})
    expect_version(lab.open("fresh"), four, {"a": "2", "c": "3", "d": "4"}, "written after the zombie's commit")


@check("R38")
def clean_up_after_a_zombies_commit_leaves_what_newer_versions_need(lab: Lab) -> None:
    """Without checkpoint ids its files may take the place of those that the newer versions go on from."""
    conf = {**SELDOM, "spark.sql.streaming.minBatchesToRetain": "4"}
    dead, alive = lab.open("dead", conf=conf), lab.open("alive", conf=conf)
    ten = commit_each(lab, alive, EMPTY, [{f"row{i}": str(i)} for i in range(1, 11)])[-1]
    zombie = dead.begin(ten)
    write(lab, zombie, {"again": "11"})
    newest = commit_each(lab, alive, ten, [{"again": str(i)} for i in range(11, 14)])[-1]
    _commit_late(zombie)
    for _ in range(2):
        alive.maintain()
    rows = {**{f"row{i}": str(i) for i in range(1, 11)}, "again": "13"}
    expect_version(lab.open("fresh", conf=conf), newest, rows, "after a zombie's commit and clean-up")


@check("R38", needs={"checkpoint-ids"})
def a_zombie_with_other_rows_changes_nothing(lab: Lab) -> None:
    conf = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}
    dead = lab.open("dead", conf=conf)
    alive = lab.open_beside(dead, "alive", conf=conf)
    one = commit(lab, dead, EMPTY, {"a": "1", "b": "1"})
    zombie = dead.begin(one)
    write(lab, zombie, {"a": "zombie", "z": "zombie"})
    two = commit(lab, alive, one, {"a": "2"}, ["b"])
    three = commit(lab, alive, two, {"c": "3"})
    _commit_late(zombie)
    dead.maintain()
    alive.maintain()
    for reader in (alive, lab.open("fresh", conf=conf)):
        expect_version(reader, two, {"a": "2"}, "after a zombie committed late")
        expect_version(reader, three, {"a": "2", "c": "3"}, "after a zombie committed late")
    four = commit(lab, lab.open("next", conf=conf), three, {"d": "4"})
    wanted = {"a": "2", "c": "3", "d": "4"}
    expect_version(lab.open("fresh", conf=conf), four, wanted, "written after the zombie's commit")


@check("R15")
def reads_see_the_transactions_own_writes(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1", "c": "1", "d": "1"})
    store = executor.begin(one)
    write(lab, store, {"b": "2", "e": "2", "c": "2"}, ["a", "c", "nothing there"])
    _expect_reads(store, {"b": "2", "c": "2", "d": "1", "e": "2"}, gone=["a", "nothing there"])
    write(lab, store, {"a": "3", "b": "3"}, ["e", "d"])
    _expect_reads(store, {"a": "3", "b": "3", "c": "2"}, gone=["d", "e"])
    two = store.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {"a": "3", "b": "3", "c": "2"}, "after many writes in one transaction")


@check("R21")
def multi_get_sees_the_transactions_own_writes(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1", "c": "1"})
    store = executor.begin(one)
    write(lab, store, {"b": "2", "d": "2"}, ["a"])
    names = ["d", "a", "b", "nothing there", "c", "b"]
    wanted = [value("2"), None, value("2"), None, value("1"), value("2")]
    expect(store.multi_get([key(name) for name in names]), wanted, "A multiGet over own writes")
    expect(store.multi_get([]), [], "A multiGet of no keys")
    many = {f"row{i}": str(i) for i in range(300)}
    write(lab, store, many)
    found = store.multi_get([key(name) for name in [*many, *many]])
    expect(found, [value(text) for text in [*many.values(), *many.values()]], "A multiGet of 600 keys")
    store.abort()


@check("R04")
def an_aborted_transaction_leaves_nothing(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    store = executor.begin(one)
    write(lab, store, {"a": "2", "c": "2"}, ["b"])
    store.abort()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, one, {"a": "1", "b": "1"}, "after an abort")
    again = executor.begin(one)
    expect(again.get(key("a")), value("1"), "A get after an abort")
    expect(again.contains(key("c")), False, "Asking for an aborted row")
    write(lab, again, {"d": "2"})
    two = again.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {"a": "1", "b": "1", "d": "2"}, "committed after an abort")


@check("R04")
def the_first_transaction_of_all_can_abort(lab: Lab) -> None:
    executor = lab.open()
    store = executor.begin(EMPTY)
    write(lab, store, {"a": "aborted"})
    store.abort()
    expect_version(executor, EMPTY, {}, "after an abort")
    one = commit(lab, executor, EMPTY, {"b": "1"})
    expect_version(lab.open("fresh"), one, {"b": "1"}, "committed after an abort")


@check("R04")
def many_aborts_in_a_row_leave_nothing(lab: Lab) -> None:
    executor = lab.open()
    version = commit(lab, executor, EMPTY, {"a": "0"})
    wanted = {"a": "0"}
    for i in range(1, 5):
        for attempt in range(3):
            store = executor.begin(version)
            write(lab, store, {f"aborted{i}{attempt}": "x", "a": "aborted"})
            store.abort()
        version = commit(lab, executor, version, {f"row{i}": "x"})
        wanted[f"row{i}"] = "x"
        expect_version(executor, version, wanted, "after three aborted attempts")
    expect_version(lab.open("fresh"), version, wanted, "after three aborted attempts at each version")


@check("R05")
def abort_can_be_called_twice(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    store = executor.begin(one)
    write(lab, store, {"a": "2"})
    store.abort()
    store.abort()
    expect(store.has_committed(), False, "hasCommitted after an abort")
    expect_version(executor, one, {"a": "1"}, "after two aborts")


@check("R05")
def abort_and_close_may_come_again_after_a_close(lab: Lab) -> None:
    """What reads a join's state has a provider for itself: it aborts and closes it, and again when its task ends."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    reader = lab.open("reader")
    store = reader.begin(one)
    expect(store.get(key("a")), value("1"), "A get of a transaction that only reads")
    for _ in range(2):
        store.abort()
        reader.close_early()
    expect_version(executor, one, {"a": "1"}, "after two aborts and closes of another executor")


@check("R05")
def a_stray_abort_does_not_undo_a_commit(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    store = executor.begin(one)
    write(lab, store, {"a": "2"})
    two = store.commit()
    with suppress(StoreError):
        store.abort()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {"a": "2"}, "after an abort that came too late")
    three = commit(lab, executor, two, {"b": "3"})
    expect_version(executor, three, {"a": "2", "b": "3"}, "committed after a stray abort")


@check("R05")
def a_stray_abort_of_an_old_store_leaves_the_next_alone(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    old = executor.begin(one)
    write(lab, old, {"a": "aborted"})
    old.abort()
    store = executor.begin(one)
    write(lab, store, {"b": "2"})
    old.abort()
    expect_rows(store.scan(), pairs_of({"a": "1", "b": "2"}), "The next transaction's rows after a stray abort")
    two = store.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {"a": "1", "b": "2"}, "committed while an old store was aborted again")


@check("R06")
def nothing_can_be_written_after_commit(lab: Lab) -> None:
    executor = lab.open()
    store = executor.begin(EMPTY)
    write(lab, store, {"a": "1"})
    one = store.commit()
    _expect_no_writes(store, "commit")
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, one, {"a": "1"}, "after late writes")


@check("R07")
def nothing_can_be_written_after_abort(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    store = executor.begin(one)
    store.abort()
    _expect_no_writes(store, "abort")
    expect_version(executor, one, {"a": "1"}, "after late writes")


@check("R06")
def late_writes_of_an_old_store_stay_out_of_the_next(lab: Lab) -> None:
    executor = lab.open()
    old = executor.begin(EMPTY)
    write(lab, old, {"a": "1"})
    one = old.commit()
    store = executor.begin(one)
    with refused("A put after commit must be refused"):
        old.put(key("late"), value("late"))
    with refused("A remove after commit must be refused"):
        old.remove(key("a"))
    expect_rows(store.scan(), pairs_of({"a": "1"}), "What the next transaction sees")
    two = store.commit()
    expect_version(lab.open("fresh"), two, {"a": "1"}, "after late writes")


def _expect_reads(store: Store, wanted: dict[str, str], gone: list[str]) -> None:
    for name, text in wanted.items():
        expect(store.get(key(name)), value(text), f"A get of {name!r}")
        expect(store.contains(key(name)), True, f"Asking for {name!r}")
    for name in gone:
        expect(store.get(key(name)), None, f"A get of {name!r}, which is gone")
        expect(store.contains(key(name)), False, f"Asking for {name!r}, which is gone")
    expect_rows(store.scan(), pairs_of(wanted), "A scan of an open transaction")


def _commit_late(zombie: Store) -> None:
    """It goes through, or is refused and aborted."""
    try:
        zombie.commit()
    except StoreError:
        zombie.abort()


def _expect_no_writes(store: Store, after: str) -> None:
    with refused(f"A put after {after} must be refused"):
        store.put(key("late"), value("late"))
    with refused(f"A remove after {after} must be refused"):
        store.remove(key("a"))
    with refused(f"A commit after {after} must be refused"):
        store.commit()
