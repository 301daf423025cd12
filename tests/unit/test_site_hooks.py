"""Links of the documentation site that leave docs/."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
HOOK = runpy.run_path(str(ROOT / "docs" / "site_hooks.py"))["on_page_markdown"]


def made_of(markdown: str, page: str = "index.md") -> str:
    config = SimpleNamespace(docs_dir=str(ROOT / "docs"), extra={"repository": "https://example.org/r"})
    made: str = HOOK(markdown, SimpleNamespace(file=SimpleNamespace(src_uri=page)), config, None)
    return made


@pytest.mark.parametrize(
    ("link", "page", "target"),
    [
        ("../README.md#install", "index.md", "https://example.org/r/blob/main/README.md#install"),
        ("../../benchmarks", "decisions/README.md", "https://example.org/r/tree/main/benchmarks"),
        ("../operations.md", "decisions/README.md", "../operations.md"),
        ("#here", "index.md", "#here"),
        ("https://example.net/x", "index.md", "https://example.net/x"),
    ],
)
def test_a_link_out_of_docs_leads_to_the_repository(link: str, page: str, target: str) -> None:
    assert made_of(f"see [it]({link}).", page) == f"see [it]({target})."


def test_a_link_to_nothing_is_left_for_mkdocs_to_find() -> None:
    assert made_of("[gone](../NONE.md)") == "[gone](../NONE.md)"
