"""Files, functions and parameter lists stay small, in every Python file of the repository."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (".ci", "benchmarks", "docs", "examples", "python", "tests")
FILE_LINES, FUNCTION_LINES, PARAMETERS = 350, 45, 6

Function = ast.FunctionDef | ast.AsyncFunctionDef


def too_large(source: str) -> Iterator[str]:
    """What of a file's text is over the limits."""
    lines = len(source.splitlines())
    if lines > FILE_LINES:
        yield f"{lines} lines"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Function):
            if lines_of(node) > FUNCTION_LINES:
                yield f"{node.name} has {lines_of(node)} lines"
            if parameters_of(node) > PARAMETERS:
                yield f"{node.name} has {parameters_of(node)} parameters"


def lines_of(function: Function) -> int:
    """With decorators, without the docstring."""
    first = min(node.lineno for node in (function, *function.decorator_list))
    lines = (function.end_lineno or first) - first + 1
    if ast.get_docstring(function) is not None:
        docstring = function.body[0]
        lines -= (docstring.end_lineno or docstring.lineno) - docstring.lineno + 1
    return lines


def parameters_of(function: Function) -> int:
    """All of them but `self` and `cls`."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    return len([each for each in every if each.arg not in ("self", "cls")])


def test_no_file_and_no_function_is_too_large() -> None:
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py") if "target" not in file.parts]
    assert len(files) > 200
    found = [f"{file.relative_to(ROOT)}: {what}" for file in files for what in too_large(file.read_text("utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = 1\n" * 350, []),
        ("x = 1\n" * 351, ["351 lines"]),
        ("@wraps\ndef f(a, b):\n" + "    x = 1\n" * 43, []),
        ("@wraps\ndef f(a, b):\n" + "    x = 1\n" * 44, ["f has 46 lines"]),
        ('def f():\n    """1\n\n    3"""\n' + "    x = 1\n" * 44, []),
        ("class C:\n    def f(self, a, b, /, c, *d, e, **g): ...\n", []),
        ("class C:\n    async def f(self, a, b, /, c, h, *d, e, **g): ...\n", ["f has 7 parameters"]),
        ("@dataclass\nclass C:\n" + "".join(f"    f{n}: int\n" for n in range(9)), []),
    ],
)
def test_what_is_too_large_is_found(source: str, found: list[str]) -> None:
    assert list(too_large(source)) == found
