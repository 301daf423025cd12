"""Reads what a streaming file sink has committed, without Spark."""

import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd


def read_sink(folder: Path) -> pd.DataFrame:
    """Return the rows of all files that the sink's log names; files of batches that never committed do not count.

    Raises FileNotFoundError if the sink has no log, or if a file that its log names is gone.
    """
    return pd.concat((pd.read_parquet(file) for file in committed_files(folder)), ignore_index=True)


def committed_files(folder: Path) -> list[Path]:
    """Return the data files that the log of the sink at `folder` names, in the order of their commits."""
    return [folder / Path(entry["path"]).name for log in _logs(folder / "_spark_metadata") for entry in _entries(log)]


def _logs(metadata: Path) -> list[Path]:
    """The newest compacted log, which repeats all before it, and the single ones after it."""
    numbered = sorted((int(log.name.partition(".")[0]), log) for log in metadata.iterdir() if log.name[0].isdigit())
    if not numbered:
        raise FileNotFoundError(f"{metadata} holds no log: the query has committed nothing")
    compacted = max((number for number, log in numbered if log.suffix == ".compact"), default=-1)
    return [log for number, log in numbered if number >= compacted]


def _entries(log: Path) -> Iterator[dict[str, str]]:
    version, *entries = log.read_text().splitlines()
    if version != "v1":
        raise ValueError(f"{log} has version {version}, known is v1")
    return map(json.loads, entries)
