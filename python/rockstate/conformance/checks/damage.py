"""Damage: each file cut short, with a flipped bit, or gone; what is loaded then is right, or refused."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import PurePath

from rockstate.conformance.calls.outcomes import NotApplicable, Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, SELDOM, commit, commit_each, expect_version_or_error
from rockstate.conformance.lab.lab import Lab

CONF = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "3"}
BATCHES = 10
DAMAGES = 60
"""How many damages a check does at most, each alone, with two loads after it."""
ENDS = 24
"""How many bytes at each end of a file: more than a length, a checksum and a last number."""


@check("R44")
def a_file_cut_short_is_noticed(lab: Lab) -> None:
    _damage_files(lab, lambda size, chance: [Damage("cut", at) for at in (size // 2, size - 1, 0)])


@check("R45")
def a_flipped_bit_is_noticed(lab: Lab) -> None:
    flip_bits(lab, DAMAGES)


@check("R45")
def a_flipped_bit_at_an_end_of_a_file_is_noticed(lab: Lab) -> None:
    """In the newest file of each kind, each byte in turn: a checksum may begin too late, or end too early."""

    def choose() -> Iterator[tuple[str, Damage]]:
        sizes, chance = lab.files(), random.Random(lab.effort.seed)
        newest = {PurePath(path).suffix: path for path in lab.files_as_written() if sizes.get(path)}
        for path in newest.values():
            for byte in {place for i in range(ENDS) for place in (i, sizes[path] - 1 - i) if 0 <= place < sizes[path]}:
                yield path, Damage("flip", byte * 8 + chance.randrange(8))

    _damage(lab, choose)


@check("R46")
def a_missing_file_is_noticed(lab: Lab) -> None:
    _damage_files(lab, lambda size, chance: [Damage("delete", 0)])


@check("R46")
def a_missing_file_of_a_long_chain_is_noticed(lab: Lab) -> None:
    """There is no snapshot of the versions after it: that of each may be the one."""
    executor = lab.open(conf=SELDOM)
    rows = {f"row{i}": str(i) for i in range(1, 6)}
    newest = commit_each(lab, executor, EMPTY, [{name: text} for name, text in rows.items()])[-1]
    executor.close()
    _load_without_each(lab, lab.files_as_written(), [(newest, rows)])


@check("R46", needs={"checkpoint-ids"})
def a_missing_file_is_no_other_attempts(lab: Lab) -> None:
    """What another attempt at the version has left stands in for nothing."""
    executor = lab.open(conf=SELDOM)
    one = commit(lab, executor, EMPTY, {"a": "1"})
    commit(lab, lab.open("loser", conf=SELDOM), one, {"a": "lost", "lost": "2"})
    before = set(lab.files())
    two = commit(lab, executor, one, {"b": "2"})
    of_winner = sorted(set(lab.files()) - before)
    three = commit(lab, executor, two, {"c": "3"})
    executor.close()
    wanted = [(two, {"a": "1", "b": "2"}), (three, {"a": "1", "b": "2", "c": "3"})]
    _load_without_each(lab, of_winner, wanted, ", of another attempt there is one")


@dataclass(frozen=True)
class Damage:
    """What is done to a file: `cut` to a length in bytes, `flip` of a bit, or `delete`."""

    kind: str
    at: int

    def do(self, lab: Lab, path: str) -> None:
        if self.kind == "cut":
            lab.truncate(path, self.at)
        elif self.kind == "flip":
            lab.flip(path, self.at)
        else:
            lab.delete(path)

    def of(self, path: str) -> str:
        """In words, with the file's name."""
        return {"cut": f"{path} cut to {self.at} bytes", "flip": f"bit {self.at} of {path} flipped"}.get(
            self.kind, f"{path} deleted"
        )


