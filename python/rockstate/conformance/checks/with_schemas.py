"""Stores that are given the schemas of their state, as those of transformWithState are."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect_rows
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, begin_with, key, pairs_of, value
from rockstate.conformance.lab.lab import Lab

CONF = {**SNAPSHOTS, "spark.rockstate.conformance.stateSchemas": "true"}


@check("R28")
def families_of_a_store_that_is_given_schemas_are_kept(lab: Lab) -> None:
    """Who encodes rows by them asks for them; others have no use for them."""
    executor = lab.open(families=True, conf=CONF)
    version = EMPTY
    for i in (1, 2, 3):
        store = begin_with(executor, version, "one", "two")
        store.put(key("a"), value(str(i)), family="one")
        store.put(key(f"row{i}"), value("x"), family="two")
        version = store.commit()
        executor.maintain()
    store = begin_with(lab.open("fresh", families=True, conf=CONF), version, "one", "two")
    expect_rows(store.scan(family="one"), pairs_of({"a": "3"}), "A family of a store that is given schemas")
    rows = pairs_of({f"row{i}": "x" for i in (1, 2, 3)})
    expect_rows(store.scan(family="two"), rows, "Another family of a store that is given schemas")
    store.abort()
