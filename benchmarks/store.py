"""A run on disk: results.json with everything in it, report.md, and plots."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.results import BadResult, Results, from_json


@dataclass(frozen=True)
class Run:
    """Results, the name of the form that made them, and the machine."""

    form: str
    machine: Mapping[str, Any]
    results: Results


def write(run: Run, folder: Path) -> None:
    """Writes results.json and report.md."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = {"form": run.form, "machine": dict(run.machine), "results": [each.to_json() for each in run.results.all]}
    (folder / "results.json").write_text(json.dumps(whole, indent=1) + "\n", "utf-8")
    (folder / "report.md").write_text(report.full_text(run.results), "utf-8")


def read(folder: Path) -> Run:
    """The run in a folder. Raises BadResult."""
    try:
        whole = json.loads((folder / "results.json").read_text("utf-8"))
        return Run(whole["form"], whole["machine"], Results(map(from_json, whole["results"])))
    except (OSError, json.JSONDecodeError, KeyError, TypeError) as error:
        raise BadResult(f"{folder}: no run: {error!r}") from error
