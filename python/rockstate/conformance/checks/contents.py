"""What a store holds: any row, each once, the last write of a key, and nothing of another store."""

from __future__ import annotations

from typing import Any

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Violation
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SNAPSHOTS,
    commit,
    expect_version,
    expect_whole,
    here_and_afresh,
    key,
    pairs_of,
    scanned,
    value,
    write,
    write_calls,
)
from rockstate.conformance.lab.kinds import Place
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

STRANGE_TEXTS = ["", " ", "a", "a\0", "a\0b", "\0", "\n", "ä", "日本語", "🦀", "x" * 100, "y" * 5000]
SIZES = (4095, 65535, 65536, 65537, 300_000, (1 << 20) + 7, (4 << 20) + 3)
MANY = 66_000
"""Rows of one batch: more than two bytes count."""
STRANGE_VALUES: list[Row] = [
    *([text, len(text)] for text in STRANGE_TEXTS),
    *([None, 1], ["n", None], [None, None]),
    *(["n", n] for n in (0, -1, 2**63 - 1, -(2**63))),
]


NAMES = (
    *("left-keyToNumValues", "left-keyWithIndexToValue", "right-keyToNumValues", "right-keyWithIndexToValue"),
    *("left_keyToNumValues", "left-keytonumvalues", "left-keyToNumValues2", "left", "keyToNumValues"),
)


@check("R14")
def stores_of_another_name_or_partition_share_nothing(lab: Lab) -> None:
    left = lab.open("left", place=("left", 0))
    right = lab.open("right", place=("right", 0))
    other = lab.open("other", place=("left", 1))
    one = commit(lab, left, EMPTY, {"a": "left"})
    there = commit(lab, right, EMPTY, {"b": "right"})
    far = commit(lab, other, EMPTY, {"c": "other"})
    two = commit(lab, left, one, {"d": "left"})
    left.maintain()
    expect_version(left, two, {"a": "left", "d": "left"}, "of one store beside two others")
    expect_version(lab.open("fresh", place=("left", 0)), one, {"a": "left"}, "of one store beside two others")
    expect_version(lab.open("fresh", place=("right", 0)), there, {"b": "right"}, "of a store of another name")
    expect_version(lab.open("fresh", place=("left", 1)), far, {"c": "other"}, "of another partition")


@check("R14")
def stores_of_names_that_are_alike_share_nothing(lab: Lab) -> None:
    """The four of a join, and others that are theirs but for a letter."""
    made = {}
    for name in NAMES:
        one = commit(lab, lab.open("first", place=(name, 0)), EMPTY, {"a": name})
        made[name] = commit(lab, lab.open("second", place=(name, 0)), one, {name: "1"})
    for name, version in made.items():
        rows = {"a": name, name: "1"}
        expect_version(lab.open("fresh", place=(name, 0)), version, rows, f"of the store {name} beside others")


@check("R14")
def stores_of_another_operator_share_nothing(lab: Lab) -> None:
    first, second = lab.open("first"), lab.open("second", place=("default", 0, 1))
    one = commit(lab, first, EMPTY, {"a": "first"})
    there = commit(lab, second, EMPTY, {"b": "second"})
    two = commit(lab, first, one, {"c": "first"})
    for executor in (first, second):
        executor.maintain()
    others = [("default", 1, 11), ("default", 11, 1), ("default", 10, 0), ("default", 1, 0), ("default", 0, 11)]
    made = {place: commit(lab, lab.open("other", place=place), EMPTY, {"a": str(place)}) for place in others}
    for place, version in made.items():
        expect_version(lab.open("fresh", place=place), version, {"a": str(place)}, f"of the store {place}")
    expect_version(lab.open("fresh"), two, {"a": "first", "c": "first"}, "of the first of two operators")
    expect_version(lab.open("fresh", place=("default", 0, 1)), there, {"b": "second"}, "of the second of two operators")


@check("R14")
def stores_that_one_task_writes_share_nothing(lab: Lab) -> None:
    """A join has four stores in a task, and chained operators have one each: all are open at a time, on one thread."""
    first = lab.open("first", place=("left", 0))
    places: dict[str, Place] = {"right": ("right", 0), "later": ("default", 0, 1)}
    others = {name: lab.open_with(first, name, on_its_thread=True, place=place) for name, place in places.items()}
    executors = {"left": first, **others}
    versions = dict.fromkeys(executors, EMPTY)
    for text in "12":
        stores = {name: executor.begin(versions[name]) for name, executor in executors.items()}
        for name, store in stores.items():
            write(lab, store, {f"{name} {text}": text, "of all": f"{name} {text}"})
        for name, store in stores.items():
            rows = {f"{name} {each}": each for each in "12" if each <= text} | {"of all": f"{name} {text}"}
            _expect_scan(store, rows, f"of the store {name}, while a task writes others")
        versions = {name: store.commit() for name, store in stores.items()}
    for name, place in {"left": ("left", 0), **places}.items():
        rows = {f"{name} 1": "1", f"{name} 2": "2", "of all": f"{name} 2"}
        expect_version(
            lab.open("fresh", place=place), versions[name], rows, f"of the store {name} of a task with three"
        )


