"""What the parent process tells the streaming application."""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Settings:
    """Passed as one line of JSON, the application's only argument."""

    work_dir: str
    master: str
    files_per_batch: int
    start: int
    """1 for the first start of the application, 2 for the one after the kill."""

    def to_json(self) -> str:
        """Return these settings as one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> "Settings":
        """Return the settings that `to_json` wrote."""
        return cls(**json.loads(line))
