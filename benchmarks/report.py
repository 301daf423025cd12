"""The report of a run as Markdown tables: goals first, then every figure."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.contenders import ROCKSTATE
from benchmarks.goals import GOALS, Finding, Goal, Growth, Limit
from benchmarks.ratios import Ratio, paired
from benchmarks.results import Metric, Results

_REACHED = {True: "yes", False: "**no**", None: "not asked"}


def goals_table(results: Results, only_asked: bool = False) -> str:
    """One row for every goal: both figures, the ratio paired by round, the goal, and whether it was reached.

    With `only_asked` there are those of questions that the run asked.
    """
    head = ("workload", ROCKSTATE, "against", "times better: min / median / max", "goal", "reached")
    goals = [goal for goal in GOALS if not only_asked or goal.question in results.questions]
    return table(head, [_goal_row(goal, goal.find(results)) for goal in goals])


def _goal_row(goal: Goal | Limit | Growth, finding: Finding) -> Sequence[str]:
    return (
        goal.workload,
        metric_text(finding.ours),
        metric_text(finding.theirs),
        ratio_text(finding.ratio),
        goal.text,
        _REACHED[finding.reached],
    )


def figures_table(results: Results, question: str) -> str:
    """Every metric of a question: each contender's median, and how many times better Rockstate is than each."""
    names = [name for name in results.contenders if results.of(question, name)]
    others = [name for name in names if name != ROCKSTATE]
    head = ("metric", *names, *(f"x {name}" for name in others))
    rows = []
    for metric in results.metric_names(question):
        values = [results.middle(question, name, metric) for name in names]
        if any(value is not None and value.value for value in values):
            ratios = [paired(results, question, metric, ROCKSTATE, name) for name in others]
            rows.append((metric, *(metric_text(value) for value in values), *(ratio_text(ratio) for ratio in ratios)))
    return table(head, rows)


def full_text(results: Results) -> str:
    """Goals and figures of a run."""
    parts = ["## Goals", goals_table(results, only_asked=True), "## Figures"]
    for question in results.questions:
        parts += [f"### {question}", figures_table(results, question)]
    return "\n\n".join(parts) + "\n"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table that also reads well as text."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines = [
        _line(head, widths),
        "|" + "|".join("-" * (width + 2) for width in widths) + "|",
        *(_line(row, widths) for row in rows),
    ]
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"


def metric_text(metric: Metric | None) -> str:
    """A figure with its unit: three digits that mean something."""
    if metric is None:
        return "-"
    value, unit = metric.value, metric.unit
    if unit == "bytes" and abs(value) >= 1 << 20:
        value, unit = value / (1 << 20), "MB"
    if unit == "ms" and abs(value) >= 1e4:
        value, unit = value / 1e3, "s"
    for limit, suffix in ((1e6, " M"), (1e4, " k")):
        if abs(value) >= limit:
            return f"{value / (1e6 if suffix == ' M' else 1e3):.3g}{suffix} {unit}"
    return f"{value:.3g} {unit}" if abs(value) < 1000 else f"{value:.0f} {unit}"


def ratio_text(ratio: Ratio | None) -> str:
    """Least, middle and most over the rounds, or the only one."""
    if ratio is None:
        return "-"
    if ratio.rounds == 1:
        return f"{ratio.middle:.2f}"
    return f"{ratio.least:.2f} / {ratio.middle:.2f} / {ratio.most:.2f}"
