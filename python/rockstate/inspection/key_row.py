"""One key's row in words, read from its store without a SparkSession."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rockstate.base.errors import JarNotLoaded
from rockstate.session import gateway


def printed(
    path: str,
    operator: int,
    store: str,
    batch: int | None,
    key: Mapping[str, str],
    json_formats: Mapping[str, str] | None,
) -> str | None:
    """The row as Spark's state data source would print it: a table, or a line of JSON if formats for it are given.

    A key that is not there has a table without rows, or no line. None if that takes a session: unless the key is whole,
    the state Rockstate's, and Spark 4.2 or later says which partition a key is in, and if anything is wrong.
    """
    try:
        reader = gateway.checkpoint_reader()
    except JarNotLoaded:
        return None
    formats = "" if json_formats is None else json.dumps(dict(json_formats))
    found: str | None = gateway.answer(reader.rowOfKey(request(path, operator, store, batch, key), formats)).get("text")
    return found


def request(path: str, operator: int | None, store: str, batch: int | None, key: Mapping[str, str]) -> str:
    """What the JVM is asked for by a key: a `KeyRequest`."""
    return json.dumps({"location": path, "operator": operator, "store": store, "batch": batch, "key": dict(key)})
