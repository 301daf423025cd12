"""Scans by columns of other types than text and bigint, and by several: what their bytes tell, and what they do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import NotInSpark
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, value, write_calls
from rockstate.conformance.checks.side_by_side import Both
from rockstate.conformance.histories.model import Key
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

BIGINTS = (None, -(2**63), -(2**56), -(2**55), -65536, -257, -256, -2, -1, 0, 1, 255, 256, 65535, 2**56, 2**63 - 1)
OTHER_TYPES: dict[str, tuple[int | float | None, ...]] = {
    "range_byte": (None, -128, -1, 0, 1, 127),
    "range_short": (None, -(2**15), -257, -1, 0, 1, 256, 2**15 - 1),
    "range_int": (None, -(2**31), -65536, -1, 0, 1, 255, 256, 2**31 - 1),
    "range_float": (None, -(2.0**100), -1.5, -0.25, 0.0, 0.25, 1.5, 2.0**100),
}
"""Columns that order keys, beside those that Spark's own operators have; these floats are exact in 32 bits."""
TIMESTAMPS = (-(2**40), -1, 0, 1000, 2**40)
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


@check("R18")
def a_prefix_of_two_columns_is_compared_whole(lab: Lab) -> None:
    """A session window that is grouped by two columns has one."""
    executor = lab.open(encoder="prefix_two")
    both = Both(lab, executor, "prefix_two", prefix_columns=2)
    keys: list[Key] = [(p, q, k) for p in ("a", "ab", None) for q in (-1, 0, 1, None) for k in (0, 1)]
    both.put(*keys[::2], *keys[1::4])
    both.expect_prefixes("of two columns, in the transaction that wrote them", ("a", 7))
    both.commit()
    both.begin(lab.open("fresh", encoder="prefix_two"))
    both.put(*keys[3::4])
    both.remove(("a", 0, 0))
    both.expect_prefixes("of two columns, once committed", ("a", 7), ("b", 0))
    both.store.abort()


@check("R18")
def a_prefix_may_be_any_text(lab: Lab) -> None:
    both = Both(lab, lab.open(encoder="prefix"), "prefix")
    texts = (
        "",
        "a",
        "a\0",
        "a\0b",
        "ab",
        "x" * 300,
        "x" * 299 + "y",
        "y" * 70_000,
        "\uffff",
        "\U0001f980",
        "\U0001f981",
    )
    keys: list[Key] = [(text, k) for text in texts for k in (0, 1)]
    both.put(*keys[::2])
    both.commit()
    both.begin(lab.open("fresh", encoder="prefix"))
    both.put(*keys[1::2])
    both.expect_prefixes("of any text, half of the rows own writes")
    both.store.abort()


@check("R20")
def nulls_behind_what_is_scanned_by_come_back(lab: Lab) -> None:
    keys: dict[str, list[Row]] = {
        "prefix": [["a", None], ["a", 0], [None, None]],
        "range": [[5, None], [5, ""], [None, None]],
        "prefix_two": [["a", 1, None], ["a", None, 0], [None, None, None]],
    }
    for encoder, rows in keys.items():
        if {"prefix": "prefix-scan", "range": "range-scan"}[encoder.partition("_")[0]] not in lab.capabilities:
            continue
        executor = lab.open(encoder, encoder=encoder, place=(encoder, 0))
        store = executor.begin(EMPTY)
        write_calls(lab, [store.call("put", each, value(str(each))) for each in rows])
        one = store.commit()
        for reader in (executor, lab.open("fresh", encoder=encoder, place=(encoder, 0))):
            store = reader.begin(one)
            for each in rows:
                expect(store.get(each), value(str(each)), f"A get of {each} with the encoder {encoder}")
            expect_rows(store.scan(), [[each, value(str(each))] for each in rows], f"Nulls of the encoder {encoder}")
            store.remove(rows[0])
            expect(store.get(rows[0]), None, f"A get of {rows[0]}, which was removed")
            expect(store.get(rows[1]), value(str(rows[1])), f"A get of {rows[1]}, beside a null that was removed")
            store.abort()


