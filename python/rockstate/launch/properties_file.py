"""Properties files as Spark reads and writes them: spark-defaults.conf and what `--properties-file` names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from rockstate.base.errors import Misuse

_ENTRY = re.compile(r"((?:\\.|[^\\=:\s])+)\s*[=:]?\s*(.*)")
"""A key and a value, as java.util.Properties tells them apart."""

_MARK = "# Written by rockstate conf, which writes it anew."


def read(file: Path) -> dict[str, str]:
    """The entries of a file, none if it is not there: `key value`, `key=value` or `key: value`, # for comments."""
    if not file.is_file():
        return {}
    text = file.read_text(encoding="utf-8", errors="replace")
    found = filter(None, map(_ENTRY.fullmatch, _whole_lines(text)))
    return {_unescaped(entry[1]): _unescaped(entry[2]).strip() for entry in found}


def _whole_lines(text: str) -> Iterator[str]:
    """Those with an entry, which one backslash at the end, and not two, has go on in the next; comments never do."""
    whole = ""
    for line in map(str.lstrip, text.splitlines()):
        if whole or (line and line[0] not in "#!"):
            goes_on = (len(line) - len(line.rstrip("\\"))) % 2 == 1
            whole += line[:-1] if goes_on else line
            if not goes_on:
                yield whole
                whole = ""
    yield whole


def _unescaped(text: str) -> str:
    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", lambda escape: _meant(escape[1]), text)


def _meant(escape: str) -> str:
    return (
        chr(int(escape[1:], 16))
        if len(escape) > 1
        else {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}.get(escape, escape)
    )


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
