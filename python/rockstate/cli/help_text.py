"""Help that fits the terminal: prose is wrapped, and examples are broken where a shell reads on."""

from __future__ import annotations

import argparse
import re
import textwrap

_COMMAND = re.compile(r"(\s+)(\S.*?)(?:\s{2,}(\S.*))?")


class Fitting(argparse.HelpFormatter):
    """A formatter for descriptions and epilogs with indented lines, which are commands, each with what it is for."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = (_paragraph(paragraph, width) for paragraph in text.strip("\n").split("\n\n"))
        return "\n\n".join(paragraphs) + "\n"


def _paragraph(text: str, width: int) -> str:
    lines = text.split("\n")
    if not any(line.startswith(" ") for line in lines):
        return textwrap.fill(text.replace("\n", " "), width, break_long_words=False, break_on_hyphens=False)
    if all(len(line) <= width for line in lines):
        return text
    return "\n".join(_example(line, width) for line in lines)


def _example(line: str, width: int) -> str:
    """A command with its comment below it; a long one goes on after a backslash."""
    found = _COMMAND.fullmatch(line)
    if found is None:
        return line
    indent, command, comment = found.groups()
    below = f"{indent}    "
    shown = f" \\\n{below}".join(_broken(command, width - len(below) - len(" \\")))
    if comment is None:
        return indent + shown
    wrapped = textwrap.fill(comment, width, initial_indent=below, subsequent_indent=below)
    return f"{indent}{shown}\n{wrapped}"


def _broken(command: str, width: int) -> list[str]:
    """The command in lines, each but the first beginning with a flag."""
    lines: list[str] = []
    for part in re.split(r" (?=-)", command):
        if lines and len(f"{lines[-1]} {part}") <= width:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return lines
