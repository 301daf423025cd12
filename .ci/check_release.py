"""Whether a tag fits the version and the changelog: `check_release.py v1.2.3`; with --notes prints what is new.

Exits with 1 and one line that says what does not fit.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SECTION = re.compile(
    r"^## \[(?P<version>[^\]]+)\] - \d{4}-\d{2}-\d{2}\n(?P<text>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL
)


def notes(tag: str, root: Path = ROOT) -> str:
    """The changelog's section of the tagged version. Raises ValueError if tag, version and changelog do not agree."""
    version = (root / "python" / "rockstate" / "VERSION").read_text(encoding="ascii").strip()
    if tag != f"v{version}":
        raise ValueError(f"the tag is {tag}, but python/rockstate/VERSION says {version}: it should be v{version}")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = {section["version"]: section["text"].strip() for section in SECTION.finditer(changelog)}
    if not found.get(version):
        raise ValueError(f"CHANGELOG.md has nothing under '## [{version}] - YYYY-MM-DD'")
    return found[version]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tag")
    parser.add_argument("--notes", action="store_true", help="print the changelog's section")
    parsed = parser.parse_args()
    try:
        text = notes(parsed.tag)
    except ValueError as problem:
        raise SystemExit(str(problem)) from None
    print(text if parsed.notes else f"{parsed.tag} fits")


if __name__ == "__main__":
    main()
