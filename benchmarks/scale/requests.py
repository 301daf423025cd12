"""A request to S3, what kind it is, and which part of a checkpoint it is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs
from xml.sax.saxutils import unescape

#: What S3 bills and limits as a write, as a read, and not at all.
WRITES = ("PUT", "COPY", "LIST", "MULTIPART")
READS = ("GET", "HEAD")
FREE = ("DELETE", "BULK_DELETE")
KINDS = (*WRITES, *READS, *FREE)

_STORE = re.compile(r"state/\d+/\d+(/(?!_metadata)|$)")
_KEY = re.compile(r"<Key>([^<]+)</Key>")
_OPERATION = re.compile(r"[?&]op=([a-z_]+)")


@dataclass(frozen=True)
class Request:
    """One request: its kind, the key (or the prefix that is listed), and the call of Hadoop's that made it.

    Of a bulk delete `key` is the first of its `keys` keys.
    """

    kind: str
    key: str
    operation: str = ""
    keys: int = 1

    @property
    def line(self) -> str:
        """As the server's log has it."""
        return f"{self.kind}\t{self.key}\t{self.operation}\t{self.keys}\n"

    @classmethod
    def parse(cls, line: str) -> Request:
        kind, key, operation, keys = line.rstrip("\n").split("\t")
        return cls(kind, key, operation, int(keys))


def request_of(environ: Mapping[str, Any], body: bytes = b"") -> Request:
    """The request of a WSGI environment; buckets are the first part of the path. Of the body bulk deletes are read."""
    method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"].lstrip("/")
    key = path.partition("/")[2]
    query = parse_qs(environ.get("QUERY_STRING", ""), keep_blank_values=True)
    operation = _OPERATION.search(environ.get("HTTP_REFERER", ""))
    kind = _kind(method, key, query, "HTTP_X_AMZ_COPY_SOURCE" in environ)
    about = query.get("prefix", [""])[0] if kind == "LIST" else key
    by = operation[1] if operation else ""
    if kind == "BULK_DELETE":
        keys = [unescape(each) for each in _KEY.findall(body.decode())]
        return Request(kind, keys[0], by, len(keys))
    return Request(kind, about, by)


def _kind(method: str, key: str, query: Mapping[str, list[str]], is_copy: bool) -> str:
    if "uploads" in query or "uploadId" in query:
        return "MULTIPART"
    if method == "POST" and "delete" in query:
        return "BULK_DELETE"
    if method == "GET" and not key:
        return "LIST"
    if method == "PUT" and is_copy:
        return "COPY"
    return method


def area(key: str) -> str:
    """`store` for what is in a partition's folder but schemas, otherwise the first folder of the checkpoint.

    Keys have a folder `checkpoint` above.
    """
    inside = key.partition("checkpoint/")[2]
    if _STORE.match(inside):
        return "store"
    return inside.partition("/")[0].lstrip(".") or "checkpoint"


def tally(requests: Iterable[Request]) -> dict[str, dict[str, int]]:
    """How many requests of each kind there are in each area."""
    found: dict[str, Counter[str]] = {}
    for each in requests:
        found.setdefault(area(each.key), Counter())[each.kind] += 1
    return {name: dict(counts) for name, counts in sorted(found.items())}
