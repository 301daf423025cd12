"""Draws what a checkpoint's stores hold, by partition: a picture for a slide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rockstate.base.units import bytes_text, scale_of
from rockstate.drawing import plots
from rockstate.inspection.findings import DEFAULT_STORE, FILE_KINDS, Findings, Operator, Store
from rockstate.inspection.standing_out import is_far, mean_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 13.33, 7.5  # inches, as slides are
_ROW_HEIGHT = 1.6  # of more rows than a slide has room for
_HEADING_HEIGHT = 0.9
_MAX_HEIGHT = 400.0  # matplotlib draws no more than 2**16 pixels
_USUAL, _OUTLIER, _WRONG = "tab:blue", "tab:orange", "tab:red"
_COLOURS = dict(zip(FILE_KINDS, ("tab:blue", "tab:cyan", "tab:green", "tab:red", "tab:purple"), strict=True))

#: No more partitions than these are named of those that stand out.
_NAMED = 3


def draw(findings: Findings, path: Path) -> None:
    """Panels for rows, size, what a recovery replays and loadable versions: of one store name, or a row for each."""
    series = [(operator, stores) for operator in findings.operators for stores in operator.by_name.values()]
    rows, columns = (len(series), 4) if len(series) > 1 else (2, 2)
    height = min(max(_HEIGHT, _HEADING_HEIGHT + rows * _ROW_HEIGHT), _MAX_HEIGHT)
    figure = plots.new_figure(_WIDTH, height)
    figure.text(0.05, 1 - 0.15 / height, _heading(findings), ha="left", va="top", fontsize="large", parse_math=False)
    if series:
        # Not matplotlib's own layout, which takes minutes for a hundred rows.
        edges = {"left": 0.07, "right": 0.98, "top": 1 - (_HEADING_HEIGHT + 0.3) / height, "bottom": 0.55 / height}
        space = {"hspace": 0.3 if columns == 2 else 0.7, "wspace": 0.2 if columns == 2 else 0.36}
        panels = figure.subplots(rows, columns, squeeze=False, gridspec_kw={**edges, **space}).flatten().tolist()
        for at, (operator, stores) in enumerate(series):
            _draw_series(panels[4 * at : 4 * at + 4], operator, stores, findings.last_committed)
        for axes in panels[-columns:]:
            axes.set_xlabel("partition")
        _legend(figure, panels, height)
    plots.save(figure, path)


def _draw_series(panels: Sequence[Axes], operator: Operator, stores: Sequence[Store], committed: int | None) -> None:
    rows, sizes, lags, versions = panels
    name = "" if stores[0].name == DEFAULT_STORE else f", {stores[0].name}"
    title = f"operator {operator.operator_id} {operator.name or ''}{name}{_in_words(stores)}"
    rows.set_title(title, loc="left", parse_math=False, fontsize="medium")
    _known(rows, stores, [store.rows for store in stores], "rows")
    _sizes(sizes, stores)
    _known(lags, stores, [store.snapshot_lag for store in stores], "deltas to\nreplay", least=20)
    _versions(versions, stores, committed)
    for axes in panels:
        axes.grid(axis="y", alpha=0.3)
        axes.locator_params(axis="x", integer=True)
        axes.spines[["top", "right"]].set_visible(False)


def _known(axes: Axes, stores: Sequence[Store], values: Sequence[int | None], unit: str, least: int = 0) -> None:
    """A bar for each value that is known, and their mean; those far above it in another colour, the first named."""
    known = [(store.partition, value) for store, value in zip(stores, values, strict=True) if value is not None]
    axes.set_ylabel(unit)
    if not known:
        axes.text(0.5, 0.5, "not known", ha="center", va="center", transform=axes.transAxes)
        return
    far = _mark(axes, known, "{:,}".format, least)
    colours = [_OUTLIER if pair in far else _USUAL for pair in known]
    axes.bar([partition for partition, _ in known], [value for _, value in known], _width(stores), color=colours)
    _numbers(axes, max(value for _, value in known), "{:,.0f}".format, whole=True)


def _mark(
    axes: Axes, known: Sequence[tuple[int, int]], text: Callable[[int], str], least: int = 0, one: int = 1
) -> list[tuple[int, int]]:
    """Draws the mean, and names the values far above it; returns these. The axis is in units of `one`."""
    mean = sum(value for _, value in known) / len(known)
    axes.axhline(mean / one, color="black", linestyle=":", linewidth=1, zorder=2, label="mean")
    far = [pair for pair in known if len(known) > 1 and is_far(pair[1], mean, least)]
    for partition, value in sorted(far, key=lambda pair: -pair[1])[:_NAMED]:
        said = f" {partition}: {text(value)}, {value / mean:.1f} times the mean "
        side = "right" if partition > (known[0][0] + known[-1][0]) / 2 else "left"
        axes.annotate(said, (partition, value / one), va="bottom", ha=side, color=_OUTLIER, fontsize="small")
    return far


def _sizes(axes: Axes, stores: Sequence[Store]) -> None:
    """The size of each kind of files, on top of each other."""
    most = max(store.bytes for store in stores)
    one, unit = scale_of(most)
    floor = [0.0] * len(stores)
    places = [store.partition for store in stores]
    for kind in FILE_KINDS:
        heights = [store.kind(kind).bytes / one for store in stores]
        if any(heights):
            axes.bar(places, heights, _width(stores), floor, color=_COLOURS[kind], label=kind)
            floor = [low + height for low, height in zip(floor, heights, strict=True)]
    _mark(axes, [(store.partition, store.bytes) for store in stores], bytes_text, one=one)
    axes.set_ylabel(f"size, {unit}")
    _numbers(axes, most / one, "{:,.4g}".format, whole=False)


def _versions(axes: Axes, stores: Sequence[Store], committed: int | None) -> None:
    """A bar for each range of loadable versions, up to the last; a red cross where something is wrong."""
    from matplotlib.ticker import MaxNLocator

    bars = [(store.partition, first, last) for store in stores for first, last in store.loadable]
    heights = [last - first + 1 for _, first, last in bars]
    axes.bar([p for p, _, _ in bars], heights, _width(stores), [first - 1 for _, first, _ in bars], color=_USUAL)
    wrong = [(store.partition, store.newest or 0) for store in stores if store.problems]
    if wrong:
        axes.scatter(*zip(*wrong, strict=True), marker="x", color=_WRONG, zorder=3, label="with problems")
    if committed is not None:
        axes.axhline(committed + 1, color="black", linestyle="--", linewidth=1, label=f"committed: {committed + 1:,}")
    axes.set_ylabel("loadable\nversions")
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True, min_n_ticks=1))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")


def _numbers(axes: Axes, most: float, text: Callable[[float], str], whole: bool) -> None:
    """The axis begins with 0, and leaves room for names."""
    from matplotlib.ticker import MaxNLocator

    axes.set_ylim(0, 1.25 * most or 1)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=whole, min_n_ticks=1, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(lambda value, _: text(value))


def _legend(figure: Figure, panels: Sequence[Axes], height: float) -> None:
    """One for all panels, where it hides nothing."""
    found = {label: handle for axes in panels for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    place = (0.98, 1 - 0.1 / height)
    figure.legend(found.values(), found.keys(), loc="upper right", bbox_to_anchor=place, ncols=4, fontsize="small")


def _in_words(stores: Sequence[Store]) -> str:
    """How many rows there are, and how uneven, how large they are, and what a recovery replays."""
    rows = [store.rows for store in stores if store.rows is not None]
    lags = [store.snapshot_lag for store in stores if store.snapshot_lag is not None]
    told = []
    if sum(rows):
        told.append(
            f"{sum(rows):,} rows, the most in a partition {max(rows) * len(rows) / sum(rows):.2f} times the mean"
        )
    told.append(bytes_text(sum(store.bytes for store in stores)))
    if lags:
        told.append(f"a recovery replays {mean_text(lags, 'delta')} on average")
    return f": {'; '.join(told)}"


def _width(stores: Sequence[Store]) -> float:
    return 0.8 if len(stores) <= 50 else 1.0  # gaps between so many bars would be a pattern of their own


def _heading(findings: Findings) -> str:
    committed = "no batch" if findings.last_committed is None else f"batch {findings.last_committed:,}"
    return f"{findings.location}\n{findings.provider or 'unknown provider'}, committed: {committed}"
