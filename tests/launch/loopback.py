"""What a process of Spark's, or another server, is started with on loopback."""

from __future__ import annotations

import socket


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port
