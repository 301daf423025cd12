"""Change feeds and replays over a version whose files are damaged, or cannot be read: what they give is right."""

from __future__ import annotations

import random
from collections.abc import Callable

from rockstate.conformance.calls.expectations import expect_rows
from rockstate.conformance.calls.outcomes import NotApplicable, StoreError, Timeout, Version, Violation
from rockstate.conformance.calls.rows import Pair
from rockstate.conformance.checks.damage import Damage
from rockstate.conformance.checks.reading_back import applied
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, pairs_of, write
from rockstate.conformance.checks.scene import points
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import FaultMode, Lab

VERSIONS = 5
DAMAGED = 3
FAILURES = 6
"""How many reads of each kind fail at most, each alone."""


@check("R39")
def a_change_feed_over_a_damaged_version_is_right_or_refused(lab: Lab) -> None:
    _over_damage(lab, _feed)


@check("R39")
def a_change_feed_whose_reads_fail_is_right_or_refused(lab: Lab) -> None:
    _over_failed_reads(lab, _feed)


@check("R40")
def a_replay_over_a_damaged_version_is_right_or_refused(lab: Lab) -> None:
    _over_damage(lab, _replay)


@check("R40")
def a_replay_whose_reads_fail_is_right_or_refused(lab: Lab) -> None:
    _over_failed_reads(lab, _replay)


class _Feeds:
    """Five versions, the first with a snapshot; their rows, and the files that the third has made."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.versions = [EMPTY]
        self.rows: dict[str, str] = {}
        self.files: list[str] = []
        executor = lab.open()
        for i in range(1, VERSIONS + 1):
            before = set(lab.files())
            self.versions.append(self._commit(executor, i))
            if i == 1:
                executor.maintain()
            if i == DAMAGED:
                self.files = sorted(set(lab.files()) - before)
        executor.close()

    def expect(self, reader: Executor, look: _Look, when: str) -> bool:
        """What is looked at gives the rows of the last version, or is refused; whether it gave them."""
        try:
            found = look(reader, self)
        except Timeout:
            raise
        except StoreError:
            return False
        expect_rows(found, pairs_of(self.rows), f"Version {VERSIONS} {when}")
        return True

    def expect_whole(self, look: _Look) -> None:
        """It gives them, on an executor of its own."""
        reader = self.lab.open("whole")
        if not self.expect(reader, look, "as it was written"):
            raise Violation(f"Version {VERSIONS} could not be read, though all files are whole")
        reader.close()

    def _commit(self, executor: Executor, i: int) -> Version:
        puts, removes = {f"row{i}": f"value {i}", "counter": str(i)}, [f"row{i - 2}"]
        store = executor.begin(self.versions[-1], snapshot=i == 1)
        write(self.lab, store, puts, removes)
        self.rows = {**{name: text for name, text in self.rows.items() if name not in removes}, **puts}
        return store.commit()


_Look = Callable[[Executor, _Feeds], list[Pair]]


def _feed(executor: Executor, feeds: _Feeds) -> list[Pair]:
    """The rows that all changes lead to."""
    return applied(executor.changes(1, feeds.versions[-1]))


def _replay(executor: Executor, feeds: _Feeds) -> list[Pair]:
    """The rows of the last version, replayed from the first's snapshot."""
    store = executor.replay(feeds.versions[1], feeds.versions[-1])
    try:
        return store.scan()
    finally:
        store.abort()


def _over_damage(lab: Lab, look: _Look) -> None:
    feeds = _Feeds(lab)
    feeds.expect_whole(look)
    sizes = {path: size for path, size in lab.files().items() if path in feeds.files and size}
    if not sizes:
        raise NotApplicable("A commit makes no file of its own")
    lab.save("whole")
    for path, size in sizes.items():
        for damage in _damages(size, random.Random(lab.effort.seed)):
            damage.do(lab, path)
            reader = lab.open("reader")
            feeds.expect(reader, look, f"after damage to version {DAMAGED} ({damage.of(path)})")
            reader.close()
            lab.restore("whole")


def _over_failed_reads(lab: Lab, look: _Look) -> None:
    feeds = _Feeds(lab)
    reader = lab.open("reader")
    lab.calls()
    feeds.expect(reader, look, "as it was written")
    calls = lab.calls()
    reader.close()
    faults: list[tuple[int, FaultMode]] = [(at, "fail_look_once") for at in points(lab, calls.looks, FAILURES)]
    for at in points(lab, calls.opens, FAILURES):
        faults += [(at, "fail_read_once"), (at, "fail_read_midway")]
    for at, mode in faults:
        reader = lab.open("reader")
        lab.fault(at, mode)
        feeds.expect(reader, look, f"while storage call {at} failed ({mode})")
        lab.heal()
        if not feeds.expect(reader, look, "once the storage works again"):
            raise Violation(f"Version {VERSIONS} could not be read again after storage call {at} failed ({mode})")
        reader.close()


def _damages(size: int, chance: random.Random) -> list[Damage]:
    cuts = [Damage("cut", at) for at in (size // 2, size - 1, 0)]
    places = (size // 2, 0, size // 4, size - 1, chance.randrange(size))
    return [*cuts, *(Damage("flip", byte * 8 + chance.randrange(8)) for byte in places), Damage("delete", 0)]
