"""Keeps what Spark reports of every batch's state, to look at while a query runs and afterwards."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql.streaming.listener import StreamingQueryListener

from rockstate.base.errors import Misuse, NotFound
from rockstate.base.folders import require_folders
from rockstate.progress.batches import BatchState, records_of
from rockstate.progress.followed import ProgressFile
from rockstate.progress.plot import draw

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql.streaming.listener import (
        QueryIdleEvent,
        QueryProgressEvent,
        QueryStartedEvent,
        QueryTerminatedEvent,
    )


class ProgressRecorder(StreamingQueryListener):
    """A listener that keeps the state metrics of every batch: `spark.streams.addListener(ProgressRecorder())`.

    Args:
        file: if given, every batch is also appended to this file as JSON, one operator a line, for `rockstate top` and
            for `ProgressRecorder.read`.
        keep: how many of the last records are kept in memory.

    Raises:
        Misuse: `keep` is below 1, or there is no folder for `file`.
    """

    def __init__(self, file: str | os.PathLike[str] | None = None, keep: int = 100_000) -> None:
        if keep < 1:
            raise Misuse(f"keep={keep} keeps nothing", "Give a number of records of at least 1")
        self._file = None if file is None else Path(file)
        require_folders(self._file)  # within a query nobody would hear of it
        self._keep = keep
        self._records: list[BatchState] = []
        self._lock = threading.Lock()

    @classmethod
    def read(cls, file: str | os.PathLike[str]) -> ProgressRecorder:
        """All that another recorder has written to `file`.

        A last line that is still being written is left out, and so is one that was never finished.

        Raises:
            NotFound: there is no such file.
            Misuse: it is a file of something else.
        """
        recorder = cls(keep=sys.maxsize)
        recorder._extend(ProgressFile(file).records())
        return recorder

    @property
    def records(self) -> tuple[BatchState, ...]:
        """What was recorded so far, oldest first."""
        with self._lock:
            return tuple(self._records)

    def to_pandas(self) -> pd.DataFrame:
        """One row for each batch and stateful operator; every custom metric has a column of its own name.

        Raises:
            NotFound: pandas is not installed (pip install 'rockstate[plot]').
        """
        try:
            import pandas as pd
        except ModuleNotFoundError as error:
            raise NotFound("to_pandas needs pandas", "Install it: pip install 'rockstate[plot]'") from error

        rows = [{**asdict(record), **record.metrics} for record in self.records]
        columns = [field.name for field in fields(BatchState) if field.name != "metrics"]
        frame = pd.DataFrame(rows, columns=None if rows else columns)
        return frame.drop(columns="metrics", errors="ignore")

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draws duration, state rows, commit time, memory and snapshot lag per batch as a PNG, PDF or SVG file.

        Raises:
            Misuse: nothing was recorded yet, or the file cannot be written.
            NotFound: matplotlib is not installed (pip install 'rockstate[plot]').
        """
        records = self.records
        if not records:
            raise Misuse("Nothing was recorded yet", "Add the recorder before the query starts, and let a batch end")
        draw(records, Path(path))

    def onQueryStarted(self, event: QueryStartedEvent) -> None:
        """Nothing to keep."""

    def onQueryIdle(self, event: QueryIdleEvent) -> None:
        """Nothing to keep."""

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:
        """Nothing to keep."""

    def onQueryProgress(self, event: QueryProgressEvent) -> None:
        """Keeps the batch's state."""
        self._extend(records_of(json.loads(event.progress.json)))

    def _extend(self, records: Iterable[BatchState]) -> None:
        new = list(records)
        with self._lock:
            self._records = (self._records + new)[-self._keep :]
            if self._file is not None and new:
                begin = "\n" if _ends_within_line(self._file) else ""
                with self._file.open("a", encoding="utf-8") as out:
                    out.write(begin + "".join(json.dumps(asdict(record)) + "\n" for record in new))


def _ends_within_line(file: Path) -> bool:
    """Whether a write to the file was cut, by a full disk or by the driver's end."""
    if not file.is_file() or file.stat().st_size == 0:
        return False
    with file.open("rb") as content:
        content.seek(-1, os.SEEK_END)
        return content.read() != b"\n"
