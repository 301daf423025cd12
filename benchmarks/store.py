"""A run on disk: results.json with everything in it, report.md, and plots."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.results import BadResult, Results, from_json

RESULTS = "results.json"


@dataclass(frozen=True)
class Run:
    """Results, the name of the form that made them, and the machine."""

    form: str
    machine: Mapping[str, Any]
    results: Results

    def with_later(self, later: Run) -> Run:
        """This run, and a later one's answers to what this one was not asked. Raises ValueError if there are none."""
        new = [each for each in later.results.all if each.question not in self.results.questions]
        if not new:
            raise ValueError("the later run has no question that the first was not asked")
        said = {
            "date": later.machine["date"],
            "cpu": later.machine["cpu"],
            "rounds": max(each.round for each in new),
            "questions": list(Results(new).questions),
        }
        runs = [*self.machine.get("later", []), said]
        return replace(self, machine={**self.machine, "later": runs}, results=Results([*self.results.all, *new]))

    def without_series(self) -> Run:
        """Its figures without the samples that they are made of."""
        return replace(self, results=Results(replace(each, series={}) for each in self.results.all))


def write(run: Run, folder: Path) -> None:
    """Writes results.json and report.md."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(run, folder / RESULTS)
    (folder / "report.md").write_text(report.full_text(run.results), "utf-8")


def write_json(run: Run, path: Path) -> None:
    """Writes a run with one line for every result."""
    head = json.dumps({"form": run.form, "machine": dict(run.machine)}).removesuffix("}")
    lines = ",\n".join(json.dumps(each.to_json()) for each in run.results.all)
    path.write_text(f'{head}, "results": [\n{lines}\n]}}\n', "utf-8")


def read(place: Path) -> Run:
    """The run in a folder or in a file that `write_json` wrote. Raises BadResult."""
    try:
        whole = json.loads((place / RESULTS if place.is_dir() else place).read_text("utf-8"))
        return Run(whole["form"], whole["machine"], Results(map(from_json, whole["results"])))
    except (OSError, json.JSONDecodeError, KeyError, TypeError) as error:
        raise BadResult(f"{place}: no run: {error!r}") from error
