"""Iterators that stay open while their store is written, and rows that the caller reuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import NotInSpark, Violation
from rockstate.conformance.calls.rows import Pair
from rockstate.conformance.checks.open_iterators import PREFIX, filled, opened
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version, key, pairs_of, value, write, write_calls
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

MANY = {f"row{i:02d}": "1" for i in range(40)}


@check("R22")
def each_row_can_be_removed_as_it_comes(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, MANY)
    store = executor.begin(one)
    write(lab, store, {"own1": "1", "own2": "1"})
    wanted = {**MANY, "own1": "1", "own2": "1"}
    found = _each(store, lambda pair: None if str(pair[0][0]).endswith("7") else store.remove(pair[0]))
    expect_rows(found, pairs_of(wanted), "The rows of a scan that removed them one by one")
    left = {name: text for name, text in wanted.items() if name.endswith("7")}
    expect_rows(store.scan(), pairs_of(left), "The rows left after a scan that removed the others")
    two = store.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, left, "after a scan that removed rows")


@check("R22")
def each_row_can_be_written_as_it_comes(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, MANY)
    store = executor.begin(one)
    found = _each(store, lambda pair: store.put(pair[0], value("2")))
    expect_rows(found, pairs_of(MANY), "The rows of a scan that overwrote them one by one")
    two = store.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, dict.fromkeys(MANY, "2"), "after a scan that overwrote every row")


@check("R22")
def rows_not_yet_reached_can_be_written_and_removed(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, MANY)
    store = executor.begin(one)
    iterator = store.open("scan")
    first = iterator.next(10)
    reached = {str(row_key[0]) for row_key, _ in first}
    waiting = [name for name in MANY if name not in reached]
    removed, changed, added = waiting[::3], waiting[1::3], [f"new{i}" for i in range(10)]
    write(lab, store, {**dict.fromkeys(changed, "2"), **dict.fromkeys(added, "2")}, removed)
    rest = iterator.next(200)
    found = {str(row_key[0]): str(row_value[0]) for row_key, row_value in [*first, *rest]}
    if len(found) < len(first) + len(rest):
        raise Violation("A scan that was open while rows were written gave a key twice")
    for name, text in found.items():
        allowed = {"1", "2"} if name in changed else {"2"} if name in added else {"1"}
        if (name not in MANY and name not in added) or text not in allowed:
            raise Violation(f"A scan that was open while rows were written gave {name}={text}")
    lost = set(MANY) - set(removed) - set(found)
    if lost:
        raise Violation(f"A scan that was open while other rows were written lost {sorted(lost)}")
    wanted = {name: "1" for name in MANY if name not in removed}
    wanted |= dict.fromkeys([*changed, *added], "2")
    expect_rows(store.scan(), pairs_of(wanted), "The rows of the next scan")
    two = store.commit()
    expect_version(lab.open("fresh"), two, wanted, "written while a scan was open")


@check("R22")
def several_iterators_may_be_open_at_once(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, MANY)
    store = executor.begin(one)
    first, second = store.open("scan"), store.open("scan")
    left, right = first.next(10), second.next(25)
    store.get(key("row01"))
    left += first.next(100)
    third = store.open("scan")
    right += second.next(100)
    for pairs in (left, right, third.next(100)):
        expect_rows(pairs, pairs_of(MANY), "The rows of one of three iterators")
    store.abort()


@check("R22")
def an_iterator_may_be_closed_half_way(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, MANY)
    store = executor.begin(one)
    iterator = store.open("scan")
    iterator.next(3)
    iterator.close()
    write(lab, store, {"new": "2"})
    unread = store.open("scan")
    unread.close()
    expect_rows(store.scan(), pairs_of({**MANY, "new": "2"}), "The rows after iterators were closed early")
    two = store.commit()
    expect_version(executor, two, {**MANY, "new": "2"}, "after iterators were closed early")


@check("R22", needs={"prefix-scan"})
def a_prefix_scan_may_be_closed_within_others(lab: Lab) -> None:
    """MapState.exists asks a prefix scan whether it has a row, and closes it, while timers and maps are scanned."""
    executor = opened(lab, PREFIX)
    store = filled(lab, PREFIX, executor)
    outer, around = store.open("prefix", ["a"]), store.open("scan")
    found: list[Pair] = []
    passed: list[Pair] = []
    for _ in PREFIX.within:
        found += outer.next()
        passed += around.next()
        for prefix, is_there in (["b"], True), (["a"], True), (["nothing there"], False):
            inner = store.open("prefix", prefix)
            expect(inner.has_next(), is_there, f"Whether the prefix {prefix} has rows")
            inner.close()
    expect(outer.has_next(), False, "Whether there is more after a prefix within which others were closed")
    passed += around.next(100)
    beside = [[each, value("1")] for each in PREFIX.beside]
    expect_rows(found, PREFIX.pairs, "A prefix within which others were closed before their end")
    expect_rows(passed, [*PREFIX.pairs, *beside], "A scan within which prefixes were closed before their end")
    store.put(["a", 99], value("1"))
    two = store.commit()
    reading = opened(lab, PREFIX, "fresh").begin_read(two)
    wanted = [*PREFIX.pairs, *beside, [["a", 99], value("1")]]
    expect_rows(reading.scan(), wanted, "The rows after prefix scans were closed before their end")
    reading.release()


@check("R22", needs={"multiple-values"})
def keys_with_many_values_can_be_written_as_they_come(lab: Lab) -> None:
    if not lab.has("scan_multi"):
        raise NotInSpark("scan_multi", "4.2", lab.driver.spark)
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    names = [f"row{i}" for i in range(10)]
    for name in names:
        store.put_list(key(name), [value("1"), value("2")])
    one = store.commit()
    store = executor.begin(one)
    found = _each(store, lambda pair: store.remove(pair[0]), "scan_multi")
    expect_rows(found, [[key(name), value(text)] for name in names for text in "12"], "A scan that removed its keys")
    expect(store.scan_multi(), [], "What is left after a scan that removed its keys")
    store.abort()


@check("R22", needs={"prefix-scan", "column-families"})
def each_row_of_a_prefix_can_be_removed_as_it_comes(lab: Lab) -> None:
    """MapState.clear of transformWithState does this; operators without families collect the prefix first."""
    executor = lab.open(families=True, encoder="prefix")
    store = executor.begin(EMPTY)
    keys = [[p, k] for p in ("a", "b") for k in range(20)]
    write_calls(lab, [store.call("put", each, value("1")) for each in keys])
    one = store.commit()
    store = executor.begin(one)
    found = _each(store, lambda pair: store.remove(pair[0]), "prefix", ["a"])
    expect(sorted(pair[0] for pair in found), keys[:20], "The keys of a prefix scan that removed them")
    expect(store.prefix(["a"]), [], "The prefix after a scan that removed its rows")
    expect(sorted(pair[0] for pair in store.scan()), keys[20:], "The other prefix's keys")
    store.commit()


@check("R22", needs={"range-scan"})
def each_row_of_a_range_can_be_removed_as_it_comes(lab: Lab) -> None:
    executor = lab.open(encoder="range")
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", [t, "k"], value("1")) for t in range(-20, 20)])
    one = store.commit()
    store = executor.begin(one)
    found = _each(store, lambda pair: store.remove(pair[0]), "range", [-10, ""], [10, ""])
    expect([pair[0][0] for pair in found], list(range(-10, 10)), "The times of a range scan that removed them")
    expired = _each(store, lambda pair: store.remove(pair[0]) if pair[0][0] < 0 else None)
    wanted = [*range(-20, -10), *range(10, 20)]
    expect([pair[0][0] for pair in expired], wanted, "The times of a scan that removed expired timers")
    expect([pair[0][0] for pair in store.scan()], list(range(10, 20)), "The times left")
    store.commit()


@check("R23")
def rows_are_copied_when_put(lab: Lab) -> None:
    executor = lab.open()
    wanted = {f"key{i}": f"text{i}" for i in range(10)}
    store = executor.begin(EMPTY)
    for name, text in wanted.items():
        store.put(key(name), value(text))
    expect_rows(store.scan(), pairs_of(wanted), "The rows put from one reused buffer")
    one = store.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, one, wanted, "put from one reused buffer")


@check("R23")
def a_key_that_a_scan_gave_is_copied_when_put(lab: Lab) -> None:
    """A join that evicts by value asks its scan for more, and then puts the count of a key by the row of the scan."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, MANY)
    store = executor.begin(one)
    write(lab, store, {"own1": "1", "own2": "1"})
    iterator = store.open("scan")
    wanted: dict[str, str] = {}
    for left in range(len(MANY) + 1, -1, -1):
        pair = iterator.hold()
        name = str(pair.read_key()[0])
        expect(iterator.has_next(), left > 0, "Whether there is more in a scan")
        store.put_held(pair, value(f"new {name}"))
        wanted[name] = f"new {name}"
    expect(sorted(wanted), sorted([*MANY, "own1", "own2"]), "The keys of a scan whose rows were put again")
    expect_rows(store.scan(), pairs_of(wanted), "The rows that were put by keys that a scan gave")
    two = store.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, wanted, "after rows were put by keys that a scan gave")


