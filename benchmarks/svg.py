"""The parts of a plot as SVG text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

WIDTH = 860
BLUE, RED, GREY, INK = "#0969da", "#cf222e", "#8c959f", "#24292f"


def document(title: str, height: float, parts: Iterable[str]) -> str:
    """All of the plot, `WIDTH` wide, on white."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">'
    ground = f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", ground, *parts, "</svg>"]) + "\n"


def text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" font-size="12" fill="{INK}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str, more: str = "") -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" {more}/>'.replace(" />", "/>")
