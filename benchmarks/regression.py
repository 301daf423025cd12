"""The short form for CI: ratios with bounds so generous that a noisy machine keeps them and a mistake does not."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.contenders import CHANGELOG, ROCKSTATE
from benchmarks.ratios import paired
from benchmarks.results import Results


@dataclass(frozen=True)
class Bound:
    """Rockstate must be more than `times` times better than the contender with changelog checkpointing."""

    question: str
    metric: str
    times: float


BOUNDS = (
    Bound("update", "batch_p50_ms", 1.5),
    Bound("load", "rows_per_s", 0.8),
    Bound("update", "delta_bytes_per_row", 1.0),
)


def broken(results: Results) -> list[str]:
    """What is out of bounds, a line for each; empty if all is well."""
    lines = []
    for bound in BOUNDS:
        ratio = paired(results, bound.question, bound.metric, ROCKSTATE, CHANGELOG)
        if ratio is None:
            lines.append(f"{bound.question}: {bound.metric} was not measured")
        elif ratio.middle <= bound.times:
            lines.append(f"{bound.question}: {bound.metric} is {ratio.middle:.2f} times better, not {bound.times}")
    return lines
