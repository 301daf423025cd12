from __future__ import annotations

import runpy
from pathlib import Path

import pytest

NOTES = runpy.run_path(str(Path(__file__).parents[2] / ".ci" / "check_release.py"))["notes"]

CHANGELOG = """# Changelog

## [Unreleased]

## [1.2.0] - 2026-01-02

### Added
- A thing.

## [1.1.0] - 2025-01-02

- An older thing.
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    (tmp_path / "python" / "rockstate").mkdir(parents=True)
    (tmp_path / "python" / "rockstate" / "VERSION").write_text("1.2.0\n", encoding="ascii")
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    return tmp_path


def test_the_notes_are_the_versions_own(clone: Path) -> None:
    assert NOTES("v1.2.0", clone) == "### Added\n- A thing."


@pytest.mark.parametrize("tag", ["v1.1.0", "1.2.0", "v1.2.0rc1"])
def test_a_tag_of_another_version_is_refused(clone: Path, tag: str) -> None:
    with pytest.raises(ValueError, match=r"it should be v1\.2\.0"):
        NOTES(tag, clone)


def test_a_version_that_the_changelog_lacks_is_refused(clone: Path) -> None:
    (clone / "CHANGELOG.md").write_text(CHANGELOG.replace("[1.2.0] - 2026-01-02", "[1.2.0]"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"nothing under '## \[1\.2\.0\]"):
        NOTES("v1.2.0", clone)
