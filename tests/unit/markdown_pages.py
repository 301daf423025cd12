"""The Markdown pages of the repository, line by line and without their code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(r"^\s*(```|~~~)")


def pages() -> list[Path]:
    """All pages that are in the repository: those in the root, and below the folders that have some."""
    folders = ("docs", "benchmarks", "examples", ".github")
    return sorted([*ROOT.glob("*.md"), *(page for folder in folders for page in (ROOT / folder).rglob("*.md"))])


def lines_without_code(page: str) -> Iterator[tuple[int, str]]:
    """The lines outside of fenced blocks, with their numbers."""
    in_code = False
    for number, line in enumerate(page.splitlines(), start=1):
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code:
            yield number, line
