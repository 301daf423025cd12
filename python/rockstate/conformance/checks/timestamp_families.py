"""Families as a join of two streams has them in state format 4: keys with a timestamp, many values, an index beside."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, expect_count, value, write_calls
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

TIMES = (-(2**40), -1, 0, 1000, 2**40)
NAMES: tuple[str | None, ...] = ("a", "aa", None)
NEEDS = {"timestamp-keys", "multiple-values", "column-families"}


@check("R27", needs=NEEDS)
def rows_of_a_key_within_timestamps_are_its_own(lab: Lab) -> None:
    for store in _filled(lab):
        for name in NAMES:
            for first, last in ((-1, 1000), (-(2**40), 0), (1000, 2**40 + 1), (5, 9)):
                wanted = _rows([name], first, last)
                found = store.range_multi([name, first], [name, last], family="rows")
                expect(found, wanted, f"The rows of {name!r} from {first} up to {last}")
        store.abort()


@check("R26", needs=NEEDS)
def a_key_and_its_timestamp_have_their_values(lab: Lab) -> None:
    for store in _filled(lab):
        for name in NAMES:
            expect(store.prefix_multi([name], family="rows"), _rows([name]), f"All rows of {name!r}")
            for t in TIMES:
                expect(store.values([name, t], family="rows"), _values(name, t), f"The values of {name!r} at {t}")
        expect_rows(store.scan_multi(family="rows"), _rows(NAMES), "A scan of keys with a timestamp")
        expect(store.values(["a", 7], family="rows"), [], "The values of a key at another time")
        store.abort()


@check("R27", needs=NEEDS)
def rows_of_a_key_are_in_order_before_they_are_committed(lab: Lab) -> None:
    """A join reads all values of a timestamp in a row, its own batch's among them, and writes them back as one list."""
    for store in _filled(lab):
        for name in ("a", "aa"):
            for t in (*TIMES[::2], 5):
                store.merge([name, t], value("own"), family="rows")
        store.remove(["a", TIMES[1]], family="rows")
        own = {5: [value("own")], **{t: [*_values("a", t), value("own")] for t in TIMES[::2]}}
        own[TIMES[3]] = _values("a", TIMES[3])
        wanted = [[["a", t], each] for t in sorted(own) for each in own[t]]
        expect(store.prefix_multi(["a"], family="rows"), wanted, "All rows of 'a', own ones among them")
        found = store.range_multi(["a", 0], ["a", 1001], family="rows")
        expect(found, [pair for pair in wanted if 0 <= pair[0][1] <= 1000], "The rows of 'a' from 0 up to 1001")
        store.abort()


@check("R33", needs=NEEDS)
def keys_of_an_index_with_values_are_not_counted(lab: Lab) -> None:
    """A join's index is internal, and its keys have several values: the query's rows are those of the other family."""
    rows = len(NAMES) * len(TIMES)
    store, *others = _filled(lab)
    for other in others:
        other.abort()
    store.merge(["a", 1000], value("own"), family="index")
    store.merge(["new", 7], value("own"), family="index")
    store.remove(["aa", 0], family="index")
    three = store.commit()
    expect_count(store, rows, "numKeys beside an index with several values of a key")
    store = _begin(_open(lab, "last"), three)
    store.commit()
    expect_count(store, rows, "numKeys beside an index with several values of a key, loaded again")


@check("R19", needs=NEEDS)
def an_index_of_timestamps_is_in_their_order(lab: Lab) -> None:
    for store in _filled(lab):
        answer = store.range_multi(None, ["", 1000], family="index")
        expect([pair[0][1] for pair in answer], [t for t in TIMES[:3] for _ in NAMES for _ in "12"], "An index's times")
        expect_rows(answer, _rows(NAMES, -(2**50), 1000), "An index up to a timestamp")
        store.abort()


@check("R19", needs={"timestamp-keys"})
def an_index_begins_with_all_of_its_bounds_timestamp(lab: Lab) -> None:
    """A join bounds what it evicts by a time, and the key by zeros and empty texts: a key may have less than these."""
    keys: list[Row] = [["", n, t] for t in (-5, 5, 6) for n in (-5, 0, 7)]
    executor = lab.open(encoder="timestamp_first_two")
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", each, value(str(each))) for each in keys[::2]])
    one = store.commit()
    for reader in (executor, lab.open("fresh", encoder="timestamp_first_two")):
        store = reader.begin(one)
        write_calls(lab, [store.call("put", each, value(str(each))) for each in keys[1::2]])
        for first, last in ((5, 6), (-5, 5), (-5, None), (None, 6)):
            bounds = [None if t is None else ["", 0, t] for t in (first, last)]
            wanted = [each for each in keys if (first is None or first <= each[2]) and (last is None or each[2] < last)]
            rows: list[Pair] = [[each, value(str(each))] for each in wanted]
            expect_rows(store.range(*bounds), rows, f"An index from {first} up to {last}")
        store.abort()


