"""A notebook's cells, run one after the other without Jupyter: `python -m tests.launch.notebook FILE` prints them."""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

PICTURE = "<IPython.core.display.Image object>"


class Picture:
    """What stands for IPython's: a file that is a PNG."""

    def __init__(self, file: Path, width: int) -> None:
        assert file.read_bytes().startswith(b"\x89PNG")

    def __repr__(self) -> str:
        return PICTURE


def cells_of(notebook: Path) -> list[dict[str, Any]]:
    """Its cells of code."""
    cells: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def kept_output(cell: dict[str, Any]) -> str:
    """The text that the notebook has below a cell; of a picture only that there is one."""
    return "".join(text for output in cell["outputs"] for text in output.get("text") or output["data"]["text/plain"])


def outputs(cells: list[dict[str, Any]]) -> Iterator[str]:
    """What each cell prints, and the value of an expression at its end."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        code = ast.parse("".join(cell["source"]))
        last = code.body[-1]
        shown = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
        code.body = code.body[:-1] if shown else code.body
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, "cell", "exec"), names)
            value = eval(compile(shown, "cell", "eval"), names) if shown else None
        yield printed.getvalue() + ("" if value is None else repr(value))


def main(notebook: str) -> None:
    ipython, display = ModuleType("IPython"), ModuleType("IPython.display")
    ipython.version_info = (9, 0)  # type: ignore[attr-defined] # matplotlib looks
    display.Image = Picture  # type: ignore[attr-defined]
    sys.modules |= {"IPython": ipython, "IPython.display": display}
    print(json.dumps(list(outputs(cells_of(Path(notebook))))))


if __name__ == "__main__":
    main(*sys.argv[1:])
