"""Column families beyond plain ones: of other values, of keys with structs, over removals, snapshots and readers."""

from __future__ import annotations

from itertools import groupby

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Row
from rockstate.conformance.checks.reading_back import replayed
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SNAPSHOTS,
    begin_empty,
    begin_with,
    commit_in_each,
    declare,
    expect_count,
    here_and_afresh,
    key,
    pairs_of,
    value,
)
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

OF_VALUES: dict[str, Row] = {"distinct": [], "flag": [7], "wide": ["text", 7, 0.5], "none": ["text", 7]}


@check("R28")
def each_family_has_values_of_its_own_columns(lab: Lab) -> None:
    """Timers and indexes of expiry have a column or none, whatever the state itself has."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    store = executor.begin(EMPTY)
    for encoder, row in OF_VALUES.items():
        store.create_family(encoder, encoder=encoder)
        store.put(key("a"), row, family=encoder)
        store.put(key(""), row, family=encoder)
    version = store.commit()
    for reader in here_and_afresh(lab, executor, families=True):
        store = reader.begin(version)
        for encoder, row in OF_VALUES.items():
            store.create_family(encoder, encoder=encoder)
            expect(store.get(key("a"), family=encoder), row, f"A value of the family {encoder}")
            expect_rows(store.scan(family=encoder), [[key("a"), row], [key(""), row]], f"The rows of {encoder}")
        store.abort()


@check("R18", needs={"column-families"})
def a_struct_can_be_a_prefix(lab: Lab) -> None:
    """A map of transformWithState has keys of two structs."""
    keys: list[Row] = [[[p, n], [k, 1]] for p in ("a", "ab", None) for n in (-1, 1) for k in ("x", None)]
    executor = lab.open(families=True)
    store = executor.begin(EMPTY)
    store.create_family("map", encoder="prefix_struct")
    for i, each in enumerate(keys):
        store.put(each, value(str(i)), family="map")
    one = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        store = reader.begin(one)
        store.create_family("map", encoder="prefix_struct")
        for each in keys:
            expect(store.get(each, family="map"), value(str(keys.index(each))), f"A get of {each}")
            wanted = [[other, value(str(i))] for i, other in enumerate(keys) if other[0] == each[0]]
            expect_rows(store.prefix([each[0]], family="map"), wanted, f"The rows with the prefix {each[0]}")
        store.abort()


@check("R18", needs={"column-families"})
def rows_of_a_prefix_come_together_in_a_scan(lab: Lab) -> None:
    """The state data source makes one row of those that a grouping key of a map has next to each other."""
    keys: list[Row] = [[[p, n], [f"k{i}", i]] for i in range(8) for p in ("a", "ab", "", None) for n in range(6)]
    executor = lab.open(families=True, conf=SNAPSHOTS)
    version = EMPTY
    for half in (keys[::2], keys[1::2]):
        store = executor.begin(version)
        store.create_family("map", encoder="prefix_struct")
        for each in half:
            store.put(each, value("1"), family="map")
        version = store.commit()
        executor.maintain()
    for name in ("fresh", "last"):
        reader = lab.open(name, families=True, encoder="prefix_struct", conf=SNAPSHOTS)
        declare(reader, version, "map", encoder="prefix_struct")
        store = reader.begin_read(version)
        found = store.scan(family="map")
        expect_rows(found, [[each, value("1")] for each in keys], "A scan of a family with prefixes")
        runs = [prefix for prefix, _ in groupby(pair[0][0] for pair in found)]
        expect(len(runs), 24, "How many runs a scan has of rows with the same prefix, of which there are 24")
        store.release()


@check("R19", needs={"column-families"})
def a_struct_can_follow_what_orders(lab: Lab) -> None:
    """Timers are keys of a time and the grouping key, and are removed by what a scan gave."""
    executor = lab.open(families=True)
    store = executor.begin(EMPTY)
    store.create_family("timers", encoder="range_struct")
    keys: list[Row] = [[t, ["k", t]] for t in (-5, -1, 0, 3, 2**40)]
    for each in reversed(keys):
        store.put(each, value("1"), family="timers")
    one = store.commit()
    store = executor.begin(one)
    store.create_family("timers", encoder="range_struct")
    expect([pair[0] for pair in store.scan(family="timers")], keys, "Timers with a struct, in order")
    iterator = store.open("scan", family="timers")
    for _ in keys[:3]:
        store.remove_held(iterator.hold(), family="timers")
    iterator.close()
    expect([pair[0] for pair in store.scan(family="timers")], keys[3:], "Timers left")
    two = store.commit()
    store = lab.open("fresh", families=True).begin(two)
    store.create_family("timers", encoder="range_struct")
    expect([pair[0] for pair in store.scan(family="timers")], keys[3:], "Timers left, committed")
    store.abort()


@check("R30")
def a_later_family_has_nothing_of_a_removed_one(lab: Lab) -> None:
    """A query drops a variable, and gets another one in a later run; or the same one anew."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    version = commit_in_each(executor, "kept", "gone")
    store = begin_with(executor, version, "kept", "gone")
    store.remove_family("gone")
    version = store.commit()
    for name in ("later", "gone"):
        store = begin_with(executor, version, "kept", name)
        expect(store.scan(family=name), [], f"The rows of {name}, which is new")
        store.put(key("b"), value(name), family=name)
        version = store.commit()
        for reader in (executor, lab.open(f"fresh_{name}", families=True, conf=SNAPSHOTS)):
            store = begin_with(reader, version, "kept", name)
            expect_rows(store.scan(family=name), pairs_of({"b": name}), f"The rows of the new family {name}")
            expect_rows(store.scan(family="kept"), pairs_of({"a": "kept"}), "The rows of the family that stayed")
            store.abort()
        executor.maintain()


