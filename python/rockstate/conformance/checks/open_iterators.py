"""Iterators of each kind that stay open while their store is written, as operators leave them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import NotInSpark
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, key, value, write_calls
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Iterating, ScanKind, Store


@dataclass(frozen=True)
class Kind:
    """A kind of scan, its arguments, and the keys of a store that are within it and beside it."""

    name: ScanKind
    encoder: str
    within: list[Row]
    beside: list[Row]
    more: list[Row]
    args: list[Any] = field(default_factory=list)

    @property
    def texts(self) -> str:
        """The values of each key, a letter each."""
        return "12" if self.name.endswith("_multi") else "1"

    @property
    def pairs(self) -> list[Pair]:
        """What it gives."""
        return [[each, value(text)] for each in self.within for text in self.texts]


_PREFIX: dict[str, Any] = {
    "encoder": "prefix",
    "within": [["a", k] for k in range(12)],
    "beside": [["", 1], ["aa", 1], ["b", 1]],
    "more": [["b", k] for k in range(2, 14)],
    "args": [["a"]],
}
_RANGE: dict[str, Any] = {
    "encoder": "range",
    "within": [[t, "k"] for t in range(-6, 6)],
    "beside": [[-7, "k"], [6, "k"], [None, "k"]],
    "more": [[t, "k"] for t in range(7, 19)],
    "args": [[-6, ""], [6, ""]],
}
PREFIX, RANGE = Kind("prefix", **_PREFIX), Kind("range", **_RANGE)
PREFIX_MULTI, RANGE_MULTI = Kind("prefix_multi", **_PREFIX), Kind("range_multi", **_RANGE)
SCAN = Kind("scan", "none", [key(f"row{i:02d}") for i in range(12)], [], [])


@check("R22", needs={"prefix-scan", "column-families"})
def each_row_of_a_prefix_can_be_written_as_it_comes(lab: Lab) -> None:
    _written_as_they_come(lab, PREFIX)


@check("R22", needs={"range-scan"})
def each_row_of_a_range_can_be_written_as_it_comes(lab: Lab) -> None:
    """A timer that fires may register others, and one at its own time."""
    _written_as_they_come(lab, RANGE)


@check("R22", needs={"range-scan"})
def a_range_gives_each_row_once_whatever_is_put_before_it(lab: Lab) -> None:
    """A timer that fires may register another at an earlier time."""
    store = filled(lab, RANGE)
    iterator = store.open("range", *RANGE.args)
    found: list[Pair] = []
    while len(found) <= 2 * len(RANGE.within) and (pairs := iterator.next()):
        found += pairs
        store.put([pairs[0][0][0], "j"], value("5"))
    old = [pair for pair in found if pair[0][1] == "k"]
    expect_rows(old, RANGE.pairs, "The rows of a range before each of which another was put as they came")
    new = [each[0] for each, _ in found if each[1] == "j"]
    expect(len(set(new)), len(new), "How many of the rows that were put before a range came, each once")
    both = [[[t, name], value(text)] for [t, _] in RANGE.within for name, text in (("j", "5"), ("k", "1"))]
    expect_rows(store.range(*RANGE.args), both, "The range that was scanned meanwhile")
    store.abort()


@check("R22", needs={"prefix-scan", "multiple-values"})
def values_of_a_prefix_can_be_written_as_they_come(lab: Lab) -> None:
    """A join marks the rows of a key as matched while it looks through them."""
    _written_as_they_come(lab, PREFIX_MULTI)


@check("R22", needs={"range-scan", "multiple-values"})
def values_of_a_range_can_be_written_as_they_come(lab: Lab) -> None:
    _written_as_they_come(lab, RANGE_MULTI)


@check("R22", needs={"multiple-values"})
def values_of_a_key_can_be_written_anew_as_they_come(lab: Lab) -> None:
    """A list with expiry removes the key, and adds each value that has not expired again."""
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), [value(text) for text in "12345"])
    store.put_list(key("b"), [value("of another")])
    one = store.commit()
    store = executor.begin(one)
    for when, texts in (("committed", "12345"), ("of the transaction", "135")):
        iterator = store.open("values", key("a"))
        store.remove(key("a"))
        found: list[Row] = []
        while rows := iterator.next():
            if len(found) % 2 == 0:
                (store.merge if found else store.put)(key("a"), rows[0])
            found += rows
        expect(found, [value(text) for text in texts], f"A key's values, {when}, which was removed as they came")
        expect(store.values(key("a")), [value(text) for text in texts[::2]], "The values that were added again")
    two = store.commit()
    fresh = lab.open("fresh", families=True, multi=True).begin(two)
    expect(fresh.values(key("a")), [value(text) for text in "15"], "The values that were added again, committed")
    fresh.abort()


@check("R22", needs={"column-families", "range-scan"})
def a_scan_of_one_family_goes_on_over_writes_to_others(lab: Lab) -> None:
    """Expiry goes through an index in order, and looks up, writes and removes in the families of the state itself."""
    if not lab.has("range"):
        raise NotInSpark("range", "4.2", lab.driver.spark)
    executor = lab.open(families=True)
    store = _with_index(executor.begin(EMPTY))
    for t in range(10):
        store.put([t, f"row{t}"], value("1"), family="index")
        store.put(key(f"row{t}"), value(str(t)), family="rows")
    one = store.commit()
    store = _with_index(executor.begin(one))
    iterator = store.open("range", None, [7, ""], family="index")
    found: list[Pair] = []
    while pairs := iterator.next():
        found += pairs
        (t, name), _ = pairs[0]
        expect(store.get(key(name), family="rows"), value(str(t)), f"A get of {name!r} while an index is scanned")
        store.remove(key(name), family="rows")
        store.remove([t, name], family="index")
        store.put(key(f"expired {name}"), value("1"))
    expect(found, [[[t, f"row{t}"], value("1")] for t in range(7)], "An index whose rows were removed as they came")
    left = [[key(f"row{t}"), value(str(t))] for t in range(7, 10)]
    expect_rows(store.scan(family="rows"), left, "The rows that did not expire")
    two = store.commit()
    fresh = _with_index(lab.open("fresh", families=True).begin(two))
    expect_rows(fresh.scan(family="rows"), left, "The rows that did not expire, committed")
    fresh.abort()


@check("R22", needs={"column-families", "range-scan", "prefix-scan"})
def scans_may_be_within_each_other(lab: Lab) -> None:
    """Timers are scanned while what they call scans maps, and maps within maps."""
    executor = lab.open(families=True)
    store = _with_map(executor.begin(EMPTY))
    for t in range(6):
        store.put([t, "k"], value("1"), family="timers")
        store.put(["a", t], value("1"), family="map")
        store.put(["b", t], value("1"), family="map")
    one = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        store = _with_map(reader.begin(one))
        timers, outer = store.open("scan", family="timers"), store.open("prefix", ["a"], family="map")
        found: list[Pair] = []
        passed: list[Pair] = []
        for _ in range(6):
            found += timers.next()
            passed += outer.next()
            inner = store.prefix(["b"], family="map")
            expect_rows(inner, [[["b", t], value("1")] for t in range(6)], "A prefix scanned within two other scans")
        expect(found, [[[t, "k"], value("1")] for t in range(6)], "Timers scanned around other scans")
        expect_rows(passed, [[["a", t], value("1")] for t in range(6)], "A prefix scanned around another")
        expect(timers.has_next() or outer.has_next(), False, "Whether there is more after scans around others")
        store.abort()


@check("R54", needs={"multiple-values"})
def the_key_of_a_scan_stays_while_its_values_are_read(lab: Lab) -> None:
    """The state data source goes through the keys of a list, and names each after its values."""
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    for name in ("a", "b", "of another length"):
        store.put_list(key(name), [value("1"), value("2")])
    one = store.commit()
    reading = lab.open("fresh", families=True, multi=True).begin_read(one)
    iterator = reading.open("scan")
    for _ in range(3):
        pair = iterator.hold()
        name = pair.read_key()
        for _ in range(2):
            reading.values(name)
        reading.values(key("a"))
        expect(pair.read_key(), name, "The key of a scan, after its values were read, and another's")
    reading.release()


@check("R17")
def asking_for_more_takes_nothing(lab: Lab) -> None:
    asked_twice(lab, SCAN)


@check("R18")
def asking_for_more_of_a_prefix_takes_nothing(lab: Lab) -> None:
    asked_twice(lab, PREFIX)


@check("R19")
def asking_for_more_of_a_range_takes_nothing(lab: Lab) -> None:
    asked_twice(lab, RANGE)


@check("R54", needs={"prefix-scan"})
def a_pair_of_a_prefix_scan_stays_until_the_next(lab: Lab) -> None:
    """MapState.clear gets and removes each pair's key in other families, and then removes it by the pair."""
    _pairs_stay(lab, PREFIX)


