"""What `rockstate.Checkpoint` returns: findings that can be drawn and written."""

from __future__ import annotations

import os
from pathlib import Path

from rockstate.inspection import html, plot
from rockstate.inspection.findings import Findings


class Summary(Findings):
    """A checkpoint's state: who wrote it, how far the query got, and its operators. `Findings` has what is in it."""

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draws rows, bytes, snapshot lag and loadable versions by partition, as a PNG, PDF or SVG file.

        Raises:
            Misuse: the file cannot be written.
            NotFound: matplotlib is not installed (pip install 'rockstate[plot]').
        """
        plot.draw(self, Path(path))

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Writes all of it as one HTML file that needs no other.

        Raises:
            Misuse: the file cannot be written.
        """
        html.write(self, Path(path))
