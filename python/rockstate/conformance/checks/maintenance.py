"""Maintenance: it changes nothing that can be read, and keeps what must be kept."""

from __future__ import annotations

from rockstate.conformance.calls.expectations import expect, expect_rows
from rockstate.conformance.calls.outcomes import Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import (
    EMPTY,
    SNAPSHOTS,
    expect_version,
    expect_version_or_error,
    key,
    pairs_of,
    value,
    write,
)
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Store

RETAINED = 3
CONF = {
    "spark.sql.streaming.stateStore.minDeltasForSnapshot": "2",
    "spark.sql.streaming.minBatchesToRetain": str(RETAINED),
}

SELDOM = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "7"}


@check("R41")
def maintenance_between_batches_changes_nothing(lab: Lab) -> None:
    conf = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "2"}
    history = History(lab, lab.open(conf=conf))
    for _ in range(10):
        history.go_on()
        history.executor.maintain()
        history.executor.maintain()
        history.expect(history.executor, len(history.versions) - 1, "after maintenance")
    fresh = lab.open("fresh", conf=conf)
    for i in range(len(history.versions)):
        history.expect(fresh, i, "after maintenance between all batches")


@check("R41")
def maintenance_in_the_middle_of_a_batch_changes_nothing(lab: Lab) -> None:
    history = History(lab, lab.open(conf=CONF))
    for _ in range(7):
        history.go_on(maintain_within=True)
    fresh = lab.open("fresh", conf=CONF)
    for i in range(5, 8):
        history.expect(fresh, i, "after maintenance in the middle of batches")


@check("R41")
def maintenance_while_a_version_is_read_changes_nothing(lab: Lab) -> None:
    history = History(lab, lab.open(conf=CONF))
    for _ in range(4):
        history.go_on()
    reader = lab.open("reader", conf=CONF)
    store = reader.begin_read(history.versions[4])
    for _ in range(6):
        history.go_on()
        history.executor.maintain()
        reader.maintain()
    expect_rows(store.scan(), pairs_of(history.rows[4]), "The rows of a version that was being read all the while")
    store.release()
    history.expect(reader, 10, "read by an executor that had fallen behind")


@check("R41")
def maintenance_leaves_an_older_version_that_is_read(lab: Lab) -> None:
    history = History(lab, lab.open(conf=CONF))
    for _ in range(4):
        history.go_on()
    store = history.executor.begin_read(history.versions[2])
    history.executor.maintain()
    expect_rows(store.scan(), pairs_of(history.rows[2]), "The rows of an older version, read over maintenance")
    store.release()
    history.expect(lab.open("fresh", conf=CONF), 4, "after maintenance while an older version was read")


@check("R41")
def maintenance_of_an_executor_that_fell_behind_harms_nothing(lab: Lab) -> None:
    history = History(lab, lab.open(conf=CONF))
    for _ in range(4):
        history.go_on()
    behind, idle = lab.open("behind", conf=CONF), lab.open("idle", conf=CONF)
    behind.begin(history.versions[4]).commit()
    for _ in range(7):
        history.go_on()
        history.executor.maintain()
        behind.maintain()
        idle.maintain()
    fresh = lab.open("fresh", conf=CONF)
    for i in range(12 - RETAINED, 12):
        history.expect(fresh, i, "after maintenance of an executor that had fallen behind")


@check("R41", needs={"checkpoint-ids"})
def maintenance_of_an_attempt_that_lost_leaves_the_other(lab: Lab) -> None:
    """An executor is not told that its attempt lost, and goes on with its maintenance."""
    for winner in ("first", "last"):
        place = (winner, 0)
        history = History(lab, lab.open(conf=CONF, place=place))
        history.go_on_maintained(4)
        other = lab.open("other", conf=CONF, place=place)
        store = other.begin(history.versions[-1])
        write(lab, store, {"lost": "5"})
        if winner == "first":
            history.go_on()
        store.commit()
        if winner == "last":
            history.go_on()
        for _ in range(2):
            other.maintain()
            fresh = lab.open("fresh", conf=CONF, place=place)
            history.expect(fresh, 5, f"that was committed {winner} of two attempts, after maintenance of the other's")