@check("R54", needs={"range-scan"})
def a_pair_of_a_range_scan_stays_until_the_next(lab: Lab) -> None:
    _pairs_stay(lab, RANGE)


@check("R54")
def a_row_that_the_store_gave_can_be_handed_to_it(lab: Lab) -> None:
    """Expiry removes keys by rows that lie within those of an iterator."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {str(each[0]): "1" for each in SCAN.within})
    store = executor.begin(one)
    iterator = store.open("scan")
    for _ in SCAN.within[1:]:
        store.remove_held(iterator.hold())
    last = iterator.next(5)
    expect(len(last), 1, "How many rows are left in a scan whose rows before were removed")
    expect(store.scan(), last, "The rows after all but the last were removed by the rows that a scan gave")
    store.abort()


def _with_map(store: Store) -> Store:
    store.create_family("timers", encoder="range")
    store.create_family("map", encoder="prefix")
    return store


def _with_index(store: Store) -> Store:
    store.create_family("index", encoder="range")
    store.create_family("rows")
    return store


def opened(lab: Lab, kind: Kind, name: str = "a") -> Executor:
    """An executor of a store of the kind's rows."""
    if not lab.has(kind.name):
        raise NotInSpark(kind.name, "4.2", lab.driver.spark)
    is_multi = kind.texts != "1"
    return lab.open(name, encoder=kind.encoder, multi=is_multi, families="column-families" in lab.capabilities)


