"""Keys that were taken out of other rows, and say to have as many columns as those: the index of expiry has such."""

from __future__ import annotations

from typing import Any

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Row
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

INDEX: Any = {"fields": 2}
"""What TTLState says of every key that it takes out of its index."""
ENCODERS = {"one": "none", "three": "columns_3"}


@check("R24", needs={"column-families"})
def a_key_taken_out_of_another_row_is_the_key(lab: Lab) -> None:
    """Expiry takes keys by getStruct with the index's number of columns, 2, whatever a key has (TTLState.toTTLRow)."""
    executor = lab.open(families=True)
    store = _begin(executor, EMPTY)
    for family in ENCODERS:
        for text in "ab":
            store.put(_row(family, text), _value(family, "1"), family=family)
    one = store.commit()
    store = _begin(executor, one)
    for family in ENCODERS:
        kept, removed, new = (_row(family, text) for text in "abc")
        store.put(new, _value(family, "3"), family=family, **INDEX)
        expect(store.get(kept, family=family, **INDEX), _value(family, "1"), "A get by a key taken out of another row")
        expect(store.get(new, family=family), _value(family, "3"), "A get of what such a key has put")
        store.put(kept, _value(family, "2"), family=family, **INDEX)
        store.remove(removed, family=family, **INDEX)
        expect(store.get(removed, family=family), None, "A get of what such a key has removed")
    two = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        store = _begin(reader, two)
        for family in ENCODERS:
            wanted = [[_row(family, "a"), _value(family, "2")], [_row(family, "c"), _value(family, "3")]]
            expect_rows(store.scan(family=family), wanted, "Rows that were written by keys taken out of others")
        store.abort()


@check("R26", needs={"column-families"})
def values_of_a_key_taken_out_of_another_row_are_the_keys(lab: Lab) -> None:
    """A list with expiry reads and removes its values by such a key, and puts and merges those that stay."""
    executor = lab.open(families=True)
    store = _begin(executor, EMPTY, multi=True)
    for family in ENCODERS:
        store.put_list(_row(family, "a"), [_value(family, text) for text in "123"], family=family)
    one = store.commit()
    store = _begin(executor, one, multi=True)
    for family in ENCODERS:
        found = store.values(_row(family, "a"), family=family, **INDEX)
        expect(found, [_value(family, text) for text in "123"], "The values of a key taken out of another row")
        store.remove(_row(family, "a"), family=family, **INDEX)
        store.put(_row(family, "a"), _value(family, "2"), family=family, **INDEX)
        store.merge(_row(family, "a"), _value(family, "3"), family=family, **INDEX)
    two = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        store = _begin(reader, two, multi=True)
        for family in ENCODERS:
            found = store.values(_row(family, "a"), family=family)
            expect(found, [_value(family, text) for text in "23"], "Values that were put by a key taken out of a row")
        store.abort()


def _begin(executor: Executor, version: Version, *, multi: bool = False) -> Store:
    store = executor.begin(version)
    for family, encoder in ENCODERS.items():
        store.create_family(family, encoder=encoder, multi=multi)
    return store


def _row(family: str, text: str) -> Row:
    return [text] if family == "one" else [text, 1, None]


def _value(family: str, text: str) -> Row:
    return [text, 1] if family == "one" else [text, 1, text]