@check("R41")
def maintenance_leaves_open_iterators(lab: Lab) -> None:
    """Spark calls it on a thread of its own, at any moment of a task."""
    history = History(lab, lab.open(conf=CONF))
    for _ in range(6):
        history.go_on()
    store = history.executor.begin(history.versions[6])
    write(lab, store, {"own": "7"})
    rows = {**history.rows[6], "own": "7"}
    iterator = store.open("scan")
    first = iterator.next(2)
    history.executor.maintain()
    second = iterator.next(2)
    history.executor.maintain()
    held = store.hold(key("own"))
    history.executor.maintain()
    expect(held.read(), value("7"), "A row that get gave, after maintenance")
    found = [*first, *second, *iterator.next(100)]
    expect_rows(found, pairs_of(rows), "The rows of an iterator that was open over maintenance")
    store.commit()


@check("R41", needs={"column-families", "multiple-values"})
def maintenance_in_the_middle_of_a_batch_finds_nothing_of_its_families(lab: Lab) -> None:
    """Merges, a removed family and a new one: an abort after maintenance leaves nothing of them, a commit all."""
    executor = lab.open(families=True, conf=SNAPSHOTS)
    store = _begin_with_list(executor, EMPTY)
    store.create_family("old")
    store.put(key("a"), value("1"), family="old")
    versions, values = [store.commit()], [""]
    for i in range(3):
        for end in ("abort", "commit"):
            executor.maintain()
            store = _begin_with_list(executor, versions[-1])
            store.merge(key("a"), value(str(i)), family="list")
            store.remove_family("old" if i == 0 else f"new{i - 1}")
            store.create_family(f"new{i}")
            executor.maintain()
            if end == "abort":
                store.abort()
        versions.append(store.commit())
        values.append(values[-1] + str(i))
    for n, version in enumerate(versions):
        store = _begin_with_list(lab.open(f"fresh{n}", families=True, conf=SNAPSHOTS), version)
        found = store.values(key("a"), family="list")
        expect(found, [value(text) for text in values[n]], f"The values in version {n + 1}, after maintenance")
        if lab.has("families"):
            wanted = ["list", f"new{n - 1}" if n else "old"]
            expect(store.families(), wanted, f"The families of version {n + 1}, after maintenance")
        store.abort()


@check("R42")
def retained_versions_stay(lab: Lab) -> None:
    history = History(lab, lab.open(conf=CONF))
    batches = lab.effort.at_most(14, least=9)
    for _ in range(batches):
        history.go_on()
        history.executor.maintain()
        newest = len(history.versions) - 1
        fresh = lab.open("fresh", conf=CONF)
        for i in range(max(0, newest - RETAINED + 1), newest + 1):
            history.expect(fresh, i, f"one of the {RETAINED} newest, after maintenance")
        fresh.close()
    for i in range(1, batches + 1, 3 if lab.effort.quick else 1):
        expect_version_or_error(lab.open("old", conf=CONF), history.versions[i], history.rows[i], "after clean-up")


