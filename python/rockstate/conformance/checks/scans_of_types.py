"""Scans by columns of other types than text and bigint, and by several: what their bytes tell, and what they do not."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, value, write_calls
from rockstate.conformance.checks.side_by_side import Both
from rockstate.conformance.histories.model import Key
from rockstate.conformance.lab.lab import Lab

BIGINTS = (None, -(2**63), -(2**56), -(2**55), -65536, -257, -256, -2, -1, 0, 1, 255, 256, 65535, 2**56, 2**63 - 1)
DOUBLES = (None, -1.7e308, -1e10, -1.5, -1.0, -1e-300, 0.0, 1e-300, 0.5, 1.0, 1.5, 1e10, 1.7e308)
"""Both kinds of zero and NaN are left out: Spark's encoder tells the zeros apart, and its operators have neither."""


@check("R18")
def a_prefix_of_a_number_has_no_neighbours_in_it(lab: Lab) -> None:
    """The last byte of a small negative bigint is 0xFF: what follows it in the order of bytes is not one more."""
    both = Both(lab, lab.open(encoder="prefix_bigint"), "prefix_bigint")
    both.put(*[(p, k) for p in BIGINTS for k in (-1, 0, 1)])
    both.expect_prefixes("in the transaction that wrote them", (7,), (-3,))
    both.commit()
    both.begin(lab.open("fresh", encoder="prefix_bigint"))
    both.put((-3, 1))
    both.remove((-1, 0))
    both.expect_prefixes("once committed, with own writes", (7,))
    both.store.abort()


@check("R19")
def floating_point_keys_come_in_order(lab: Lab) -> None:
    both = Both(lab, lab.open(encoder="range_double"), "range_double")
    both.put(*[(t, "k") for t in DOUBLES[::2]])
    both.commit()
    both.begin(lab.open("fresh", encoder="range_double"))
    keys: list[Key] = [(t, "k") for t in DOUBLES[1::2]]
    both.put(*keys)
    both.expect_order("of doubles, half of them own writes")
    if lab.has("range"):
        both.expect_ranges("of doubles, half of them own writes")
    both.store.abort()


@check("R19")
def keys_of_two_ordering_columns_come_in_order(lab: Lab) -> None:
    keys = [[t, s, "k"] for t in (-256, -1, 0, 1, 256) for s in (-(2**31), -1, 0, 1, 2**31 - 1)]
    executor = lab.open(encoder="range_two")
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", each, value(str(each))) for each in reversed(keys[::2])])
    one = store.commit()
    store = lab.open("fresh", encoder="range_two").begin(one)
    write_calls(lab, [store.call("put", each, value(str(each))) for each in keys[1::2]])
    wanted = [[each, value(str(each))] for each in keys]
    expect(store.scan(), wanted, "A scan in the order of two columns")
    if lab.has("range"):
        expect(store.range([-1, 0, ""], [1, -1, ""]), wanted[7:16], "A range between keys of two columns")
    store.abort()
