"""Files that are written in the end, of which it is known at the beginning that they cannot be."""

from __future__ import annotations

import os
from pathlib import Path

from rockstate.base.errors import WrongUsage


def require_folders(*files: Path | None) -> None:
    """Raises WrongUsage for a file whose folder is not there, or that cannot be written."""
    for file in filter(None, files):
        folder = file.absolute().parent
        if not folder.is_dir():
            raise WrongUsage(f"There is no folder {file.parent} for {file.name}", "Make it, or name another")
        if file.is_dir():
            raise WrongUsage(f"{file} is a folder", "Name a file")
        if not os.access(file if file.exists() else folder, os.W_OK):
            raise WrongUsage(f"{file} cannot be written", "Name another, in a folder that can be written")
