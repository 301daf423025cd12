"""The server of `make scale`, and of some requests its answer is lost, or they are refused.

`python -m tests.cluster.unreliable_s3 LOG PORT FAULTS SEED`, run by the environment of `make scale`; FAULTS is a file
that gets a line for each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

from benchmarks.scale.server import counting, serve

#: Of a hundred requests one has one of these fates. Clients ask again, so that some requests are done twice.
SHARE = 0.01
REFUSED, CUT_OFF, FAILED, UNANSWERED = (
    "refused (503)",
    "connection closed before its effect",
    "answered with an error (500) after its effect",
    "connection closed after its effect",
)
FATES = (REFUSED, CUT_OFF, FAILED, UNANSWERED)
_STATUS = {REFUSED: ("503 Slow Down", "SlowDown"), FAILED: ("500 Internal Server Error", "InternalError")}


class Unreliable:
    """A WSGI application that hands requests to another one, but for what a seed chooses to go wrong."""

    def __init__(self, served: Callable[..., Iterable[bytes]], faults: Path, seed: int, share: float = SHARE) -> None:
        self._served, self._share = served, share
        self._random, self._lock = Random(seed), Lock()
        self._faults = faults.open("a", encoding="utf-8", buffering=1)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        fate = self._fate(environ)
        if fate is None:
            return self._served(environ, start_response)
        if fate in (FAILED, UNANSWERED):
            list(self._served(environ, lambda *_: None))
        if fate not in _STATUS:
            raise ConnectionResetError(fate)  # the server closes the connection
        status, code = _STATUS[fate]
        start_response(status, [("Content-Type", "application/xml")])
        return [f"<Error><Code>{code}</Code><Message>{fate}</Message></Error>".encode()]

    def _fate(self, environ: dict[str, Any]) -> str | None:
        with self._lock:
            fate = self._random.choice(FATES) if self._random.random() < self._share else None
            if fate is not None:
                self._faults.write(f"{fate}\t{environ['REQUEST_METHOD']} {environ['PATH_INFO']}\n")
            return fate


if __name__ == "__main__":
    serve(Unreliable(counting(Path(sys.argv[1])), Path(sys.argv[3]), int(sys.argv[4])), int(sys.argv[2]))
