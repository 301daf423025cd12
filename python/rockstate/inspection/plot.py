"""Draws what a checkpoint's stores hold, by partition: a page that is read on a slide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rockstate.base.units import scale_of
from rockstate.drawing import plots
from rockstate.inspection.findings import DEFAULT_STORE, FILE_KINDS, Findings, Operator, Store, count_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH = 13.33  # inches, as slides are
_PANEL_HEIGHT, _HEADING_HEIGHT, _GAP = 2.6, 0.8, 1.0
_MAX_HEIGHT = 400.0  # matplotlib draws no more than 2**16 pixels
_USUAL, _OUTLIER, _WRONG = "tab:blue", "tab:orange", "tab:red"

#: A partition with more than so many times the mean stands out; no more than these are named.
_FAR = 2.0
_NAMED = 3


def draw(findings: Findings, path: Path) -> None:
    """Two rows of panels for each operator and store name: rows, bytes, what a recovery replays, loadable versions."""
    series = [(operator, stores) for operator in findings.operators for stores in operator.by_name.values()]
    rows = 2 * max(len(series), 1)
    height = min(rows * (_PANEL_HEIGHT + _GAP) + _HEADING_HEIGHT, _MAX_HEIGHT)
    figure = plots.new_figure(_WIDTH, height)
    figure.text(0.06, 1 - 0.15 / height, _heading(findings), ha="left", va="top", fontsize="large", parse_math=False)
    if series:
        # Not matplotlib's own layout, which takes minutes for a hundred rows.
        top = 1 - (_HEADING_HEIGHT + 0.55) / height
        edges = {"left": 0.09, "right": 0.97, "top": top, "bottom": 0.6 / height}
        space = {"hspace": (_GAP + 0.1) / _PANEL_HEIGHT, "wspace": 0.2}
        panels = figure.subplots(rows, 2, squeeze=False, gridspec_kw={**edges, **space})
        for at, (operator, stores) in enumerate(series):
            _draw_series([*panels[2 * at], *panels[2 * at + 1]], operator, stores, findings.last_committed)
    plots.save(figure, path)


def _draw_series(panels: Sequence[Axes], operator: Operator, stores: Sequence[Store], committed: int | None) -> None:
    rows, sizes, lags, versions = panels
    name = "" if stores[0].name == DEFAULT_STORE else f", store {stores[0].name}"
    _known(rows, stores, [store.rows for store in stores], "rows")
    _title(rows, f"operator {operator.operator_id} {operator.name or ''}{name}\nRows{_skew(stores)}")
    _sizes(sizes, stores)
    _known(lags, stores, [store.snapshot_lag for store in stores], "deltas")
    _title(lags, f"Deltas that a recovery replays{_mean([store.snapshot_lag for store in stores])}")
    _versions(versions, stores, committed)
    for axes in panels:
        axes.set_xlabel("partition")
        axes.grid(axis="y", alpha=0.3)
        axes.locator_params(axis="x", integer=True)
        axes.spines[["top", "right"]].set_visible(False)


def _known(axes: Axes, stores: Sequence[Store], values: Sequence[int | None], unit: str) -> None:
    """A bar for each value that is known, and their mean; those far above it in another colour, the first named."""
    known = [(store.partition, value) for store, value in zip(stores, values, strict=True) if value is not None]
    axes.set_ylabel(unit)
    if not known:
        axes.text(0.5, 0.5, "not known", ha="center", va="center", transform=axes.transAxes)
        return
    mean = sum(value for _, value in known) / len(known)
    far = [(partition, value) for partition, value in known if len(known) > 1 and value > _FAR * mean]
    colours = [_OUTLIER if pair in far else _USUAL for pair in known]
    axes.bar([partition for partition, _ in known], [value for _, value in known], _width(stores), color=colours)
    axes.axhline(mean, color="black", linestyle=":", linewidth=1, zorder=2)
    for partition, value in sorted(far, key=lambda pair: -pair[1])[:_NAMED]:
        text = f" {partition}: {value:,}, {value / mean:.1f} times the mean"
        after_middle = partition > (known[0][0] + known[-1][0]) / 2
        axes.annotate(text, (partition, value), va="bottom", ha="right" if after_middle else "left", color=_OUTLIER)
    _numbers(axes, max(value for _, value in known), "{:,.0f}".format, whole=True)


def _sizes(axes: Axes, stores: Sequence[Store]) -> None:
    """The size of each kind of files, on top of each other."""
    most = max(store.bytes for store in stores)
    one, unit = scale_of(most)
    floor = [0.0] * len(stores)
    for number, kind in enumerate(FILE_KINDS):
        heights = [store.kind(kind).bytes / one for store in stores]
        if any(heights):
            colour = _WRONG if kind == "orphans" else f"C{number}" if kind != "others" else "tab:purple"
            places = [store.partition for store in stores]
            axes.bar(places, heights, _width(stores), floor, color=colour, label=kind)
            floor = [low + height for low, height in zip(floor, heights, strict=True)]
    axes.set_ylabel(unit)
    _numbers(axes, most / one, "{:,.4g}".format, whole=False)
    total_one, total_unit = scale_of(sum(store.bytes for store in stores))
    _title(axes, f"Size, {sum(store.bytes for store in stores) / total_one:,.4g} {total_unit}")
    if any(floor):
        _legend(axes)


def _versions(axes: Axes, stores: Sequence[Store], committed: int | None) -> None:
    """A bar for each range of loadable versions; a red cross where something is wrong."""
    from matplotlib.ticker import MaxNLocator

    bars = [(store.partition, first, last) for store in stores for first, last in store.loadable]
    heights = [last - first + 1 for _, first, last in bars]
    axes.bar([p for p, _, _ in bars], heights, _width(stores), [first - 0.5 for _, first, _ in bars], color=_USUAL)
    wrong = [(store.partition, store.newest or 0) for store in stores if store.problems]
    _title(axes, "Loadable versions")
    if wrong:
        axes.scatter(
            *zip(*wrong, strict=True),
            marker="x",
            color=_WRONG,
            zorder=3,
            label=f"{count_text(len(wrong), 'store')} with problems",
        )
    if committed is not None:
        axes.axhline(committed + 1, color="black", linestyle=":", linewidth=1, label=f"committed: {committed + 1:,}")
        _legend(axes)
    axes.set_ylabel("version")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")


def _numbers(axes: Axes, most: float, text: Callable[[float], str], whole: bool) -> None:
    """The axis begins with 0, and leaves room for names."""
    from matplotlib.ticker import MaxNLocator

    axes.set_ylim(0, 1.25 * most or 1)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=whole, min_n_ticks=1))
    axes.yaxis.set_major_formatter(lambda value, _: text(value))


def _legend(axes: Axes) -> None:
    """Above the panel, where it hides nothing."""
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.02, 0.98),
        ncols=len(FILE_KINDS),
        frameon=False,
        columnspacing=1,
        fontsize="small",
    )


def _title(axes: Axes, text: str) -> None:
    axes.set_title(text, loc="left", parse_math=False)


def _skew(stores: Sequence[Store]) -> str:
    """In words: how many rows there are, and how uneven."""
    known = [store.rows for store in stores if store.rows is not None]
    if not sum(known):
        return ""
    return f": {sum(known):,}, the largest partition {max(known) * len(known) / sum(known):.2f} times the mean (dotted)"


def _mean(values: Sequence[int | None]) -> str:
    """In words."""
    known = [value for value in values if value is not None]
    return f", {f'{sum(known) / len(known):,.1f}'.removesuffix('.0')} on average (dotted)" if known else ""


def _width(stores: Sequence[Store]) -> float:
    return 0.8 if len(stores) <= 50 else 1.0  # gaps between so many bars would be a pattern of their own


def _heading(findings: Findings) -> str:
    committed = "no batch" if findings.last_committed is None else f"batch {findings.last_committed:,}"
    return f"{findings.location}\n{findings.provider or 'unknown provider'}, committed: {committed}"
