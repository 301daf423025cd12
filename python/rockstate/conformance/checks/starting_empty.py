"""Versions that are started empty, as those of a new partition are when a query's state is partitioned anew."""

from __future__ import annotations

from dataclasses import replace

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    begin_empty,
    begin_with,
    commit,
    commit_in_each,
    expect_count,
    expect_version,
    key,
    pairs_of,
    value,
    write,
)
from rockstate.conformance.lab.lab import Lab


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


@check("R35")
def a_version_started_empty_has_no_base(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"})
    commit(lab, executor, one, {"a": "2"})
    store = begin_empty(executor, Version(one.version))
    store.put(key("a"), value("1"))
    said = lab.do(replace(store.call("commit"), parse=lambda answer: answer))
    expect(said["base_id"], None, "The base id of a version that was started empty")
