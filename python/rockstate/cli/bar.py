"""A progress bar on a terminal's standard error, nothing elsewhere."""

from __future__ import annotations

import sys

from rockstate.cli.wrapping import is_terminal


class Bar:
    """How many of something are done; moves until it is told of how many."""

    def __init__(self, what: str) -> None:
        from rich.progress import Progress

        from rockstate.base.console import Console

        self._bar = Progress(console=Console(stderr=True), transient=True, disable=not is_terminal(sys.stderr))
        self._task = self._bar.add_task(what, total=None)

    def __enter__(self) -> Bar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self, done: int, of: int) -> None:
        """So many are done."""
        self._bar.update(self._task, completed=done, total=of)

    def show_phase(self, phase: str, done: int, of: int) -> None:
        """The same under another title."""
        self._bar.update(self._task, description=phase, completed=done, total=of)