@check("R14", needs={"prefix-scan", "range-scan"})
def operators_of_one_query_have_rows_of_their_own(lab: Lab) -> None:
    """What a process keeps of a store's columns is of that operator, partition and store: names of families repeat."""
    first = lab.open("first", encoder="prefix")
    kinds: dict[str, dict[str, Any]] = {
        "operator": {"encoder": "range", "place": ("default", 0, 1)},
        "store": {"encoder": "flag", "place": ("left", 0)},
    }
    rows: dict[str, list[Pair]] = {
        "first": [[["a", 1], value("1")], [["a", 2], value("2")]],
        "operator": [[[-5, "b"], value("3")], [[5, "b"], value("4")]],
        "store": [[["c"], [5]], [["d"], [-6]]],
    }
    executors = {"first": first, **{name: lab.open_with(first, name, **kind) for name, kind in kinds.items()}}
    stores = {name: executor.begin(EMPTY) for name, executor in executors.items()}
    for i in range(2):
        for name, store in stores.items():
            store.put(*rows[name][i])
    versions = {name: store.commit() for name, store in stores.items()}
    for name, executor in executors.items():
        reading = executor.begin_read(versions[name])
        expect_rows(reading.scan(), rows[name], f"The rows of {name!r}, of three operators and stores of a query")
        for row_key, row_value in rows[name]:
            expect(reading.get(row_key), row_value, f"A get of {row_key} in {name!r}")
        reading.release()


@check("R16")
def a_scan_sees_the_transactions_own_writes(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {f"row{i:02d}": "1" for i in range(20)})
    store = executor.begin(one)
    removed = [f"row{i:02d}" for i in range(0, 20, 3)]
    write(lab, store, {"row01": "2", "row05": "2", "row30": "2", "": "2"}, removed)
    wanted = {name: "1" for name in (f"row{i:02d}" for i in range(20)) if name not in removed}
    wanted |= {"row01": "2", "row05": "2", "row30": "2", "": "2"}
    _expect_scan(store, wanted, "with own writes")
    write(lab, store, {"row00": "3", "row03": "3"}, ["row30", "row01"])
    wanted = {name: text for name, text in wanted.items() if name not in ("row30", "row01")}
    wanted |= {"row00": "3", "row03": "3"}
    _expect_scan(store, wanted, "after removed keys came back and new ones went")
    write(lab, store, {}, list(wanted))
    _expect_scan(store, {}, "after every key was removed")
    store.abort()


@check("R17")
def a_scan_gives_every_row_once(lab: Lab) -> None:
    executor = lab.open()
    wanted: dict[str, str] = {}
    version = EMPTY
    for batch in range(4):
        puts = {f"row{i}": f"batch {batch}" for i in range(batch * 40, batch * 40 + 120)}
        removes = [f"row{i}" for i in range(batch * 7, batch * 7 + 5)]
        version = commit(lab, executor, version, puts, removes)
        wanted = {**{name: text for name, text in wanted.items() if name not in removes}, **puts}
        executor.maintain()
    expect_version(executor, version, wanted, "of four overlapping batches")
    expect_version(lab.open("fresh"), version, wanted, "of four overlapping batches, read afresh")


@check("R20")
def any_value_comes_back_as_it_was(lab: Lab) -> None:
    executor = lab.open()
    rows = {f"row{i}": strange for i, strange in enumerate(STRANGE_VALUES)}
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", [name], strange) for name, strange in rows.items()])
    _expect_values(store, rows)
    one = store.commit()
    for reader in (executor, lab.open("fresh")):
        store = reader.begin(one)
        _expect_values(store, rows)
        store.abort()


@check("R20")
def any_key_comes_back_as_it_was(lab: Lab) -> None:
    executor = lab.open()
    wanted = {text: f"of {text[:5]!r}" for text in STRANGE_TEXTS}
    one = commit(lab, executor, EMPTY, wanted)
    two = commit(lab, executor, one, {"other": "row"}, STRANGE_TEXTS[::2])
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, one, wanted, "with strange keys")
        left = {text: wanted[text] for text in STRANGE_TEXTS[1::2]} | {"other": "row"}
        expect_version(reader, two, left, "after strange keys were removed")
    _expect_null_key_apart(lab)


@check("R20")
def long_values_come_back_whole(lab: Lab) -> None:
    """Around the lengths that two and three bytes can tell, and some MB."""
    _expect_long(lab, {f"row{size}": _text_of(size) for size in SIZES})


@check("R20")
def long_keys_come_back_whole(lab: Lab) -> None:
    alike = {f"{'x' * size}{end}": f"{size}{end}" for size in (5000, 70_000) for end in "ab"}
    _expect_long(lab, {**alike, **{_text_of(size): str(size) for size in SIZES[:-2]}})


