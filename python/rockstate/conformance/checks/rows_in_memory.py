"""Rows that a store is called with, wherever in memory they lie."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, expect_version, key, pairs_of, value
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Memory, Store

MEMORIES: tuple[Memory, ...] = ("longer_buffer", "whole_array", "off_heap")
"""Where all other checks do not have them: a projection's rows begin a longer array,
or are all of one if they have no texts; rows of a sort or an aggregation
lie outside the heap with spark.memory.offHeap.enabled."""


@check("R20")
def rows_may_lie_anywhere_in_memory(lab: Lab) -> None:
    for memory in MEMORIES:
        executor = lab.open(memory, place=(memory, 0))
        store = executor.begin(EMPTY)
        store.lay_rows(memory)
        for name, text in {"a": "1", "b": "of another length", "c": "3", "d": "4"}.items():
            store.put(key(name), value(text))
        store.put(key("a"), value("2"))
        store.remove(key("d"))
        wanted = {"a": "2", "b": "of another length", "c": "3"}
        _expect_rows(lab, store, wanted, memory)
        one = store.commit()
        store = executor.begin(one)
        store.lay_rows(memory)
        store.put(key("c"), value("5"))
        store.remove(key("a"))
        two = store.commit()
        wanted = {"b": "of another length", "c": "5"}
        fresh = lab.open(f"fresh_{memory}", place=(memory, 0))
        expect_version(fresh, two, wanted, f"of rows that were written from {memory}")
        store = fresh.begin(two)
        store.lay_rows(memory)
        _expect_rows(lab, store, wanted, memory)
        store.abort()


@check("R20", needs={"column-families", "multiple-values", "prefix-scan", "range-scan"})
def rows_of_families_may_lie_anywhere_in_memory(lab: Lab) -> None:
    for memory in MEMORIES:
        executor = lab.open(memory, families=True, place=(memory, 0))
        store = _begin(executor, EMPTY, memory)
        for k in range(3):
            store.put(["a", k], value(str(k)), family="prefix")
            store.put(["aa", k], value("beside"), family="prefix")
            store.put([k - 1, "k"], value(str(k)), family="range")
        store.put_list(key("a"), [value("1"), value("of another length")], family="list")
        store.merge(key("a"), value("3"), family="list")
        _expect_families(store, memory)
        version = store.commit()
        for reader in (executor, lab.open(f"fresh_{memory}", families=True, place=(memory, 0))):
            store = _begin(reader, version, memory)
            _expect_families(store, memory)
            store.abort()


def _begin(executor: Executor, version: Version, memory: Memory) -> Store:
    store = executor.begin(version)
    store.create_family("prefix", encoder="prefix")
    store.create_family("range", encoder="range")
    store.create_family("list", multi=True)
    store.lay_rows(memory)
    return store


def _expect_families(store: Store, memory: Memory) -> None:
    wanted = [[["a", k], value(str(k))] for k in range(3)]
    expect_rows(store.prefix(["a"], family="prefix"), wanted, f"A prefix scan with its prefix in {memory}")
    timers = [[[k - 1, "k"], value(str(k))] for k in range(3)]
    expect(store.scan(family="range"), timers, f"The timers that were put from {memory}")
    if store.has("range"):
        found = store.range([0, ""], [1, ""], family="range")
        expect(found, timers[1:2], f"A range scan with its bounds in {memory}")
    values = [value("1"), value("of another length"), value("3")]
    expect(store.values(key("a"), family="list"), values, f"The values of a key in {memory}")


def _expect_rows(lab: Lab, store: Store, wanted: dict[str, str], memory: Memory) -> None:
    """By gets, and by a scan whose rows equal those that Spark makes of the same columns."""
    for name in "abcd":
        found = value(wanted[name]) if name in wanted else None
        expect(store.get(key(name)), found, f"A get of a key in {memory}")
        expect(store.contains(key(name)), name in wanted, f"Asking for a key in {memory}")
    if "multi-get" in lab.capabilities:
        each = [value(text) for text in wanted.values()]
        expect(store.multi_get([key(name) for name in wanted]), each, f"A multiGet of keys in {memory}")
    expect_rows(store.scan(), pairs_of(wanted), f"The rows that were put from {memory}")
    expect(store.unequal("scan"), [], f"Rows put from {memory} that do not equal others of the same columns")
