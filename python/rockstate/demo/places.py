"""Where the demo keeps its files, all below one work directory."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Places:
    """Names every file and folder of one run; creates none."""

    root: Path

    @property
    def flights(self) -> Path:
        """One Parquet file per day of flights."""
        return self.root / "input" / "flights"

    @property
    def flights_with_duplicates(self) -> Path:
        """The same days, with duplicates injected."""
        return self.root / "input" / "flights-with-duplicates"

    @property
    def weather(self) -> Path:
        """Hourly weather of the three airports, one Parquet file."""
        return self.root / "input" / "weather"

    @property
    def hourly_weather(self) -> Path:
        """The same weather as a stream: one Parquet file per day of flights."""
        return self.root / "input" / "hourly-weather"

    @property
    def progress(self) -> Path:
        """One JSON line per finished batch, appended to by every start of the application."""
        return self.root / "progress.jsonl"

    @property
    def log(self) -> Path:
        """What the application printed, all starts one after the other."""
        return self.root / "application.log"

    def checkpoint(self, query: str) -> Path:
        """Checkpoint location of the query named `query`."""
        return self.root / "checkpoints" / query

    def logged(self, query: str, log: str) -> list[int]:
        """The batches in one of the logs (`offsets`: planned, `commits`: done) of the query's checkpoint, in order."""
        return sorted(int(entry.name) for entry in (self.checkpoint(query) / log).glob("*") if entry.name.isdigit())

    def sink(self, query: str) -> Path:
        """Output folder of the query named `query`."""
        return self.root / "results" / query
