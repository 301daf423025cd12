"""What is damaged depends on the seed and on what was written, not on the names that files got."""

from __future__ import annotations

import random
from typing import cast

from rockstate.conformance import Effort, Lab
from rockstate.conformance.checks.damage import DAMAGES, Damage, _chosen


class _Written:
    """As much of a lab as the choice looks at: files with random names, in the order of writing."""

    def __init__(self, names: random.Random, effort: Effort) -> None:
        self.effort = effort
        self._sizes = {f"state/{names.getrandbits(64):x}.{kind}": 100 + n for n in range(40) for kind in ("sst", "zip")}

    def files(self) -> dict[str, int]:
        return dict(sorted(self._sizes.items()))

    def files_as_written(self) -> list[str]:
        return list(self._sizes)


def flips(size: int, chance: random.Random) -> list[Damage]:
    return [Damage("flip", chance.randrange(size * 8)) for _ in range(3)]


def chosen(names: int, effort: Effort) -> list[tuple[int, str, int]]:
    """What is chosen: the length and kind of each file, which tell the files apart, and the bit."""
    lab = _Written(random.Random(names), effort)
    found = _chosen(cast("Lab", lab), flips)
    return [(lab.files()[path], path[-3:], damage.at) for path, damage in found]


def test_the_same_seed_damages_the_same_bits_whatever_the_names_are() -> None:
    assert chosen(1, Effort(seed=3)) == chosen(2, Effort(seed=3))
    assert chosen(1, Effort(seed=3)) != chosen(1, Effort(seed=4))


def test_kinds_take_turns_and_the_newest_file_of_each_comes_first() -> None:
    found = chosen(1, Effort())
    assert len(found) == DAMAGES
    assert [kind for _, kind, _ in found] == ["sst", "zip"] * (DAMAGES // 2)
    assert [size for size, _, _ in found[::2]] == list(range(139, 139 - DAMAGES // 2, -1))