@check("R42")
def retained_versions_stay_when_executors_take_turns(lab: Lab) -> None:
    executors = [lab.open(f"executor{i}", conf=CONF) for i in range(2)]
    history = History(lab, executors[0])
    for i in range(14):
        history.executor = executors[i // 2 % 2]
        history.go_on()
        executors[(i + 1) % 2].maintain()
        executors[i % 2].maintain()
    fresh = lab.open("fresh", conf=CONF)
    for i in range(15 - RETAINED, 15):
        history.expect(fresh, i, "after two executors took turns, with maintenance on both")


@check("R42")
def as_many_versions_stay_as_are_to_be_retained(lab: Lab) -> None:
    """Spark's own default is a hundred."""
    for many in (30, 110):
        conf = {**SELDOM, "spark.sql.streaming.minBatchesToRetain": str(many)}
        executor = lab.open(f"keeps{many}", conf=conf, place=("default", many))
        history = History(lab, executor)
        for _ in range(many + 10):
            history.go_on()
            executor.maintain()
        fresh = lab.open(f"fresh{many}", conf=SELDOM, place=("default", many))
        for i in range(11, many + 11, many // 30):
            history.expect(fresh, i, f"one of the {many} newest, after maintenance")


@check("R42")
def the_newest_version_stays_where_one_is_to_be_retained(lab: Lab) -> None:
    conf = {**CONF, "spark.sql.streaming.minBatchesToRetain": "1"}
    history = History(lab, lab.open(conf=conf))
    for _ in range(12):
        history.go_on()
        history.executor.maintain()
        fresh = lab.open("fresh", conf=conf)
        history.expect(fresh, len(history.versions) - 1, "the only one to be retained, after maintenance")
        fresh.close()


@check("R42", needs={"checkpoint-ids"})
def versions_stay_beside_snapshots_of_attempts_that_lost(lab: Lab) -> None:
    """Of an attempt that lost there may be a snapshot where the one that won has none."""
    conf = {**CONF, **SELDOM}
    history = History(lab, lab.open(conf=conf))
    loser = lab.open("loser", conf=conf)
    for n in range(1, 15):
        store = loser.begin(history.versions[-1], snapshot=True)
        write(lab, store, {"lost": str(n)})
        store.commit()
        loser.maintain()
        history.go_on()
        history.executor.maintain()
        fresh = lab.open("fresh", conf=conf)
        for kept in range(max(1, n + 1 - RETAINED), n + 1):
            history.expect(fresh, kept, "beside snapshots of attempts that lost")
        fresh.close()


@check("R53")
def a_version_gone_back_to_stays_loadable(lab: Lab) -> None:
    history = History(lab, lab.open(conf=CONF))
    history.go_on_maintained(9)
    again = lab.open("again", conf=CONF)
    base = history.versions[8]
    store = again.begin(base)
    again.maintain()
    write(lab, store, {"another": "9"})
    nine = store.commit()
    again.maintain()
    expect_version(
        lab.open("fresh", conf=CONF), nine, {**history.rows[8], "another": "9"}, "run again, after maintenance"
    )


@check("R43")
def files_of_others_stay(lab: Lab) -> None:
    """Spark keeps the schema of the state in the folder of a store."""
    history = History(lab, lab.open(conf=CONF))
    history.go_on()
    folder = history.folder
    others = [f"{folder}/_metadata/schema", f"{folder}/_metadata/v2/schema"]
    for path in others:
        lab.create(path)
    history.go_on_maintained(12)
    history.expect(lab.open("fresh", conf=CONF), len(history.versions) - 1, "beside files of others")
    lost = [path for path in others if path not in lab.files()]
    if lost:
        raise Violation(f"Maintenance has deleted what is not the store's: {lost}")


def _begin_with_list(executor: Executor, version: Version) -> Store:
    store = executor.begin(version)
    store.create_family("list", multi=True)
    return store


class History:
    """Versions with puts, overwrites and removes, and the rows of each."""

    def __init__(self, lab: Lab, executor: Executor) -> None:
        self.lab = lab
        self.executor = executor
        self.versions: list[Version] = [EMPTY]
        self.rows: list[dict[str, str]] = [{}]

    @property
    def folder(self) -> str:
        """That of the store's files."""
        return min((path.rpartition("/")[0] for path in self.lab.files()), key=len)

    def go_on(self, *, maintain_within: bool = False, upgraded: bool = False, unload: bool = False) -> None:
        """Commits the next version: maintained after each step, by a read store whose scan stays open, or unloaded."""
        i = len(self.versions)
        puts, removes = {f"row{i}": str(i), "counter": str(i)}, [f"row{i - 4}"]
        rows = {**{name: text for name, text in self.rows[-1].items() if name not in removes}, **puts}
        if maintain_within:
            self.versions.append(self._commit_with_maintenance(puts, removes, rows))
        else:
            if upgraded:
                reader = self.executor.begin_read(self.versions[-1])
                reader.open("scan").has_next()
                store = reader.upgrade()
            else:
                store = self.executor.begin(self.versions[-1], unload=unload)
            write(self.lab, store, puts, removes)
            self.versions.append(store.commit())
        self.rows.append(rows)

    def go_on_maintained(self, batches: int) -> None:
        """So many versions more, with maintenance after each."""
        for _ in range(batches):
            self.go_on()
            self.executor.maintain()

    def _commit_with_maintenance(self, puts: dict[str, str], removes: list[str], rows: dict[str, str]) -> Version:
        store = self.executor.begin(self.versions[-1])
        self.executor.maintain()
        write(self.lab, store, puts, removes)
        self.executor.maintain()
        expect_rows(store.scan(), pairs_of(rows), "The rows of an open transaction after maintenance")
        version = store.commit()
        self.executor.maintain()
        return version

    def expect(self, executor: Executor, version: int, when: str) -> None:
        expect_version(executor, self.versions[version], self.rows[version], when)
