"""A session of its own that reads state by Spark's state data source: it has the jar and nothing else of Rockstate."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.integration.jobs.state_reader import ANSWER
from tests.integration.minors import MINOR
from tests.integration.streams import TIMEOUT_SECONDS

import rockstate
from rockstate.launch.versions import SPARK_MINORS, is_since

READER = Path(__file__).parent / "jobs" / "state_reader.py"
Rows = list[list[Any]]


def format_that_it_needs() -> list[str]:
    """Before 4.2 Spark's CommitLog reads no other checkpoint format than the session's."""
    return [] if is_since(MINOR, "4.2") else [str(SPARK_MINORS[MINOR].checkpoint_format)]


class Reader:
    """The other session."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(READER), str(rockstate.jar_path()), *format_that_it_needs()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def rows(self, checkpoint: Path, *select: str, source: str = "statestore", **options: object) -> Rows:
        """These columns of the state that Spark's data source reads from the checkpoint."""
        answer = self._ask(checkpoint, select, source, options)
        assert "rows" in answer, answer
        rows: Rows = answer["rows"]
        return rows

    def error(self, checkpoint: Path, **options: object) -> str:
        """The error instead; fails if there is none."""
        return str(self._ask(checkpoint, ["*"], "statestore", options)["error"])

    def _ask(self, checkpoint: Path, select: Any, source: str, options: dict[str, object]) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        texts = {name: str(value) for name, value in options.items()}
        question = {"format": source, "path": str(checkpoint), "select": list(select), "options": texts}
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith(ANSWER):
                answer: dict[str, Any] = json.loads(line.removeprefix(ANSWER))
                return answer
        raise AssertionError(f"the session ended with {self._process.wait()}")

    def close(self) -> None:
        """Ends the session."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(TIMEOUT_SECONDS)
