"""What checks do with a change feed, and with the snapshots that there are to replay from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from rockstate.conformance.calls.answers import Change
from rockstate.conformance.calls.expectations import tried
from rockstate.conformance.calls.outcomes import Version, Violation
from rockstate.conformance.calls.rows import Pair
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.store import Store


def applied(changes: Iterable[Change], rows: Iterable[Pair] = ()) -> list[Pair]:
    """The rows with changes that only put and remove.

    Raises:
        Violation: there is another kind of change.
    """
    after = {str(pair[0]): pair for pair in rows}
    for change in changes:
        if change.type == "delete_record":
            after.pop(str(change.key), None)
        elif change.type == "put_record" and change.value is not None:
            after[str(change.key)] = [change.key, change.value]
        else:
            raise Violation(f"A change that only puts and removes cannot make: {change}")
    return list(after.values())


def replayed(
    snapshots: Iterable[Version],
    opened: Callable[[], Executor],
    replay: Callable[[Executor, Version], Store],
    what: str,
) -> Iterator[tuple[Version, Store]]:
    """Stores replayed from those of the snapshots that there are: not every version has one.

    Args:
        snapshots: versions that may have one.
        opened: an executor for each.
        replay: the store from a version's snapshot.
        what: of which none could be replayed, then.

    Raises:
        Violation: there is no snapshot at all.
    """
    found = 0
    for snapshot in snapshots:
        executor = opened()
        store = tried(partial(replay, executor, snapshot))
        if store is not None:
            found += 1
            yield snapshot, store
    if not found:
        raise Violation(f"No {what} could be replayed from any snapshot")
