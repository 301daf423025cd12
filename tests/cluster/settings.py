"""What a run hands to the driver application, as one line of JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from rockstate.demo.places import Places


@dataclass(frozen=True)
class Settings:
    """Where a run keeps its files, and what it runs. `checkpoints` is a URL, the rest is on the local disk.

    `confs`: those of Spark's by which it reaches the checkpoints.
    """

    folder: str
    checkpoints: str
    master: str
    format_version: int
    queries: tuple[str, ...]
    confs: dict[str, str]

    @property
    def places(self) -> Places:
        """Input, results and progress."""
        return Places(Path(self.folder))

    @property
    def all_arrived(self) -> Path:
        """Made once there is no more input to come: then the application ends when it has read it."""
        return Path(self.folder) / "all-arrived"

    @property
    def failures(self) -> Path:
        """What the application's queries failed with, a line for each."""
        return Path(self.folder) / "failures.txt"

    def checkpoint(self, query: str) -> str:
        """The query's checkpointLocation."""
        return f"{self.checkpoints}/{query}"

    def to_json(self) -> str:
        """These settings as one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Settings:
        """The settings that `to_json` wrote."""
        values = json.loads(line)
        return cls(**{**values, "queries": tuple(values["queries"])})
