"""Random histories: a Hypothesis state machine that keeps a model beside the store under test."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from hypothesis.strategies import booleans, integers, lists, sampled_from

from rockstate.conformance.calls.expectations import expect
from rockstate.conformance.calls.outcomes import StoreError, Timeout, Version, Violation
from rockstate.conformance.calls.rows import DEFAULT_FAMILY
from rockstate.conformance.histories.attempt import OpenAttempt, rows_of
from rockstate.conformance.histories.model import Attempt, State, row_count
from rockstate.conformance.histories.operations import LAYOUTS, Layout, layouts_for, looks_at, operations
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

RETAINED = 4
CONF = {
    "spark.sql.streaming.stateStore.minDeltasForSnapshot": "2",
    "spark.sql.streaming.minBatchesToRetain": str(RETAINED),
}
NAMES = ("here", "there")


class Histories(RuleBasedStateMachine):
    """Two executors of one store. `chain` is what the query goes on from: each version with what it must hold."""

    def __init__(self, lab: Lab, failures: list[Exception], *, rewrites: bool) -> None:
        super().__init__()
        self.lab = lab
        self.failures = failures
        self.rewrites = rewrites or lab.checkpoint_ids
        self.layout: Layout = LAYOUTS[0]
        self.executors: dict[str, Executor] = {}
        self.used: set[str] = set()
        self.open: dict[str, OpenAttempt] = {}
        self.chain: list[tuple[Version, State]] = []
        self.newest = 0
        self.sound = True
        self.counts = True

    @initialize(layout=integers(0, 11))
    def start(self, layout: int) -> None:
        layouts = layouts_for(self.lab.capabilities)
        self.layout = layouts[layout % len(layouts)]
        self.chain = [(Version.EMPTY, self.layout.empty_state())]

    @precondition(lambda self: len(self.open) < len(NAMES))
    @rule(work=lists(operations(), max_size=8), maintains=booleans(), which=integers(0, 1), meets=booleans())
    def batch(self, work: list[Any], maintains: bool, which: int, meets: bool) -> None:
        """A whole batch on the newest version, with maintenance after it or not."""
        name = _chosen(set(NAMES) - set(self.open), which)
        self._meet(meets)
        self._begin(name)
        self._do(name, work)
        self._flush(name)
        self._commit_next(name, self.open[name])
        if maintains:
            self._sure(self.executors[name].maintain)

    @rule(name=sampled_from(NAMES), work=lists(operations(), max_size=8), reads_first=booleans(), maintains=booleans())
    def work(self, name: str, work: list[Any], reads_first: bool, maintains: bool) -> None:
        """Operations in the executor's open transaction, or in a new one; with maintenance in their midst or not."""
        if name not in self.open:
            self._begin(name, reads_first=reads_first)
        self._do(name, work)
        if maintains:
            self._meet(maintains)
            self._sure(self.executors[name].maintain)

    @precondition(lambda self: not self.open)
    @rule(work=lists(operations(), min_size=1, max_size=5))
    def twins(self, work: list[Any]) -> None:
        """Two attempts at a version with the same operations; either may commit first, or late."""
        for name in NAMES:
            self._begin(name)
            self._do(name, work)

    @precondition(lambda self: self._able_to_commit())
    @rule(which=integers(0, 1), meets=booleans())
    def commit(self, which: int, meets: bool) -> None:
        name = _chosen(self._able_to_commit(), which)
        attempt = self.open[name]
        self._flush(name)
        self._meet(meets)
        if self._is_next(attempt):
            self._commit_next(name, attempt)
        else:
            self._commit_late(name, attempt)

    @precondition(lambda self: self.open)
    @rule(which=integers(0, 1))
    def abort(self, which: int) -> None:
        name = _chosen(self.open, which)
        self._flush(name)
        self._sure(self.open.pop(name).store.abort)

    @precondition(lambda self: self.executors)
    @rule(which=integers(0, 1), meets=booleans())
    def maintain(self, which: int, meets: bool) -> None:
        self._meet(meets)
        self._sure(self.executors[_chosen(self.executors, which)].maintain)

    @precondition(lambda self: self.used)
    @rule(which=integers(0, 1))
    def lose_an_executor(self, which: int) -> None:
        """An executor goes with its local disk and its open transaction; another takes its place."""
        self._lose(_chosen(self.used, which))

    @precondition(lambda self: len(self.open) < len(NAMES))
    @rule(back=integers(0, RETAINED - 1))
    def read_a_retained_version(self, back: int) -> None:
        name = next(name for name in NAMES if name not in self.open)
        number = len(self.chain) - 1 - back
        if number >= 0 and self._is_retained(number):
            self._expect_version(self._executor(name), number)

    @precondition(lambda self: self.rewrites and len(self.chain) > 1)
    @rule(back=integers(1, RETAINED - 1))
    def go_back(self, back: int) -> None:
        """The query goes on from an older version; what came after it is as if it had never been."""
        number = len(self.chain) - 1 - back
        if number < 0 or not self._is_retained(number, even_after=1):
            return
        for name in sorted(self.used):  # a restarted query opens its stores anew
            self._lose(name)
        self.chain = self.chain[: number + 1]

    def teardown(self) -> None:
        """Every retained version, once more, on an executor with an empty disk."""
        try:
            if self.sound and self.chain:
                last = self._new_executor("last")
                for number in range(len(self.chain)):
                    if self._is_retained(number):
                        self._expect_version(last, number)
        finally:
            self.lab.close()

    def _executor(self, name: str) -> Executor:
        """The executor of that name, which is used from now on."""
        if name not in self.executors:
            self.executors[name] = self._new_executor(name)
        self.used.add(name)
        return self.executors[name]

    def _lose(self, name: str) -> None:
        attempt = self.open.pop(name, None)
        if attempt is not None:
            self._sure(attempt.store.abort)
        self._sure(self.executors[name].restart)
        self.used.discard(name)

    def _new_executor(self, name: str) -> Executor:
        return self.lab.open(name, **self.layout.opening(), conf=CONF)

    def _can(self, op: str) -> bool:
        """Whether Spark has that operation, and the provider can do it."""
        needed = {"multi_get": "multi-get", "delete_range": "delete-range"}.get(op)
        return self.lab.has(op) and (needed is None or needed in self.lab.capabilities)

    def _begin(self, name: str, *, reads_first: bool = False) -> None:
        version, state = self.chain[-1]
        executor = self._executor(name)
        if reads_first and "read-store-upgrade" in self.lab.capabilities:
            store = self._sure(lambda: executor.begin_read(version).upgrade())
        else:
            store = self._sure(lambda: executor.begin(version))
        attempt = Attempt(state)
        for family, (encoder, multi) in self.layout.families.items():
            self._sure(partial(store.create_family, family, encoder=encoder, multi=multi))
            attempt.create_family(family, encoder, multi=multi)
        self.open[name] = OpenAttempt(store, attempt, len(self.chain) - 1, state)

    def _do(self, name: str, work: list[Any]) -> None:
        """Notes operations; they are sent when the transaction ends, or when others are to meet them."""
        drawn = [self.layout.operation(each, self._can) for each in work]
        operations = [operation for operation in drawn if operation is not None]
        self.open[name].note(operations)
        # Whether numKeys is right after a delete of a range is judged by itself.
        self.counts = self.counts and all(operation.name != "delete_range" for operation in operations)

    def _meet(self, meets: bool) -> None:
        """With `meets`, has every open transaction perform what waits, so that what comes next finds it uncommitted."""
        for name in sorted(self.open):
            if meets and self.open[name].waits:
                self._flush(name)

    def _flush(self, name: str) -> None:
        """Performs what waits, on the store and on the model, and compares; then looks at every row."""
        attempt = self.open[name]
        attempt.note_reads(self.layout.looks(self._can))
        self._sure(lambda: attempt.perform(self.lab))

    def _able_to_commit(self) -> list[str]:
        """Attempts that may commit. Without ids a late one may only if it has the rows of the version that is there."""
        return [name for name in sorted(self.open) if self._may_commit(self.open[name])]

    def _may_commit(self, attempt: OpenAttempt) -> bool:
        if self.lab.checkpoint_ids or self._is_next(attempt):
            return True
        return self._is_on_chain(attempt) and attempt.rows_ahead() == rows_of(self.chain[attempt.base + 1][1])

    def _is_on_chain(self, attempt: OpenAttempt) -> bool:
        return attempt.base < len(self.chain) and self.chain[attempt.base][1] is attempt.state

    def _is_next(self, attempt: OpenAttempt) -> bool:
        return attempt.base == len(self.chain) - 1 and self._is_on_chain(attempt)

    def _commit_next(self, name: str, attempt: OpenAttempt) -> None:
        version = self._sure(attempt.store.commit)
        del self.open[name]
        state = attempt.model.state()
        self._expect(version.version, attempt.base + 1, f"The version of a commit on version {attempt.base}")
        self.chain.append((version, state))
        self.newest = max(self.newest, version.version)
        rows = self._sure(attempt.store.metrics).rows
        if self.counts:
            self._expect(rows, row_count(state), f"numKeys of version {version.version}")

    def _commit_late(self, name: str, attempt: OpenAttempt) -> None:
        """A commit of an attempt that another has overtaken: refused, or without effect on the others."""
        del self.open[name]
        try:
            version = attempt.store.commit()
        except Timeout:
            raise
        except StoreError:
            with suppress(StoreError):
                attempt.store.abort()
            return
        self.newest = max(self.newest, version.version)
        if self.lab.checkpoint_ids and version.version > self.newest - RETAINED:
            self._expect_state(self.executors[name], version, attempt.model.state())

    def _is_retained(self, number: int, *, even_after: int = 0) -> bool:
        """Whether a version has to be there, also after so many more versions."""
        return number == 0 or number > self.newest + even_after - RETAINED

    def _expect_version(self, executor: Executor, number: int) -> None:
        version, state = self.chain[number]
        self._expect_state(executor, version, state)

    def _expect_state(self, executor: Executor, version: Version, state: State) -> None:
        """A version of the store holds, family by family, what the model does."""
        store = self._sure(lambda: executor.begin(version) if self.layout.families else executor.begin_read(version))
        self._sure(lambda: self._compare(store, version, state))

    def _compare(self, store: Store, version: Version, state: State) -> None:
        if self.layout.families:
            self._expect_families(store, version, state)
        for name, family in state.items():
            for look in looks_at(name, family.encoder, multi=family.multi, can=self._can):
                look.compare(look.on_store(store), look.on_model(Attempt(state)))
        store.abort()

    def _expect_families(self, store: Store, version: Version, state: State) -> None:
        """The version has the model's families; they are made known for reading, as operators do."""
        names = sorted(name for name in state if name != DEFAULT_FAMILY)
        found = store.families() if self._can("families") else names
        if found != names:
            message = f"Version {version.version} has the families {found}, not {names}"
            raise Violation(message, answer=found, wanted=names)
        for name, family in state.items():
            if name != DEFAULT_FAMILY:
                store.create_family(name, encoder=family.encoder, multi=family.multi)

    def _sure(self, call: Callable[[], Any]) -> Any:
        """What the call answers; an error, or an answer that the model does not give, ends the history."""
        try:
            return call()
        except (StoreError, Violation) as error:
            self._note(error)
            raise

    def _expect(self, answer: Any, wanted: Any, what: str) -> None:
        self._sure(lambda: expect(answer, wanted, what))

    def _note(self, error: Exception) -> None:
        """Nothing more is asked of a store that has failed."""
        self.sound = False
        self.failures.append(error)


def _chosen(names: Iterable[str], which: int) -> str:
    ordered = sorted(names)
    return ordered[which % len(ordered)]
