"""A progress file, read as it grows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from rockstate.base.errors import Misuse, NotFound
from rockstate.progress.batches import BatchState

_REMEDY = "Give the file of a rockstate.ProgressRecorder(file=...)"


class ProgressFile:
    """What a `ProgressRecorder` writes to a file, read from where the last look ended."""

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self._path = Path(file)
        self._start_over(None)

    def records(self) -> Iterator[BatchState]:
        """Those that came since the last look; all there are if the file was cut, or another one is in its place.

        A last line that is still being written is left for the next look. A line that is no record is left out: a disk
        that was full, or a driver that was killed, has cut it.

        Raises:
            NotFound: there is no such file.
            Misuse: it is a file of something else.
        """
        if not self._path.is_file():
            raise NotFound(f"There is no progress file {self._path}", _REMEDY)
        with self._path.open("rb") as file:
            found = os.fstat(file.fileno())
            if found.st_ino != self._inode or found.st_size < self._at:
                self._start_over(found.st_ino)
            file.seek(self._at)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._at += len(line)
                record = _record(line)
                if record:
                    self._has_records = True
                    yield record
        if self._at and not self._has_records:
            raise Misuse(f"{self._path} has no record of a query's progress", _REMEDY)

    def _start_over(self, inode: int | None) -> None:
        self._inode = inode
        self._at = 0
        self._has_records = False


def _record(line: bytes) -> BatchState | None:
    try:
        return BatchState(**json.loads(line))
    except (TypeError, ValueError):
        return None
