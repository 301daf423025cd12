"""Bars over partitions as inline SVG, for HTML pages that need nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Bar:
    """A bar from `low` to `high`; `kind` is its CSS class, `tip` what it says under the pointer."""

    partition: int
    low: float
    high: float
    kind: str
    tip: str


def svg(title: str, bars: Sequence[Bar], low: float, high: float, high_text: str) -> str:
    """A figure with the bars on a scale from `low` to `high`, and `high` in words."""
    first = min((bar.partition for bar in bars), default=0)
    last = max((bar.partition for bar in bars), default=0)
    scale = 100 / ((high - low) or 1)
    shapes = "".join(
        f'<rect class="{escape(bar.kind)}" x="{(bar.partition - first) * 10 + 1}" width="8"'
        f' y="{100 - (bar.high - low) * scale:.2f}" height="{(bar.high - bar.low) * scale:.2f}">'
        f"<title>{escape(bar.tip)}</title></rect>"
        for bar in bars
    )
    return (
        f"<figure><figcaption><b>{escape(title)}</b> to {escape(high_text)}</figcaption>"
        f'<svg viewBox="0 0 {(last - first + 1) * 10} 100" preserveAspectRatio="none">{shapes}</svg>'
        f'<div class="axis"><span>partition {first}</span><span>{last}</span></div></figure>\n'
    )
