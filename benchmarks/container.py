"""A bound on the memory of a process, as a container has it: what the kernel keeps of its files counts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

_V1 = Path("/sys/fs/cgroup/memory")
_V2 = Path("/sys/fs/cgroup")


class NoContainer(Exception):
    """This machine, or this user, cannot make one."""


@contextmanager
def of(size: int) -> Iterator[Path]:
    """A control group for `size` bytes, without swap; who writes its process id to `cgroup.procs` there is bound by it.

    Raises NoContainer.
    """
    is_old = (_V1 / "memory.limit_in_bytes").exists()
    try:
        group = Path(mkdtemp(prefix="rockstate-bench-", dir=_V1 if is_old else _V2))
    except OSError as e:
        raise NoContainer(f"no control group can be made: {e}") from e
    try:
        _limit(group, size, is_old)
        yield group
    finally:
        group.rmdir()


def join(group: Path) -> None:
    """Bounds this process by it."""
    (group / "cgroup.procs").write_text(str(os.getpid()))


def _limit(group: Path, size: int, is_old: bool) -> None:
    memory, swap = (
        ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes") if is_old else ("memory.max", "memory.swap.max")
    )
    try:
        (group / memory).write_text(str(size))
        if (group / swap).exists():
            (group / swap).write_text(str(size if is_old else 0))  # the old one is of both
    except OSError as e:
        raise NoContainer(f"{group} bounds no memory: {e}") from e
