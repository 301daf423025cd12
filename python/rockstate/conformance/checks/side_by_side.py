"""A store and a model of it, for checks that compare them."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect_rows
from rockstate.conformance.calls.outcomes import Version, Violation
from rockstate.conformance.calls.rows import Pair
from rockstate.conformance.checks.rows import EMPTY, write_calls
from rockstate.conformance.histories.model import Answer, Attempt, Cell, Key, State, empty_state, order_of
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store


class Both:
    """A store and the model of what it must hold, written and compared side by side."""

    def __init__(self, lab: Lab, executor: Executor, encoder: str, prefix_columns: int = 1) -> None:
        self.lab = lab
        self._prefix_columns = prefix_columns
        self.version: Version = EMPTY
        self._state: State = empty_state(encoder)
        self._written = 0
        self.begin(executor)

    def begin(self, executor: Executor) -> None:
        """Opens a transaction on the newest version."""
        self.store: Store = executor.begin(self.version)
        self.model = Attempt(self._state)

    def read(self, executor: Executor) -> None:
        """Opens the newest version to be read only."""
        self.store = executor.begin_read(self.version)
        self.model = Attempt(self._state)

    def rows_of(self, prefix: Key) -> list[Pair]:
        """What a scan of the prefix must give."""
        return _pairs(self.model.prefix(prefix))

    def commit(self) -> None:
        """Makes what was written the newest version."""
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
        """Removes each key, which need not be there."""
        for key in keys:
            self.model.remove(key)
        write_calls(self.lab, [self.store.call("remove", list(key)) for key in keys])

    def delete_range(self, first: Key, last: Key) -> None:
        """Removes the keys from `first` up to `last`."""
        self.model.delete_range(first, last)
        self.store.delete_range(list(first), list(last))

    def expect_prefixes(self, when: str, *others: Key) -> None:
        """A scan of each prefix that there is, of `others`, and of all."""
        prefixes = {key[: self._prefix_columns] for key, _ in self.model.scan()} | set(others)
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


def _row(key: Key | None) -> list[Cell] | None:
    return None if key is None else list(key)


def _forward(first: Key | None, last: Key | None) -> bool:
    return first is None or last is None or order_of(first) <= order_of(last)


def _expect_same(answer: list[Pair], wanted: Answer, what: str) -> None:
    expect_rows(answer, _pairs(wanted), what)


def _pairs(answer: Answer) -> list[Pair]:
    return [[list(key), list(value)] for key, value in answer]


def _expect_ordered(answer: list[Pair], what: str) -> None:
    order = [order_of(tuple(key)) for key, _ in answer]
    if order != sorted(order):
        raise Violation(f"{what} came in the order {[key[0] for key, _ in answer]}")
