"""Rows of other types than text and bigint, of many columns, and of texts side by side."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.rows import Pair, Row
from rockstate.conformance.checks.coming_back import Puts, expect_each
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, key, value
from rockstate.conformance.checks.side_by_side import Both
from rockstate.conformance.histories.model import Key
from rockstate.conformance.lab.lab import Lab

BYTES = (b"", b"\xff", b"\xfe", b"\xff\0", b"\0", b"\xc3", b"\xc3\x28", bytes(range(256)))
NINES = "99999999999999999999.999999999999999999"
FLOATS = (float.fromhex("0x1.fffffep+127"), float.fromhex("0x1p-149"), float.fromhex("0x1p-126"))
"""The largest, the smallest, and the smallest of full precision; all are exact in 32 bits."""
DOUBLES = (float.fromhex("0x1.fffffffffffffp+1023"), float.fromhex("0x1p-1074"))
"""The largest and the smallest."""
OF_TYPES: dict[str, tuple[Any, ...]] = {
    "binary": tuple(b64encode(each).decode() for each in BYTES),
    "decimal(10, 2)": ("12345678.90", "0.00", "-0.01", "99999999.99", "-99999999.99"),
    "decimal(38, 18)": (
        "1234567890123456789.012345678901234567",
        "1234567890123456789.012345678901234568",
        "0.000000000000000000",
        "-0.000000000000000001",
        NINES,
        f"-{NINES}",
    ),
    "boolean": (True, False),
    "timestamp": (1_700_000_000_123_456, 0, -1, 253_402_300_799_999_999, -62_135_596_800_000_000),
    "date": (20_000, 0, -1, -719_162),
    "int": (7, 0, -1, 2**31 - 1, -(2**31)),
    "smallint": (7, 0, -1, 2**15 - 1, -(2**15)),
    "tinyint": (7, 0, -1, 127, -128),
    "float": (7.5, 0.0, -0.25, *(sign * size for size in FLOATS for sign in (1, -1))),
    "timestamp_ntz": (1_700_000_000_123_456, 0, -1, 253_402_300_799_999_999, -62_135_596_800_000_000),
    "double": (
        0.1,
        1 / 3,
        0.0,
        "-0.0",
        "NaN",
        "Infinity",
        "-Infinity",
        *(s * size for size in DOUBLES for s in (1, -1)),
    ),
    "array<bigint>": ([1, 2], [], [None], [None, 0, -1, 2**63 - 1], list(range(70))),
    "array<string>": (["a", "b"], [], [None], ["", None, "b"], ["ab", ""], ["x" * 70] * 70),
    "map<string, bigint>": ([["a", 1], ["b", None]], [], [["", 0]], [[f"k{i}", i] for i in range(70)]),
}
"""Values of each type, as the driver has them; the first is as good as any."""
OF_KEYS = [
    tuple(each for each in values if each not in ("-0.0", "NaN"))
    for name, values in OF_TYPES.items()
    if not name.startswith("map")
]
"""Those of each type that a key may have: Spark's operators have no key with NaN or a zero with a sign."""
PREFIX_COLUMNS = 12
WINDOWS = ([0, 600_000_000], [-1, 0], [0, 600_000_001], [None, 5], [5, None], [None, None])
STRUCTS = (["a", 1], ["", 0], ["a", None], [None, 1], [None, None], ["x" * 300, -1])
WIDTHS = (4, 64, 65, 129)
"""Numbers of columns: nulls are told in words of 64 bits."""
TEXTS = [("a", "bc"), ("ab", "c"), ("abc", ""), ("", "abc"), ("a", "b"), ("", ""), ("a\0", "b"), ("a", "\0b")]
NULL_TEXTS = [("abc", None), (None, "abc"), (None, None), ("", None), (None, "")]


@check("R20")
def values_of_any_type_come_back(lab: Lab) -> None:
    rows = _varied([*OF_TYPES.values()])
    plain = _plain(list(OF_TYPES.values())[:-1])
    puts = [([b64encode(str(i).encode()).decode(), *plain[1:]], row) for i, row in enumerate(rows)]
    expect_each(lab, "types", puts[::2], puts[1::2])


@check("R20")
def keys_of_any_type_come_back(lab: Lab) -> None:
    keys = _varied(OF_KEYS)
    plain = _plain([*OF_TYPES.values()])
    puts = [(each, [b64encode(str(i).encode()).decode(), *plain[1:]]) for i, each in enumerate(keys)]
    expect_each(lab, "types", puts[::2], puts[1::2])


@check("R20")
def structs_in_keys_and_values_come_back(lab: Lab) -> None:
    """A window is one, and many aggregates keep one."""
    keys = [*_varied([WINDOWS, ("a", "")]), *([each, None] for each in WINDOWS[1:])]
    values = _varied([STRUCTS, (1, -1)])
    puts = [(each, values[i % len(values)]) for i, each in enumerate(keys)]
    expect_each(lab, "window", puts[::2], puts[1::2])


