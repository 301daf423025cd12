"""Ratios between two contenders, taken within each round: what a noisy minute does to both does not count."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from benchmarks.results import Metric, Results


@dataclass(frozen=True)
class Ratio:
    """How many times better one contender is than another: more than 1 is better, for rates as for times."""

    least: float
    middle: float
    most: float
    rounds: int


def times_better(ours: Metric, theirs: Metric) -> float:
    """More than 1 if ours is better; infinite if the worse of the two is divided by nothing."""
    better, worse = (ours.value, theirs.value) if ours.higher_is_better else (theirs.value, ours.value)
    if better == worse:
        return 1.0
    return better / worse if worse else float("inf")


def paired(results: Results, question: str, metric: str, ours: str, theirs: str) -> Ratio | None:
    """The ratio over all rounds that have both contenders, None if there is no such round."""
    left = results.by_round(question, ours, metric)
    right = results.by_round(question, theirs, metric)
    found = [times_better(left[number], right[number]) for number in left if number in right]
    return Ratio(min(found), median(found), max(found), len(found)) if found else None
