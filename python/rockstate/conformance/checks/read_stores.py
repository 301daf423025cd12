"""Read stores: all that a transaction reads, before they are upgraded and after it."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows, tried
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    begin_with,
    commit,
    declare,
    expect_version,
    key,
    pairs_of,
    value,
    write,
    write_calls,
)
from rockstate.conformance.checks.side_by_side import Both
from rockstate.conformance.lab.lab import Lab

ROWS = {f"row{i}": str(i) for i in range(6)}


@check("R31")
def a_read_store_answers_as_a_transaction_does(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    two = commit(lab, executor, one, {"row1": "changed"}, ["row2"])
    wanted = {name: "changed" if name == "row1" else text for name, text in ROWS.items() if name != "row2"}
    for reader in (executor, lab.open("fresh")):
        for version, rows in ((two, wanted), (one, ROWS)):
            store = reader.begin_read(version)
            for name in (*ROWS, "never there"):
                found = value(rows[name]) if name in rows else None
                expect(store.get(key(name)), found, f"A get of {name!r} in a read store")
                expect(store.contains(key(name)), name in rows, f"Asking a read store for {name!r}")
            if "multi-get" in lab.capabilities:
                answer = store.multi_get([key(name) for name in ROWS])
                expect(answer, [value(rows[name]) if name in rows else None for name in ROWS], "A multiGet to read")
            expect_rows(store.scan(), pairs_of(rows), "A scan of a read store")
            store.release()


@check("R31", needs={"prefix-scan"})
def a_read_store_scans_prefixes(lab: Lab) -> None:
    """A session window looks for a key's sessions there."""
    executor = lab.open(encoder="prefix")
    both = Both(lab, executor, "prefix")
    both.put(*[(p, k) for p in ("a", "aa", "b") for k in range(3)])
    both.commit()
    for reader in (executor, lab.open("fresh", encoder="prefix")):
        both.read(reader)
        both.expect_prefixes("in a read store", ("nothing there",))
        both.store.release()


@check("R31", needs={"range-scan"})
def a_read_store_scans_ranges(lab: Lab) -> None:
    executor = lab.open(encoder="range")
    both = Both(lab, executor, "range")
    both.put(*[(t, "") for t in (300, -300, 0, None, 1, -1)])
    both.commit()
    for reader in (executor, lab.open("fresh", encoder="range")):
        both.read(reader)
        both.expect_order("in a read store")
        if lab.has("range"):
            both.expect_ranges("in a read store")
        both.store.release()


@check("R31", needs={"column-families"})
def a_read_store_has_the_families_that_were_declared(lab: Lab) -> None:
    """The state data source declares them in a transaction, aborts it, and reads."""
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, "one", "two")
    rows = {name: {**ROWS, "of": name} for name in ("default", "one", "two")}
    for family, puts in rows.items():
        write_calls(lab, [store.call("put", key(name), value(text), family=family) for name, text in puts.items()])
    one = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        begin_with(reader, one, "one", "two").abort()
        reading = reader.begin_read(one)
        for family, puts in rows.items():
            expect_rows(reading.scan(family=family), pairs_of(puts), f"The family {family} in a read store")
            expect(reading.get(key("of"), family=family), value(family), f"A get from {family} in a read store")
        reading.release()


