"""Runs one process of a contender and reads what it wrote."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

from benchmarks import container, results
from benchmarks.results import Result

CANNOT = 3
WRONG_ANSWER = 4


class WrongAnswer(Exception):
    """A contender returned what was not written: the run is worth nothing."""


class Failed(Exception):
    """A process ended in a way that is none of a contender's."""


class Cannot(Exception):
    """The contender cannot do what was asked."""


def run(
    command: Sequence[str],
    folder: Path,
    patience: float,
    env: Mapping[str, str] | None = None,
    *,
    one_core: bool = False,
    container_bytes: int | None = None,
) -> list[Result]:
    """Runs the command, for `patience` seconds at most, and reads `folder/out/*.json`.

    With `one_core` all of the command's threads share one core, the last of those that this process may use;
    `container_bytes` bounds its memory, the page cache of its files included.

    Raises:
        Cannot: the contender lacks what it takes, or memory, or the machine has no such container.
        WrongAnswer: the shadow copy differs.
        Failed: anything else went wrong, also if nothing was written.
    """
    for each in ("tmp", "out"):
        (folder / each).mkdir(parents=True, exist_ok=True)
    log = folder / "log"
    try:
        with log.open("wb") as output, container.of(container_bytes) if container_bytes else nullcontext() as group:
            done = subprocess.run(
                command,
                stdout=output,
                stderr=output,
                timeout=patience,
                env=env,
                check=False,
                preexec_fn=_bounds(one_core, group),
            )
    except subprocess.TimeoutExpired:
        raise Failed(f"no end after {patience:.0f} s\n{end_of(log)}") from None
    except (container.NoContainer, subprocess.SubprocessError) as e:
        raise Cannot(f"its process cannot be bound: {e}") from None
    if done.returncode == WRONG_ANSWER:
        raise WrongAnswer(_line(log, "WRONG ANSWER"))
    if done.returncode == CANNOT:
        raise Cannot(end_of(log, lines=1))
    if done.returncode != 0:
        raise Failed(f"exit code {done.returncode}\n{end_of(log)}")
    found = [results.read(path) for path in sorted((folder / "out").glob("*.json"))]
    if not found:
        raise Failed(f"no result\n{end_of(log)}")
    return found


def logged(name: str, command: Sequence[str], log: Path) -> None:
    """Runs the command, which writes to the file `log`; Failed, with the name and the log's end, if it fails."""
    with log.open("wb") as output:
        done = subprocess.run(command, stdout=output, stderr=output, check=False)
    if done.returncode != 0:
        raise Failed(f"{name}: exit code {done.returncode}\n{end_of(log)}")


def _bounds(one_core: bool, group: Path | None) -> Callable[[], None]:
    def apply() -> None:
        if one_core:
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        if group is not None:
            container.join(group)

    return apply


def end_of(log: Path, lines: int = 40) -> str:
    """The last lines of what a process wrote."""
    return "\n".join(log.read_text("utf-8", errors="replace").splitlines()[-lines:])


def _line(log: Path, start: str) -> str:
    found = [line for line in log.read_text("utf-8", errors="replace").splitlines() if line.startswith(start)]
    return found[-1] if found else end_of(log)
