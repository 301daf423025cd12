"""Shows how far the queries are, while they run."""

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from rockstate.demo.progress import Batch
from rockstate.demo.queries import QUERIES

_SECONDS_BETWEEN_LINES = 10


class ProgressDisplay:
    """One bar per query on a terminal; elsewhere, a line every ten seconds."""

    def __init__(self, console: Console, batches_per_query: int) -> None:
        self._console = console
        self._total = batches_per_query
        self._progress = Progress(
            TextColumn("{task.description:<18}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("batches {task.fields[rows]:>9,} rows {task.fields[state]:>7,} in state"),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )
        self._tasks = {
            query.name: self._progress.add_task(query.name, total=batches_per_query, rows=0, state=0)
            for query in QUERIES
        }
        self._last_line = time.monotonic()

    def __enter__(self) -> "ProgressDisplay":
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, batches: list[Batch]) -> None:
        """Show what is done so far."""
        for name, task in self._tasks.items():
            own = [batch for batch in batches if batch.query == name]
            state = own[-1].state_rows if own else 0
            rows = sum(batch.input_rows for batch in own)
            self._progress.update(task, completed=len(own), rows=rows, state=state)
        if not self._console.is_terminal and time.monotonic() - self._last_line > _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            rows = sum(batch.input_rows for batch in batches)
            self._console.print(f"{len(batches)} of {self._total * len(self._tasks)} batches, {rows:,} rows")
