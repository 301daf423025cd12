"""Keys that differ little: each is one of its own."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.rows import Row
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SNAPSHOTS, here_and_afresh, value, write_calls
from rockstate.conformance.lab.lab import Lab

LENGTHS = (20, 250, 1100, 4200, 70_000)
NUMBERS = [
    0,
    1,
    -1,
    *(sign * (1 << power) + step for power in (8, 16, 31, 32, 48, 62) for sign in (1, -1) for step in (0, 1)),
]


@check("R20")
def keys_that_differ_in_one_letter_are_apart(lab: Lab) -> None:
    """Upper and lower case, accents, blanks, and the last of many letters."""
    texts = ["a", "A", "ä", "Ä", "á", "a ", " a", "a\t", "a\x00", "ss", "ß", "i", "I", "\u0131", "\u00e9", "e\u0301"]
    texts += ["x" * length + end for length in LENGTHS for end in ("a", "b", "A", "")]
    texts += [end + "x" * length for length in LENGTHS for end in ("a", "b")]
    _expect_apart(lab, "none", [[text] for text in texts])


@check("R20", needs={"prefix-scan"})
def keys_that_differ_in_one_letter_of_their_prefix_are_apart(lab: Lab) -> None:
    _expect_apart(
        lab, "prefix", [[text, i] for text in ("a", "A", "a ", "x" * 250 + "a", "x" * 250 + "b") for i in (0, 1)]
    )


@check("R20", needs={"range-scan"})
def keys_whose_numbers_have_bits_in_common_are_apart(lab: Lab) -> None:
    """They are alike in their low or high halves."""
    _expect_apart(lab, "range", [[number, text] for number in NUMBERS for text in ("k", "K")])


@check("R20")
def keys_of_numbers_with_bits_in_common_are_apart(lab: Lab) -> None:
    _expect_apart(lab, "number", [[number] for number in NUMBERS])


@check("R20", needs={"prefix-scan"})
def keys_whose_ids_have_bits_in_common_are_apart(lab: Lab) -> None:
    _expect_apart(lab, "prefix_bigint", [[number, i] for number in NUMBERS for i in (0, 1, 1 << 16)])


def _expect_apart(lab: Lab, encoder: str, keys: list[Row]) -> None:
    executor = lab.open(encoder=encoder, conf=SNAPSHOTS)
    store = executor.begin(EMPTY)
    write_calls(lab, [store.call("put", each, value(str(i))) for i, each in enumerate(keys)])
    version = store.commit()
    store = executor.begin(version)
    write_calls(lab, [store.call("remove", each) for each in keys[::5]])
    version = store.commit()
    wanted = {i: value(str(i)) for i in range(len(keys)) if i % 5}
    for reader in here_and_afresh(lab, executor, encoder=encoder):
        store = reader.begin_read(version)
        for i, each in enumerate(keys):
            expect(store.get(each), wanted.get(i), f"The value of key {i} of those that differ little")
        expect(sorted(int(pair[1][0]) for pair in store.scan()), sorted(wanted), "The rows of keys that differ little")
        store.release()
