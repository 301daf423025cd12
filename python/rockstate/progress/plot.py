"""Draws what a `ProgressRecorder` has kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rockstate.drawing import plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rockstate.progress.batches import BatchState


@dataclass(frozen=True)
class _Panel:
    title: str
    unit: str
    value: Callable[[BatchState], float | None]


_PANELS = (
    _Panel("batch duration", "seconds", lambda record: record.batch_ms / 1000),
    _Panel("state rows", "rows", lambda record: record.state_rows),
    _Panel("commit, all partitions", "seconds", lambda record: record.commit_ms / 1000),
    _Panel("memory", "MB", lambda record: record.memory_bytes / 2**20),
    _Panel("deltas since the last snapshot, all partitions", "deltas", lambda record: record.snapshot_lag),
)
_COUNTED = ("rows", "deltas")


def draw(records: Sequence[BatchState], path: Path) -> None:
    """One panel for each figure, one line for each query and stateful operator."""
    figure = plots.new_figure(10, 2.2 * len(_PANELS))
    figure.set_layout_engine("constrained")
    panels = figure.subplots(len(_PANELS), 1, sharex=True)
    lines = sorted({(record.query, record.operator, record.operator_name) for record in records})
    for axes, panel in zip(panels, _PANELS, strict=True):
        for query, operator, name in lines:
            points = [record for record in records if (record.query, record.operator) == (query, operator)]
            known = [(record.batch, height) for record in points if (height := panel.value(record)) is not None]
            axes.plot(
                [batch for batch, _ in known],
                [height for _, height in known],
                marker=".",
                label=f"{query}, {operator} {name}",
            )
        axes.set_title(panel.title, loc="left", fontsize="medium")
        axes.grid(alpha=0.3)
        _scale(axes, panel.unit)
    for label in panels[0].legend(fontsize="small").get_texts():
        label.set_parse_math(False)  # a name may have dollar signs
    panels[-1].set_xlabel("batch")
    plots.save(figure, path)


def _scale(axes: Axes, unit: str) -> None:
    """Batches, and what is counted, are whole numbers; all have commas between thousands."""
    from matplotlib.ticker import MaxNLocator

    axes.set_ylabel(unit)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=unit in _COUNTED, min_n_ticks=1))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
