"""Plots of a run, if matplotlib is there (`pip install 'rockstate[plot]'`)."""

from __future__ import annotations

from pathlib import Path

from benchmarks.goals import GOALS, Goal
from benchmarks.results import Results


def write(results: Results, folder: Path) -> list[Path]:
    """Writes ratios.png and batch times of each question that has them. Returns the files: none without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return []
    matplotlib.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    with_series = dict.fromkeys(each.question for each in results.all if "batch_ms" in each.series)
    return [_ratios(results, folder), *(_batches(results, name, folder) for name in with_series)]


def _ratios(results: Results, folder: Path) -> Path:
    """Every goal's ratio as a bar from its least to its greatest round, and the goal as a mark."""
    from matplotlib import pyplot

    found = [(goal, ratio) for goal in GOALS if isinstance(goal, Goal) and (ratio := goal.find(results).ratio)]
    figure, axes = pyplot.subplots(figsize=(9, 1.5 + 0.35 * len(found)))
    for row, (goal, ratio) in enumerate(reversed(found)):
        axes.plot([ratio.least, ratio.most], [row, row], color="tab:blue", linewidth=5, alpha=0.4)
        axes.plot([ratio.middle], [row], "o", color="tab:blue")
        axes.plot([goal.factor], [row], "|", color="tab:red", markersize=14, markeredgewidth=2)
    axes.set_yticks(range(len(found)), [f"{goal.workload} ({goal.against})" for goal, _ in reversed(found)])
    axes.set_xscale("log")
    axes.axvline(1, color="gray", linewidth=0.8)
    axes.set_xlabel("times better than the contender in brackets, by round; red: the goal")
    path = folder / "ratios.png"
    figure.savefig(path, bbox_inches="tight", dpi=120)
    pyplot.close(figure)
    return path


def _batches(results: Results, question: str, folder: Path) -> Path:
    """The times of a question's batches in the first round, one line per contender."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 4))
    for contender in results.contenders:
        for each in results.of(question, contender)[:1]:
            axes.plot(each.series.get("batch_ms", ()), label=contender)
    axes.set_yscale("log")
    axes.set_xlabel("batch")
    axes.set_ylabel("ms")
    axes.set_title(question)
    axes.legend()
    path = folder / f"{question}.png"
    figure.savefig(path, bbox_inches="tight", dpi=120)
    pyplot.close(figure)
    return path