@check("R20")
def what_is_nested_comes_back(lab: Lab) -> None:
    """A group's state is a struct beside its timeout, and has whatever its class has."""
    longs = OF_TYPES["array<bigint>"]
    inner = ([["a", 1], 2], [["", 0], -1], [[None, None], None], [None, 3], None)
    rows: tuple[Any, ...] = ([["a", 1], ["bc", 2]], [], [None, ["", None]], [["x" * 70, i] for i in range(70)])
    ints: tuple[Any, ...] = ([1, 2], [], [None, 0, -1, 2**31 - 1], list(range(71)))
    states = _varied([longs, OF_TYPES["map<string, bigint>"], inner, rows, ints])
    puts: Puts = [(key(str(i)), [state, i]) for i, state in enumerate([*states, None])]
    expect_each(lab, "state", puts[::2], [*puts[1::2], (key("0"), [states[-1], None])])


@check("R20", needs={"range-scan"})
def structs_within_structs_of_a_range_key_come_back(lab: Lab) -> None:
    """The index of a map with expiry has the time, and then the grouping key and the map's."""
    nested = _varied([STRUCTS, STRUCTS])
    puts: Puts = [([t, each], value(str(i))) for i, each in enumerate(nested) for t in (-5, 5)]
    expect_each(lab, "range_nested", puts[::2], puts[1::2])


@check("R20")
def columns_of_nothing_but_null_come_back(lab: Lab) -> None:
    """A deduplication keeps such values, and a limit has one such key."""
    puts: Puts = [([each], [None]) for each in ("a", "", None, "b")]
    expect_each(lab, "dummy", puts[::2], [*puts[1::2], puts[0]])
    expect_each(lab, "null_key", [([None], [1])], [([None], [2])])


@check("R20")
def columns_that_are_never_null_come_back(lab: Lab) -> None:
    keys: list[Row] = [[k, t] for k in ("a", "", "ab") for t in (0, -1)]
    values: list[Row] = [["text", 7, 0.5], ["", 0, 0.0], ["x" * 300, -(2**63), -1.5]]
    puts = [(each, values[i % len(values)]) for i, each in enumerate(keys)]
    expect_each(lab, "required", puts[::2], puts[1::2])


@check("R20")
def keys_of_one_hash_are_told_apart(lab: Lab) -> None:
    """Spark hashes rows to 32 bits: some of a hundred thousand keys share theirs."""
    first: Puts = [(key(name), value(name)) for name in ("k61084", "k61073")]
    second: Puts = [(key(name), value(name)) for name in ("k79373", "k79384")]
    expect_each(lab, "none", first, second)
    executor = lab.open()
    store = executor.begin(EMPTY)
    for name in ("k61084", "k79373"):
        store.put(key(name), value(name))
    store.remove(key("k61084"))
    expect(store.get(key("k79373")), value("k79373"), "A get of a key after the remove of another of its hash")
    store.abort()


@check("R18")
def prefixes_of_one_hash_are_told_apart(lab: Lab) -> None:
    prefixes = ("k61084", "k61073", "k79373", "k79384")
    both = Both(lab, lab.open(encoder="prefix"), "prefix")
    both.put(*((prefix, k) for prefix in prefixes for k in range(3)))
    both.remove((prefixes[0], 1))
    both.expect_prefixes("with others of the same hash")
    both.commit()
    both.begin(lab.open("fresh", encoder="prefix"))
    both.expect_prefixes("with others of the same hash, read afresh")
    both.store.abort()


@check("R26")
def lists_of_keys_of_one_hash_are_told_apart(lab: Lab) -> None:
    executor = lab.open(families=True, multi=True)
    names = ("k61084", "k79373")
    version = EMPTY
    for i in range(2):
        store = executor.begin(version)
        for name in names:
            store.merge(key(name), value(f"{name} {i}"))
        version = store.commit()
    for reader in (executor, lab.open("fresh", families=True, multi=True)):
        store = reader.begin(version)
        for name in names:
            wanted = [value(f"{name} {i}") for i in range(2)]
            expect(store.values(key(name)), wanted, f"The values of {name!r} beside those of a key of its hash")
        store.abort()


@check("R18")
def a_prefix_may_be_of_any_type(lab: Lab) -> None:
    """A session window may be grouped by columns of any."""
    prefixes = _varied(OF_KEYS[:PREFIX_COLUMNS])
    both = Both(lab, lab.open(encoder="prefix_types"), "prefix_types", PREFIX_COLUMNS)
    keys: list[Key] = [(*prefix, k) for prefix in prefixes for k in (0, 1)]
    both.put(*keys[::2])
    both.commit()
    both.begin(lab.open("fresh", encoder="prefix_types"))
    both.put(*keys[1::4])
    both.expect_prefixes("of other types than text, some of the rows own writes")
    both.store.abort()


