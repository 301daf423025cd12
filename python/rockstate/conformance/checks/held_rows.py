"""Rows that a store hands out, and that its task still has while it makes other calls."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, begin_with, commit, key, value
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.kinds import Place
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

ROWS = {"a": "1", "b": "2 of another length", "c": "3"}


@check("R54")
def a_row_that_get_gave_stays_over_other_gets(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    for begin in (executor.begin, executor.begin_read):
        store = begin(one)
        end = store.abort if begin == executor.begin else store.release
        rows = {name: store.hold(key(name)) for name in ROWS}
        expect(store.get(key("nothing there")), None, "A get of a key that is not there")
        for name, text in ROWS.items():
            expect(rows[name].read(), value(text), f"The row that a get of {name!r} gave, after gets of others")
        end()


@check("R54")
def a_row_that_get_gave_stays_over_writes(lab: Lab) -> None:
    """A join removes a value by putting the key's last value in its place, and then returns the one it removed."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    store = executor.begin(one)
    store.put(key("own"), value("4"))
    rows = {name: store.hold(key(name)) for name in (*ROWS, "own")}
    for name in rows:
        store.put(key(name), value("of the put"))
        store.put(key("new"), value(f"beside {name}"))
        expect(rows[name].read(), value({**ROWS, "own": "4"}[name]), f"The row that a get of {name!r} gave, after puts")
    rows = {name: store.hold(key(name)) for name in rows}
    for name, row in rows.items():
        store.remove(key(name))
        expect(row.read(), value("of the put"), f"The row that a get of {name!r} gave, after its key was removed")
    store.abort()


@check("R54")
def a_row_that_get_gave_stays_over_writes_of_its_size(lab: Lab) -> None:
    """State with expiry puts the new value, and then takes from the old one when that was to expire."""
    for encoder, old, new in (("none", value("1"), value("2")), ("flag", [1], [2])):
        executor = lab.open(encoder=encoder, place=(encoder, 0))
        store = executor.begin(EMPTY)
        store.put(key("a"), old)
        one = store.commit()
        store = executor.begin(one)
        store.put(key("own"), old)
        for name in ("a", "own"):
            row = store.hold(key(name))
            store.put(key(name), new)
            expect(row.read(), old, f"The row that a get of {name!r} gave, after a put of as many bytes")
            expect(store.get(key(name)), new, f"A get of {name!r} after the put")
        store.abort()


@check("R54")
def a_pair_of_an_iterator_stays_until_the_next(lab: Lab) -> None:
    """Eviction removes a pair's key, asks the iterator for more, and then returns the pair's value."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    store = executor.begin(one)
    iterator = store.open("scan")
    for left in range(len(ROWS) - 1, -1, -1):
        pair = iterator.hold()
        found = pair.read()
        expect(found[1], value(ROWS.get(found[0][0], "")), "The value of a key in a scan")
        store.put(found[0], value("of the put"))
        expect(pair.read(), found, "The pair of a scan, after a put of its key")
        store.remove(found[0])
        expect(pair.read(), found, "The pair of a scan, after its key was removed")
        expect(iterator.has_next(), left > 0, "Whether there is more in a scan")
        expect(pair.read(), found, "The pair of a scan, after it was asked for more")
        store.get(key("a"))
        store.get(key("nothing there"))
        expect(pair.read_key(), found[0], "The key of a pair of a scan, after gets")
    store.abort()


@check("R54", needs={"column-families"})
def the_key_of_a_scan_stays_while_another_family_is_read(lab: Lab) -> None:
    """A join that evicts in state format 3 goes through the keys of one family, and gets each one's values by it."""
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, "counts", "values")
    names = list("abcdef")
    for half in (names[::2], names[1::2]):
        for name in half:
            store.put(key(name), value("1"), family="counts")
            store.put(key(name), value(name), family="values")
        if half[0] == names[0]:
            store = begin_with(executor, store.commit(), "counts", "values")
    iterator = store.open("scan", family="counts")
    found: list[str] = []
    for _ in names:
        pair = iterator.hold()
        name = str(pair.read_key()[0])
        for _ in range(2):
            expect(store.get(key(name), family="values"), value(name), f"A get of {name!r} while keys are scanned")
            expect(pair.read_key(), key(name), "The key of a scan, after a get from another family")
        store.remove(key(name), family="values")
        expect(pair.read_key(), key(name), "The key of a scan, after a remove from another family")
        found.append(name)
    expect(sorted(found), names, "The keys of a scan beside which another family was read")
    store.abort()


@check("R54", needs={"multiple-values"})
def values_of_a_key_stay_over_merges(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), [value("1"), value("2")])
    store.put_list(key("b"), [value("3")])
    iterator = store.open("values", key("a"))
    for text in "12":
        row = iterator.hold()
        store.merge(key("b"), value("4"))
        store.merge(key("a"), value("5"))
        expect(row.read(), value(text), "One of a key's values, after merges")
    store.abort()


@check("R54")
def rows_of_a_store_stay_while_others_are_called(lab: Lab) -> None:
    """A stream-stream join reads one side's stores between reads of the other's."""
    places: dict[str, Place] = {"left": ("left", 0), "right": ("right", 0), "far": ("left", 1), "next": ("left", 0, 1)}
    stores = {name: _begun(lab, lab.open(name, place=place), name) for name, place in places.items()}
    for name in ROWS:
        rows = {where: store.hold(key(name)) for where, store in stores.items()}
        for where, row in rows.items():
            expect(row.read(), value(f"{where} {name}"), f"The row that a get in {where} gave, after gets in others")
    scans = {where: store.open("scan") for where, store in stores.items()}
    for _ in ROWS:
        pairs = {where: scan.hold() for where, scan in scans.items()}
        given = {where: pair.read() for where, pair in pairs.items()}
        for where, ((name,), found) in given.items():
            expect(found, value(f"{where} {name}"), f"The pair that a scan in {where} gave, after the next in others")
    for where, store in stores.items():
        rows = {where: store.hold(key("a"))}
        for other in stores.values():
            if other is not store:
                other.put(key("b"), value("put meanwhile"))
        expect(rows[where].read(), value(f"{where} a"), f"The row that a get in {where} gave, after puts in others")
    for store in stores.values():
        store.abort()


def _begun(lab: Lab, executor: Executor, name: str) -> Store:
    """A transaction on a version whose rows have the store's name in their values."""
    return executor.begin(commit(lab, executor, EMPTY, {each: f"{name} {each}" for each in ROWS}))
