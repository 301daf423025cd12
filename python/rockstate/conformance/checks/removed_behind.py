"""Rows that are removed as a scan comes to them: whatever the kind of the scan, and however many."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import NotInSpark
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, value, write_calls
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import ScanKind

MANY = 12_000


@check("R22", needs={"prefix-scan"})
def very_many_rows_may_be_removed_while_a_prefix_is_scanned(lab: Lab) -> None:
    """So a map of transformWithState is cleared."""
    _removed_behind(lab, "prefix", [["a", i] for i in range(MANY)], "prefix", [["a"]])


@check("R22", needs={"multiple-values"})
def very_many_keys_may_be_removed_while_all_values_are_scanned(lab: Lab) -> None:
    _removed_behind(lab, "none", [[f"row{i}"] for i in range(MANY // 2)], "scan_multi", [])


@check("R22", needs={"multiple-values", "prefix-scan"})
def very_many_keys_may_be_removed_while_a_prefixs_values_are_scanned(lab: Lab) -> None:
    _removed_behind(lab, "prefix", [["a", i] for i in range(MANY // 2)], "prefix_multi", [["a"]])


@check("R22", needs={"multiple-values", "range-scan"})
def very_many_keys_may_be_removed_while_a_ranges_values_are_scanned(lab: Lab) -> None:
    """A join evicts so in state format 4."""
    _removed_behind(lab, "range", [[i, "k"] for i in range(MANY // 2)], "range_multi", [[0, ""], [MANY, ""]])


def _removed_behind(lab: Lab, encoder: str, keys: list[Row], kind: ScanKind, args: list[Row]) -> None:
    """Half of the keys are the transaction's own; one goes as soon as the scan has given all of its values."""
    is_multi = kind.endswith("_multi")
    if is_multi and not lab.has(kind):
        raise NotInSpark(kind, "4.2", lab.driver.spark)
    values = [value("1"), value("2")] if is_multi else [value("1")]
    families = is_multi or "column-families" in lab.capabilities
    executor = lab.open(encoder=encoder, families=families, multi=is_multi)
    store = executor.begin(EMPTY)
    for half in (keys[::2], keys[1::2]):
        calls = [store.call("put", each, values[0]) for each in half]
        if is_multi:
            calls += [store.call("merge", each, values[1]) for each in half]
        write_calls(lab, calls)
        if half[0] == keys[0]:
            store = executor.begin(store.commit())
    iterator = store.open(kind, *args)
    found: list[Pair] = []
    removed = 0
    while len(found) <= len(keys) * len(values) and (pairs := iterator.next(101)):
        found += pairs
        whole = len(found) // len(values)
        gone = [found[i * len(values)][0] for i in range(removed, whole)]
        write_calls(lab, [store.call("remove", each) for each in gone])
        removed = whole
    expect_rows(found, [[each, one] for each in keys for one in values], f"A {kind} behind which each key was removed")
    expect(store.scan(), [], f"What is left after a {kind} behind which each key was removed")
    two = store.commit()
    for reader in (executor, lab.open("fresh", encoder=encoder, families=families, multi=is_multi)):
        store = reader.begin_read(two)
        expect(store.scan(), [], f"What is left after a {kind} behind which each key was removed, committed")
        store.release()
