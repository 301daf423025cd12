"""Stores that are opened with other columns than those that they were written with, as Spark allows."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Pair
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, commit, declare, expect_version, key, pairs_of, value
from rockstate.conformance.lab.lab import Lab

FAMILIES: dict[str, list[Pair]] = {
    "prefix": [[["a", 1], value("1")], [["a", 2], value("2")], [["b", 1], value("3")]],
    "range": [[[-5, "k"], value("1")], [[7, "k"], value("2")]],
    "none": [[["a"], value("1")], [["a"], value("2")], [["b"], value("3")]],
}
"""Rows of a family of each encoder; of that without an order a key has several values."""


@check("R03")
def columns_may_have_other_names_after_a_restart(lab: Lab) -> None:
    """Spark's check of the state's schema looks at types, and lets columns be null no longer."""
    executor = lab.open(conf=SNAPSHOTS)
    rows: dict[str, str] = {}
    version = EMPTY
    for i, name in enumerate(("a", "a", "renamed")):
        if name != "a":
            executor = lab.open(name, encoder="renamed", conf=SNAPSHOTS)
        rows |= {"a": str(i), f"row{i}": "1"}
        version = commit(lab, executor, version, {"a": str(i), f"row{i}": "1"})
        executor.maintain()
    fresh = lab.open("fresh", encoder="renamed", conf=SNAPSHOTS)
    expect_version(fresh, version, rows, "of a store whose columns were renamed")


@check("R29")
def columns_of_a_family_may_have_other_names_after_a_restart(lab: Lab) -> None:
    version = EMPTY
    for i, encoder in enumerate(("none", "renamed", "renamed")):
        executor = lab.open(families=True, conf=SNAPSHOTS)
        store = executor.begin(version)
        store.create_family("one", encoder=encoder)
        wanted = pairs_of({f"row{n}": "1" for n in range(i)})
        expect_rows(store.scan(family="one"), wanted, "The rows of a family whose columns were renamed")
        store.put(key(f"row{i}"), value("1"), family="one")
        version = store.commit()
        executor.maintain()


@check("R29", needs={"multiple-values", "prefix-scan", "range-scan"})
def families_can_be_read_beside_another_default(lab: Lab) -> None:
    """The state data source opens a store as if it had only the family that it reads, and that were the default."""
    executor = lab.open(families=True, encoder="dummy", conf=SNAPSHOTS)
    version = EMPTY
    for _ in range(2):
        store = executor.begin(version)
        for encoder in FAMILIES:
            store.create_family(f"of {encoder}", encoder=encoder, multi=encoder == "none")
        if version == EMPTY:
            for encoder, pairs in FAMILIES.items():
                for row_key, row_value in pairs:
                    write_one = store.merge if encoder == "none" else store.put
                    write_one(row_key, row_value, family=f"of {encoder}")
        version = store.commit()
        for encoder in FAMILIES:
            _expect_read(lab, encoder, version)
        executor.maintain()


def _expect_read(lab: Lab, encoder: str, version: Version) -> None:
    """The family of the encoder has its rows for a reader that takes what it has for the default family's."""
    family, pairs, is_list = f"of {encoder}", FAMILIES[encoder], encoder == "none"
    reader = lab.open("reader", families=True, encoder=encoder, multi=is_list, conf=SNAPSHOTS)
    declare(reader, version, family, encoder=encoder, multi=is_list)
    store = reader.begin_read(version)
    if is_list:
        found = [[key(name), each] for name in "ab" for each in store.values(key(name), family=family)]
    else:
        found = store.scan(family=family)
    expect_rows(found, pairs, f"The rows of the family {family!r}, read beside a default family of its own kind")
    store.release()
    reader.close()
