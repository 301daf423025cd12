"""Rows of any shape that come back as they were, in their transaction and over a snapshot, and then can be removed."""

from __future__ import annotations

from typing import TypeAlias

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, expect_count, write_calls
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

Puts: TypeAlias = list[tuple[Row, Row]]
"""Keys, each with the value that is put."""


def expect_each(lab: Lab, encoder: str, first: Puts, second: Puts) -> None:
    """Rows that a first version puts, and a second; here, in the next version and read afresh, over a snapshot too.

    Each equals the row that was put, byte by byte. In the end each can be removed, by its key and by the row that a
    scan gave of it.
    """
    place = (encoder, 0)
    executor = lab.open(encoder=encoder, place=place, conf=SNAPSHOTS)
    version: Version = EMPTY
    wanted: list[Pair] = []
    for rows in (first, second):
        store = executor.begin(version)
        write_calls(lab, [store.call("put", row_key, row_value) for row_key, row_value in rows])
        keys = [row_key for row_key, _ in rows]
        wanted = [pair for pair in wanted if pair[0] not in keys] + [[*pair] for pair in rows]
        _expect_there(lab, store, wanted, "in the transaction that wrote them")
        version = store.commit()
        expect_count(store, len(wanted), f"numKeys of a store with the encoder {encoder}")
        for name in ("fresh", "after"):
            store = lab.open(name, encoder=encoder, place=place, conf=SNAPSHOTS).begin(version)
            _expect_there(lab, store, wanted, "read afresh")
            store.abort()
            executor.maintain()
    store = executor.begin(version)
    write_calls(lab, [store.call("remove", row_key) for row_key, _ in wanted])
    for row_key, _ in wanted:
        expect(store.get(row_key), None, f"A get of {row_key}, which was removed")
    expect(store.scan(), [], "A scan after all rows were removed")
    store.abort()
    store = executor.begin(version)
    iterator = store.open("scan")
    for _ in wanted:
        store.remove_held(iterator.hold())
    expect(store.scan(), [], "A scan after all rows were removed by the keys that a scan gave")
    store.abort()


def _expect_there(lab: Lab, store: Store, wanted: list[Pair], when: str) -> None:
    gets = lab.run([store.call("get", row_key) for row_key, _ in wanted])
    for (row_key, row_value), got in zip(wanted, gets, strict=True):
        expect(got.get(), row_value, f"A get of {row_key} {when}")
    for row_key, _ in wanted[:: 1 + len(wanted) // 10]:
        expect(store.contains(row_key), True, f"Asking for {row_key} {when}")
        expect(store.unequal("get", row_key), [], f"A get of {row_key} {when} that does not equal others like it")
    expect_rows(store.scan(), wanted, f"A scan {when}")
    expect(store.unequal("scan"), [], f"Rows of a scan {when} that do not equal others of the same columns")
