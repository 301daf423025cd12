"""What the streaming application reports about each batch, as lines of JSON in a file that outlives it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Batch:
    """One finished batch of one query; times in milliseconds, summed over its partitions where Spark does so."""

    query: str
    number: int
    start: int
    """Which start of the application ran it: 1, and 2 after the kill."""
    duration_millis: int
    input_rows: int
    state_rows: int
    updated_rows: int
    late_rows: int
    update_millis: int
    commit_millis: int
    memory_bytes: int


def as_line(progress_json: str, start: int) -> str:
    """Return Spark's progress of one batch as one line for the progress file."""
    return json.dumps({"start": start, "progress": json.loads(progress_json)}) + "\n"


def read_batches(file: Path) -> list[Batch]:
    """Return the batches reported so far, in order of query and number; of a batch that ran twice, the second run.

    A last line that the kill cut short is left out.
    """
    if not file.exists():
        return []
    lines = file.read_text().split("\n")
    batches = {(batch.query, batch.number): batch for batch in _parsed(lines)}
    return [batches[key] for key in sorted(batches)]


def _parsed(lines: Iterable[str]) -> Iterable[Batch]:
    for line in lines:
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        yield _batch(record["progress"], record["start"])


def _batch(progress: dict[str, Any], start: int) -> Batch:
    operators = progress["stateOperators"]

    def total(field: str) -> int:
        return sum(operator[field] for operator in operators)

    return Batch(
        query=progress["name"],
        number=progress["batchId"],
        start=start,
        duration_millis=progress["batchDuration"],
        input_rows=progress["numInputRows"],
        state_rows=total("numRowsTotal"),
        updated_rows=total("numRowsUpdated"),
        late_rows=total("numRowsDroppedByWatermark"),
        update_millis=total("allUpdatesTimeMs"),
        commit_millis=total("commitTimeMs"),
        memory_bytes=total("memoryUsedBytes"),
    )