@check("R30", needs={"multiple-values", "prefix-scan"})
def a_family_made_again_may_be_of_another_kind(lab: Lab) -> None:
    """A variable that was a value is a list now, and in a later run of the query a map."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    version = commit_in_each(executor, "one")
    store = begin_with(executor, version, "one")
    store.remove_family("one")
    store.create_family("one", multi=True)
    for text in "12":
        store.merge(key("a"), value(text), family="one")
    version = store.commit()
    executor.maintain()
    for name in ("a", "fresh"):
        reader = executor if name == "a" else lab.open(name, families=True, conf=SNAPSHOTS)
        store = reader.begin(version)
        store.create_family("one", multi=True)
        found = store.values(key("a"), family="one")
        expect(found, [value("1"), value("2")], "Values of a family that was made again with many values")
        store.abort()
    store = executor.begin(version)
    store.remove_family("one")
    version = store.commit()
    for keys in ([], [["a", 1]]):
        later = lab.open_beside(executor, "later", families=True, conf=SNAPSHOTS)
        store = later.begin(version)
        store.create_family("one", encoder="prefix")
        rows = [[each, value("3")] for each in keys]
        expect(store.scan(family="one"), rows, "A family that was made again with a prefix")
        expect(store.prefix(["a"], family="one"), rows, "A prefix of a family that was made again with one")
        store.put(["a", 1], value("3"), family="one")
        version = store.commit()


@check("R30", needs={"multiple-values"})
def a_family_of_lists_made_again_is_empty(lab: Lab) -> None:
    for multi in (True, False):
        place = (f"again-{multi}", 0)
        executor = lab.open(families=True, place=place, conf=SNAPSHOTS)
        store = executor.begin(EMPTY)
        store.create_family("lists", multi=True)
        store.put_list(key("a"), [value("1"), value("2")], family="lists")
        store = executor.begin(store.commit())
        store.create_family("lists", multi=True)
        store.remove_family("lists")
        store.create_family("lists", multi=multi)
        expect(store.scan(family="lists"), [], "A family of lists that was removed and made again")
        two = store.commit()
        for reader in here_and_afresh(lab, executor, families=True, place=place):
            store = reader.begin(two)
            store.create_family("lists", multi=multi)
            expect(store.scan(family="lists"), [], "A family of lists that was removed and made again, committed")
            store.abort()


@check("R29")
def a_family_that_nobody_declares_any_more_keeps_its_rows(lab: Lab) -> None:
    """A query that was restarted without a variable has not removed it."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    version = commit_in_each(executor, "one", "two")
    fresh = lab.open("fresh", families=True, conf=SNAPSHOTS)
    for i in range(3):
        store = begin_with(fresh, version, "two")
        store.put(key("b"), value(str(i)), family="two")
        version = store.commit()
        fresh.maintain()
    store = begin_with(lab.open("last", families=True, conf=SNAPSHOTS), version, "one", "two")
    expect_rows(
        store.scan(family="one"), pairs_of({"a": "one"}), "The rows of a family that was not declared for a while"
    )
    store.abort()


