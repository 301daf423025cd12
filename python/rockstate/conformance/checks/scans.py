"""Scans: prefix, range and full, with the transaction's own writes, and in order where the encoder has one."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, refused
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, value, write_calls
from rockstate.conformance.checks.side_by_side import Both
from rockstate.conformance.histories.model import Key
from rockstate.conformance.lab.lab import Lab

TEXTS: list[Key] = [("a",), ("nothing there",)]
TIMES: list[int | None] = [
    None,
    -(2**63),
    -(2**40),
    -65536,
    -257,
    -256,
    -255,
    -2,
    -1,
    0,
    1,
    2,
    127,
    128,
    255,
    256,
    65535,
    2**31,
    2**40,
    2**63 - 1,
]


@check("R18")
def a_prefix_scan_gives_the_rows_of_its_prefix(lab: Lab) -> None:
    executor = lab.open(encoder="prefix")
    both = Both(lab, executor, "prefix")
    keys: list[Key] = [(p, k) for p in ("a", "aa", "b", "", "ü") for k in (-1, 0, 1, 300)]
    both.put(*keys)
    both.expect_prefixes("in the transaction that wrote them", *TEXTS)
    both.commit()
    both.begin(executor)
    both.expect_prefixes("once committed", *TEXTS)
    both.store.abort()
    both.begin(lab.open("fresh", encoder="prefix"))
    both.expect_prefixes("read by an executor with an empty disk", *TEXTS)
    both.store.abort()


@check("R18")
def a_prefix_scan_sees_the_transactions_own_writes(lab: Lab) -> None:
    executor = lab.open(encoder="prefix")
    both = Both(lab, executor, "prefix")
    both.put(("a", 1), ("a", 2), ("a", 3), ("b", 1))
    both.commit()
    both.begin(executor)
    both.remove(("a", 1), ("b", 1), ("c", 9))
    both.put(("a", 2), ("a", 4), ("c", 1))
    both.expect_prefixes("after removes, an overwrite and new keys", *TEXTS)
    both.put(("a", 1), ("b", 2))
    both.remove(("a", 4), ("a", 3))
    both.expect_prefixes("after a key came back and a new one went", *TEXTS)
    both.commit()
    both.begin(lab.open("fresh", encoder="prefix"))
    both.expect_prefixes("once committed", *TEXTS)
    both.store.abort()


@check("R18")
def a_prefix_scan_after_an_abort_is_as_before(lab: Lab) -> None:
    executor = lab.open(encoder="prefix")
    both = Both(lab, executor, "prefix")
    both.put(("a", 1), ("a", 2), ("b", 1))
    both.commit()
    aborted = executor.begin(both.version)
    aborted.remove(["a", 1])
    aborted.put(["a", 3], ["x", 1])
    aborted.put(["c", 3], ["x", 1])
    aborted.abort()
    both.begin(executor)
    both.expect_prefixes("after an abort", *TEXTS)
    both.store.abort()


@check("R18")
def a_prefix_scan_of_keys_without_prefix_is_refused(lab: Lab) -> None:
    store = lab.open().begin(EMPTY)
    store.put(["a"], value("1"))
    with refused("A prefix scan of keys that were declared without a prefix must be refused"):
        store.prefix(["a"])
    store.abort()


@check("R19")
def keys_of_the_range_encoder_come_in_order(lab: Lab) -> None:
    executor = lab.open(encoder="range")
    both = Both(lab, executor, "range")
    both.put(*[(t, f"k{i}") for i, t in enumerate(reversed(TIMES))])
    both.expect_order("in the transaction that wrote them")
    both.commit()
    both.begin(executor)
    both.expect_order("once committed")
    both.store.abort()
    both.begin(lab.open("fresh", encoder="range"))
    both.expect_order("read by an executor with an empty disk")
    both.store.abort()


@check("R19")
def own_writes_come_in_order_among_committed_rows(lab: Lab) -> None:
    executor = lab.open(encoder="range")
    both = Both(lab, executor, "range")
    both.put(*[(t, "k") for t in (-20, -10, 0, 10, 20, 30)])
    both.commit()
    both.begin(executor)
    both.put((-15, "k"), (None, "k"), (5, "k"), (10, "k"), (10, "other"), (40, "k"))
    both.remove((-10, "k"), (20, "k"))
    both.expect_order("with own writes among them")
    both.put((20, "k"))
    both.remove((-15, "k"), (0, "k"))
    both.expect_order("after a key came back and others went")
    both.commit()
    both.begin(lab.open("fresh", encoder="range"))
    both.expect_order("once committed")
    both.store.abort()


@check("R19")
def a_range_scan_keeps_to_its_bounds(lab: Lab) -> None:
    executor = lab.open(encoder="range")
    both = Both(lab, executor, "range")
    both.put(*[(t, "") for t in TIMES])
    both.expect_ranges("in the transaction that wrote them")
    both.commit()
    both.begin(executor)
    both.expect_ranges("once committed")
    both.store.abort()
    both.begin(lab.open("fresh", encoder="range"))
    both.expect_ranges("read by an executor with an empty disk")
    both.store.abort()


@check("R19")
def a_range_scan_sees_the_transactions_own_writes(lab: Lab) -> None:
    executor = lab.open(encoder="range")
    both = Both(lab, executor, "range")
    both.put(*[(t, "k") for t in (-256, -1, 0, 255, 256)])
    both.commit()
    both.begin(executor)
    both.put((-257, "k"), (-1, "k"), (1, "k"), (2**40, "k"), (None, "k"))
    both.remove((0, "k"), (256, "k"), (7, "k"))
    both.expect_ranges("with own writes")
    both.put((0, "k"))
    both.remove((1, "k"), (-257, "k"))
    both.expect_ranges("after a key came back and new ones went")
    both.store.abort()


@check("R19")
def a_range_that_ends_before_it_starts_is_empty(lab: Lab) -> None:
    """Expiry asks for the times since the last batch, and clocks are set back."""
    for families in (False, True) if "column-families" in lab.capabilities else (False,):
        place = (f"families{families}", 0)
        executor = lab.open(encoder="range", families=families, place=place)
        both = Both(lab, executor, "range")
        both.put(*[(t, "k") for t in (-300, -1, 0, 1, 300)])
        both.commit()
        for reader in (executor, lab.open("fresh", encoder="range", families=families, place=place)):
            both.begin(reader)
            both.put((2, "k"))
            for first, last in ((1, 0), (300, -300), (0, -1), (10**12, 10**12 - 5)):
                what = f"A range from {first} to {last}, which is before"
                expect(both.store.range([first, ""], [last, ""]), [], what)
            both.store.abort()


@check("R25")
def delete_range_removes_the_rows_within_its_bounds(lab: Lab) -> None:
    families = "column-families" in lab.capabilities
    executor = lab.open(encoder="range", families=families)
    both = Both(lab, executor, "range")
    both.put(*[(t, "k") for t in (-300, -2, -1, 0, 1, 2, 300)])
    both.commit()
    both.begin(executor)
    both.put((3, "k"), (-3, "k"))
    both.delete_range((-2, ""), (2, ""))
    both.expect_ranges("after a delete of a range")
    both.put((0, "k"))
    both.expect_ranges("after a deleted key came back")
    both.commit()
    for reader in (executor, lab.open("fresh", encoder="range", families=families)):
        both.begin(reader)
        both.expect_ranges("once a delete of a range is committed")
        both.store.abort()


@check("R25", needs={"column-families"})
def delete_range_leaves_other_families(lab: Lab) -> None:
    executor = lab.open(encoder="range", families=True)
    version = EMPTY
    wanted = {"default": [0, 1, 2, 3], "timers": [0, 3], "more": [0, 1, 2, 3]}
    for reader in (executor, executor, lab.open("fresh", encoder="range", families=True)):
        store = reader.begin(version)
        for family in ("timers", "more"):
            store.create_family(family, encoder="range")
        if version == EMPTY:
            for family in wanted:
                write_calls(lab, [store.call("put", [t, "k"], value("1"), family=family) for t in range(4)])
            store.delete_range([1, ""], [3, ""], family="timers")
        for family, times in wanted.items():
            found = [pair[0][0] for pair in store.scan(family=family)]
            expect(found, times, f"The times of {family} after a delete of a range of timers")
        if version == EMPTY:
            version = store.commit()
        else:
            store.abort()


@check("R25")
def delete_range_leaves_the_key_at_its_end(lab: Lab) -> None:
    families = "column-families" in lab.capabilities
    executor = lab.open(encoder="range", families=families)
    both = Both(lab, executor, "range")
    both.put(*[(t, "k") for t in (-1, 0, 1)])
    both.commit()
    both.begin(executor)
    both.put((2, "k"), (3, "k"))
    both.delete_range((0, "k"), (2, "k"))
    both.expect_ranges("after a delete from one key up to another")
    both.delete_range((-1, "k"), (-1, "k"))
    both.expect_ranges("after a delete of a range without keys")
    both.commit()
    both.begin(lab.open("fresh", encoder="range", families=families))
    both.expect_ranges("once a delete from one key up to another is committed")
    both.store.abort()
