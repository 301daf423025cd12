"""Draws what a `ProgressRecorder` has kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rockstate.drawing import plots

if TYPE_CHECKING:
    from rockstate.progress.batches import BatchState

_Panel = tuple[str, Callable[["BatchState"], float | None]]

_PANELS: tuple[_Panel, ...] = (
    ("batch duration, s", lambda record: record.batch_ms / 1000),
    ("state rows", lambda record: record.state_rows),
    ("commit, all partitions, s", lambda record: record.commit_ms / 1000),
    ("memory, MB", lambda record: record.memory_bytes / 2**20),
    ("deltas since the last snapshot, all partitions", lambda record: record.snapshot_lag),
)


def draw(records: Sequence[BatchState], path: Path) -> None:
    """One panel for each figure, one line for each query and stateful operator."""
    figure = plots.new_figure(10, 2.2 * len(_PANELS))
    figure.set_layout_engine("constrained")
    panels = figure.subplots(len(_PANELS), 1, sharex=True)
    lines = sorted({(record.query, record.operator, record.operator_name) for record in records})
    for axes, (title, value) in zip(panels, _PANELS, strict=True):
        for query, operator, name in lines:
            points = [record for record in records if (record.query, record.operator) == (query, operator)]
            known = [(record.batch, value(record)) for record in points if value(record) is not None]
            axes.plot(
                [batch for batch, _ in known],
                [height for _, height in known],
                marker=".",
                label=f"{query}, {operator} {name}",
            )
        axes.set_title(title, loc="left", fontsize="medium")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
    for label in panels[0].legend(fontsize="small").get_texts():
        label.set_parse_math(False)  # a name may have dollar signs
    panels[-1].set_xlabel("batch")
    plots.save(figure, path)
