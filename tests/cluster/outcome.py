"""Whether a run has ended as it must: its results, its failures, and what is left in storage."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
from tests.cluster.job import BATCHES_TO_RETAIN
from tests.cluster.run import Run

from rockstate.demo.compare import differences
from rockstate.demo.data import SENTINEL

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
#: Every kind of file that may be below a checkpoint's folder `state`, by what its path there ends in.
KINDS = {
    "temporary file": rf"\.[^/]+\.(?:{_UUID}\.tmp|\d+\.replacement)",
    "of the operator": r"(?:\d+/)+(?:[^/]+/)?_(?:metadata|stateSchema)/.+",
    "delta": r"\d+(?:_[\w-]+)?\.delta",
    "snapshot": r"\d+(?:_[\w-]+)?\.snapshot",
    "table file": rf"sst/{_UUID}\.sst",
}
#: What a query may fail with: no answer from storage, or Spark's patience of ten seconds with a Python that starts.
EXPECTED = re.compile(
    r"Connection re|ConnectException|SafeMode|safe mode|Failed on local exception|EOFException"
    r"|Zero blocklocations|NameNode still not started|Python worker failed to connect back"
    r"|AWSServiceIOException|AWSClientIOException|AWSStatus500Exception|AWSServiceThrottledException|ApiCallTimeout"
)

#: What drivers and executors say in their logs that is worth a figure.
SAID = {
    "tasks tried a second time by speculation": "as speculatable because",
    "late commits refused": "This transaction is on version",
}


def compared(wanted: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """The rows that both do not have equally often, but for what came of the sentinel at the input's end."""
    assert len(wanted), "nothing to compare with"
    column = "carrier" if "carrier" in found else "tailnum"
    return differences(wanted, found[found[column] != SENTINEL])


def other_failures(file: Path) -> list[str]:
    """What queries failed with that is not `EXPECTED`."""
    failures = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [failure for failure in failures if not EXPECTED.search(failure)]


def batches(files: Iterable[str], query: str) -> int:
    """How many batches the query has committed: Spark deletes older entries."""
    entries = (re.fullmatch(rf"/checkpoints/{query}/commits/(\d+)", file) for file in files)
    return 1 + max((int(entry[1]) for entry in entries if entry), default=-1)


def kinds(files: Iterable[str], query: str) -> Counter[str]:
    """How many files of each kind are below the query's `state`; what is of no kind counts under its path."""
    return Counter(_kind(file) for file in files if file.startswith(f"/checkpoints/{query}/state/"))


def stale(files: Iterable[str], query: str) -> dict[str, list[int]]:
    """By store, the versions that it has files of and that clean-up may delete.

    That is what is older than the second newest snapshot at or below the oldest version that must be kept.
    """
    versions: dict[str, dict[str, set[int]]] = {}
    for file in files:
        if found := re.fullmatch(rf"(/checkpoints/{query}/state/.*)/(\d+)(?:_[\w-]+)?\.(delta|snapshot)", file):
            versions.setdefault(found[1], {"delta": set(), "snapshot": set()})[found[3]].add(int(found[2]))
    return {store: _before_spare_anchor(**of_store) for store, of_store in versions.items()}


def _before_spare_anchor(delta: set[int], snapshot: set[int]) -> list[int]:
    anchors = sorted(version for version in snapshot if version <= max(delta) - BATCHES_TO_RETAIN)
    return sorted(version for version in delta | snapshot if len(anchors) > 1 and version < anchors[-2])


def _kind(file: str) -> str:
    below = file.partition("/state/")[2]
    return next((kind for kind, pattern in KINDS.items() if re.fullmatch(rf"(?:.*/)?{pattern}", below)), file)


def said(folder: Path) -> Counter[str]:
    """How many lines of all logs say what `SAID` has."""
    counted = Counter(dict.fromkeys(SAID, 0))
    for log in (*folder.glob("driver-*.log"), *folder.glob("cluster/work-*/*/*/stderr")):
        with log.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                counted.update(what for what, words in SAID.items() if words in line)
    return counted


def telling(folder: Path, secret: str) -> list[str]:
    """The files that a run has written, logs and reports and blocks of storage, that have the secret in them."""
    word = secret.encode()
    return sorted(str(file) for file in folder.rglob("*") if file.is_file() and word in file.read_bytes())


def write_figures(run: Run, figures: dict[str, object], file: Path) -> None:
    """Keeps what a run has counted."""
    file.parent.mkdir(parents=True, exist_ok=True)
    about = {"seed": run.seed, "seconds": round(run.seconds), "counts": dict(sorted(run.counts.items()))}
    file.write_text(json.dumps({**about, **figures}, indent=2) + "\n", encoding="utf-8")