@check("R19")
def keys_of_other_types_come_in_order(lab: Lab) -> None:
    for encoder, numbers in OTHER_TYPES.items():
        both = Both(lab, lab.open(encoder, encoder=encoder, place=(encoder, 0)), encoder)
        keys: list[Key] = [(t, "k") for t in numbers]
        both.put(*keys[::2])
        both.commit()
        both.begin(lab.open("fresh", encoder=encoder, place=(encoder, 0)))
        both.put(*keys[1::2])
        both.expect_order(f"of keys encoded by {encoder}, half of them own writes")
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
    keys: list[Row] = [[t, s, "k"] for t in (-256, -1, 0, 1, 256) for s in (-(2**31), -1, 0, 1, 2**31 - 1)]
    nulls: list[Row] = [[7, -1, "k"], [7, 5, "k"], [7, None, "k"], [None, -1, "k"], [None, None, "k"]]
    executor = lab.open(encoder="range_two")
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", each, value(str(each))) for each in reversed([*keys[::2], *nulls[::2]])])
    one = store.commit()
    store = lab.open("fresh", encoder="range_two").begin(one)
    write_calls(lab, [store.call("put", each, value(str(each))) for each in (*keys[1::2], *nulls[1::2])])
    wanted: list[Pair] = [[each, value(str(each))] for each in keys]
    others: list[Pair] = [[each, value(str(each))] for each in nulls]
    in_order = sorted([*wanted, *others], key=_by_two)
    expect(store.scan(), in_order, "A scan in the order of two columns")
    if lab.has("range"):
        expect(store.range([-1, 0, ""], [1, -1, ""]), wanted[7:16], "A range between keys of two columns")
    store.abort()


@check("R19")
def keys_may_be_ordered_by_other_columns_than_the_first(lab: Lab) -> None:
    """By the last column, and then by the one before it: an index may order by any."""
    keys: list[Row] = [[name, t, s] for s in (-256, 0, 1) for t in (-1, 0, 2**40) for name in ("a", "b")]
    wanted: list[Pair] = [[each, value(str(each))] for each in keys]
    for store in _filled(lab, "range_last", keys):
        expect(_by_name(store.scan()), wanted, "A scan in the order of the last column and the one before")
        if lab.has("range"):
            found = store.range(["", 0, -256], ["", 2**40, 0])
            expect(_by_name(found), wanted[2:10], "A range between the last column and the one before")
        store.abort()


@check("R19")
def ranges_of_keys_that_end_with_a_struct_keep_to_their_bounds(lab: Lab) -> None:
    """Timers and indexes of expiry, with bounds of a time and the least struct, as operators make them."""
    if not lab.has("range"):
        raise NotInSpark("range", "4.2", lab.driver.spark)
    keys: list[Row] = [[t, ["k" * (1 + i % 3), i % 3 - 1]] for i, t in enumerate((-(2**40), -257, -1, 0, 1, 256))]
    bounds: list[int | None] = [None, *sorted([*(row_key[0] for row_key in keys), 77, 2**40])]
    for store in _filled(lab, "range_struct", keys):
        wanted = [(first, last) for i, first in enumerate(bounds) for last in (None, *bounds[max(i, 1) :])]
        calls = [store.call("range", _least(first), _least(last)) for first, last in wanted]
        for (first, last), outcome in zip(wanted, lab.run(calls), strict=True):
            within = [each for each in keys if _is_within(each[0], first, last)]
            rows = [[each, value(str(each))] for each in within]
            expect(outcome.get(), rows, f"The range of keys with a struct from {first} to {last}")
        store.abort()


@check("R19")
def a_range_begins_with_all_that_order_as_its_bound(lab: Lab) -> None:
    """Bounds are made of a time, and of zeros for the columns that do not order: a row may have less than these."""
    if not lab.has("range"):
        raise NotInSpark("range", "4.2", lab.driver.spark)
    keys: list[Row] = [[t, i] for t in (-5, 5, 6) for i in (-5, 0, 7)]
    for store in _filled(lab, "range_id", keys):
        for first, last in ((5, 6), (-5, 5), (-5, None), (None, 6)):
            bounds = [None if t is None else [t, 0] for t in (first, last)]
            within = [[each, value(str(each))] for each in keys if _is_within(int(each[0]), first, last)]
            expect_rows(store.range(*bounds), within, f"The range of keys with a bigint behind them, {first} to {last}")
        store.abort()


