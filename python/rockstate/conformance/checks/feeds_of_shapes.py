"""The change feed of rows of any shape, and of deletes."""

from __future__ import annotations

from rockstate.conformance.calls.answers import Change
from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.outcomes import Violation
from rockstate.conformance.calls.rows import Row
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, declare, value
from rockstate.conformance.lab.lab import Lab

STRUCT: Row = [["a", 1], ["b", 2]]
VALUES: dict[str, Row] = {"dummy": [None], "distinct": [], "flag": [5], "none": value("1"), "prefix_struct": value("2")}
KEYS: dict[str, list[Row]] = {
    "dummy": [["a"], [""], [None]],
    "distinct": [["a"], ["b"]],
    "flag": [["a"], ["b"]],
    "none": [["a"], ["b"]],
    "prefix_struct": [STRUCT, [["a", 1], [None, -1]]],
}


@check("R39", needs={"column-families", "prefix-scan"})
def changes_of_rows_of_any_shape_are_told(lab: Lab) -> None:
    """Keys of a deduplication have no value, those of DISTINCT no column of one, and maps have structs."""
    executor = lab.open(families=True)
    store = executor.begin(EMPTY)
    for encoder, keys in KEYS.items():
        store.create_family(f"like {encoder}", encoder=encoder)
        for each in keys:
            store.put(each, VALUES[encoder], family=f"like {encoder}")
    store = executor.begin(store.commit())
    for encoder, keys in KEYS.items():
        store.create_family(f"like {encoder}", encoder=encoder)
        store.remove(keys[0], family=f"like {encoder}")
    version = store.commit()
    for reader in (executor, lab.open("fresh", families=True)):
        for encoder, keys in KEYS.items():
            declare(reader, version, f"like {encoder}", encoder=encoder)
            found = reader.changes(1, version, family=f"like {encoder}", encoder=encoder)
            wanted = sorted(_text("put_record", each, VALUES[encoder], 0) for each in keys)
            _expect(found[: len(keys)], wanted, f"The puts of rows like {encoder}")
            _expect(
                found[len(keys) :], [_text("delete_record", keys[0], None, 1)], f"The delete of a row like {encoder}"
            )


@check("R39", needs={"timestamp-keys", "column-families", "multiple-values"})
def changes_of_keys_with_a_timestamp_are_told(lab: Lab) -> None:
    """A join has such in state format 4."""
    executor = lab.open(families=True)
    store = executor.begin(EMPTY)
    for encoder in ("timestamp_last", "timestamp_first"):
        store.create_family(encoder, encoder=encoder, multi=True)
        store.put_list(["a", 5], [value("1"), value("2")], family=encoder)
        store.merge(["a", -5], value("3"), family=encoder)
    version = store.commit()
    for encoder in ("timestamp_last", "timestamp_first"):
        fresh = lab.open("fresh", families=True)
        declare(fresh, version, encoder, encoder=encoder, multi=True)
        found = fresh.changes(1, version, family=encoder, encoder=encoder)
        for t, texts in ((5, "12"), (-5, "3")):
            told = [change.value for change in found if change.key == ["a", t]]
            expect(told, [value(text) for text in texts], f"The values that changes of {encoder} tell at {t}")
        if len(found) != 3:
            raise Violation(f"Three values were written with {encoder}, and the changes are {found}")


def _text(kind: str, key: Row, given: Row | None, version: int) -> str:
    return f"{kind} {key} {given} {version}"


def _expect(found: list[Change], wanted: list[str], what: str) -> None:
    told = sorted(_text(change.type, change.key, change.value, change.version) for change in found)
    expect(told, wanted, what)
