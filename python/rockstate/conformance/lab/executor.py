"""One provider instance on one executor's empty local disk."""

from __future__ import annotations

from typing import Any

from rockstate.conformance.calls.answers import Change, changes_of
from rockstate.conformance.calls.call import Call
from rockstate.conformance.calls.outcomes import Version
from rockstate.conformance.lab.performer import Performer
from rockstate.conformance.lab.store import Store


class Executor:
    """A provider instance. One store at a time may be open on it; two attempts are two executors on one lab."""

    def __init__(self, lab: Performer, name: str, opening: dict[str, Any]) -> None:
        self._lab = lab
        self.name = name
        self._opening = opening

    def begin(
        self,
        base: Version,
        *,
        store: str | None = None,
        empty: bool = False,
        snapshot: bool = False,
        unwatched: bool = False,
        unload: bool = False,
    ) -> Store:
        """A transaction on `base`; `empty` loads nothing, as for a query's first version.

        With `snapshot` its commit makes a snapshot, too. If it is `unwatched`, nobody aborts it when its task fails;
        with `unload` the task's end brings maintenance and the provider's close.
        """
        given = {"empty": empty, "snapshot": snapshot, "unwatched": unwatched, "unload": unload}
        return self._begin("begin", base, store, {name: True for name, is_given in given.items() if is_given})

    def begin_read(self, base: Version, *, store: str | None = None) -> Store:
        """The store at `base`, to read only."""
        return self._begin("begin_read", base, store, {})

    def replay(self, snapshot: Version, version: Version, *, read_only: bool = False) -> Store:
        """The store at `version`, made from the snapshot of version `snapshot` and the changes since."""
        return self._replay("replay", snapshot, version, {"read_only": True} if read_only else {})

    def replay_read(self, snapshot: Version, version: Version) -> Store:
        """The same, as a read store (replayReadStateFromSnapshot)."""
        return self._replay("replay_read", snapshot, version, {})

    def changes(
        self,
        first: int,
        last: Version,
        *,
        family: str | None = None,
        encoder: str | None = None,
        most: int | None = None,
    ) -> list[Change]:
        """The change feed from the version numbered `first` to `last`, both included, or `most` changes of it.

        `encoder` is the family's, if that is not the executor's own.
        """
        asked = {"family": family, "encoder": encoder, "most": most}
        given = {name: value for name, value in asked.items() if value is not None}
        request = {"op": "changes", "provider": self.name, "first": first, "last": last.version, "id": last.id, **given}
        changes: list[Change] = self._lab.do(
            Call(self.name, "changes", request, (first, last), given, parse=changes_of)
        )
        return changes

    def maintain(self) -> None:
        """One round of maintenance (doMaintenance)."""
        self._lab.do(Call(self.name, "maintain", {"op": "maintain", "provider": self.name}))

    def start_closing(self) -> None:
        """Spark begins to close the provider on maintenance's thread, whatever is open; `close` waits for the end."""
        self._around("start_closing")

    def close_early(self) -> None:
        """Closes the provider, and keeps it: who has one for himself may then abort its store, and close it again."""
        self._around("close_early")

    def files_of_others(self) -> None:
        """Fails if the file system is closed that Hadoop gives all of a process who ask for the same address."""
        self._around("files_of_others")

    def conf_of_others(self) -> None:
        """Fails if the Hadoop configuration has changed that it was opened with: tasks of an executor share it."""
        self._around("conf_of_others")

    def interrupt(self) -> None:
        """The next call finds its thread interrupted, as those of a task do that is killed."""
        self._around("interrupt")

    def begin_task(self, *, attempt: int = 0) -> None:
        """The calls from now on are those of one of Spark's tasks (TaskContext), of which so many attempts were before.

        The task's partition is not the store's, as in a union of two aggregations.
        """
        given = {"attempt": attempt} if attempt else {}
        self._lab.do(Call(self.name, "begin_task", {"op": "begin_task", "provider": self.name, **given}, (), given))

    def fail_task(self) -> None:
        """The task has failed: Spark aborts its transaction, and leaves stores for reading to those it tells of it."""
        self._around("fail_task")

    def end_task(self) -> None:
        """The task has done its work; it fails if somebody throws who asked to be told of its end."""
        self._around("end_task")

    def track_commit(self, base: Version) -> None:
        """Spark's coordinator is to hear of the commit on `base`."""
        self._around("track_commit", base)

    def validate_commit(self, base: Version) -> None:
        """What Spark does at the end of the batch on `base`: fails if its coordinator has not heard of the commit."""
        self._around("validate_commit", base)

    def custom_metrics(self) -> list[str]:
        """The names of the custom metrics that the provider declares."""
        return self._names("custom_metrics")

    def declared_before(self) -> list[str]:
        """The names of those that an instance declares which has not been opened."""
        return self._names("declared_before")

    def instance_metrics(self) -> list[str]:
        """The names of the metrics that it declares for each of its stores, for this one."""
        return self._names("instance_metrics")

    def close(self) -> None:
        """Aborts what is open and closes the provider; its local disk is lost. Nothing if a crash has ended it."""
        self._lab.close_executor(Call(self.name, "close", {}))

    def restart(self) -> None:
        """Closes the provider, as `close` does, and opens a new one in its place, its local disk empty."""
        self._lab.close_executor(Call(self.name, "restart", {}), reopen=self._opening)

    def __repr__(self) -> str:
        """As a program calls it."""
        return self.name

    def _around(self, op: str, *versions: Version) -> None:
        given = {"version": versions[0].version} if versions else {}
        self._lab.do(Call(self.name, op, {"op": op, "provider": self.name, **given}, versions))

    def _names(self, op: str) -> list[str]:
        names: list[str] = self._lab.do(Call(self.name, op, {"op": op, "provider": self.name}))
        return names

    def _replay(self, op: str, snapshot: Version, version: Version, given: dict[str, Any]) -> Store:
        name = self._lab.new_name("s")
        request = {"op": op, "provider": self.name, "store": name, "snapshot": snapshot.version}
        request |= {"version": version.version, "snapshot_id": snapshot.id, "id": version.id, **given}
        self._lab.do(Call(self.name, op, request, (snapshot, version), given, name))
        return Store(self._lab, name, version, self.name)

    def _begin(self, op: str, base: Version, store: str | None, given: dict[str, Any]) -> Store:
        name = store or self._lab.new_name("s")
        request = {"op": op, "provider": self.name, "store": name, "version": base.version, "id": base.id, **given}
        self._lab.do(Call(self.name, op, request, (base,), given, name))
        return Store(self._lab, name, base, self.name)
