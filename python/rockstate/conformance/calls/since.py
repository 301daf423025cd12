"""Which calls came with which Spark minor. All others are in every Spark that there is a driver for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SINCE = {
    "put_list": "4.1",
    "merge_list": "4.1",
    "release": "4.1",
    "upgrade": "4.1",
    "track_commit": "4.1",
    "unknown_metrics": "4.1",
    "contains": "4.2",
    "multi_get": "4.2",
    "range": "4.2",
    "scan_multi": "4.2",
    "prefix_multi": "4.2",
    "range_multi": "4.2",
    "delete_range": "4.2",
    "families": "4.2",
}


def minor_of(op: str) -> str | None:
    """The minor that `op` came with, None if it was always there."""
    return _SINCE.get(op)


def lack_of(request: Mapping[str, Any]) -> tuple[str, str] | None:
    """What an old Spark may lack of a request, in words, and the minor that it came with; None if nothing."""
    op = request.get("kind", request["op"])
    if op == "begin" and request.get("empty"):
        return "a version that is started empty", "4.2"
    if op in ("begin", "upgrade") and request.get("snapshot"):
        return "a commit that is told to make a snapshot", "4.2"
    if request.get("encoder", "").startswith("timestamp_"):
        return "keys with a timestamp", "4.2"
    if op in ("replay", "replay_read", "changes") and request.get("id") is not None:
        return f"{op} by checkpoint ids", "4.1"
    since = minor_of(op)
    return None if since is None else (op, since)
