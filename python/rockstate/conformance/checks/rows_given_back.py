"""Values that a store has given, and that its task writes to it again as they are."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version, key, pairs_of, value
from rockstate.conformance.lab.lab import Lab

ROWS = {"a": "1", "b": "2 of another length", "c": "3"}


@check("R24")
def a_value_that_a_store_gave_can_be_put_again(lab: Lab) -> None:
    """A join removes a value by putting the key's last one, as the store gave it, in its place."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, ROWS)
    store = executor.begin(one)
    store.put(key("own"), value("4"))
    rows = {**ROWS, "own": "4"}
    wanted = dict(rows)
    for name, text in rows.items():
        row = store.hold(key(name))
        for copy in (f"of {name}", f"another of {name}", name):
            store.put_value(key(copy), row)
            expect(store.get(key(copy)), value(text), f"A get of {copy!r}, to which a value of the store was put")
            wanted[copy] = text
    expect_rows(store.scan(), pairs_of(wanted), "A scan after puts of the store's own values")
    two = store.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, wanted, "with values that were put as the store gave them")


@check("R26")
def the_values_of_a_key_can_be_written_again(lab: Lab) -> None:
    """A list with expiry goes through its values, removes the key, puts the first that stays, and merges the others."""
    executor = lab.open(families=True, multi=True)
    texts = ["1", "2 of another length", "2 of another length", "4"]
    store = executor.begin(EMPTY)
    store.put_list(key("a"), [value(text) for text in texts])
    store = executor.begin(store.commit())
    store.put_list(key("own"), [value(text) for text in texts])
    for name in ("a", "own"):
        iterator = store.open("values", key(name))
        store.remove(key(name))
        iterator.next()
        for i in range(1, len(texts)):
            row = iterator.hold()
            (store.merge_value if i > 1 else store.put_value)(key(name), row)
    two = store.commit()
    for reader in (executor, lab.open("fresh", families=True, multi=True)):
        store = reader.begin(two)
        for name in ("a", "own"):
            expect(
                store.values(key(name)), [value(text) for text in texts[1:]], f"The values of {name!r}, written again"
            )
        store.abort()
