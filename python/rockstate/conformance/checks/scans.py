"""Scans: prefix, range and full, with the transaction's own writes, and in order where the encoder has one."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect_rows
from rockstate.conformance.calls.outcomes import Version, Violation
from rockstate.conformance.calls.rows import Pair
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, write_calls
from rockstate.conformance.histories.model import Answer, Attempt, Key, State, empty_state, order_of
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

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
    both = _Both(lab, executor, "prefix")
    keys: list[Key] = [(p, k) for p in ("a", "aa", "b", "", "ü") for k in (-1, 0, 1, 300)]
    both.put(*keys)
    both.expect_prefixes("in the transaction that wrote them")
    both.commit()
    both.begin(executor)
    both.expect_prefixes("once committed")
    both.store.abort()
    both.begin(lab.open("fresh", encoder="prefix"))
    both.expect_prefixes("read by an executor with an empty disk")
    both.store.abort()


@check("R18")
def a_prefix_scan_sees_the_transactions_own_writes(lab: Lab) -> None:
    executor = lab.open(encoder="prefix")
    both = _Both(lab, executor, "prefix")
    both.put(("a", 1), ("a", 2), ("a", 3), ("b", 1))
    both.commit()
    both.begin(executor)
    both.remove(("a", 1), ("b", 1), ("c", 9))
    both.put(("a", 2), ("a", 4), ("c", 1))
    both.expect_prefixes("after removes, an overwrite and new keys")
    both.put(("a", 1), ("b", 2))
    both.remove(("a", 4), ("a", 3))
    both.expect_prefixes("after a key came back and a new one went")
    both.commit()
    both.begin(lab.open("fresh", encoder="prefix"))
    both.expect_prefixes("once committed")
    both.store.abort()


@check("R18")
def a_prefix_scan_after_an_abort_is_as_before(lab: Lab) -> None:
    executor = lab.open(encoder="prefix")
    both = _Both(lab, executor, "prefix")
    both.put(("a", 1), ("a", 2), ("b", 1))
    both.commit()
    aborted = executor.begin(both.version)
    aborted.remove(["a", 1])
    aborted.put(["a", 3], ["x", 1])
    aborted.put(["c", 3], ["x", 1])
    aborted.abort()
    both.begin(executor)
    both.expect_prefixes("after an abort")
    both.store.abort()


@check("R19")
def keys_of_the_range_encoder_come_in_order(lab: Lab) -> None:
    executor = lab.open(encoder="range")
    both = _Both(lab, executor, "range")
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
    both = _Both(lab, executor, "range")
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
    both = _Both(lab, executor, "range")
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
    both = _Both(lab, executor, "range")
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


@check("R25")
def delete_range_removes_the_rows_within_its_bounds(lab: Lab) -> None:
    families = "column-families" in lab.capabilities
    executor = lab.open(encoder="range", families=families)
    both = _Both(lab, executor, "range")
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


@check("R25")
def delete_range_leaves_the_key_at_its_end(lab: Lab) -> None:
    families = "column-families" in lab.capabilities
    executor = lab.open(encoder="range", families=families)
    both = _Both(lab, executor, "range")
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


class _Both:
    """A store and the model of what it must hold, written and compared side by side."""

    def __init__(self, lab: Lab, executor: Executor, encoder: str) -> None:
        self.lab = lab
        self.version: Version = EMPTY
        self._state: State = empty_state(encoder)
        self._written = 0
        self.begin(executor)

    def begin(self, executor: Executor) -> None:
        self.store: Store = executor.begin(self.version)
        self.model = Attempt(self._state)

    def commit(self) -> None:
        self.version = self.store.commit()
        self._state = self.model.state()

    def put(self, *keys: Key) -> None:
        """Puts each key with a value of its own."""
        calls = []
        for key in keys:
            self._written += 1
            self.model.put(key, (f"written {self._written}", self._written))
            calls.append(self.store.call("put", list(key), [f"written {self._written}", self._written]))
        write_calls(self.lab, calls)

    def remove(self, *keys: Key) -> None:
        for key in keys:
            self.model.remove(key)
        write_calls(self.lab, [self.store.call("remove", list(key)) for key in keys])

    def delete_range(self, first: Key, last: Key) -> None:
        self.model.delete_range(first, last)
        self.store.delete_range(list(first), list(last))

    def expect_prefixes(self, when: str) -> None:
        prefixes = {key[:1] for key, _ in self.model.scan()} | {("a",), ("nothing there",)}
        for prefix in sorted(prefixes, key=str):
            _expect_same(
                self.store.prefix(list(prefix)), self.model.prefix(prefix), f"A scan of prefix {list(prefix)} {when}"
            )
        _expect_same(self.store.scan(), self.model.scan(), f"A scan {when}")

    def expect_order(self, when: str) -> None:
        """All rows, in the order of their first column; by a scan, and by a range without bounds if there is one."""
        answers = {"A scan": self.store.scan()}
        if self.lab.has("range"):
            answers["A range scan without bounds"] = self.store.range(None, None)
        for what, answer in answers.items():
            _expect_same(answer, self.model.scan(), f"{what} {when}")
            _expect_ordered(answer, f"{what} {when}")

    def expect_ranges(self, when: str) -> None:
        """Ranges between any two keys, with each bound left open too, in order."""
        found = sorted({order_of(key): key[0] for key, _ in self.model.scan()}.items())
        bounds: list[Key | None] = [None, *[(t, "") for _, t in found], (77, "")]
        wanted: list[tuple[Key | None, Key | None]] = [
            (first, last) for i, first in enumerate(bounds) for last in bounds[i % 3 :: 3] if _forward(first, last)
        ]
        calls = [self.store.call("range", _row(first), _row(last)) for first, last in wanted]
        for (first, last), outcome in zip(wanted, self.lab.run(calls), strict=True):
            what = f"A scan of the range from {_row(first)} to {_row(last)} {when}"
            _expect_same(outcome.get(), self.model.range(first, last), what)
            _expect_ordered(outcome.get(), what)


def _row(key: Key | None) -> list[str | int | None] | None:
    return None if key is None else list(key)


def _forward(first: Key | None, last: Key | None) -> bool:
    return first is None or last is None or order_of(first) <= order_of(last)


def _expect_same(answer: list[Pair], wanted: Answer, what: str) -> None:
    expect_rows(answer, [[list(key), list(value)] for key, value in wanted], what)


def _expect_ordered(answer: list[Pair], what: str) -> None:
    order = [order_of(tuple(key)) for key, _ in answer]
    if order != sorted(order):
        raise Violation(f"{what} came in the order {[key[0] for key, _ in answer]}")
