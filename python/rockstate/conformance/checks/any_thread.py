"""Threads: each batch's task has another, and a task's calls may come from more than one, one after the other."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version, key, pairs_of, value, write
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


@check("R13")
def closing_one_executor_leaves_the_others(lab: Lab) -> None:
    """A query's providers of before a restart are closed while those of after it are at work, in the same process."""
    here = lab.open("here")
    there = lab.open_beside(here.name, "there")
    one = commit(lab, here, EMPTY, {"a": "1", "b": "1"})
    store = there.begin(one)
    write(lab, store, {"c": "2"}, ["b"])
    iterator = store.open("scan")
    found = iterator.next()
    here.close()
    found += iterator.next(5)
    wanted = {"a": "1", "c": "2"}
    expect_rows(found, pairs_of(wanted), "A scan during which another executor was closed")
    expect(store.get(key("a")), value("1"), "A get after another executor was closed")
    write(lab, store, {"d": "2"})
    two = store.commit()
    there.maintain()
    expect_version(lab.open("fresh"), two, {**wanted, "d": "2"}, "committed after another executor was closed")
