"""What Rich prints on, as far as a command's reader is there."""

from __future__ import annotations

from typing import Any

from rich import console
from rich.table import Table

_COLUMNS_OF_TABLES = 80


class Console(console.Console):
    """Rich's own. Where Rich would exit with 1 if whoever reads has gone, as `| head` does, it raises the error.

    On a narrower terminal a table's lines go on in the next one, as the terminal does it: Rich would cut its figures.
    """

    def print(self, *objects: Any, **options: Any) -> None:
        """What Rich's does."""
        before = self.width
        if before < _COLUMNS_OF_TABLES and any(isinstance(each, Table) for each in objects):
            self.width = _COLUMNS_OF_TABLES
        try:
            super().print(*objects, **options)
        finally:
            if self.width != before:
                self.width = before

    def on_broken_pipe(self) -> None:
        """Within Rich's handler of the error, which goes on."""
        raise
