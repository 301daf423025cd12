"""Counts the requests of every contender through every manager, one process after the other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from benchmarks.scale import tools
from benchmarks.scale.measure import CONTENDERS, MANAGERS


def count(contenders: Sequence[str], managers: Sequence[str], queries: str) -> None:
    """Has each process count these queries; what has been counted is taken as it is."""
    folder = tools.TARGET / "counts"
    folder.mkdir(parents=True, exist_ok=True)
    jars = ",".join(map(str, tools.jars()))
    wanted = [(contender, manager) for manager in managers for contender in contenders]
    for contender, manager in wanted:
        name = f"{contender}-{manager}"
        if not (folder / f"{name}.json").is_file():
            log = folder / f"{name}.log"
            with tools.serving(log) as port, (folder / f"{name}.out").open("wb") as output:
                command = [sys.executable, "-m", "benchmarks.scale.measure", "--contender", contender]
                command += ["--manager", manager, "--jars", jars, "--log", str(log)]
                command += ["--port", str(port), "--out", str(folder), "--queries", queries]
                subprocess.run(command, check=True, stdout=output, stderr=output)


def collected() -> dict[str, Any]:
    """What has been counted so far, by `contender-manager`."""
    names = [f"{contender}-{manager}" for manager in MANAGERS for contender in CONTENDERS]
    files = {name: tools.TARGET / "counts" / f"{name}.json" for name in names}
    return {name: json.loads(path.read_text("utf-8")) for name, path in files.items() if path.is_file()}
