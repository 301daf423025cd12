"""The plots of docs/performance.md as SVG text: small, the same for the same figures, and without a library."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.contenders import CHANGELOG, DEFAULT_BUDGET, ROCKSTATE
from benchmarks.goals import GOALS, Goal
from benchmarks.ratios import Ratio
from benchmarks.results import Results
from benchmarks.svg import BLUE, GREY, INK, RED, WIDTH, document, line, text

_ROW, _TOP, _BOTTOM = 20, 34, 30
_CAPTION = (
    "times better than changelog checkpointing, or what is in brackets: median round, worst to best; red mark: the goal"
)
_GROWTH = ("keys_100k", "keys_1m", "keys_10m")


def drawings(results: Results) -> dict[str, str]:
    """The plots by what their file names end in; those for which the run has no figures are left out."""
    found = {"goals": _goals(results), "growth": _growth(results)}
    return {name: drawing for name, drawing in found.items() if drawing}


@dataclass(frozen=True)
class _LogAxis:
    """Turns a figure between `least` and `most` into a place between `start` and `end`."""

    least: float
    most: float
    start: float
    end: float

    def place(self, value: float) -> float:
        share = math.log(value / self.least) / math.log(self.most / self.least)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, steps: Sequence[float] = (1, 2, 5)) -> list[float]:
        powers = range(math.floor(math.log10(self.least)), math.ceil(math.log10(self.most)) + 1)
        values = (step * 10.0**power for power in powers for step in steps)
        return [value for value in values if self.least <= value <= self.most]


def _goals(results: Results) -> str:
    """For every goal that is a ratio: the rounds from the worst to the best, their median, and the goal."""
    found = [(goal, ratio) for goal in GOALS if isinstance(goal, Goal) and (ratio := goal.find(results).ratio)]
    found = [(goal, ratio) for goal, ratio in found if ratio.least > 0 and math.isfinite(ratio.most)]
    if not found:
        return ""
    bounds = [each for goal, ratio in found for each in (ratio.least, ratio.most, goal.factor)]
    axis = _LogAxis(min(*bounds, 1) * 0.85, max(*bounds, 1) * 1.1, 400, WIDTH - 20)
    height = _TOP + _ROW * len(found) + _BOTTOM
    parts = [text(12, 16, _CAPTION)]
    for tick in axis.ticks():
        parts.append(line(axis.place(tick), _TOP - 8, axis.place(tick), height - _BOTTOM, "#d0d7de"))
        parts.append(text(axis.place(tick), height - 10, f"{tick:g}", "middle"))
    parts.append(line(axis.place(1), _TOP - 8, axis.place(1), height - _BOTTOM, INK))
    for row, (goal, ratio) in enumerate(found):
        parts += _goal_row(axis, _TOP + _ROW * row + 4, goal, ratio)
    return document("How many times better Rockstate is, and the goals", height, parts)


def _goal_row(axis: _LogAxis, y: float, goal: Goal, ratio: Ratio) -> Iterable[str]:
    colour = BLUE if ratio.middle >= goal.factor else RED
    mark = axis.place(goal.factor)
    against = "" if goal.against == CHANGELOG else f" ({goal.against})"
    yield text(388, y + 4, goal.workload + against, "end")
    yield line(axis.place(ratio.least), y, axis.place(ratio.most), y, colour, 'stroke-width="5" opacity="0.35"')
    yield f'<circle cx="{axis.place(ratio.middle)}" cy="{y}" r="4" fill="{colour}"/>'
    yield line(mark, y - 7, mark, y + 7, RED, 'stroke-width="2"')


def _growth(results: Results) -> str:
    """What an update costs by the number of keys, in Rockstate and with changelog checkpointing."""
    lines = {
        name: [
            (float(str(results.of(question, name)[0].settings["keys"])), metric.value)
            for question in _GROWTH
            if (metric := results.middle(question, name, "us_per_row"))
        ]
        for name in (ROCKSTATE, CHANGELOG)
    }
    points = [point for curve in lines.values() for point in curve]
    if len(points) < 2:
        return ""
    height = 300
    across = _LogAxis(min(x for x, _ in points), max(x for x, _ in points), 70, WIDTH - 110)
    up = _LogAxis(min(y for _, y in points) * 0.8, max(y for _, y in points) * 1.25, height - 40, _TOP)
    budget = f"{DEFAULT_BUDGET >> 20} MB for Rockstate"
    parts = [text(70, 16, f"microseconds an update, by the number of keys in one store; {budget}")]
    for tick in up.ticks():
        parts.append(line(70, up.place(tick), WIDTH - 110, up.place(tick), "#d0d7de"))
        parts.append(text(60, up.place(tick) + 4, f"{tick:g} us", "end"))
    parts += [text(across.place(tick), height - 14, f"{tick:,.0f}", "middle") for tick in across.ticks((1,))]
    for name, curve in lines.items():
        colour = BLUE if name == ROCKSTATE else GREY
        places = [(across.place(x), up.place(y)) for x, y in curve]
        path = " ".join(f"{x},{y}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>' for x, y in places]
        parts.append(text(places[-1][0] + 10, places[-1][1] + 4, name))
    return document("What an update costs as the state grows", height, parts)
