"""Finds and kills a process with all its descendants, whatever process groups they have made for themselves."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

_POLL_SECONDS = 0.05


def kill_tree(root: int, timeout_seconds: float = 20) -> list[int]:
    """Send SIGKILL to the process `root` and all its descendants; return their ids once every one is dead.

    Raises TimeoutError if one is still alive after `timeout_seconds`. PySpark's worker daemon leads a process group of
    its own, so that a signal to the group of `root` alone would miss it.
    """
    os.kill(root, signal.SIGSTOP)  # so that it starts nothing while its descendants are listed
    tree = [root, *descendants(root)]
    for process in tree:
        _kill(process)
    deadline = time.monotonic() + timeout_seconds
    while alive := [process for process in tree if is_alive(process)]:
        if time.monotonic() > deadline:
            raise TimeoutError(f"processes {alive} are alive {timeout_seconds} s after SIGKILL")
        time.sleep(_POLL_SECONDS)
    return tree


def descendants(root: int) -> list[int]:
    """Return the ids of all living processes that `root` has started, and those have started."""
    parents = _parents()
    found = [root]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found[1:]


def is_alive(process: int) -> bool:
    """True if the process exists and is no zombie."""
    return process in _parents()


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):  # it died with its parent
        os.kill(process, signal.SIGKILL)


def _parents() -> dict[int, int]:
    """Every process that is not a zombie, with its parent."""
    return _from_proc() if Path("/proc/self/stat").exists() else _from_ps()


def _from_proc() -> dict[int, int]:
    parents = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            # pid (command) state parent ...; the command may hold anything, parentheses too.
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended just now
        if state != "Z":
            parents[int(folder.name)] = int(parent)
    return parents


def _from_ps() -> dict[int, int]:
    listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], check=True, capture_output=True, text=True).stdout
    processes = (line.split() for line in listing.splitlines())
    return {int(process): int(parent) for process, parent, state in processes if not state.startswith("Z")}
