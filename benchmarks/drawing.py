"""The plots of docs/performance.md as SVG text: small, the same for the same figures, and without a library."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.contenders import CHANGELOG, DEFAULT_BUDGET, ROCKSTATE
from benchmarks.goals import GOALS, Goal
from benchmarks.ratios import Ratio
from benchmarks.results import Results

_WIDTH, _ROW, _TOP, _BOTTOM = 860, 20, 34, 30
_BLUE, _RED, _GREY, _INK = "#0969da", "#cf222e", "#8c959f", "#24292f"
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
    axis = _LogAxis(min(*bounds, 1) * 0.85, max(*bounds, 1) * 1.1, 400, _WIDTH - 20)
    height = _TOP + _ROW * len(found) + _BOTTOM
    parts = [_text(12, 16, _CAPTION)]
    for tick in axis.ticks():
        parts.append(_line(axis.place(tick), _TOP - 8, axis.place(tick), height - _BOTTOM, "#d0d7de"))
        parts.append(_text(axis.place(tick), height - 10, f"{tick:g}", "middle"))
    parts.append(_line(axis.place(1), _TOP - 8, axis.place(1), height - _BOTTOM, _INK))
    for row, (goal, ratio) in enumerate(found):
        parts += _goal_row(axis, _TOP + _ROW * row + 4, goal, ratio)
    return _svg("How many times better Rockstate is, and the goals", height, parts)


def _goal_row(axis: _LogAxis, y: float, goal: Goal, ratio: Ratio) -> Iterable[str]:
    colour = _BLUE if ratio.middle >= goal.factor else _RED
    mark = axis.place(goal.factor)
    against = "" if goal.against == CHANGELOG else f" ({goal.against})"
    yield _text(388, y + 4, goal.workload + against, "end")
    yield _line(axis.place(ratio.least), y, axis.place(ratio.most), y, colour, 'stroke-width="5" opacity="0.35"')
    yield f'<circle cx="{axis.place(ratio.middle)}" cy="{y}" r="4" fill="{colour}"/>'
    yield _line(mark, y - 7, mark, y + 7, _RED, 'stroke-width="2"')


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
    points = [point for line in lines.values() for point in line]
    if len(points) < 2:
        return ""
    height = 300
    across = _LogAxis(min(x for x, _ in points), max(x for x, _ in points), 70, _WIDTH - 110)
    up = _LogAxis(min(y for _, y in points) * 0.8, max(y for _, y in points) * 1.25, height - 40, _TOP)
    budget = f"{DEFAULT_BUDGET >> 20} MB for Rockstate"
    parts = [_text(70, 16, f"microseconds an update, by the number of keys in one store; {budget}")]
    for tick in up.ticks():
        parts.append(_line(70, up.place(tick), _WIDTH - 110, up.place(tick), "#d0d7de"))
        parts.append(_text(60, up.place(tick) + 4, f"{tick:g} us", "end"))
    parts += [_text(across.place(tick), height - 14, f"{tick:,.0f}", "middle") for tick in across.ticks((1,))]
    for name, line in lines.items():
        colour = _BLUE if name == ROCKSTATE else _GREY
        places = [(across.place(x), up.place(y)) for x, y in line]
        path = " ".join(f"{x},{y}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>' for x, y in places]
        parts.append(_text(places[-1][0] + 10, places[-1][1] + 4, name))
    return _svg("What an update costs as the state grows", height, parts)


def _svg(title: str, height: float, parts: Iterable[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif">'
    ground = f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", ground, *parts, "</svg>"]) + "\n"


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" font-size="12" fill="{_INK}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, more: str = "") -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" {more}/>'.replace(" />", "/>")
