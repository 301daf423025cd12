"""What a provider can do, found out by trying."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from rockstate.conformance.calls.outcomes import NotInSpark, StoreError, Version
from rockstate.conformance.calls.rows import DEFAULT_FAMILY
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store
from rockstate.conformance.running.report import Capability

_MIN_DELTAS = "spark.sql.streaming.stateStore.minDeltasForSnapshot"


def tried(lab: Lab, name: str) -> Capability:
    """Tries the capability `name` on a lab of its own.

    It is absent if the provider refuses it as unsupported. One that fails in another way is there, for the checks to
    judge; only feeds need files that a provider may not keep, and are absent where there is no such file. What the
    running Spark does not know is not the provider's to have.
    """
    try:
        lack = _PROBES[name](lab)
        return Capability(name, not lack, lack)
    except NotInSpark as error:
        return Capability(name, False, str(error), is_in_spark=False)
    except StoreError as error:
        is_absent = error.is_refusal or (name in _FEEDS and error.lacks_a_file)
        return Capability(name, not is_absent, str(error))


def _families(lab: Lab) -> str:
    store = lab.open(families=True).begin(Version.EMPTY)
    store.create_family("f")
    store.put(["k"], ["v", 1], family="f")
    store.commit()
    return ""


def _prefix(lab: Lab) -> str:
    store = lab.open(encoder="prefix").begin(Version.EMPTY)
    store.put(["p", 1], ["v", 1])
    store.prefix(["p"])
    return ""


def _range(lab: Lab) -> str:
    store = lab.open(encoder="range").begin(Version.EMPTY)
    store.put([1, "k"], ["v", 1])
    if lab.has("range"):
        store.range([0, ""], [2, ""])
    else:
        store.scan()
    return ""


def _multiple(lab: Lab) -> str:
    """In a family, as operators have them, or else in the store's own."""
    try:
        store = lab.open(families=True).begin(Version.EMPTY)
        store.create_family("lists", multi=True)
        _put_two(store, family="lists")
    except StoreError:
        _put_two(lab.open(multi=True).begin(Version.EMPTY))
    return ""


def _put_two(store: Store, family: str = DEFAULT_FAMILY) -> None:
    store.put_list(["k"], [["v", 1], ["v", 2]], family=family)
    store.values(["k"], family=family)
    store.commit()


def _ids(lab: Lab) -> str:
    store = lab.open().begin(Version.EMPTY)
    return "" if store.commit().id else "commits return no id"


def _changes(lab: Lab) -> str:
    executor = lab.open()
    store = executor.begin(Version.EMPTY)
    store.put(["k"], ["v", 1])
    executor.changes(1, store.commit())
    return ""


def _replay(lab: Lab) -> str:
    executor = lab.open(conf={_MIN_DELTAS: "1"})
    versions = [Version.EMPTY]
    for n in range(4):
        store = executor.begin(versions[-1])
        store.put(["k"], ["v", n])
        versions.append(store.commit())
        executor.maintain()
    failures = [_replay_failure(lab, snapshot, versions[-1]) for snapshot in versions[1:-1]]
    if None not in failures and failures[-1] is not None:
        raise failures[-1]
    return ""


def _replay_failure(lab: Lab, snapshot: Version, version: Version) -> StoreError | None:
    """Why `version` cannot be made from a snapshot of `snapshot`, None if it can: not every version has one."""
    executor = lab.open()
    try:
        store = executor.replay(snapshot, version)
    except StoreError as error:
        return error
    with suppress(StoreError):
        store.abort()
    return None


def _multi_get(lab: Lab) -> str:
    store = lab.open().begin(Version.EMPTY)
    store.put(["k"], ["v", 1])
    store.multi_get([["k"], ["other"]])
    return ""


def _delete_range(lab: Lab) -> str:
    """Tried with column families first: Spark's RocksDB writes range deletes only to the change log that those have."""
    with suppress(StoreError):
        return _deletes_range(lab.open(encoder="range", families=True))
    return _deletes_range(lab.open(encoder="range"))


def _deletes_range(executor: Executor) -> str:
    store = executor.begin(Version.EMPTY)
    store.put([1, "k"], ["v", 1])
    store.delete_range([0, ""], [2, ""])
    return ""


def _timestamps(lab: Lab) -> str:
    first = lab.open("first", encoder="timestamp_first", place=("first", 0)).begin(Version.EMPTY)
    first.put(["k", 1], ["v", 1])
    first.scan()
    last = lab.open("last", encoder="timestamp_last", place=("last", 0)).begin(Version.EMPTY)
    last.put(["k", 1], ["v", 1])
    last.prefix(["k"])
    return ""


def _upgrade(lab: Lab) -> str:
    lab.open().begin_read(Version.EMPTY).upgrade()
    return ""


_FEEDS = ("change-feed", "snapshot-replay")

_PROBES: dict[str, Callable[[Lab], str]] = {
    "column-families": _families,
    "prefix-scan": _prefix,
    "range-scan": _range,
    "multiple-values": _multiple,
    "checkpoint-ids": _ids,
    "change-feed": _changes,
    "snapshot-replay": _replay,
    "multi-get": _multi_get,
    "delete-range": _delete_range,
    "timestamp-keys": _timestamps,
    "read-store-upgrade": _upgrade,
}
