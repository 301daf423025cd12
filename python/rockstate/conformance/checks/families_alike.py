"""Families that are alike: of one kind, with the same keys, with names that begin alike, gone or not."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.reading_back import applied
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SNAPSHOTS,
    begin_with,
    declare,
    here_and_afresh,
    key,
    pairs_of,
    value,
)
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

NAMES = ("count", "count2", "coun", "a", "a/b", "a_b", "Aa", "BB", "x" * 300)
"""Some have one hash (String.hashCode), and one is longer than a file's name can be."""


@check("R28", needs={"prefix-scan"})
def prefixes_of_two_families_are_apart(lab: Lab) -> None:
    """Two maps of transformWithState have the same grouping keys."""
    executor = lab.open(families=True, conf=SNAPSHOTS)

    def begin(executor: Executor, version: Version) -> Store:
        return _begin(executor, version, "left", "right", encoder="prefix")

    rows: dict[str, list[Pair]] = {"left": [], "right": []}
    version = EMPTY
    for first in (0, 4):
        store = begin(executor, version)
        for i in range(first, first + 4):
            for family, given in rows.items():
                given.append([["a" if i % 4 < 3 else "b", i if family == "left" else -i], value(f"{family} {i}")])
                store.put(*given[-1], family=family)
        _expect_prefixes(store, rows, "in the transaction that wrote some")
        version = store.commit()
    store = begin(executor, version)
    for each, _ in store.prefix(["a"], family="left"):
        store.remove(each, family="left")
    rows["left"] = [pair for pair in rows["left"] if pair[0][0] != "a"]
    _expect_prefixes(store, rows, "after one's prefix was removed")
    version = store.commit()
    for reader in here_and_afresh(lab, executor, families=True):
        store = begin(reader, version)
        _expect_prefixes(store, rows, "once one's prefix was removed")
        store.abort()


@check("R28", needs={"multiple-values"})
def lists_of_two_families_are_apart(lab: Lab) -> None:
    """So are two lists."""
    executor = lab.open(families=True, conf=SNAPSHOTS)

    def begin(executor: Executor, version: Version) -> Store:
        return _begin(executor, version, "left", "right", multi=True)

    store = begin(executor, EMPTY)
    store.put_list(key("a"), [value("1"), value("2")], family="left")
    store.merge(key("a"), value("3"), family="right")
    _expect_lists(store, "12", "3", "in the transaction that wrote them")
    version = store.commit()
    store = begin(executor, version)
    store.merge(key("a"), value("lost"), family="left")
    store.put_list(key("a"), [value("lost")], family="right")
    store.abort()
    store = begin(executor, version)
    store.merge(key("a"), value("4"), family="left")
    _expect_lists(store, "124", "3", "after a merge to one")
    store.merge_list(key("a"), [value("5"), value("6")], family="right")
    store.merge(key("a"), value("7"), family="left")
    _expect_lists(store, "1247", "356", "after merges to both")
    store.remove(key("a"), family="right")
    _expect_lists(store, "1247", "", "after one was removed")
    store.merge(key("a"), value("8"), family="right")
    version = store.commit()
    for reader in here_and_afresh(lab, executor, families=True):
        store = begin(reader, version)
        _expect_lists(store, "1247", "8", "once committed")
        store.abort()


@check("R30")
def removing_a_family_leaves_those_of_like_names(lab: Lab) -> None:
    executor = lab.open(families=True, conf=SNAPSHOTS)
    store = begin_with(executor, EMPTY, *NAMES)
    for name in NAMES:
        store.put(key("a"), value(name), family=name)
    store = begin_with(executor, store.commit(), *NAMES)
    for name in ("count", "a"):
        expect(store.remove_family(name), True, f"Removing the family {name!r}")
    left = [name for name in NAMES if name not in ("count", "a")]
    for name in left:
        expect_rows(store.scan(family=name), pairs_of({"a": name}), f"The family {name!r} beside removed ones")
    version = store.commit()
    for reader in here_and_afresh(lab, executor, families=True):
        store = begin_with(reader, version, *NAMES)
        for name in NAMES:
            rows = pairs_of({"a": name} if name in left else {})
            expect_rows(store.scan(family=name), rows, f"The family {name!r}, once others were removed")
        store.abort()


