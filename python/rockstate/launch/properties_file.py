"""Properties files as Spark reads and writes them: spark-defaults.conf and what `--properties-file` names."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from rockstate.base.errors import Misuse

_MARK = "# Written by rockstate conf, which writes it anew."


def read(file: Path) -> dict[str, str]:
    """The entries of a file, none if it is not there: `key value`, `key=value` or `key: value`, # for comments."""
    if not file.is_file():
        return {}
    text = re.sub(r"\\\n\s*", "", file.read_text(encoding="utf-8", errors="replace"))
    lines = (line.strip() for line in text.splitlines())
    pairs = (re.split(r"\s*[=:]\s*|\s+", line, maxsplit=1) for line in lines if line and line[0] not in "#!")
    return {pair[0]: pair[1].replace("\\\\", "\\") if len(pair) > 1 else "" for pair in pairs}


def lines(entries: Mapping[str, str]) -> str:
    """The entries as such a file has them."""
    return "\n".join(f"{key}={value}" for key, value in entries.items()).replace("\\", "\\\\")


def write(file: Path, entries: Mapping[str, str]) -> None:
    """Writes a file with these entries, in one step; replaces one that an earlier call has written, and no other.

    Raises:
        Misuse: the file is not ours, or cannot be written.
    """
    beside = file.parent / f".{file.name}.{os.getpid()}"
    try:
        if file.exists() and not file.read_text(encoding="utf-8", errors="replace").startswith(_MARK):
            raise Misuse(f"{file} was not written by rockstate conf", "Name a new file, or move that one away")
        beside.write_text(f"{_MARK}\n{lines(entries)}\n", encoding="utf-8")
        beside.replace(file)
    except OSError as error:
        remedy = "Name a file in a folder that can be written"
        raise Misuse(f"{file} cannot be written ({error.strerror})", remedy) from error
    finally:
        beside.unlink(missing_ok=True)
