"""Results as processes write them: benchmarks/README.md says what is in them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any


class BadResult(Exception):
    """A result file that is not as benchmarks/README.md says."""


@dataclass(frozen=True)
class Metric:
    """One figure and whether more of it is better."""

    value: float
    unit: str
    higher_is_better: bool


@dataclass(frozen=True)
class Result:
    """What one process found about one question."""

    question: str
    contender: str
    round: int
    metrics: Mapping[str, Metric]
    settings: Mapping[str, Any] = field(default_factory=dict)
    series: Mapping[str, Sequence[float]] = field(default_factory=dict)
    machine: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, int]:
        return self.question, self.contender, self.round

    def to_json(self) -> dict[str, Any]:
        """The object that `from_json` reads."""
        return {
            "question": self.question,
            "contender": self.contender,
            "round": self.round,
            "settings": dict(self.settings),
            "metrics": {
                name: {
                    "value": metric.value,
                    "unit": metric.unit,
                    "better": "higher" if metric.higher_is_better else "lower",
                }
                for name, metric in self.metrics.items()
            },
            "series": {name: list(values) for name, values in self.series.items()},
            "machine": dict(self.machine),
        }


def from_json(found: Mapping[str, Any]) -> Result:
    """Checks one result. Raises BadResult."""
    try:
        metrics = {name: _metric(name, each) for name, each in found["metrics"].items()}
        result = Result(
            str(found["question"]),
            str(found["contender"]),
            int(found["round"]),
            metrics,
            found.get("settings", {}),
            found.get("series", {}),
            found.get("machine", {}),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadResult(f"no result: {error!r}") from error
    if not metrics:
        raise BadResult(f"{result.contender} has no metrics for {result.question}")
    return result


def _metric(name: str, found: Mapping[str, Any]) -> Metric:
    value = float(found["value"])
    if not math.isfinite(value) or found["better"] not in ("higher", "lower"):
        raise ValueError(f"metric {name}: {dict(found)}")
    return Metric(value, str(found["unit"]), found["better"] == "higher")


def read(path: Path) -> Result:
    """One result file. Raises BadResult."""
    try:
        return from_json(json.loads(path.read_text("utf-8")))
    except (OSError, json.JSONDecodeError) as error:
        raise BadResult(f"{path}: {error}") from error


class Results:
    """All results of a run."""

    def __init__(self, results: Iterable[Result]) -> None:
        self.all = tuple(results)

    def having(self, result: Result) -> Results:
        """These and one more, which takes the place of an earlier one of the same question, contender and round."""
        return Results([*(each for each in self.all if each.key != result.key), result])

    @property
    def questions(self) -> tuple[str, ...]:
        """In the order they were first asked."""
        return tuple(dict.fromkeys(result.question for result in self.all))

    @property
    def contenders(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(result.contender for result in self.all))

    def of(self, question: str, contender: str) -> tuple[Result, ...]:
        return tuple(each for each in self.all if each.question == question and each.contender == contender)

    def metric_names(self, question: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for each in self.all if each.question == question for name in each.metrics))

    def by_round(self, question: str, contender: str, metric: str) -> dict[int, Metric]:
        return {each.round: each.metrics[metric] for each in self.of(question, contender) if metric in each.metrics}

    def middle(self, question: str, contender: str, metric: str) -> Metric | None:
        """The median over rounds, None if there is no figure."""
        found = list(self.by_round(question, contender, metric).values())
        if not found:
            return None
        return Metric(median(each.value for each in found), found[0].unit, found[0].higher_is_better)