def filled(lab: Lab, kind: Kind, executor: Executor | None = None) -> Store:
    """A transaction in which half of the kind's rows are committed, and half are its own writes."""
    executor = executor or opened(lab, kind)
    store = executor.begin(EMPTY)
    _put(lab, store, [*kind.within[::2], *kind.beside], kind.texts)
    version = store.commit()
    store = executor.begin(version)
    _put(lab, store, kind.within[1::2], kind.texts)
    return store


def _put(lab: Lab, store: Store, keys: list[Row], texts: str) -> None:
    if len(texts) == 1:
        write_calls(lab, [store.call("put", each, value(texts)) for each in keys])
    else:
        for each in keys:
            store.put_list(each, [value(text) for text in texts])


def _written_as_they_come(lab: Lab, kind: Kind) -> None:
    """Each key is written once all its values have come, and a new one beside the scan: it gives what was there."""
    store = filled(lab, kind)
    written = "5" * len(kind.texts)
    iterator = store.open(kind.name, *kind.args)
    found: list[Pair] = []
    while len(found) <= len(kind.pairs) and (pairs := iterator.next()):
        found += pairs
        if len(found) % len(kind.texts) == 0 and len(found) <= len(kind.pairs):
            _put(lab, store, [pairs[0][0], kind.more[len(found) // len(kind.texts) - 1]], written)
    expect_rows(found, kind.pairs, f"A {kind.name} whose rows were written as they came")
    wanted = [[each, value(text)] for each in kind.within for text in written]
    again: Callable[..., list[Pair]] = getattr(store, kind.name)
    expect_rows(again(*kind.args), wanted, f"The next {kind.name}")
    store.abort()


def asked_twice(lab: Lab, kind: Kind) -> None:
    """A scan of the kind that is asked whether there is more several times: before each pair, and at its end."""
    store = filled(lab, kind)
    found = drained(store.open(kind.name, *kind.args), len(kind.pairs), f"a {kind.name}")
    expect_rows(found, kind.pairs, f"A {kind.name} that was asked for more several times")
    store.abort()


def drained(iterator: Iterating, count: int, what: str) -> list[Any]:
    """So many rows of an iterator that is asked for more several times; it says that there are no others."""
    found: list[Any] = []
    for _ in range(count):
        for _ in range(3):
            expect(iterator.has_next(), True, f"Whether there is more in {what}")
        found += iterator.next()
    for _ in range(3):
        expect(iterator.has_next(), False, f"Whether there is more after the end of {what}")
    return found


def _pairs_stay(lab: Lab, kind: Kind) -> None:
    """A pair stays over all writes; after a get in its own family its key does."""
    store = filled(lab, kind)
    iterator = store.open(kind.name, *kind.args)
    for left in range(len(kind.within) - 1, -1, -1):
        pair = iterator.hold()
        found = pair.read()
        expect(found[1], value("1"), f"The value of a pair of a {kind.name}")
        store.put(kind.beside[0], value("of a put"))
        store.remove(found[0])
        expect(iterator.has_next(), left > 0, f"Whether there is more in a {kind.name}")
        expect(pair.read(), found, f"A pair of a {kind.name}, after a put, a remove of its key, and asking for more")
        for each in kind.more[:4]:  # as many bytes as what was removed
            store.put(each, value("2"))
        expect(pair.read_key(), found[0], f"The key of a pair of a {kind.name}, after its remove and puts of others")
        store.get(kind.beside[1])
        store.get(found[0])
        expect(pair.read_key(), found[0], f"The key of a pair of a {kind.name}, after gets")
    store.abort()
