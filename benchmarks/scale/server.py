"""A server of S3's kind on loopback that writes a line for each request: `python -m benchmarks.scale.server LOG PORT`.

It is moto's, in a process of its own, run by the environment that `make scale` makes for it.
"""

from __future__ import annotations

import io
import logging
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks.scale.requests import request_of


class Counting:
    """A WSGI application that notes each request before it passes it on."""

    def __init__(self, served: Callable[..., Iterable[bytes]], log: Path) -> None:
        self._served = served
        self._log = log.open("a", encoding="utf-8", buffering=1)
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        body = b""
        if environ["REQUEST_METHOD"] == "POST":
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            environ["wsgi.input"] = io.BytesIO(body)
        with self._lock:  # moto's store of keys is not for several threads: it fails, and clients ask again
            self._log.write(request_of(environ, body).line)
            return list(self._served(environ, start_response))


def counting(log: Path) -> Counting:
    """The server's application, which notes its requests in the file."""
    from moto.server import create_backend_app

    return Counting(create_backend_app("s3"), log)


def serve(application: Callable[..., Iterable[bytes]], port: int) -> None:
    """Serves until the process is ended. An application that raises ConnectionError has its connection closed."""
    from werkzeug.serving import WSGIRequestHandler, run_simple

    class Closing(WSGIRequestHandler):  # type: ignore[misc]  # werkzeug is not installed here
        def connection_dropped(self, error: BaseException, environ: Any = None) -> None:
            self.close_connection = True  # or the client waits for its answer until it takes the server for dead

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    run_simple("127.0.0.1", port, application, threaded=True, request_handler=Closing)


if __name__ == "__main__":
    serve(counting(Path(sys.argv[1])), int(sys.argv[2]))
