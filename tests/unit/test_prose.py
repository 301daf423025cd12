"""Prose wraps at 120 columns in every Markdown page; tables, code, and links that alone are longer may go beyond."""

from __future__ import annotations

import pytest
from tests.unit.markdown_pages import ROOT, lines_without_code, pages

COLUMNS = 120


def too_long(page: str) -> list[int]:
    """The numbers of lines of prose that are too long."""
    return [
        number
        for number, line in lines_without_code(page)
        if len(line) > COLUMNS and not line.lstrip().startswith("|") and not is_one_link(line)
    ]


def is_one_link(line: str) -> bool:
    """Whether the line has nothing but a link, which cannot be broken."""
    text = line.strip().removeprefix("- ")
    return text.startswith("[") and text.count("](") == 1 and text.rstrip(".,;").endswith(")")


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in pages()])
def test_prose_wraps(page: str) -> None:
    assert too_long((ROOT / page).read_text(encoding="utf-8")) == []


def test_only_prose_counts() -> None:
    long = "word " * 30
    page = f"{long}\n```\n{long}\n```\n| {long}|\n[{'x' * 80}]({'y' * 80})\n- {long}\n"
    assert too_long(page) == [1, 7]


def test_the_pages_are_found() -> None:
    found = {str(page.relative_to(ROOT)) for page in pages()}
    assert {"README.md", "CHANGELOG.md", "docs/index.md", "docs/decisions/dropped.md", "benchmarks/notes.md"} <= found
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150
