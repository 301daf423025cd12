"""Links between the repository's pages and files lead somewhere; `make docs` checks those of the site."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.unit.markdown_pages import ROOT, lines_without_code, pages

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`[^`]*`")


def broken(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    text = "\n".join(line for _, line in lines_without_code(page.read_text(encoding="utf-8")))
    relative = [link for link in LINK.findall(CODE.sub("code", text)) if ":" not in link]
    return [link for link in relative if not leads_somewhere(page, link)]


def leads_somewhere(page: Path, link: str) -> bool:
    """Whether the file is there, and the heading in it."""
    name, _, anchor = link.partition("#")
    target = page.parent / name if name else page
    return target.exists() and (not anchor or anchor in anchors(target))


def anchors(page: Path) -> set[str]:
    """What GitHub makes of the headings."""
    lines = (line for _, line in lines_without_code(page.read_text(encoding="utf-8")))
    headings = (line.lstrip("#").strip() for line in lines if line.startswith("#"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in pages()])
def test_every_link_leads_somewhere(page: str) -> None:
    assert broken(ROOT / page) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A heading, with `code`\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md) [b](none.md) [c](other.md#a-heading-with-code)\n"
        "[d](other.md#gone) [e](https://example.org) `[f](g)`\n"
        "```\n[h](i)\n```\n",
        encoding="utf-8",
    )
    assert broken(page) == ["none.md", "other.md#gone"]


def test_the_folders_that_contributing_names_are_there() -> None:
    spans = re.findall(r"`([^`\s]+)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    core = "jvm/core/src/main/scala/io/rockstate/"
    named = [span.replace("…/", core) for span in spans if re.match(r"(…|jvm|python|tests|project|docs)/\S*$", span)]
    assert f"{core}engine/commit" in named
    assert [name for name in named if "<" not in name and not (ROOT / name).exists()] == []