@check("R20")
def rows_of_many_columns_come_back(lab: Lab) -> None:
    for width in WIDTHS:
        rows = _wide(width)
        puts = [*zip(rows, reversed(rows), strict=True)]
        expect_each(lab, f"columns_{width}", puts[::2], puts[1::2])


@check("R20")
def wide_keys_that_are_scanned_come_back(lab: Lab) -> None:
    """What is behind a prefix, or behind what orders, may be many columns as well."""
    for kind in ("prefix", "range"):
        for width in (4, 66) if f"{kind}-scan" in lab.capabilities else ():
            rows = _wide(width)
            puts = [*zip(rows, reversed(rows), strict=True)]
            expect_each(lab, f"{kind}_columns_{width}", puts[::2], puts[1::2])


@check("R20")
def texts_side_by_side_in_a_key_are_told_apart(lab: Lab) -> None:
    keys: list[Row] = [[*pair] for pair in (*TEXTS, *NULL_TEXTS)]
    _expect_apart(lab, "texts", keys)
    if "prefix-scan" in lab.capabilities:
        _expect_apart(lab, "prefix_texts", [[*each, 0] for each in keys])
    if "range-scan" in lab.capabilities:
        _expect_apart(lab, "range_texts", [[0, *each] for each in keys])


@check("R18")
def texts_side_by_side_in_a_prefix_are_told_apart(lab: Lab) -> None:
    both = Both(lab, lab.open(encoder="prefix_texts"), "prefix_texts", prefix_columns=2)
    keys: list[Key] = [(*texts, k) for texts in (*TEXTS, *NULL_TEXTS) for k in (0, 1)]
    both.put(*keys[::2])
    both.commit()
    both.begin(lab.open("fresh", encoder="prefix_texts"))
    both.put(*keys[1::4])
    both.expect_prefixes("of two texts", ("a", "c"), ("abcd", ""))
    both.store.abort()


def _expect_apart(lab: Lab, encoder: str, keys: list[Row]) -> None:
    puts = [(each, value(str(each))) for each in keys]
    expect_each(lab, encoder, puts[::2], puts[1::2])


def _plain(columns: list[tuple[Any, ...]]) -> Row:
    return [values[0] for values in columns]


def _varied(columns: list[tuple[Any, ...]]) -> list[Row]:
    """Rows with each value of each column, with null in each column, and of nulls alone."""
    plain = _plain(columns)
    changed = [[*plain[:i], each, *plain[i + 1 :]] for i, values in enumerate(columns) for each in (*values[1:], None)]
    return [plain, *changed, [None] * len(columns)]


def _wide(width: int) -> list[Row]:
    """Rows of texts and bigints in turn: with other values, or null, at the ends and where a word of nulls ends."""
    ends = (0, 1, 2, 3, 62, 63, 64, 65, 127, 128, width // 2, width - 1)
    places = sorted({i for i in ends if i < width})
    plain: Row = [i if i % 2 else f"c{i}" for i in range(width)]
    others = [
        [*plain[:i], each, *plain[i + 1 :]] for i in places for each in ((-i, 0) if i % 2 else (f"d{i}", "")) + (None,)
    ]
    return [plain, *others, [None] * width, *([[None] * (width - 1) + [plain[-1]]] if width > 3 else [])]


@check("R20")
def texts_that_are_no_utf8_are_told_apart(lab: Lab) -> None:
    """A query may group by bytes that it casts to a text; what Java makes of them is one and the same."""
    texts = [{"bytes": b64encode(each).decode()} for each in (b"\xff", b"\xfe", b"\xc3(", b"a\xff", b"a\xfe")]
    rows: Puts = [([text], [text, i]) for i, text in enumerate([*texts, "\ufffd", "a\ufffd"])]
    expect_each(lab, "none", rows[::2], rows[1::2])


@check("R18")
def prefixes_that_are_no_utf8_are_told_apart(lab: Lab) -> None:
    texts: list[Any] = [{"bytes": b64encode(each).decode()} for each in (b"\xff", b"\xfe", b"a\xff")]
    executor = lab.open(encoder="prefix")
    store = executor.begin(EMPTY)
    for text in texts:
        for k in range(2):
            store.put([text, k], value(str(k)))
    one = store.commit()
    for reader in (executor, lab.open("fresh", encoder="prefix")):
        store = reader.begin(one)
        for text in texts:
            wanted: list[Pair] = [[[text, k], value(str(k))] for k in range(2)]
            expect_rows(store.prefix([text]), wanted, f"The prefix {text}")
        store.abort()


@check("R20")
def values_of_rare_types_come_back(lab: Lab) -> None:
    """Texts with a collation, and intervals."""
    values: list[Row] = [["Ab", 1, 2], ["aB", -1, -(2**62)], [None, None, None], ["", 2**31 - 1, 2**62]]
    rows: Puts = [([f"row{i}"], each) for i, each in enumerate(values)]
    expect_each(lab, "rare", rows[:2], rows[2:])
