"""Rows and keys around sizes at which formats change, scans of any number of rows, long values that become short."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SNAPSHOTS,
    expect_count,
    expect_whole,
    here_and_afresh,
    key,
    value,
    write_calls,
)
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

LONG = 4 << 20
LONGEST = 17 << 20
"""More than three bytes count."""
COUNTS = (1, 2, 10, 64, 100, 127, 128, 255, 256, 257, 500, 1000, 1023, 1024, 1025, 2048, 4096, 5000, 8192, 10_000)
"""Numbers of rows that a page or a batch of a scan may have."""
AROUND = (1 << 12, 1 << 15, 1 << 16)
FIXED = 24
"""Bytes of a value's row, or of a row in general beside its text, which is padded to words."""


@check("R17")
def a_scan_has_as_many_rows_as_there_are(lab: Lab) -> None:
    executor = lab.open()
    version, written = EMPTY, 0
    for count in COUNTS:
        store = executor.begin(version)
        write_calls(lab, [store.call("put", key(f"row{i}"), value(str(i))) for i in range(written, count)])
        expect(_numbers(store), list(range(count)), f"The rows of a scan of {count}, some of them own writes")
        version, written = store.commit(), count
        store = executor.begin_read(version)
        expect(_numbers(store), list(range(count)), f"The rows of a scan of {count}")
        store.release()
        if count in COUNTS[::6]:
            store = lab.open("fresh").begin_read(version)
            expect(_numbers(store), list(range(count)), f"The rows of a scan of {count}, read afresh")
            store.release()


@check("R20")
def rows_around_powers_of_two_come_back(lab: Lab) -> None:
    sizes = [power + step - FIXED for power in AROUND for step in range(-64, 65, 8)]
    sizes += [(1 << 20) + step - FIXED for step in (-8, 0, 8)]
    executor = lab.open(conf=SNAPSHOTS)
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", key(f"row{size}"), ["x" * size, size]) for size in sizes])
    write_calls(lab, [store.call("put", key("k" * (size + 8)), value(str(size))) for size in sizes[:-3]])
    version = store.commit()
    for reader in here_and_afresh(lab, executor):
        store = reader.begin_read(version)
        for size in sizes:
            expect_whole(store.get(key(f"row{size}")), ["x" * size, size], f"The value of {size + FIXED} bytes")
        for size in sizes[:-3]:
            expect(store.get(key("k" * (size + 8))), value(str(size)), f"A get of a key of {size + FIXED} bytes")
        expect(len(store.scan()), 2 * len(sizes) - 3, "How many rows there are of sizes around powers of two")
        store.release()


@check("R20")
def values_of_any_length_come_back(lab: Lab) -> None:
    """Whoever reads them does so from the files of single commits; those of several sizes lie in each."""
    sizes = sorted({(1 << power) + step for power in range(3, 18) for step in (-8, -1, 0, 1, 8)})
    executor, version = lab.open(), EMPTY
    for part in range(3):
        store = executor.begin(version)
        write_calls(lab, [store.call("put", key(f"row{size}"), ["x" * size, size]) for size in sizes[part::3]])
        version = store.commit()
    for reader in (executor, lab.open("fresh")):
        store = reader.begin_read(version)
        for size in sizes:
            expect_whole(store.get(key(f"row{size}")), ["x" * size, size], f"A value with a text of {size} bytes")
        expect(len(store.scan()), len(sizes), "How many rows there are of many sizes")
        store.release()


@check("R24")
def a_long_value_that_is_replaced_leaves_nothing(lab: Lab) -> None:
    long, other = ["x" * LONG, 1], ["y" * LONG, 2]
    executor = lab.open(conf=SNAPSHOTS)
    store = executor.begin(EMPTY)
    for name in ("shortened", "removed", "back", "kept"):
        store.put(key(name), long)
    store.put(key("grown"), value("1"))
    store = executor.begin(store.commit())
    store.put(key("shortened"), value("2"))
    store.put(key("grown"), other)
    for name in ("removed", "back"):
        store.remove(key(name))
    store.put(key("back"), value("3"))
    wanted: dict[str, Row] = {"shortened": value("2"), "grown": other, "back": value("3"), "kept": long}
    _expect_rows(store, wanted, "in the transaction that replaced them")
    version = store.commit()
    expect_count(store, len(wanted), "numKeys after long values were replaced")
    for reader in here_and_afresh(lab, executor):
        store = reader.begin_read(version)
        _expect_rows(store, wanted, "once replaced")
        store.release()


