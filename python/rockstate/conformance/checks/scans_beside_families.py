"""Iterators over one family that stay open while another is read and written, as where one is copied to the other."""

from __future__ import annotations

from collections.abc import Callable

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import NotInSpark
from rockstate.conformance.checks.open_iterators import PREFIX, PREFIX_MULTI, RANGE, RANGE_MULTI, SCAN, Kind
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, key, value
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

SCAN_MULTI = Kind("scan_multi", "none", SCAN.within, [], [])
VALUES = Kind("values", "none", SCAN.within[:1], [], [], [SCAN.within[0]])

NEEDS = {"column-families", "multiple-values", "prefix-scan", "range-scan"}


@check("R22", needs=NEEDS)
def a_scan_goes_on_over_calls_on_other_families(lab: Lab) -> None:
    _goes_on(lab, SCAN)


@check("R22", needs=NEEDS)
def a_prefix_scan_goes_on_over_calls_on_other_families(lab: Lab) -> None:
    """A user's function copies a map to a list, or counts its entries, as it goes through it (MapStateImpl)."""
    _goes_on(lab, PREFIX)


@check("R22", needs=NEEDS)
def a_range_scan_goes_on_over_calls_on_other_families(lab: Lab) -> None:
    """What handles an expired timer may do all that a function can, while the timers are scanned (TimerStateImpl)."""
    _goes_on(lab, RANGE)


@check("R22", needs=NEEDS)
def a_scan_of_values_goes_on_over_calls_on_other_families(lab: Lab) -> None:
    _goes_on(lab, SCAN_MULTI)


@check("R22", needs=NEEDS)
def a_prefix_scan_of_values_goes_on_over_calls_on_other_families(lab: Lab) -> None:
    _goes_on(lab, PREFIX_MULTI)


@check("R22", needs=NEEDS)
def a_range_scan_of_values_goes_on_over_calls_on_other_families(lab: Lab) -> None:
    """A join in state format 4 scans its index, and removes from the other family (SymmetricHashJoinStateManager)."""
    _goes_on(lab, RANGE_MULTI)


@check("R22", needs=NEEDS)
def values_of_a_key_go_on_over_calls_on_other_families(lab: Lab) -> None:
    """A list is copied to a map, value by value (ListStateImpl)."""
    _goes_on(lab, VALUES)


def _goes_on(lab: Lab, kind: Kind) -> None:
    """Half of the rows are committed, and half the transaction's own; each call comes once before each half is over."""
    if not lab.has(kind.name):
        raise NotInSpark(kind.name, "4.2", lab.driver.spark)
    executor = lab.open(families=True)
    version = _filled(lab, kind, executor.begin(EMPTY), 0).commit()
    store = _filled(lab, kind, executor.begin(version), 1)
    for call in _calls(lab, store):
        iterator = store.open(kind.name, *kind.args, family="scanned")
        found = iterator.next(2)
        call()
        found += iterator.next(1000)
        if kind is VALUES:
            expect(found, [value(text) for text in "1212"], "A key's values, over a call on another family")
        else:
            expect_rows(found, kind.pairs, f"A {kind.name}, over a call on another family")
    two = store.commit()
    fresh = _declared(kind, lab.open("fresh", families=True).begin(two))
    expect(len(fresh.scan(family="one")), 1, "What was written to another family while one was scanned")
    expect(fresh.values(key("a"), family="lists"), [value("3"), value("4"), value("4")], "What was merged meanwhile")
    fresh.abort()


def _declared(kind: Kind, store: Store) -> Store:
    is_multi = kind is VALUES or kind.texts != "1"
    store.create_family("scanned", encoder=kind.encoder, multi=is_multi)
    store.create_family("one")
    store.create_family("lists", multi=True)
    store.create_family("prefixes", encoder="prefix")
    store.create_family("ranges", encoder="range")
    return store


def _filled(lab: Lab, kind: Kind, store: Store, half: int) -> Store:
    _declared(kind, store)
    for each in kind.within if kind is VALUES else kind.within[half::2]:
        values = [value(text) for text in ("12" if kind is VALUES else kind.texts)]
        if kind is VALUES or kind.texts != "1":
            store.merge_list(each, values, family="scanned")
        else:
            store.put(each, values[0], family="scanned")
    store.put(key(f"row{half}"), value("1"), family="one")
    store.put_list(key(f"row{half}"), [value("1"), value("2")], family="lists")
    for i in range(3):
        store.put(["p", 3 * half + i], value("1"), family="prefixes")
        store.put([3 * half + i, "k"], value("1"), family="ranges")
    return store


def _calls(lab: Lab, store: Store) -> list[Callable[[], object]]:
    """On other families than the scanned one, each as a task may make it; together they leave what is expected."""
    several = [
        lambda: store.multi_get([key("row0"), key("row1")], family="one"),
        lambda: store.range([0, ""], [9, ""], family="ranges"),
        lambda: store.scan_multi(family="lists"),
    ]
    return [
        lambda: store.put(key("a"), value("2"), family="one"),
        lambda: store.get(key("row0"), family="one"),
        lambda: store.contains(key("none"), family="one"),
        lambda: store.remove(key("row0"), family="one"),
        lambda: store.remove(key("row1"), family="one"),
        lambda: store.scan(family="one"),
        lambda: store.put_list(key("a"), [value("3"), value("4")], family="lists"),
        lambda: store.merge(key("a"), value("4"), family="lists"),
        lambda: store.values(key("row1"), family="lists"),
        lambda: store.remove(key("row0"), family="lists"),
        lambda: store.put(["p", 9], value("1"), family="prefixes"),
        lambda: store.prefix(["p"], family="prefixes"),
        lambda: store.put([9, "k"], value("1"), family="ranges"),
        lambda: store.remove([0, "k"], family="ranges"),
        lambda: store.scan(family="ranges"),
        *(several if lab.has("scan_multi") else []),
    ]
