"""On the site, links that leave this folder, such as ../CONTRIBUTING.md, lead to the repository."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

# Not in code: a link's text may have code in it, but code has no links.
_LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """MkDocs calls it with each page before it is rendered."""
    root = Path(config.docs_dir).parent

    def to_repository(found: re.Match[str]) -> str:
        target = normpath(join(Path(config.docs_dir).name, dirname(page.file.src_uri), found[2]))
        if target.startswith(f"{Path(config.docs_dir).name}/") or not (root / target).exists():
            return found[0]  # MkDocs checks the first and warns of the second
        kind = "tree" if (root / target).is_dir() else "blob"
        return f"{found[1]}{config.extra['repository']}/{kind}/main/{target}{found[3]}"

    return _LINK.sub(to_repository, markdown)
