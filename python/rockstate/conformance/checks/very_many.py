"""What is more than usual: rows of a scan, values of a key, changes of a version, rows and keys without columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import NotInSpark, Version
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.coming_back import expect_each
from rockstate.conformance.checks.reading_back import applied, replayed
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SNAPSHOTS,
    begin_with,
    commit,
    commit_each,
    expect_version,
    here_and_afresh,
    key,
    pairs_of,
    value,
    write_calls,
)
from rockstate.conformance.histories.model import pairs, sorted_pairs
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import ScanKind, Store

MANY = 12_000
"""Rows of one scan, half of them the transaction's own."""
VALUES = 70_000
"""Values of one key, or changes of one version: more than two bytes count."""
VERSIONS = 300
"""Versions without a snapshot: more than a byte counts."""
MERGES = 300
"""Merges of one key: more than a byte counts."""


@check("R03")
def what_was_written_long_ago_is_there(lab: Lab) -> None:
    """Maintenance runs once a minute, and batches may be many a second: until it does, all there is are changes."""
    executor = lab.open()
    versions = commit_each(lab, executor, EMPTY, [{f"row{n}": str(n)} for n in range(1, VERSIONS + 1)])
    fresh = lab.open("fresh")
    for last in (VERSIONS, VERSIONS // 2, 1):
        wanted = {f"row{n}": str(n) for n in range(1, last + 1)}
        expect_version(fresh, versions[last], wanted, "that many led to, without maintenance")


@check("R03")
def a_version_of_very_many_changes_is_there(lab: Lab) -> None:
    one = commit(lab, lab.open(), EMPTY, {f"row{n}": "1" for n in range(VALUES)})
    store = lab.open("fresh").begin_read(one)
    for n in (0, 0xFFFF, 0x10000, VALUES - 1):
        expect(store.get(key(f"row{n}")), value("1"), f"Row {n} of a version of {VALUES} changes")
    expect(len(store.scan()), VALUES, f"How many rows a version of {VALUES} changes has")
    store.release()


@check("R18")
def a_prefix_may_have_many_rows(lab: Lab) -> None:
    def scan(store: Store) -> list[Pair]:
        return store.prefix(["a"])

    _expect_many(lab, "prefix", [["a", i] for i in range(MANY)], [["b", 1]], scan)


@check("R19")
def a_range_may_have_many_rows(lab: Lab) -> None:
    def scan(store: Store) -> list[Pair]:
        return store.range([0, ""], [MANY, ""]) if store.has("range") else store.scan()[:MANY]

    _expect_many(lab, "range", [[i, "k"] for i in range(MANY)], [[MANY, "k"]], scan)


@check("R22")
def very_many_rows_may_be_written_while_a_scan_is_open(lab: Lab) -> None:
    """Where groups time out all at once, each one's state is written or removed as the scan comes to it."""
    _written_behind(lab, "none", [[f"row{i}"] for i in range(MANY)], "scan")


@check("R22", needs={"range-scan"})
def very_many_rows_may_be_written_while_a_range_is_scanned(lab: Lab) -> None:
    """Very many timers may fire at once, or values expire."""
    if not lab.has("range"):
        raise NotInSpark("range", "4.2", lab.driver.spark)
    _written_behind(lab, "range", [[i, "k"] for i in range(MANY)], "range", [0, ""], [MANY, ""])


@check("R26")
def a_key_may_have_many_values(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    listed, merged = [value(str(i)) for i in range(VALUES)], [value(str(i)) for i in range(MERGES)]
    long: list[Row] = [["x" * (1 << 20), 1], ["y" * 70_000, 2]]
    store.put_list(key("listed"), listed[: VALUES // 2])
    store.merge_list(key("listed"), listed[VALUES // 2 :])
    write_calls(lab, [store.call("merge", key("merged"), each) for each in merged])
    store.put_list(key("long"), long)
    one = store.commit()
    for reader in (executor, lab.open("fresh", families=True, multi=True)):
        store = reader.begin(one)
        for name, wanted in {"listed": listed, "merged": merged, "long": long}.items():
            found = store.values(key(name))
            expect(len(found), len(wanted), f"How many values the key {name!r} has")
            expect(found == wanted, True, f"Whether the values of {name!r} are those that were added, in order")
        store.abort()


@check("R26")
def a_key_with_many_values_is_there(lab: Lab) -> None:
    """A list of transformWithState asks by get whether it exists."""
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), [value("1"), value("2")])
    store.merge(key("merged"), value("3"))
    for name in ("a", "merged"):
        expect(store.get(key(name)) is not None, True, f"Whether a get finds {name!r}, which has several values")
    expect(store.get(key("b")), None, "A get of a key without values")
    one = store.commit()
    for reader in (executor, lab.open("fresh", families=True, multi=True)):
        store = reader.begin(one)
        store.merge(key("later"), value("4"))
        for name in ("a", "merged", "later"):
            expect(store.get(key(name)) is not None, True, f"Whether a get finds {name!r} in the next version")
        store.abort()


@check("R26")
def a_snapshot_has_all_values_of_a_key(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True, conf=SNAPSHOTS)
    store = executor.begin(EMPTY)
    wanted = [value(str(i)) for i in range(VALUES)]
    store.put_list(key("a"), wanted)
    one = store.commit()
    executor.maintain()
    store = executor.begin(one)
    store.merge(key("a"), value("last"))
    two = store.commit()
    executor.maintain()
    store = lab.open("fresh", families=True, multi=True, conf=SNAPSHOTS).begin(two)
    found = store.values(key("a"))
    expect(found == [*wanted, value("last")], True, f"Whether a key has its {VALUES + 1} values, over a snapshot")
    store.abort()


@check("R27")
def a_plain_scan_gives_each_key_once(lab: Lab) -> None:
    """The state data source goes through a list's keys, and asks for the values of each."""
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    texts = {"a": "123", "b": "4", "c": "55"}
    for name, each in texts.items():
        store.put_list(key(name), [value(text) for text in each])
    one = store.commit()
    for reader in (executor, lab.open("fresh", families=True, multi=True)):
        store = reader.begin(one)
        iterator = store.open("scan")
        found: list[str] = []
        while rows := iterator.next():
            found.append(str(rows[0][0][0]))
            wanted = [value(text) for text in texts.get(found[-1], "")]
            expect(store.values(key(found[-1])), wanted, f"The values of {found[-1]!r}, asked for in a scan of keys")
        expect(sorted(found), sorted(texts), "The keys of a plain scan")
        store.abort()


@check("R27", needs={"prefix-scan"})
def a_prefix_may_have_many_values(lab: Lab) -> None:
    def scan(store: Store) -> list[Pair]:
        return store.prefix_multi(["a"])

    _expect_many_values(lab, "prefix", [["a", i] for i in range(MANY // 2)], [["b", 1]], scan)


@check("R27", needs={"range-scan"})
def a_range_may_have_many_values(lab: Lab) -> None:
    def scan(store: Store) -> list[Pair]:
        return store.range_multi([0, ""], [MANY, ""])

    _expect_many_values(lab, "range", [[i, "k"] for i in range(MANY // 2)], [[MANY, "k"]], scan)


@check("R27")
def a_scan_may_have_many_values(lab: Lab) -> None:
    _expect_many_values(lab, "none", [[f"row{i}"] for i in range(MANY // 2)], [], Store.scan_multi)


@check("R30")
def a_removed_family_may_have_many_rows(lab: Lab) -> None:
    executor = lab.open(families=True, conf=SNAPSHOTS)
    names = [f"row{i}" for i in range(MANY)]
    version = EMPTY
    for half in (names[::2], names[1::2]):
        store = begin_with(executor, version, "gone")
        write_calls(lab, [store.call("put", key(name), value(name), family="gone") for name in half])
        if half[0] == names[0]:
            version = store.commit()
    store.remove_family("gone")
    store.create_family("gone")
    expect(store.scan(family="gone"), [], "The rows of a family made again where there were many")
    version = store.commit()
    for reader in here_and_afresh(lab, executor, families=True):
        store = begin_with(reader, version, "gone")
        expect(store.scan(family="gone"), [], "The rows of a family made again where there were many, committed")
        store.abort()


@check("R39")
def a_version_may_have_many_changes(lab: Lab) -> None:
    executor = lab.open()
    names = [f"row{i}" for i in range(MANY)]
    one = commit(lab, executor, EMPTY, dict.fromkeys(names, "1"))
    two = commit(lab, executor, one, dict.fromkeys(names[::2], "2"), names[1::2])
    changes = lab.open("fresh").changes(1, two)
    counts = [sum(change.version == version for change in changes) for version in (0, 1)]
    expect(counts, [MANY, MANY], "How many changes a feed has of each of two versions")
    expect_rows(applied(changes), pairs_of(dict.fromkeys(names[::2], "2")), "Many changes, applied")


@check("R40")
def a_replayed_version_may_have_many_changes(lab: Lab) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    names = [f"row{i}" for i in range(MANY)]
    versions: list[Version] = [EMPTY]
    for puts in ({"a": "1"}, {"a": "2"}, dict.fromkeys(names, "3")):
        versions.append(commit(lab, executor, versions[-1], puts))
        executor.maintain()

    def fresh() -> Executor:
        return lab.open("fresh", conf=SNAPSHOTS)

    def replay(executor: Executor, snapshot: Version) -> Store:
        return executor.replay(snapshot, versions[3])

    for snapshot, store in replayed(versions[1:3], fresh, replay, "version with many changes"):
        wanted = pairs_of({"a": "2", **dict.fromkeys(names, "3")})
        expect_rows(store.scan(), wanted, f"A version of many changes, replayed from {snapshot}")
        store.abort()


@check("R20")
def a_key_without_columns_is_a_key(lab: Lab) -> None:
    """An aggregation over all rows has no other."""
    expect_each(lab, "nothing", [([], value("1"))], [([], value("2"))])


@check("R20")
def values_without_columns_come_back(lab: Lab) -> None:
    """An aggregation that only tells which keys there are keeps such."""
    keys = [key(name) for name in ("", "a", "b")]
    expect_each(lab, "distinct", [(each, []) for each in keys[:2]], [(each, []) for each in keys[1:]])


def _expect_many(lab: Lab, encoder: str, keys: list[Row], beside: list[Row], scan: Callable[[Store], Any]) -> None:
    executor = lab.open(encoder=encoder)
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", each, value(str(each))) for each in (*keys[::2], *beside)])
    one = store.commit()
    store = executor.begin(one)
    write_calls(lab, [store.call("put", each, value(str(each))) for each in keys[1::2]])
    wanted = [[each, value(str(each))] for each in keys]
    expect_rows(scan(store), wanted, f"Many rows of a {encoder}, half of them own writes")
    two = store.commit()
    store = lab.open("fresh", encoder=encoder).begin(two)
    expect_rows(scan(store), wanted, f"Many rows of a {encoder}, committed")
    store.abort()


def _written_behind(lab: Lab, encoder: str, keys: list[Row], kind: ScanKind, *args: Row) -> None:
    """Of each hundred rows that a scan gives, half are removed then, and half are put anew."""
    executor = lab.open(encoder=encoder)
    store = executor.begin(EMPTY)
    for half in (keys[::2], keys[1::2]):
        write_calls(lab, [store.call("put", each, value("1")) for each in half])
        if half[0] == keys[0]:
            store = executor.begin(store.commit())
    iterator = store.open(kind, *args)
    found: list[Pair] = []
    left: list[Pair] = []
    while len(found) <= MANY and (pairs := iterator.next(100)):
        found += pairs
        left += [[each, value("2")] for each, _ in pairs[1::2]]
        calls = [store.call("remove", each) for each, _ in pairs[::2]]
        write_calls(lab, [*calls, *(store.call("put", each, value("2")) for each, _ in pairs[1::2])])
    expect_rows(found, [[each, value("1")] for each in keys], f"A {kind} behind which very many rows were written")
    expect_rows(store.scan(), left, f"What is left after a {kind} behind which very many rows were written")
    two = store.commit()
    for reader in (executor, lab.open("fresh", encoder=encoder)):
        store = reader.begin(two)
        expect_rows(store.scan(), left, "Very many rows that were written behind a scan, committed")
        store.abort()


def _expect_many_values(
    lab: Lab, encoder: str, keys: list[Row], beside: list[Row], scan: Callable[[Store], list[Pair]]
) -> None:
    executor = lab.open(families=True, multi=True, encoder=encoder)
    store = executor.begin(EMPTY)
    merges = [("merge", each, value(text)) for each in [*keys, *beside] for text in "12"]
    write_calls(lab, [store.call(*merge) for merge in merges])
    one = store.commit()
    store = lab.open("fresh", families=True, multi=True, encoder=encoder).begin(one)
    wanted = [[each, value(text)] for each in keys for text in "12"]
    what = f"Whether a scan of many values with the encoder {encoder} has all"
    expect(sorted_pairs(pairs(scan(store))) == sorted_pairs(pairs(wanted)), True, what)
    store.abort()