@check("R20")
def very_long_values_come_back_whole(lab: Lab) -> None:
    long = ["".join(f"{n:x}." for n in range(LONGEST // 5))[: lab.effort.at_most(LONGEST)], 1]
    is_list = "multiple-values" in lab.capabilities
    executor = lab.open(families=is_list, multi=is_list)
    store = executor.begin(EMPTY)
    store.put(key("a"), long)
    if is_list:
        store.put_list(key("list"), [value("1"), long, value("2")])
    version = store.commit()
    executor.maintain()
    for reader in (executor, lab.open("fresh", families=is_list, multi=is_list)):
        store = reader.begin(version)
        expect_whole(store.get(key("a")), long, "A very long value")
        if is_list:
            for i, each in enumerate(store.values(key("list"))):
                expect_whole(each, (value("1"), long, value("2"))[i], f"Value {i} of a list with a very long one")
        store.abort()


@check("R19")
def keys_behind_a_number_may_be_long(lab: Lab) -> None:
    """A timer has its whole grouping key there, and so has the index of values that expire."""
    keys: list[Row] = [[t, "x" * size + end] for t in (5, -5) for size in (1100, 3000, 70_000) for end in "ab"]
    executor = lab.open(encoder="range", conf=SNAPSHOTS)
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", each, value(str(i))) for i, each in enumerate(keys)])
    store = executor.begin(store.commit())
    store.remove(keys[0])
    version = store.commit()
    for reader in here_and_afresh(lab, executor, encoder="range"):
        store = reader.begin_read(version)
        expect(store.get(keys[0]), None, "A get of a long timer that was removed")
        for i, each in enumerate(keys[1:], 1):
            expect(store.get(each), value(str(i)), f"A get of a timer with a text of {len(each[1])} characters")
        found = [pair[0] for pair in store.scan()]
        expect([each[0] for each in found], [-5] * 6 + [5] * 5, "The times of long timers")
        expect(sorted(found) == sorted(keys[1:]), True, "Whether long timers are all there")
        store.release()


@check("R18")
def keys_within_a_prefix_may_be_long(lab: Lab) -> None:
    """A map's own key may be."""
    executor = lab.open(encoder="prefix_struct", conf=SNAPSHOTS)
    within: list[Row] = [["x" * size + end, 1] for size in (1100, 3000, 70_000) for end in "ab"]
    prefixes: list[Row] = [["p" * 3000 + end, 1] for end in "ab"]
    store = executor.begin(EMPTY)
    for prefix in prefixes:
        write_calls(
            lab, [store.call("put", [prefix, each], value(f"{prefix[0][-1]}{i}")) for i, each in enumerate(within)]
        )
    store = executor.begin(store.commit())
    store.remove([prefixes[0], within[0]])
    version = store.commit()
    for reader in here_and_afresh(lab, executor, encoder="prefix_struct"):
        store = reader.begin_read(version)
        for prefix, first in zip(prefixes, (1, 0), strict=True):
            wanted: list[Pair] = [
                [[prefix, each], value(f"{prefix[0][-1]}{i}")] for i, each in enumerate(within) if i >= first
            ]
            found = store.prefix([prefix])
            expect(
                sorted(found) == sorted(wanted), True, "Whether a long prefix has all of its long keys, and no other"
            )
        store.release()


def _numbers(store: Store) -> list[int]:
    return sorted(int(pair[1][0]) for pair in store.scan())


def _expect_rows(store: Store, wanted: dict[str, Row], when: str) -> None:
    for name in ("shortened", "removed", "back", "kept", "grown"):
        expect_whole(store.get(key(name)), wanted.get(name), f"The value of {name!r}, {when}")
    found = {pair[0][0]: pair[1] for pair in store.scan()}
    expect(sorted(found), sorted(wanted), f"The keys of long values, {when}")
    for name, each in wanted.items():
        expect_whole(found[name], each, f"The value of {name!r} in a scan, {when}")


@check("R24")
def values_that_are_nearly_the_same_replace_each_other(lab: Lab) -> None:
    """They differ in their last byte, or have one hash: who skips a put of what is there has to compare all of it."""
    long = "x" * 255
    pairs: list[tuple[Row, Row]] = [
        *(([long[:n] + "a", 1], [long[:n] + "b", 1]) for n in (7, 63, 64, 65, 255)),
        ([long, 1], [long, 2]),
        (["text", 1], ["text", 31 << 8]),  # one Arrays.hashCode
        ([long, 1], [long, 31 << 8]),
    ]
    executor = lab.open(conf=SNAPSHOTS)
    store = executor.begin(EMPTY)
    for i, (first, second) in enumerate(pairs):
        for name, each in (("there", first), ("within", first), ("within", second)):
            store.put(key(f"{name}{i}"), each)
        expect(store.get(key(f"within{i}")), second, "A value put over one that is nearly the same")
    version = store.commit()
    store = executor.begin(version)
    for i, (_, second) in enumerate(pairs):
        store.put(key(f"there{i}"), second)
    version = store.commit()
    for reader in here_and_afresh(lab, executor):
        store = reader.begin_read(version)
        for i, (_, second) in enumerate(pairs):
            for name in ("there", "within"):
                expect(store.get(key(f"{name}{i}")), second, f"A value put over one that is nearly the same, {name}")
        store.release()