@check("R19")
def infinite_and_tiny_numbers_come_in_their_order(lab: Lab) -> None:
    """Of floats they are those of 32 bits."""
    for encoder, least in (("range_double", 2.0**-1074), ("range_float", 2.0**-149)):
        of_encoder = lab.fresh()
        numbers: list[str | float] = ["-Infinity", -(2.0**100), -1.0, -least, 0.0, least, 1.0, 2.0**100, "Infinity"]
        keys: list[Row] = [[number, "k"] for number in numbers]
        rows = [[each, value(str(each))] for each in keys]
        for store in _filled(of_encoder, encoder, keys):
            expect(store.scan(), rows, f"A scan with the encoder {encoder}")
            if lab.has("range"):
                for i, first in enumerate(numbers):
                    expect_rows(
                        store.range([first, ""], ["Infinity", ""]), rows[i:-1], f"The range from {first} to Infinity"
                    )
            store.abort()


@check("R19", needs={"timestamp-keys"})
def keys_that_begin_with_their_timestamp_come_in_its_order(lab: Lab) -> None:
    """The rows that a join evicts, oldest first (state format 4)."""
    keys: list[Row] = [[name, t] for t in TIMESTAMPS for name in ("a", "b")]
    for store in _filled(lab, "timestamp_first", keys):
        store.remove(["a", 1000])
        wanted = [each for each in keys if each != ["a", 1000]]
        expect(sorted(pair[0] for pair in store.scan()), sorted(wanted), "The keys of a scan, sorted")
        for each in wanted:
            expect(store.get(each), value(str(each)), f"A get of {each}")
        expect([pair[0][1] for pair in store.scan()], [t for _, t in wanted], "The timestamps of a scan")
        found = [pair[0] for pair in store.range(["", -1], ["", 1000])]
        expect(sorted(found), [["a", -1], ["a", 0], ["b", -1], ["b", 0]], "The keys of a range of timestamps, sorted")
        store.abort()


@check("R18", needs={"timestamp-keys"})
def keys_that_end_with_their_timestamp_are_a_prefix_in_its_order(lab: Lab) -> None:
    """The rows of a key that a join looks up (state format 4)."""
    keys: list[Row] = [[name, t] for name in ("a", "aa", "b") for t in TIMESTAMPS]
    for store in _filled(lab, "timestamp_last", keys):
        store.remove(["a", 1000])
        for name in ("a", "aa", "b", "c"):
            wanted = [each for each in keys if each[0] == name and each != ["a", 1000]]
            answer = [[each, value(str(each))] for each in wanted]
            expect(store.prefix([name]), answer, f"The rows of {name!r} in the order of their timestamps")
        store.abort()


def _filled(lab: Lab, encoder: str, keys: list[Row]) -> Iterator[Store]:
    """Transactions, here and read afresh, in which half of the keys are committed, and half their own writes."""
    executor = lab.open(encoder=encoder)
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", each, value(str(each))) for each in reversed(keys[::2])])
    one = store.commit()
    for reader in (executor, lab.open("fresh", encoder=encoder)):
        store = reader.begin(one)
        write_calls(lab, [store.call("put", each, value(str(each))) for each in keys[1::2]])
        yield store


def _least(t: int | None) -> Row | None:
    """The bound of a time and a struct of what is least; none without a time."""
    return None if t is None else [t, ["", 0]]


def _is_within(t: int, first: int | None, last: int | None) -> bool:
    return (first is None or first <= t) and (last is None or t < last)


def _by_name(pairs: list[Pair]) -> list[Pair]:
    """The pairs, and the two that are alike in what orders them by their names: they may come in any order."""
    return [pair for i in range(0, len(pairs), 2) for pair in sorted(pairs[i : i + 2], key=str)]


def _by_two(pair: Pair) -> list[tuple[bool, Any]]:
    return [(cell is None, cell or 0) for cell in pair[0][:2]]
