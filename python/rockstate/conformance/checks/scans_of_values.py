"""Scans of all values, and a key's values, one by one: asked for more, and with removes in between."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.open_iterators import (
    PREFIX_MULTI,
    RANGE_MULTI,
    SCAN,
    Kind,
    asked_twice,
    drained,
    filled,
)
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, key, value
from rockstate.conformance.lab.lab import Lab

SCAN_MULTI = Kind("scan_multi", SCAN.encoder, SCAN.within, [], [])


@check("R27")
def asking_for_more_of_all_values_takes_nothing(lab: Lab) -> None:
    asked_twice(lab, SCAN_MULTI)


@check("R27", needs={"prefix-scan"})
def asking_for_more_of_a_prefixs_values_takes_nothing(lab: Lab) -> None:
    asked_twice(lab, PREFIX_MULTI)


@check("R27", needs={"range-scan"})
def asking_for_more_of_a_ranges_values_takes_nothing(lab: Lab) -> None:
    asked_twice(lab, RANGE_MULTI)


@check("R27")
def asking_for_more_of_a_keys_values_takes_nothing(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True)
    store = executor.begin(EMPTY)
    store.put_list(key("a"), [value(text) for text in "123"])
    store.put_list(key("b"), [value("of another")])
    one = store.commit()
    for reader in (executor, lab.open("fresh", families=True, multi=True)):
        store = reader.begin(one)
        store.merge(key("a"), value("4"))
        found: list[Row] = drained(store.open("values", key("a")), 4, "a key's values")
        expect(found, [value(text) for text in "1234"], "A key's values that were asked for more several times")
        drained(store.open("values", key("nothing there")), 0, "the values of a key that is not there")
        store.abort()


@check("R22", needs={"prefix-scan", "multiple-values"})
def keys_of_a_prefix_with_values_can_be_removed_behind_the_scan(lab: Lab) -> None:
    _removed_behind(lab, PREFIX_MULTI)


@check("R22", needs={"range-scan", "multiple-values"})
def keys_of_a_range_with_values_can_be_removed_behind_the_scan(lab: Lab) -> None:
    """A join that evicts rows removes a key once the scan has come to the next one."""
    _removed_behind(lab, RANGE_MULTI)


def _removed_behind(lab: Lab, kind: Kind) -> None:
    """Each key is removed when the first value of the next has come; the scan gives all that there was."""
    store = filled(lab, kind)
    iterator = store.open(kind.name, *kind.args)
    found: list[Pair] = []
    while len(found) <= len(kind.pairs) and (pairs := iterator.next()):
        if found and pairs[0][0] != found[-1][0]:
            store.remove(found[-1][0])
        found += pairs
    expect_rows(found, kind.pairs, f"A {kind.name} whose keys were removed behind it")
    store.remove(found[-1][0])
    left = [[each, value(text)] for each in kind.beside for text in kind.texts]
    expect_rows(store.scan_multi(), left, f"What is left after a {kind.name} that removed its keys")
    store.abort()
