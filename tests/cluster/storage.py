"""What keeps checkpoints, as a run needs it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Protocol

#: No log, report or page may have it in it, nor a file of a checkpoint.
SECRET = "rockstate-key-that-nobody-may-read"
SECRET_CONF = "spark.hadoop.fs.s3a.secret.key"


class Storage(Protocol):
    """Storage of a run, as a context manager: on HDFS or on S3."""

    #: Without a slash at its end.
    url: str

    def __init__(self, folder: Path, seed: int) -> None: ...

    @property
    def confs(self) -> dict[str, str]:
        """By which Spark reaches it."""
        ...

    def __enter__(self) -> Storage: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def stop(self) -> None:
        """Returns when it does not answer any more."""
        ...

    def start(self) -> None:
        """Has it answer again."""
        ...

    @property
    def faults(self) -> Counter[str]:
        """What goes wrong by itself, and how often it has."""
        ...

    def files(self) -> list[str]:
        """The paths of all files there are, below `url`."""
        ...
