"""Prose as wide as the terminal. What goes elsewhere, such as to grep, keeps its lines."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TextIO


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a standard stream is a terminal; the shell may have closed it."""
    return stream is not None and stream.isatty()


def wrapped(text: str, indent: str = "") -> str:
    """The text indented, and on a terminal in lines that fit; names and paths are never broken."""
    if not is_terminal(sys.stdout):
        return f"{indent}{text}"
    width = shutil.get_terminal_size().columns
    return textwrap.fill(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
