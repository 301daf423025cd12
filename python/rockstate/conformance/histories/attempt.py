"""A transaction under way in a random history: on the store, and on the model beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from rockstate.conformance.histories.model import Attempt, State
from rockstate.conformance.histories.operations import Operation
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store


@dataclass
class OpenAttempt:
    """An open transaction, the model of it, and the version it is built on: its number and what it holds."""

    store: Store
    model: Attempt
    base: int
    state: State
    _waiting: list[Operation] = field(default_factory=list)

    @property
    def waits(self) -> bool:
        """Whether there are operations that wait."""
        return bool(self._waiting)

    def note(self, operations: Iterable[Operation]) -> None:
        """Lets operations wait, each with reads of what it writes."""
        for operation in operations:
            self._waiting += [operation, *(read for read in operation.reading_back() if self.store.has(read.name))]

    def note_reads(self, reads: Iterable[Operation]) -> None:
        """Lets reads wait."""
        self._waiting += reads

    def perform(self, lab: Lab) -> None:
        """Performs what waits on the store and on the model. Raises StoreError, and Violation where they differ."""
        waiting, self._waiting = self._waiting, []
        for is_alone, group in groupby(waiting, lambda operation: operation.is_alone):
            if is_alone:
                self._perform_alone(group)
            else:
                self._perform_together(lab, list(group))

    def rows_ahead(self) -> dict[str, Any]:
        """The rows that the transaction will hold once everything that waits is done."""
        ahead = Attempt(self.model.state())
        for operation in self._waiting:
            operation.on_model(ahead)
        return rows_of(ahead.state())

    def _perform_alone(self, operations: Iterable[Operation]) -> None:
        for operation in operations:
            operation.compare(operation.on_store(self.store), operation.on_model(self.model))

    def _perform_together(self, lab: Lab, operations: list[Operation]) -> None:
        outcomes = lab.run([operation.call(self.store) for operation in operations])
        for operation, outcome in zip(operations, outcomes, strict=True):
            operation.compare(outcome.get(), operation.on_model(self.model))


def rows_of(state: State) -> dict[str, Any]:
    """The rows of each family."""
    return {name: dict(family.rows) for name, family in state.items()}