def flip_bits(lab: Lab, most: int) -> None:
    """Flips so many bits at most, each alone."""

    def flips(size: int, chance: random.Random) -> list[Damage]:
        places = (size // 2, 0, size // 4, size - 1, chance.randrange(size), chance.randrange(size))
        return [Damage("flip", byte * 8 + chance.randrange(8)) for byte in places]

    _damage_files(lab, flips, most)


def _load_without_each(
    lab: Lab, paths: Iterable[str], wanted: Iterable[tuple[Version, dict[str, str]]], beside: str = ""
) -> None:
    """Deletes one file after the other, each alone, and loads these versions afresh."""
    damage = Damage("delete", 0)
    lab.save("whole")
    for path in paths:
        damage.do(lab, path)
        for version, rows in wanted:
            _load(lab, version, rows, damage.of(path) + beside)
        lab.restore("whole")


def _damage_files(lab: Lab, damages: Callable[[int, random.Random], list[Damage]], most: int = DAMAGES) -> None:
    _damage(lab, lambda: _chosen(lab, damages, most))


def _damage(lab: Lab, choose: Callable[[], Iterable[tuple[str, Damage]]]) -> None:
    """Damages one file after the other, each alone, and loads the newest and some other version afresh."""
    versions, rows = _history(lab)
    chosen = [*choose()]
    if not chosen:
        raise NotApplicable("The provider keeps no files")
    chance = random.Random(lab.effort.seed)
    lab.save("whole")
    for path, damage in chosen:
        damage.do(lab, path)
        for i in (BATCHES, chance.randrange(1, BATCHES)):
            try:
                _load(lab, versions[i], rows[i], damage.of(path))
            except Violation as violation:
                _show_alone(lab, path, damage, i)
                raise violation
        lab.restore("whole")


def _chosen(
    lab: Lab, damages: Callable[[int, random.Random], list[Damage]], most: int = DAMAGES
) -> list[tuple[str, Damage]]:
    """What is damaged: in turn of each kind of file, of its newest first, each file once before any is again.

    Names may be random, and count for nothing here: the same seed gives the same damages of the same files.
    """
    sizes = {path: size for path, size in lab.files().items() if size}
    kinds: dict[str, list[list[tuple[str, Damage]]]] = {}
    for path in reversed(lab.files_as_written()):
        if path in sizes:
            alike = kinds.setdefault(PurePath(path).suffix, [])
            chance = random.Random(f"{lab.effort.seed} {PurePath(path).suffix} {len(alike)}")
            alike.append([(path, damage) for damage in damages(sizes[path], chance)])
    turns = [_each_file_in_turn(kinds[suffix]) for suffix in sorted(kinds)]
    every = [each for turn in zip_longest(*turns) for each in turn if each is not None]
    return every[: lab.effort.at_most(most)]


def _each_file_in_turn(files: list[list[tuple[str, Damage]]]) -> list[tuple[str, Damage]]:
    """The first damage of each file, then the second of each, and so on."""
    return [each for turn in zip_longest(*files) for each in turn if each is not None]


def _show_alone(lab: Lab, path: str, damage: Damage, version: int) -> None:
    """Does one damage again on a lab of its own, for a short program; names of files may differ there."""
    sizes = lab.files()
    shape = _shape(path)
    nth = [file for file in sorted(sizes) if _shape(file) == shape].index(path) if path in sizes else 0
    alone = lab.fresh()
    versions, rows = _history(alone)
    alike = [file for file in sorted(alone.files()) if _shape(file) == shape]
    if nth < len(alike):
        damage.do(alone, alike[nth])
        _load(alone, versions[version], rows[version], damage.of(alike[nth]))


def _shape(path: str) -> str:
    """A path without what differs from run to run."""
    return "/".join("".join(_plain(part)) for part in path.split("/"))


def _plain(name: str) -> Iterator[str]:
    words = name.replace("_", "-").replace(".", "-.").split("-")
    return (word if len(word) < 4 or word.startswith(".") else "*" for word in words)


def _load(lab: Lab, version: Version, rows: dict[str, str], damage: str) -> None:
    reader = lab.open("reader", conf=CONF)
    expect_version_or_error(reader, version, rows, f"after damage ({damage})")
    reader.close()


def _history(lab: Lab) -> tuple[list[Version], list[dict[str, str]]]:
    """Versions with snapshots among them, and their rows."""
    executor = lab.open(conf=CONF)
    versions: list[Version] = [EMPTY]
    rows: list[dict[str, str]] = [{}]
    for i in range(1, BATCHES + 1):
        # Texts of whole words: rows end with them, and not with zeros.
        puts = {f"row{i}": f"value {i:02}", f"other{i}": "x" * 8 * i, "counter": f"{i:08}"}
        removes = [f"row{i - 3}"]
        versions.append(commit(lab, executor, versions[-1], puts, removes))
        rows.append({**{name: text for name, text in rows[-1].items() if name not in removes}, **puts})
        executor.maintain()
    executor.close()
    return versions, rows