@check("R27", needs=NEEDS)
def a_key_of_two_columns_may_have_a_timestamp(lab: Lab) -> None:
    """A join on two columns has such keys; the second is a number like the timestamp."""
    keys: list[Row] = [[name, n, t] for name in NAMES for n in (2000, 7, None, -1) for t in TIMES]
    executor = _open(lab, "a")
    store = _begin(executor, EMPTY, "_two")
    for each in reversed(keys):
        for family in ("rows", "index"):
            store.put_list(each, [value(str(each)), value("2")], family=family)
    one = store.commit()
    for reader in (executor, _open(lab, "fresh")):
        store = _begin(reader, one, "_two")
        for name, n, _ in keys[:: len(TIMES)]:
            wanted = [[name, n, t] for t in TIMES]
            expect(store.prefix_multi([name, n], family="rows"), _two_of(wanted), f"All rows of {name!r} and {n}")
            found = store.range_multi([name, n, -1], [name, n, 1000], family="rows")
            expect(found, _two_of(wanted[1:3]), f"The rows of {name!r} and {n} from -1 up to 1000")
            expect(
                store.values(wanted[3], family="rows"), [value(str(wanted[3])), value("2")], f"Values of {wanted[3]}"
            )
        answer = store.range_multi(["", 0, -1], ["", 0, 1000], family="index")
        expect([pair[0][2] for pair in answer], [t for t in (-1, 0) for _ in range(24)], "The times of an index")
        expect_rows(answer, _two_of([each for each in keys if -1 <= each[2] < 1000]), "An index from -1 up to 1000")
        store.abort()


@check("R19", needs={"timestamp-keys"})
def timestamps_may_be_as_far_apart_as_numbers_are(lab: Lab) -> None:
    """Nothing bounds what a query takes for an event's time."""
    times = (-(2**63), -(2**62) - 1, -1, 0, 2**62 + 1, 2**63 - 1)
    for encoder in ("timestamp_first", "timestamp_last"):
        executor = lab.open(encoder=encoder, place=(encoder, 0))
        store = executor.begin(EMPTY)
        rows: list[Pair] = [[["a", t], value(str(t))] for t in times]
        write_calls(lab, [store.call("put", *row) for row in (*rows[::2], *rows[1::2])])
        one = store.commit()
        for reader in (executor, lab.open("fresh", encoder=encoder, place=(encoder, 0))):
            store = reader.begin_read(one)
            for row in rows:
                expect(store.get(row[0]), row[1], f"A get at {row[0][1]}")
            expect(store.range(["a", times[0]], None), rows, "The rows from the least timestamp on")
            expect(store.range(["a", times[1]], ["a", times[-1]]), rows[1:-1], "The rows up to the greatest timestamp")
            expect(store.range(None, ["a", times[2]]), rows[:2], "The rows up to a timestamp")
            store.release()


def _two_of(keys: list[Row]) -> list[Pair]:
    return [[each, row] for each in keys for row in (value(str(each)), value("2"))]


def _filled(lab: Lab) -> list[Store]:
    """Transactions on the same rows: that which wrote the last of them, the next, and on executors that read them."""
    executor = _open(lab, "a")
    store = _begin(executor, EMPTY)
    for t in TIMES[::2]:
        for name in NAMES:
            for family in ("rows", "index"):
                store.put_list([name, t], _values(name, t), family=family)
    store.put_list(["a", -1], [value("replaced")], family="rows")
    store.merge(["removed", 1], value("1"), family="rows")
    one = store.commit()
    executor.maintain()
    writing = _begin(executor, one)
    for t in TIMES[1::2]:
        for name in NAMES:
            for family in ("rows", "index"):
                first, *more = _values(name, t)
                writing.put([name, t], first, family=family)
                writing.merge_list([name, t], more, family=family)
    writing.remove(["removed", 1], family="rows")
    two = writing.commit()
    fresh = _begin(_open(lab, "fresh"), two)
    executor.maintain()
    return [_begin(executor, two), fresh, _begin(_open(lab, "after"), two)]


def _open(lab: Lab, name: str) -> Executor:
    return lab.open(name, families=True, conf=SNAPSHOTS)


def _begin(executor: Executor, version: Version, columns: str = "") -> Store:
    store = executor.begin(version)
    store.create_family("rows", encoder=f"timestamp_last{columns}", multi=True)
    store.create_family("index", encoder=f"timestamp_first{columns}", multi=True, internal=True)
    return store


def _values(name: str | None, t: int) -> list[Row]:
    return [value(f"{name} at {t}"), value("2")]


def _rows(names: tuple[str | None, ...] | list[str | None], first: int = -(2**50), last: int = 2**50) -> list[Pair]:
    return [[[name, t], each] for name in names for t in TIMES if first <= t < last for each in _values(name, t)]
