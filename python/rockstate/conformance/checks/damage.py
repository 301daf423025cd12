"""Damage: each file cut short, with a flipped bit, or gone; what is loaded then is right, or refused."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rockstate.conformance.calls.outcomes import NotApplicable, Version, Violation
from rockstate.conformance.checks.registry import check
from rockstate.conformance.checks.rows import EMPTY, commit, expect_version_or_error
from rockstate.conformance.lab.lab import Lab

CONF = {"spark.sql.streaming.stateStore.minDeltasForSnapshot": "3"}
BATCHES = 10
LOADS = 120
"""How many times a check loads a version at most: more damages than that are sampled."""


@check("R44")
def a_file_cut_short_is_noticed(lab: Lab) -> None:
    _damage_each_file(lab, lambda size: [_Damage("cut", length) for length in sorted({0, size // 2, size - 1})])


@check("R45")
def a_flipped_bit_is_noticed(lab: Lab) -> None:
    def flips(size: int) -> list[_Damage]:
        return [_Damage("flip", byte * 8 + byte % 8) for byte in sorted({0, size // 4, size // 2, size - 1})]

    _damage_each_file(lab, flips)


@check("R46")
def a_missing_file_is_noticed(lab: Lab) -> None:
    _damage_each_file(lab, lambda size: [_Damage("delete", 0)])


@dataclass(frozen=True)
class _Damage:
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


def _damage_each_file(lab: Lab, damages: Callable[[int], list[_Damage]]) -> None:
    """Damages one file after the other, each alone, and loads the newest and some other version afresh."""
    versions, rows = _history(lab)
    files = lab.files()
    every = [(path, damage) for path, size in files.items() for damage in (damages(size) if size else [])]
    if not every:
        raise NotApplicable("The provider keeps no files")
    chance = random.Random(lab.effort.seed)
    if len(every) > LOADS // 2:
        every = sorted(chance.sample(every, LOADS // 2), key=lambda each: (each[0], each[1].at))
    lab.save("whole")
    for path, damage in every:
        damage.do(lab, path)
        for i in (BATCHES, chance.randrange(1, BATCHES)):
            try:
                _load(lab, versions[i], rows[i], damage.of(path))
            except Violation as violation:
                _show_alone(lab, path, damage, i)
                raise violation
        lab.restore("whole")


def _show_alone(lab: Lab, path: str, damage: _Damage, version: int) -> None:
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
        puts, removes = {f"row{i}": f"value {i}", f"other{i}": "x" * i, "counter": str(i)}, [f"row{i - 3}"]
        versions.append(commit(lab, executor, versions[-1], puts, removes))
        rows.append({**{name: text for name, text in rows[-1].items() if name not in removes}, **puts})
        executor.maintain()
    executor.close()
    return versions, rows
