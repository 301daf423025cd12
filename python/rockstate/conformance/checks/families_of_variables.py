"""Families as transformWithState names them: a variable's own, those beside it, and long names."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect_rows
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SNAPSHOTS,
    begin_with,
    here_and_afresh,
    key,
    pairs_of,
    value,
    write_calls,
)
from rockstate.conformance.lab.lab import Lab

OF_A_VARIABLE = ("x", "$ttl_x", "$min_x", "$count_x", "$rowCounter_x", "$procTimers_keyToTimestamp", "$procTimers_x")
LENGTHS = (8, 16, 17, 32, 64, 65, 100, 128, 200, 250)


@check("R28")
def families_beside_a_variables_own_are_apart(lab: Lab) -> None:
    """A variable with a TTL has an index and counters of its own (TTLState, ListStateMetricsImpl)."""
    _expect_apart(lab, OF_A_VARIABLE)


@check("R28")
def families_whose_names_differ_in_little_are_apart(lab: Lab) -> None:
    """In their last letter, a blank or the case of one."""
    long = [("y" * (length - 1)) + end for length in LENGTHS for end in "ab"]
    _expect_apart(lab, ("a b", "ab", "a.b", "a-b", "a_b", "a/b", "AB", "aB", *long))


def _expect_apart(lab: Lab, names: tuple[str, ...]) -> None:
    executor = lab.open(families=True, conf=SNAPSHOTS)
    version = EMPTY
    for batch in range(2):
        store = begin_with(executor, version, *names)
        for name in names:
            puts = {f"of {name}": "1", "a": name[-20:], f"row{batch}": str(len(name))}
            write_calls(lab, [store.call("put", key(each), value(text), family=name) for each, text in puts.items()])
        version = store.commit()
    for reader in here_and_afresh(lab, executor, families=True):
        store = begin_with(reader, version, *names)
        for name in names:
            rows = {f"of {name}": "1", "a": name[-20:], "row0": str(len(name)), "row1": str(len(name))}
            expect_rows(store.scan(family=name), pairs_of(rows), f"The family {name!r} beside others")
        store.abort()
