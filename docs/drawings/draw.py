"""Draws docs/architecture.md: the rooms from its tables, a read and a commit from the steps below.

`python docs/drawings/draw.py` writes the SVG files beside this one; tests/unit/test_drawings.py says when they are out
of date.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

FOLDER = Path(__file__).parent
TABLES = FOLDER.parent / "architecture.md"
OURS = ("…rockstate", "io.rockstate", "rockstate")
STYLE = (
    "text{font:13px sans-serif;fill:#222}.s{font-size:11px;fill:#555}"
    "rect{fill:#f4f7fb;stroke:#7a93b2}.lane{stroke:#c3cedb;stroke-dasharray:4 4}.call{stroke:#34557c;fill:none}"
)

Step = tuple[str, str, str]

READ = (
    ("Spark", "store", "transaction", "cache", "layers", "db"),
    (
        ("Spark", "store", "get(row)"),
        ("store", "transaction", "get(key bytes)"),
        ("transaction", "transaction", "own write? then that"),
        ("transaction", "cache", "row of this version?"),
        ("transaction", "layers", "only if the cache lacks it: newest layer that has the key"),
        ("transaction", "db", "only if no layer has it: RocksDB's snapshot"),
        ("transaction", "cache", "keep what was read"),
        ("store", "Spark", "row, or null"),
    ),
)
COMMIT = (
    ("Spark", "store", "transaction", "commit", "loaded", "layers", "cache", "files"),
    (
        ("Spark", "store", "commit()"),
        ("store", "transaction", "commit()"),
        ("transaction", "transaction", "last frame; rows counted; one record per key"),
        ("transaction", "commit", "Commit: base, next version, delta, changes"),
        ("commit", "loaded", "is this attempt a leftover? then refused"),
        ("commit", "files", "publish the delta: durable and visible in one step"),
        ("commit", "loaded", "go on to the next version"),
        ("loaded", "layers", "the changes become the newest layer"),
        ("loaded", "cache", "the same rows, written through"),
        ("loaded", "loaded", "applier: layers into RocksDB, later"),
        ("store", "Spark", "version, commit id"),
    ),
)


def rooms(section: str) -> list[tuple[str, list[str]]]:
    """Room and what it may use, row by row, from the table under the heading `section` of docs/architecture.md."""
    text = TABLES.read_text(encoding="utf-8").split(f"## {section}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line.strip("|") for line in text.splitlines() if line.startswith("| `")]
    rows = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    return [(re.findall(r"`([^`]+)`", row[0])[0], re.findall(r"`([^`]+)`", row[-1])) for row in rows]


def short(room: str) -> str:
    """A room's name without what all of them begin with."""
    prefix = next((p for p in OURS if room.startswith(f"{p}.")), None)
    return room if prefix is None else room[len(prefix) + 1 :]


def levels(table: list[tuple[str, list[str]]]) -> list[list[str]]:
    """The rooms by height: each stands above all that it uses."""
    height: dict[str, int] = {}
    for room, used in table:
        height[room] = 1 + max((height[other] for other in used if other in height), default=-1)
    return [[room for room, at in height.items() if at == level] for level in range(max(height.values()) + 1)]


def draw_rooms(section: str) -> str:
    """The rooms as boxes, the lowest at the bottom."""
    rows = list(reversed(levels(rooms(section))))
    parts = []
    for n, row in enumerate(rows):
        left = 10
        for room in row:
            width = 8 * len(short(room)) + 20
            parts.append(f'<rect x="{left}" y="{10 + 44 * n}" width="{width}" height="30" rx="5"/>')
            parts.append(f'<text x="{left + 12}" y="{30 + 44 * n}">{escape(short(room))}</text>')
            left += width + 10
    widest = max(sum(8 * len(short(room)) + 30 for room in row) for row in rows)
    return svg(widest + 20, 44 * len(rows) + 16, parts)


def draw_steps(lanes: tuple[str, ...], steps: tuple[Step, ...]) -> str:
    """Who calls whom, from top to bottom."""
    x = {lane: 60 + 118 * n for n, lane in enumerate(lanes)}
    bottom = 60 + 38 * len(steps)
    parts = [f'<line class="lane" x1="{at}" y1="34" x2="{at}" y2="{bottom}"/>' for at in x.values()]
    for lane, at in x.items():
        parts.append(f'<rect x="{at - 46}" y="8" width="92" height="26" rx="5"/>')
        parts.append(f'<text x="{at}" y="26" text-anchor="middle">{escape(lane)}</text>')
    for n, (source, target, what) in enumerate(steps):
        y = 70 + 38 * n
        start, end = x[source], x[target]
        if start == end:
            parts.append(f'<path class="call" marker-end="url(#tip)" d="M{start} {y - 8}h22v14h-20"/>')
            parts.append(f'<text class="s" x="{start + 28}" y="{y + 2}">{escape(what)}</text>')
        else:
            parts.append(f'<line class="call" marker-end="url(#tip)" x1="{start}" y1="{y}" x2="{end}" y2="{y}"/>')
            parts.append(f'<text class="s" x="{min(start, end) + 6}" y="{y - 5}">{escape(what)}</text>')
    return svg(118 * len(lanes) + 40, bottom + 10, parts)


def svg(width: int, height: int, parts: list[str]) -> str:
    """A drawing of these elements."""
    size = 'refX="7" refY="4" markerWidth="8" markerHeight="8"'
    tip = f'<marker id="tip" {size} orient="auto"><path d="M0 0L8 4L0 8z"/></marker>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    ground = f'<path fill="#fff" d="M0 0h{width}v{height}h-{width}z"/>'
    return "\n".join([head, f"<style>{STYLE}</style>", f"<defs>{tip}</defs>", ground, *parts, "</svg>"]) + "\n"


def drawings() -> dict[str, str]:
    """Every drawing by its file's name."""
    return {
        "rooms-jvm.svg": draw_rooms("Rooms of the JVM"),
        "rooms-python.svg": draw_rooms("Rooms of the Python package"),
        "read.svg": draw_steps(*READ),
        "commit.svg": draw_steps(*COMMIT),
    }


if __name__ == "__main__":
    for name, text in drawings().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