@check("R31", needs={"column-families", "multiple-values"})
def a_read_store_has_all_values_of_a_key(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = executor.begin(EMPTY)
    store.create_family("lists", multi=True)
    store.put_list(key("a"), [value("1"), value("2")], family="lists")
    store.merge(key("b"), value("3"), family="lists")
    one = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        declare(reader, one, "lists", multi=True)
        reading = reader.begin_read(one)
        expect(reading.values(key("a"), family="lists"), [value("1"), value("2")], "A key's values in a read store")
        if lab.has("scan_multi"):
            wanted = [[key("a"), value("1")], [key("a"), value("2")], [key("b"), value("3")]]
            expect_rows(reading.scan_multi(family="lists"), wanted, "A scan of many values in a read store")
        reading.release()


@check("R32")
def a_read_store_is_read_on_after_its_upgrade(lab: Lab) -> None:
    """An aggregation gets its next row from there, after it has put the one before to the upgraded store."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    reader = executor.begin_read(one)
    store = reader.upgrade()
    for name, text in ROWS.items():
        expect(reader.get(key(name)), value(text), f"A get of {name!r} in a read store that was upgraded")
        expect(reader.contains(key(name)), True, f"Asking for {name!r} in a read store that was upgraded")
        store.put(key(name), value(f"new {text}"))
        store.put(key(f"new {name}"), value(text))
    expect(reader.get(key("never there")), None, "A get of a key that is not there, after the upgrade")
    wanted = {name: f"new {text}" for name, text in ROWS.items()} | {f"new {name}": text for name, text in ROWS.items()}
    expect_rows(store.scan(), pairs_of(wanted), "The rows of the upgraded store")
    two = store.commit()
    fresh = lab.open("fresh").begin_read(two)
    expect_rows(fresh.scan(), pairs_of(wanted), "The rows that an upgraded store has committed")
    fresh.release()


@check("R32")
def a_scan_that_is_open_goes_on_over_an_upgrade(lab: Lab) -> None:
    """An aggregation without keys opens its scan to read, and goes through it once its task has gone on to write."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    for before in (0, 1):
        reader = executor.begin_read(one)
        iterator = reader.open("scan")
        found = iterator.next(before) if before else []
        store = reader.upgrade()
        found += iterator.next(len(ROWS) + 1)
        expect_rows(found, pairs_of(ROWS), f"A scan of a read store that was upgraded after {before} of its rows")
        store.abort()


@check("R32", needs={"prefix-scan"})
def prefixes_are_scanned_on_after_an_upgrade(lab: Lab) -> None:
    """A session window goes from key to key like that."""
    executor = lab.open(encoder="prefix")
    both = Both(lab, executor, "prefix")
    prefixes = ("a", "b", "c")
    both.put(*[(p, k) for p in prefixes for k in range(3)])
    both.commit()
    both.read(executor)
    reader, both.store = both.store, both.store.upgrade()
    for p in prefixes:
        expect_rows(reader.prefix([p]), both.rows_of((p,)), f"The prefix {p!r} in a read store that was upgraded")
        both.put((p, 7), (p, 1))
        both.remove((p, 0))
    both.expect_prefixes("in the upgraded store")
    both.commit()
    both.begin(lab.open("fresh", encoder="prefix"))
    both.expect_prefixes("once an upgraded store is committed")
    both.store.abort()


@check("R32")
def an_upgrade_that_is_told_to_make_a_snapshot_is_like_any_other(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    store = executor.begin_read(one).upgrade(snapshot=True)
    write(lab, store, {"a": "2"}, ["row0"])
    two = store.commit()
    wanted = {**ROWS, "a": "2"}
    del wanted["row0"]
    for reader in (executor, lab.open("fresh")):
        reading = reader.begin_read(two)
        expect_rows(reading.scan(), pairs_of(wanted), "The rows of an upgraded store with a snapshot")
        reading.release()


@check("R32")
def a_read_store_can_be_upgraded_by_another_instance(lab: Lab) -> None:
    """Spark unloads a provider at any time, and asks the one that it has loaded since (SPARK-56476)."""
    one = commit(lab, lab.open(), EMPTY, ROWS)
    first = lab.open("first")
    reader = first.begin_read(one)
    expect(reader.get(key("row1")), value("1"), "A get in a read store")
    store = reader.upgrade(on=lab.open_beside(first, "second"))
    write(lab, store, {"row1": "changed"}, ["row2"])
    wanted = {name: "changed" if name == "row1" else text for name, text in ROWS.items() if name != "row2"}
    expect_rows(store.scan(), pairs_of(wanted), "The rows of a store that another instance has upgraded")
    two = store.commit()
    fresh = lab.open("fresh").begin_read(two)
    expect_rows(fresh.scan(), pairs_of(wanted), "The rows that it has committed")
    fresh.release()


@check("R34", needs={"read-store-upgrade"})
def metrics_of_an_upgraded_store_are_declared(lab: Lab) -> None:
    """Each aggregation's are."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    for puts in ({"a": "2"}, {}):
        store = executor.begin_read(one).upgrade()
        write(lab, store, puts)
        store.commit()
        undeclared = set(store.metrics().custom) - set(executor.custom_metrics())
        expect(sorted(undeclared), [], "The custom metrics of an upgraded store that are not declared")
        expect(store.unknown_metrics(), [], "The metrics of an upgraded store's instance that are not declared")


@check("R31")
def a_version_is_read_by_two_instances_at_once(lab: Lab) -> None:
    """The state data source reads a join's two sides, and so the same stores twice, in one process."""
    first = lab.open("first")
    one = commit(lab, first, EMPTY, ROWS)
    second = lab.open_beside(first, "second")
    for is_read_only in (True, False):
        stores = [each.begin_read(one) if is_read_only else each.begin(one) for each in (first, second)]
        for store in stores:
            expect_rows(store.scan(), pairs_of(ROWS), "A version that two instances in a process read")
        for store in stores:
            store.abort()


@check("R32")
def a_read_store_of_another_operator_is_left_alone(lab: Lab) -> None:
    """Of two operators in a task Spark gives the second the first one's read store (StateStoreThreadLocalTracker).

    Where that is refused, the query fails: an aggregation whose rows are deduplicated by its key.
    """
    first = lab.open("first")
    second = lab.open_with(first, "second", on_its_thread=True, place=("default", 0, 1))
    theirs = commit(lab, first, EMPTY, {"a": "1", "b": "1"})
    own = commit(lab, second, EMPTY, {"a": "2", "c": "2"})
    reader = first.begin_read(theirs)
    firsts = reader.upgrade()
    seconds = reader.upgrade(on=second, base=own)
    expect_rows(
        seconds.scan(), pairs_of({"a": "2", "c": "2"}), "A store that was upgraded by another store's read store"
    )
    write(lab, firsts, {"d": "3"}, ["a"])
    write(lab, seconds, {"d": "4"}, ["a"])
    expect(reader.get(key("c")), None, "A get of the second store's key in the first one's read store")
    three, four = firsts.commit(), seconds.commit()
    expect_version(lab.open("fresh"), three, {"b": "1", "d": "3"}, "of the first of two operators in a task")
    fresh = lab.open("fresh", place=("default", 0, 1))
    expect_version(fresh, four, {"c": "2", "d": "4"}, "of the second of two operators in a task")


@check("R32")
def an_upgrade_goes_on_from_the_version_it_is_told(lab: Lab) -> None:
    """A query that starts again does its last batch once more, on the instance that has committed it already."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    for name in ("first", "second"):
        store = executor.begin_read(one).upgrade()
        write(lab, store, {name: "2"}, ["row0"])
        wanted = {**ROWS, name: "2"}
        del wanted["row0"]
        expect_rows(store.scan(), pairs_of(wanted), "The rows of a store upgraded from an older version")
        two = store.commit()
        expect_version(lab.open(name), two, wanted, "of a store upgraded from an older version")


@check("R32", needs={"checkpoint-ids"})
def an_upgrade_goes_on_from_the_attempt_it_is_told(lab: Lab) -> None:
    """The driver has chosen one of two attempts at a version, and not the one that this instance made last."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    attempts = {name: commit(lab, executor, one, {name: "2"}) for name in ("left", "right")}
    for name, attempt in attempts.items():
        store = executor.begin_read(attempt).upgrade()
        write(lab, store, {"a": "3"})
        wanted = {**ROWS, name: "2", "a": "3"}
        expect_rows(store.scan(), pairs_of(wanted), "The rows of a store upgraded from one of two attempts")
        three = store.commit()
        expect_version(lab.open(name), three, wanted, "of a store upgraded from one of two attempts")


@check("R32")
def an_upgrade_on_an_instance_after_one_that_is_closing_is_right_or_refused(lab: Lab) -> None:
    """Maintenance drops an instance between a task's reading and its writing, which then has another."""
    here = lab.open("here")
    one = commit(lab, here, EMPTY, ROWS)
    there = lab.open_with(here, "there")
    reader = here.begin_read(one)
    expect(reader.get(key("row0")), value("0"), "A get in a read store")
    here.start_closing()
    store = tried(lambda: reader.upgrade(on=there))
    if store is None:
        return
    write(lab, store, {"a": "2"}, ["row0"])
    wanted = {**ROWS, "a": "2"}
    del wanted["row0"]
    expect_rows(store.scan(), pairs_of(wanted), "The rows of a store that was upgraded as its instance was closing")
    two = store.commit()
    for fresh in (there, lab.open("fresh")):
        expect_version(fresh, two, wanted, "of a store that was upgraded as its instance was closing")
