"""Draws what a checkpoint's stores hold, by partition."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rockstate.drawing import plots
from rockstate.inspection.findings import FILE_KINDS, Findings, Operator, Store

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = 5
_WIDTH, _ROW_HEIGHT, _HEADING_HEIGHT = 24.0, 2.6, 1.0
_MAX_HEIGHT = 400.0  # inches: matplotlib draws no more than 2**16 pixels
_WRONG = "tab:red"


def draw(findings: Findings, path: Path) -> None:
    """One row of panels for each operator and store name: versions, files, bytes, rows and lag over the partitions."""
    series = [(operator, stores) for operator in findings.operators for stores in operator.by_name.values()]
    height = min(_ROW_HEIGHT * max(len(series), 1), _MAX_HEIGHT) + _HEADING_HEIGHT
    figure = plots.new_figure(_WIDTH, height)
    figure.text(0.5, 1 - 0.1 / height, _heading(findings), ha="center", va="top", parse_math=False)
    if series:
        # Not matplotlib's own layout, which takes minutes for a hundred rows.
        edges = {"left": 0.04, "right": 0.99, "top": 1 - _HEADING_HEIGHT / height, "bottom": 0.5 / height}
        rows = figure.subplots(len(series), _COLUMNS, squeeze=False, gridspec_kw={**edges, "hspace": 0.5})
        for panels, (operator, stores) in zip(rows, series, strict=True):
            _draw_row(panels, operator, stores, findings.last_committed)
    plots.save(figure, path)


def _draw_row(panels: Sequence[Axes], operator: Operator, stores: Sequence[Store], committed: int | None) -> None:
    versions, files, sizes, rows, lags = panels
    _ranges(versions, stores, committed)
    _stacked(files, stores, [(name, [store.kind(name).files for store in stores]) for name in FILE_KINDS])
    _stacked(sizes, stores, [(name, [store.kind(name).bytes / 2**20 for store in stores]) for name in FILE_KINDS])
    _known(rows, stores, [store.rows for store in stores])
    _known(lags, stores, [store.snapshot_lag for store in stores])
    title = f"operator {operator.operator_id} {operator.name or ''}, store {stores[0].name}: loadable versions"
    titles = (title, "files", "size, MB", "rows", "snapshot lag, deltas")
    for axes, text in zip(panels, titles, strict=True):
        axes.set_title(text, loc="left", fontsize="small", parse_math=False)
        axes.set_xlabel("partition", fontsize="small")
        axes.tick_params(labelsize="small")
        axes.grid(axis="y", alpha=0.3)
        axes.locator_params(axis="x", integer=True)


def _ranges(axes: Axes, stores: Sequence[Store], committed: int | None) -> None:
    """A bar for each range of loadable versions; a red cross where something is wrong."""
    bars = [(store.partition, first, last) for store in stores for first, last in store.loadable]
    axes.bar(
        [p for p, _, _ in bars],
        [last - first + 1 for _, first, last in bars],
        _width(stores),
        [f - 0.5 for _, f, _ in bars],
    )
    wrong = [(store.partition, store.newest or 0) for store in stores if store.problems]
    if wrong:
        axes.scatter(*zip(*wrong, strict=True), marker="x", color=_WRONG, zorder=3, label="problems")
    if committed is not None:
        axes.axhline(committed + 1, color="black", linestyle=":", linewidth=1, label="last committed")
        axes.legend(fontsize="x-small")


def _stacked(axes: Axes, stores: Sequence[Store], layers: Sequence[tuple[str, Sequence[float]]]) -> None:
    partitions, floor = [store.partition for store in stores], [0.0] * len(stores)
    for number, (name, heights) in enumerate(layers):
        if any(heights):
            axes.bar(partitions, heights, _width(stores), floor, color=f"C{number}", label=name)
            floor = [low + height for low, height in zip(floor, heights, strict=True)]
    axes.set_ylim(bottom=0)
    if any(floor):
        axes.legend(fontsize="x-small")


def _known(axes: Axes, stores: Sequence[Store], values: Sequence[int | None]) -> None:
    """A bar for each value that is known, and their mean."""
    known = [(store.partition, value) for store, value in zip(stores, values, strict=True) if value is not None]
    if not known:
        axes.text(0.5, 0.5, "not known", ha="center", va="center", transform=axes.transAxes)
        return
    heights = [value for _, value in known]
    axes.bar([partition for partition, _ in known], heights, _width(stores))
    axes.axhline(sum(heights) / len(heights), color="black", linestyle=":", linewidth=1, label="mean")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize="x-small")


def _width(stores: Sequence[Store]) -> float:
    return 0.8 if len(stores) <= 50 else 1.0  # gaps between so many bars would be a pattern of their own


def _heading(findings: Findings) -> str:
    committed = "no batch" if findings.last_committed is None else f"batch {findings.last_committed}"
    return f"{findings.location}\n{findings.provider or 'unknown provider'}, committed: {committed}"