@check("R30")
def a_family_that_is_gone_stays_gone(lab: Lab) -> None:
    """A query that has no use for a variable any more removes it at the start of each batch (deleteIfExists)."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    store = begin_with(executor, EMPTY, "one", "gone")
    store.put(key("a"), value("1"), family="gone")
    version = store.commit()
    for i in range(4):
        reader = executor if i != 2 else lab.open("fresh", families=True, conf=SNAPSHOTS)
        store = begin_with(reader, version, "one")
        expect(store.remove_family("gone"), i == 0, f"Whether a family was there to be removed in batch {i + 1}")
        store.put(key("a"), value(str(i)), family="one")
        version = store.commit()
        reader.maintain()
    store = begin_with(lab.open("last", families=True, conf=SNAPSHOTS), version, "one", "gone")
    expect(store.scan(family="gone"), [], "A family that was removed again and again")
    expect_rows(store.scan(family="one"), pairs_of({"a": "3"}), "The family beside it")
    store.abort()


@check("R12", needs={"column-families", "multiple-values"})
def version_zero_has_nothing_of_any_family(lab: Lab) -> None:
    """A query whose first batch is run again makes its families again, where they have rows."""
    executor = lab.open(families=True, conf=SNAPSHOTS)

    def begin(executor: Executor, version: Version) -> Store:
        store = begin_with(executor, version, "one")
        store.create_family("list", multi=True)
        return store

    version = EMPTY
    for i in range(3):
        store = begin(executor, version)
        store.put(key("a"), value(str(i)), family="one")
        store.merge(key("a"), value(str(i)), family="list")
        version = store.commit()
        executor.maintain()
    again = lab.open("again", families=True, conf=SNAPSHOTS)
    for reader in (executor, again):
        store = begin(reader, EMPTY)
        for family in ("one", "list"):
            expect(store.scan(family=family), [], f"The family {family} in version 0, after others were committed")
        if reader is not again:
            store.abort()
    store.merge(key("a"), value("again"), family="list")
    expect(store.values(key("a"), family="list"), [value("again")], "A key's values in version 0")
    one = store.commit()
    for reader in (again, lab.open("fresh", families=True, conf=SNAPSHOTS)):
        store = begin(reader, one)
        expect(store.scan(family="one"), [], "A family of a first batch that was run again")
        expect(store.values(key("a"), family="list"), [value("again")], "A key's values in such a batch")
        store.abort()


@check("R39", needs={"column-families", "multiple-values"})
def a_feed_goes_on_over_what_becomes_of_other_families(lab: Lab) -> None:
    executor = lab.open(families=True)
    version = EMPTY
    for i in range(4):
        store = begin_with(executor, version, "one", "two")
        store.create_family("list", multi=True)
        if i == 2:
            store.remove_family("one")
        store.merge(key("a"), value(str(i)), family="list")
        store.put(key(f"row{i}"), value("2"), family="two")
        version = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        declare(reader, version, "two")
        found = applied(reader.changes(1, version, family="two"))
        wanted = pairs_of({f"row{i}": "2" for i in range(4)})
        expect_rows(found, wanted, "The changes of a family beside one that was removed and one with merges")


def _begin(executor: Executor, version: Version, *families: str, encoder: str = "none", multi: bool = False) -> Store:
    store = executor.begin(version)
    for family in families:
        store.create_family(family, encoder=encoder, multi=multi)
    return store


def _expect_prefixes(store: Store, rows: dict[str, list[Pair]], when: str) -> None:
    for family, given in rows.items():
        for prefix in ("a", "b", "c"):
            wanted = [pair for pair in given if pair[0][0] == prefix]
            expect_rows(store.prefix([prefix], family=family), wanted, f"The prefix {prefix!r} of {family}, {when}")
        expect_rows(store.scan(family=family), given, f"The family {family}, {when}")


def _expect_lists(store: Store, left: str, right: str, when: str) -> None:
    for family, texts in {"left": left, "right": right}.items():
        wanted: list[Row] = [value(text) for text in texts]
        expect(store.values(key("a"), family=family), wanted, f"The values of a key in {family}, {when}")
        expect(store.contains(key("a"), family=family), bool(texts), f"Asking for the key in {family}, {when}")
