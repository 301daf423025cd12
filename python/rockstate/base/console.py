"""What Rich prints on, as far as a command's reader is there."""

from __future__ import annotations

from rich import console


class Console(console.Console):
    """Rich's own. Where Rich would exit with 1 if whoever reads has gone, as `| head` does, it raises the error."""

    def on_broken_pipe(self) -> None:
        """Within Rich's handler of the error, which goes on."""
        raise