@check("R23")
def keys_are_copied_when_removed(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, MANY)
    store = executor.begin(one)
    for i in range(0, 40, 2):
        store.remove(key(f"row{i:02d}"))
    left = {name: text for name, text in MANY.items() if int(name[3:]) % 2}
    expect_rows(store.scan(), pairs_of(left), "The rows after removes by one reused buffer")
    two = store.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, left, "after removes by one reused buffer")


@check("R23")
def keys_asked_for_are_not_kept(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, MANY)
    store = executor.begin(one)
    for name in [*MANY, "nothing there", *MANY]:
        expect(store.get(key(name)), value("1") if name in MANY else None, f"A get of {name!r} by a reused buffer")
        expect(store.contains(key(name)), name in MANY, f"Asking for {name!r} by a reused buffer")
    store.put(key("row01"), value("2"))
    expect(store.get(key("row00")), value("1"), "A get after another key was written")
    store.commit()


@check("R23", needs={"multiple-values"})
def rows_are_copied_when_merged(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    for i in range(4):
        store.merge(key("merged"), value(f"text{i}"))
        store.put_list(key(f"list{i}"), [value(f"a{i}"), value(f"b{i}")])
        store.merge_list(key(f"list{i}"), [value(f"c{i}")])
    one = store.commit()
    for reader in (executor, lab.open("fresh", families=True, multi=True)):
        store = reader.begin(one)
        expect(store.values(key("merged")), [value(f"text{i}") for i in range(4)], "Values merged from one buffer")
        for i in range(4):
            expect(store.values(key(f"list{i}")), [value(f"{c}{i}") for c in "abc"], "Values put from one buffer")
        store.abort()


def _each(store: Store, act: Callable[[Pair], None], kind: Any = "scan", *args: Any) -> list[Pair]:
    """Iterates to the end and does something to the store after each row; the rows."""
    iterator = store.open(kind, *args)
    found: list[Pair] = []
    while pairs := iterator.next():
        found += pairs
        act(pairs[0])
        if len(found) > 1000:
            raise Violation("A scan that is open while its rows are written does not end")
    return found