@check("R20")
def large_batches_come_back_as_they_were(lab: Lab) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    wanted = {f"row{i}": chr(97 + i % 26) * (i * 37 % 3000) for i in range(600)}
    one = commit(lab, executor, EMPTY, wanted)
    many = {f"{i:x}": "1" for i in range(MANY)}
    two = commit(lab, executor, one, many, wanted)
    for reader in here_and_afresh(lab, executor):
        expect_version(reader, one, wanted, "of one large batch")
        found = {str(row_key[0]): row_value for row_key, row_value in scanned(reader, two)}
        wrong = [name for name in many if found.get(name) != value("1")]
        if wrong or len(found) != len(many):
            raise Violation(f"Of {len(many)} rows of one batch {len(found)} were found, {len(wrong)} missing or wrong")


@check("R24")
def the_last_write_of_a_key_counts(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"put": "1", "removed": "1", "back": "1", "twice": "1"})
    store = executor.begin(one)
    write(lab, store, {"put": "2", "back": "2", "twice": "2", "new": "2", "gone": "2"}, ["back"])
    write(lab, store, {"put": "3"}, ["removed", "gone", "twice"])
    write(lab, store, {"twice": "3"}, ["twice"])
    wanted = {"put": "3", "back": "2", "twice": "3", "new": "2"}
    _expect_scan(store, wanted, "after several writes of the same keys")
    two = store.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, wanted, "after several writes of the same keys")


@check("R24")
def a_value_that_is_put_back_is_there(lab: Lab) -> None:
    """A group whose state ends as it began may have written another in between, or removed it."""
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1", "b": "1"})
    store = executor.begin(one)
    write(lab, store, {"a": "2"})
    write(lab, store, {"a": "1", "b": "1"}, ["b"])
    two = store.commit()
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {"a": "1", "b": "1"}, "in which values were put back")


@check("R24")
def removing_an_absent_key_changes_nothing(lab: Lab) -> None:
    executor = lab.open()
    one = commit(lab, executor, EMPTY, {"a": "1"}, ["never there"])
    two = commit(lab, executor, one, {}, ["never there", "b"])
    three = commit(lab, executor, two, {"b": "3"}, ["b", "c"])
    for reader in (executor, lab.open("fresh")):
        expect_version(reader, two, {"a": "1"}, "after removes of absent keys")
        expect_version(reader, three, {"a": "1", "b": "3"}, "after a remove and a put of a new key")


@check("R24")
def removed_rows_stay_removed(lab: Lab) -> None:
    conf = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}
    executor = lab.open(conf=conf)
    version = commit(lab, executor, EMPTY, {f"row{i}": "1" for i in range(12)})
    wanted = {f"row{i}": "1" for i in range(12)}
    for i in range(12):
        version = commit(lab, executor, version, {}, [f"row{i}"])
        del wanted[f"row{i}"]
        executor.maintain()
        expect_version(executor, version, wanted, "after one more remove")
        expect_version(lab.open("fresh", conf=conf), version, wanted, "after one more remove, read afresh")


def _expect_null_key_apart(lab: Lab) -> None:
    """Null is a key like others, and not the empty text: a query may group by a column that has both."""
    executor = lab.open("nulls", place=("nulls", 0))
    store = executor.begin(EMPTY)
    store.put([None], value("of null"))
    one = store.commit()
    store = executor.begin(one)
    expect(store.get([""]), None, "The value of the empty text, where null is a key")
    store.put([""], value("of the empty text"))
    two = store.commit()
    for reader in (executor, lab.open("fresh", place=("nulls", 0))):
        store = reader.begin(two)
        expect(store.get([None]), value("of null"), "The value of the key null")
        rows = [[[None], value("of null")], [[""], value("of the empty text")]]
        expect_rows(store.scan(), rows, "A scan with the key null")
        store.abort()


def _expect_long(lab: Lab, wanted: dict[str, str]) -> None:
    executor = lab.open(conf=SNAPSHOTS)
    one = commit(lab, executor, EMPTY, wanted)
    for reader in here_and_afresh(lab, executor):
        store = reader.begin(one)
        found = {row[0][0]: row[1] for row in store.scan()}
        for name, text in wanted.items():
            expect_whole(found.get(name), value(text), f"A scan's row with a key of {len(name)} characters")
            expect_whole(store.get(key(name)), value(text), f"A get of a key of {len(name)} characters")
        expect(len(found), len(wanted), "How many long rows a scan has")
        store.abort()


def _text_of(size: int) -> str:
    """A text of that many characters, no part of which is like another."""
    numbers = (f"{n:x}." for n in range(size // 4 + 2))
    return f"{size}:{''.join(numbers)}"[:size]


def _expect_scan(store: Store, wanted: dict[str, str], when: str) -> None:
    expect_rows(store.scan(), pairs_of(wanted), f"A scan {when}")
    for name in [*wanted, "nothing there"]:
        expect(store.get(key(name)), value(wanted[name]) if name in wanted else None, f"The row {name!r} {when}")


def _expect_values(store: Store, rows: dict[str, Row]) -> None:
    for name, strange in rows.items():
        expect(store.get([name]), strange, f"The value of {name!r}")
        expect(store.contains([name]), True, f"Asking for {name!r}, whose value is {strange!r:.40}")
    expect_rows(store.scan(), [[[name], strange] for name, strange in rows.items()], "A scan of strange values")
