"""The plot of a long run, docs/reliability-soak.svg: what one process held, from beginning to end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import truediv
from pathlib import Path
from statistics import median

from benchmarks.results import Result
from benchmarks.store import Run, write_json
from benchmarks.svg import BLUE, GREY, INK, RED, document, line, text

PLACE = Path("docs/reliability-soak.svg")
_HEIGHT, _GAP, _TOP, _LEFT, _WIDTH = 120, 46, 60, 70, 760
_MB = 1 << 20
#: What the process takes at most beside its heap and the budget: the JVM, its threads, classes and compiled code.
BESIDE_BYTES = 128 * _MB
#: How far metrics may be off, at their median, and how much more may be held at the end than in the second quarter.
MOST_OFF = 0.1
MOST_GROWTH = 0.1
_FLAT = {
    "native memory": "native_bytes",
    "heap": "heap_bytes",
    "disk": "disk_bytes",
    "open files": "open_files",
    "threads": "threads",
}


@dataclass(frozen=True)
class _Chart:
    """One chart: its title, what a figure is divided by for the axis, and the lines in it by their name and colour."""

    title: str
    unit: float
    lines: tuple[tuple[str, str, str], ...]
    bound: Callable[[Result], float] | None = None


def _budget(result: Result) -> float:
    return float(result.settings["budget_bytes"])


def resident_bound(result: Result) -> float:
    """The bytes that the process may take: heap, budget, and `BESIDE_BYTES`."""
    return float(result.settings["heap_bytes"]) + _budget(result) + BESIDE_BYTES


_CHARTS = (
    _Chart(
        "memory for state, MB (black: measured; blue: as metrics report it; grey: native; red: the budget)",
        _MB,
        (("native", "native_bytes", GREY), ("reported", "reported_bytes", BLUE), ("held", "state_bytes", INK)),
        bound=_budget,
    ),
    _Chart(
        f"resident size of the process, MB (red: its heap, the budget and {BESIDE_BYTES // _MB} MB)",
        _MB,
        (("resident", "resident_bytes", BLUE),),
        bound=resident_bound,
    ),
    _Chart("local disk, MB", _MB, (("disk", "disk_bytes", BLUE),)),
    _Chart("open files", 1, (("files", "open_files", BLUE),)),
    _Chart("threads", 1, (("threads", "threads", BLUE),)),
)


def growth(figures: Sequence[float]) -> float:
    """How much more the last quarter holds at its median than the second quarter, as a share."""
    quarter = len(figures) // 4
    return median(figures[-quarter:]) / median(figures[quarter : 2 * quarter]) - 1


def reported(result: Result) -> float:
    """What metrics report of the memory that is held for state, as a share, at the median."""
    return float(median(map(truediv, result.series["reported_bytes"], result.series["state_bytes"])))


def not_kept(result: Result) -> list[str]:
    """A sentence for each promise of docs/reliability.md that this run has broken."""
    most, bound, share = max(result.series["resident_bytes"]), resident_bound(result), reported(result)
    grown = {name: growth(result.series[key]) for name, key in _FLAT.items()}
    is_broken = {
        f"the process took {most:,.0f} bytes, more than {bound:,.0f}": most > bound,
        f"metrics report {share:.0%} of what is held": abs(share - 1) > MOST_OFF,
        **{
            f"{name}: {more:+.1%}, the last quarter beside the second": more > MOST_GROWTH
            for name, more in grown.items()
        },
    }
    return [sentence for sentence, broken in is_broken.items() if broken]


def drawing(result: Result) -> str:
    """All charts, one below the other, as SVG text. Raises ValueError if there are fewer than eight samples."""
    if len(result.series["seconds"]) < 8:
        raise ValueError("a soak of fewer than eight samples")
    parts = [text(_LEFT, 18, _caption(result)), text(_LEFT, 36, _growths(result))]
    for number, chart in enumerate(_CHARTS):
        parts += _chart(chart, result, _TOP + number * (_HEIGHT + _GAP))
    return document("What a process with 64 stores holds", _TOP + len(_CHARTS) * (_HEIGHT + _GAP), parts)


def write(run: Run, to: Path = PLACE) -> list[str]:
    """Writes the plot, and its figures beside it, and returns what was `not_kept`.

    Raises ValueError unless the run is a soak.
    """
    found = run.results.of("soak", "rockstate")
    if not found:
        raise ValueError("the plot is made from a run of the form soak")
    to.write_text(drawing(found[0]), "utf-8")
    write_json(run, to.with_suffix(".json"))
    return not_kept(found[0])


def _caption(result: Result) -> str:
    minutes = result.series["seconds"][-1] / 60
    settings, turns = result.settings, result.metrics["turns"].value
    budget = settings["budget_bytes"] // _MB
    return (
        f"{settings['stores']} stores with {settings['keys']:,} keys, a budget of {budget} MB: "
        f"{turns:,.0f} batches, scans and restarts in {minutes:.0f} minutes"
    )


def _growths(result: Result) -> str:
    shares = (f"{name} {growth(result.series[key]):+.1%}" for name, key in _FLAT.items())
    return f"the last quarter beside the second, medians: {', '.join(shares)}"


def _chart(chart: _Chart, result: Result, top: float) -> Iterable[str]:
    seconds = result.series["seconds"]
    bound = chart.bound(result) if chart.bound else 0
    highest = max(bound, *(max(result.series[key]) for _, key, _ in chart.lines)) * 1.1

    def place(second: float, figure: float) -> str:
        return f"{_LEFT + second / seconds[-1] * _WIDTH:.1f},{top + _HEIGHT - figure / highest * _HEIGHT:.1f}"

    yield text(_LEFT, top - 6, chart.title)
    for share in (0, 0.5, 1):
        height = top + _HEIGHT * (1 - share)
        yield line(_LEFT, height, _LEFT + _WIDTH, height, "#d0d7de")
        yield text(_LEFT - 8, height + 4, f"{highest * share / chart.unit:,.0f}", "end")
    if bound:
        height = round(top + _HEIGHT * (1 - bound / highest), 1)
        yield line(_LEFT, height, _LEFT + _WIDTH, height, RED)
    for _, key, colour in chart.lines:
        points = " ".join(map(place, seconds, result.series[key]))
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    for minute in range(0, int(seconds[-1] / 60) + 1, 5):
        across = _LEFT + minute * 60 / seconds[-1] * _WIDTH
        yield text(round(across, 1), top + _HEIGHT + 16, f"{minute} min", "middle")
