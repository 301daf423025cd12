"""Versions that are started empty, as those of a new partition are when a query's state is partitioned anew."""

from __future__ import annotations

from dataclasses import replace

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import NotApplicable, Version
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    begin_empty,
    begin_with,
    commit,
    commit_each,
    commit_in_each,
    expect_count,
    expect_version,
    key,
    pairs_of,
    value,
    write,
)
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.kinds import Place
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

BEFORE_MORE_DIGITS = (8, 98, 126, 254, 998, 65534)
"""Versions a batch or two before numbers that have more digits, or do not fit in so many bits."""
CONF = {
    "spark.sql.streaming.stateStore.minDeltasForSnapshot": "1",
    "spark.sql.streaming.minBatchesToRetain": "2",
}
ROW = {"row0": "1"}


@check("R12")
def a_version_can_be_started_empty_where_there_is_none_before(lab: Lab) -> None:
    store = begin_empty(lab.open(), Version(7))
    write(lab, store, {"a": "1"})
    eight = store.commit()
    expect(eight.version, 8, "The number of a version that was started empty after version 7")
    fresh = lab.open("fresh")
    expect_version(fresh, eight, {"a": "1"}, "that was started empty in an empty folder")
    nine = commit(lab, fresh, eight, {"b": "2"})
    expect_version(lab.open("last"), nine, {"a": "1", "b": "2"}, "after one that was started empty in an empty folder")


@check("R12")
def a_version_can_be_started_empty_again(lab: Lab) -> None:
    """A repartitioning that was cut off runs again over its files, and a partition may have been there once before."""
    executor = lab.open(conf=CONF)
    commit_each(lab, executor, EMPTY, [{"old": str(i)} for i in range(2)])
    for attempt in ("first", "second"):
        runner = lab.open(attempt, conf=CONF)
        store = begin_empty(runner, Version(7))
        expect(store.scan(), [], "The rows of a version that is started empty over older ones")
        write(lab, store, {attempt: "1", "of both": attempt})
        eight = store.commit()
        rows = {attempt: "1", "of both": attempt}
        for when in ("over older ones", "over older ones, after maintenance"):
            expect_version(lab.open("fresh", conf=CONF), eight, rows, f"started empty {when}")
            runner.maintain()
    nine = commit(lab, runner, eight, {"next": "2"})
    expect_version(lab.open("last", conf=CONF), nine, {**rows, "next": "2"}, "after one that was started empty again")


@check("R42")
def retained_versions_before_one_started_empty_stay(lab: Lab) -> None:
    """Who goes back behind a repartition in place, or reads what was there before, needs them."""
    conf = {**CONF, "spark.sql.streaming.minBatchesToRetain": "4"}
    executor = lab.open(conf=conf)
    versions = commit_each(lab, executor, EMPTY, [{f"row{i}": "1"} for i in range(1, 9)])
    executor.maintain()
    runner = lab.open("runner", conf=conf)
    store = begin_empty(runner, versions[8])
    write(lab, store, {"new": "9"})
    nine = store.commit()
    for _ in range(2):
        runner.maintain()
    expect_version(lab.open("fresh", conf=conf), nine, {"new": "9"}, "that was started empty, after maintenance")
    for i in (8, 7, 6):
        rows = {f"row{n}": "1" for n in range(1, i + 1)}
        expect_version(lab.open("fresh", conf=conf), versions[i], rows, "before one that was started empty")


@check("R12", needs={"column-families"})
def a_version_started_empty_has_none_of_the_families_rows(lab: Lab) -> None:
    executor = lab.open(families=True)
    one = commit_in_each(executor, "default", "one", "two")
    begin_with(executor, one, "one", "two").abort()
    store = begin_empty(executor, one)
    for family in ("one", "two"):
        store.create_family(family)
    for family in ("default", "one", "two"):
        expect(store.scan(family=family), [], f"The family {family} of a version started empty")
        expect(store.get(key("a"), family=family), None, f"A get from {family} in a version started empty")
    store.put(key("b"), value("2"), family="one")
    two = store.commit()
    expect_count(store, 1, "numKeys of a version that was started empty")
    for reader in (executor, lab.open("fresh", families=True)):
        store = begin_with(reader, two, "one", "two")
        for family, rows in {"default": {}, "one": {"b": "2"}, "two": {}}.items():
            expect_rows(store.scan(family=family), pairs_of(rows), f"The family {family} of a version started empty")
        store.abort()


@check("R12", needs={"multiple-values", "column-families"})
def values_of_a_version_started_empty_are_its_own(lab: Lab) -> None:
    """A repartitioning asks whether a key is there: it puts the first of a list's values, and merges the others."""
    executor = lab.open(families=True)
    store = _with_lists(executor, EMPTY)
    for name in ("a", "b"):
        store.put_list(key(name), [value("1"), value("2")], family="lists")
    one = store.commit()
    store = begin_empty(executor, one)
    store.create_family("lists", multi=True)
    for text in "345":
        is_there = store.contains(key("a"), family="lists")
        expect(is_there, text != "3", "Asking for a key in a version started empty")
        (store.merge if is_there else store.put)(key("a"), value(text), family="lists")
    store.merge(key("b"), value("6"), family="lists")
    wanted = {"a": [value(text) for text in "345"], "b": [value("6")]}
    for name, values in wanted.items():
        expect(store.values(key(name), family="lists"), values, f"The values of {name!r} in a version started empty")
    two = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        store = _with_lists(reader, two)
        for name, values in wanted.items():
            expect(store.values(key(name), family="lists"), values, f"The values of {name!r}, once committed")
        store.abort()


@check("R35")
def a_version_started_empty_has_no_base(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    commit(lab, executor, one, {"a": "2"})
    store = begin_empty(executor, Version(one.version))
    store.put(key("a"), value("1"))
    said = lab.do(replace(store.call("commit"), parse=lambda answer: answer))
    expect(said["base_id"], None, "The base id of a version that was started empty")
    expect(said["said_version"], 2, "The version that a store says it has committed, started empty after version 1")


@check("R42")
def versions_stay_however_many_digits_they_have(lab: Lab) -> None:
    """Names of files are not in the order of versions: 100 comes before 99."""
    for number in BEFORE_MORE_DIGITS[:: 2 if lab.effort.quick else 1]:
        place = (f"from{number}", 0)
        executor = lab.open(place=place, conf=CONF)
        try:
            store = begin_empty(executor, Version(number))
        except NotApplicable:  # then from the first to the one that most counts
            _expect_to_stay(lab, executor, place, commit_each(lab, executor, EMPTY, [ROW] * 98)[-1])
            return
        write(lab, store, ROW)
        _expect_to_stay(lab, executor, place, store.commit())


def _with_lists(executor: Executor, version: Version) -> Store:
    store = executor.begin(version)
    store.create_family("lists", multi=True)
    return store


def _expect_to_stay(lab: Lab, executor: Executor, place: Place, version: Version) -> None:
    """Four batches on a version that has `ROW`, with maintenance: the last version is there, and the last but one."""
    versions, rows = [version], [dict(ROW)]
    for i in range(1, 5):
        executor.maintain()
        versions.append(commit(lab, executor, versions[-1], {f"row{i}": "1"}))
        rows.append({**rows[-1], f"row{i}": "1"})
        if i % 2 == 0:
            executor.maintain()
            fresh = lab.open("fresh", place=place, conf=CONF)
            expect_version(fresh, versions[-2], rows[-2], "the last but one, after maintenance")
            expect_version(fresh, versions[-1], rows[-1], "the last one, after maintenance")