@check("R29")
def a_commit_that_makes_a_snapshot_keeps_all_families(lab: Lab) -> None:
    executor = lab.open(families=True)
    store = begin_with(executor, EMPTY, "one", "gone")
    store.create_family("$index", internal=True)
    for family in ("one", "gone", "$index"):
        store.put(key("a"), value(family), family=family)
    version = store.commit()
    store = executor.begin(version, snapshot=True)
    for family in ("one", "gone"):
        store.create_family(family)
    store.create_family("$index", internal=True)
    store.remove_family("gone")
    store.put(key("b"), value("one"), family="one")
    version = store.commit()
    expect_count(store, 2, "numKeys of a commit that made a snapshot")
    executor.maintain()
    for name in ("fresh", "last"):
        store = begin_with(lab.open(name, families=True), version, "one", "gone")
        store.create_family("$index", internal=True)
        for family, rows in {"one": {"a": "one", "b": "one"}, "gone": {}, "$index": {"a": "$index"}}.items():
            expect_rows(
                store.scan(family=family), pairs_of(rows), f"The family {family} in a snapshot that was asked for"
            )
        store.abort()


@check("R33", needs={"column-families"})
def whether_a_family_is_internal_is_what_was_declared(lab: Lab) -> None:
    """A join's index has an ordinary name, and who reads the state declares it as any other."""
    executor = lab.open(families=True)
    store = executor.begin(EMPTY)
    store.create_family("left-index", internal=True)
    store.put(key("a"), value("1"), family="left-index")
    store.put(key("a"), value("1"))
    store.put(key("b"), value("1"))
    one = store.commit()
    expect(store.metrics().rows, 2, "numKeys beside an internal family with an ordinary name")
    store = lab.open("fresh", families=True).begin(one)
    store.create_family("left-index")
    expect_rows(
        store.scan(family="left-index"), pairs_of({"a": "1"}), "An internal family, declared as an ordinary one"
    )
    store.abort()


@check("R12", needs={"column-families"})
def a_version_started_empty_is_empty_though_nothing_was_written(lab: Lab) -> None:
    executor = lab.open(families=True, conf=SNAPSHOTS)
    store = begin_with(executor, EMPTY, "one")
    store.put(key("a"), value("1"), family="one")
    store.put(key("a"), value("1"))
    one = store.commit()
    executor.maintain()
    store = begin_empty(executor, one)
    version = store.commit()
    expect_count(store, 0, "numKeys of a version that was started empty, and nothing written")
    for name in ("fresh", "after"):
        store = begin_with(lab.open(name, families=True, conf=SNAPSHOTS), version, "one")
        expect(store.scan(), [], "A version that was started empty, and nothing written")
        expect(store.scan(family="one"), [], "A family of such a version")
        store.abort()
        executor.maintain()


@check("R40", needs={"column-families"})
def a_read_store_that_is_replayed_has_the_families_that_were_declared(lab: Lab) -> None:
    """The state data source declares them in a transaction on the version, and aborts it."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    versions: list[Version] = [EMPTY]
    for i in range(4):
        store = begin_with(executor, versions[-1], "one")
        store.put(key(f"row{i}"), value("1"), family="one")
        versions.append(store.commit())
        executor.maintain()

    def fresh() -> Executor:
        executor = lab.open("fresh", families=True, conf=SNAPSHOTS)
        begin_with(executor, versions[4], "one").abort()
        return executor

    def replay(executor: Executor, snapshot: Version) -> Store:
        return executor.replay_read(snapshot, versions[4])

    for snapshot, store in replayed(versions[1:4], fresh, replay, "version with families, to be read,"):
        wanted = pairs_of({f"row{i}": "1" for i in range(4)})
        expect_rows(store.scan(family="one"), wanted, f"The rows of a family, replayed from {snapshot} to be read")
        store.release()
