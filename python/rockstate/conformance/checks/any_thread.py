"""Threads: each batch's task has another, and a task's calls may come from more than one, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rockstate.conformance.calls.expectations import expect, expect_rows, tried
from rockstate.conformance.calls.outcomes import StoreError, Timeout, Version
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, commit, expect_version, key, pairs_of, value, write
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab


@check("R55")
def a_store_answers_whichever_thread_calls(lab: Lab) -> None:
    executor = lab.open_on(3)
    rows = {f"row{i}": str(i) for i in range(8)}
    one = commit(lab, executor, EMPTY, rows)
    store = executor.begin(one)
    iterator = store.open("scan")
    found = []
    for name, text in rows.items():
        found += iterator.next()
        expect(store.get(key(name)), value(text), f"A get of {name!r} from another thread than that of the last call")
    expect_rows(found, pairs_of(rows), "A scan whose rows were asked for by several threads")
    for name in rows:
        store.put(key(name), value("2"))
        store.put(key(f"new {name}"), value("2"))
        expect(store.get(key(name)), value("2"), f"A get of {name!r} after a put by another thread")
    store.remove(key("row7"))
    wanted = {name: "2" for name in (*rows, *(f"new {name}" for name in rows)) if name != "row7"}
    expect_rows(store.scan(), pairs_of(wanted), "The rows that several threads have written")
    two = store.commit()
    executor.maintain()
    for reader in (executor, lab.open_on(2, "fresh")):
        expect_version(reader, two, wanted, "that several threads have written")


@check("R55", needs={"read-store-upgrade"})
def an_upgraded_store_answers_whichever_thread_calls(lab: Lab) -> None:
    executor = lab.open_on(2)
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    for calls in (1, 2):
        reader = executor.begin_read(one)
        store = reader.upgrade()
        for i in range(calls):
            expect(reader.get(key("a")), value("1"), "A get in a read store that was upgraded by another thread")
            store.put(key(f"new{i}"), value("2"))
        store.remove(key("b"))
        two = store.commit()
        wanted = {"a": "1", **{f"new{i}": "2" for i in range(calls)}}
        expect_version(lab.open("fresh"), two, wanted, "that several threads have upgraded and written")


@check("R55")
def a_store_is_closed_by_another_thread(lab: Lab) -> None:
    """Spark unloads a provider on the thread of maintenance."""
    executor = lab.open_on(2)
    one = commit(lab, executor, EMPTY, {"a": "1"})
    executor.maintain()
    executor.restart()
    two = commit(lab, executor, one, {"b": "2"})
    executor.close()
    expect_version(lab.open("fresh"), two, {"a": "1", "b": "2"}, "whose executor was closed by another thread")


@check("R01")
def a_provider_that_is_closed_under_a_transaction_commits_all_of_it_or_nothing(lab: Lab) -> None:
    """Spark closes it from its maintenance once another executor has the partition, though a task may be at work."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    store = executor.begin(one)
    write(lab, store, {"c": "2"}, ["a"])
    executor.start_closing()
    try:
        write(lab, store, {"d": "2"}, ["b"])
        two = store.commit()
    except Timeout:
        raise
    except StoreError:
        executor.close()
        expect_version(lab.open("fresh"), one, {"a": "1", "b": "1"}, "after a close under a transaction")
        return
    executor.close()
    expect_version(lab.open("fresh"), two, {"c": "2", "d": "2"}, "whose provider was closed before its commit")


@check("R04")
def a_call_that_is_interrupted_ends_no_more_than_its_transaction(lab: Lab) -> None:
    """A task that is killed finds its thread interrupted; the next one is on the same instance."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    _interrupted(lab, executor, one, ["begin"])
    _interrupted(lab, executor, one, ["get", "put"])
    two = commit(lab, executor, one, {"b": "2"})
    expect_version(executor, two, {"a": "1", "b": "2"}, "after calls that were interrupted")
    made = _interrupted(lab, executor, two, ["commit"])
    rows = {"a": "1", "b": "2", **({"new": "1"} if made else {})}
    three = commit(lab, executor, made or two, {"c": "3"})
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, three, {**rows, "c": "3"}, "after a commit that was interrupted")


def _interrupted(lab: Lab, executor: Executor, base: Version, calls: Sequence[str]) -> Version | None:
    """A transaction in which the thread of some calls is interrupted, which then may fail; what it has committed."""
    made: Version | None = None
    if "begin" in calls:
        executor.interrupt()
    store = tried(partial(executor.begin, base))
    if store is None:
        return None
    write(lab, store, {"new": "1"})
    for name, call in (("get", partial(store.get, key("a"))), ("put", partial(store.put, key("b"), value("3")))):
        if name in calls:
            executor.interrupt()
            tried(call)
    if "commit" in calls:
        executor.interrupt()
        made = tried(store.commit)
    if not store.has_committed():  # Spark does not abort one that has, though its commit may have thrown
        store.abort()
    return made


@check("R13")
def closing_one_executor_leaves_the_others(lab: Lab) -> None:
    """A query's providers of before a restart are closed while those of after it are at work, in the same process."""
    here = lab.open("here")
    _expect_to_outlive(lab, here, lab.open_beside(here, "there"), "another executor")


@check("R13")
def closing_an_instance_leaves_the_one_after_it(lab: Lab) -> None:
    """Spark drops an instance, and makes another in its place before it has closed the first."""
    here = lab.open("here", conf=SNAPSHOTS)
    _expect_to_outlive(lab, here, lab.open_with(here, "there", conf=SNAPSHOTS), "the instance before")


def _expect_to_outlive(lab: Lab, here: Executor, there: Executor, what: str) -> None:
    """`there`, which is at work, goes on when `here` is closed."""
    one = commit(lab, here, EMPTY, {"a": "1", "b": "1"})
    store = there.begin(one)
    write(lab, store, {"c": "2"}, ["b"])
    iterator = store.open("scan")
    found = iterator.next()
    here.close()
    found += iterator.next(5)
    wanted = {"a": "1", "c": "2"}
    expect_rows(found, pairs_of(wanted), f"A scan during which {what} was closed")
    expect(store.get(key("a")), value("1"), f"A get after {what} was closed")
    write(lab, store, {"d": "2"})
    two = store.commit()
    there.maintain()
    for reader in (there, lab.open("fresh")):
        expect_version(reader, two, {**wanted, "d": "2"}, f"committed after {what} was closed")
