"""Figures by matplotlib, which only the `plot` extra brings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rockstate.base.errors import Misuse, NotFound, WrongUsage

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, in inches. Raises NotFound if matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise NotFound("Plots need matplotlib", "Install it: pip install 'rockstate[plot]'") from error
    return Figure(figsize=(width, height))


def check(path: Path) -> None:
    """Raises what `new_figure` and `save` would raise before there is anything to save."""
    _check_name(new_figure(1, 1), path)


def save(figure: Figure, path: Path) -> None:
    """Writes the figure in the format that the name ends with. Raises Misuse if that cannot be."""
    _check_name(figure, path)
    try:
        figure.savefig(path)
    except OSError as error:
        remedy = "Name a file in a folder that can be written"
        raise Misuse(f"{path} cannot be written ({error.strerror})", remedy) from error


def _check_name(figure: Figure, path: Path) -> None:
    known = figure.canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in known:
        remedy = f"Let the name end with one of .{', .'.join(known)}"
        raise WrongUsage(f"A plot cannot be written as {path.name!r}", remedy)
