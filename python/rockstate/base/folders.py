"""Files that are written in the end, of which it is known at the beginning that they cannot be."""

from __future__ import annotations

from pathlib import Path

from rockstate.base.errors import WrongUsage


def require_folders(*files: Path | None) -> None:
    """Raises WrongUsage for a file whose folder is not there."""
    for file in files:
        if file is not None and not file.absolute().parent.is_dir():
            raise WrongUsage(f"There is no folder {file.parent} for {file.name}", "Make it, or name another")
