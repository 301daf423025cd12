"""docs/scale.md: what is between its markers is made from docs/scale.json, the rest is written by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.scale import tables
from benchmarks.scale.advice import advice

PAGE, DATA = Path("docs/scale.md"), Path("docs/scale.json")

_PARTS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "advice": advice,
    "dollars": tables.dollars,
    "requests": tables.requests,
    "prefixes": tables.prefixes,
    "waiting": tables.waiting,
    "partition": tables.partition,
    "driver": tables.driver,
    "maintenance": tables.maintenance,
    "loading": tables.loading,
    "joins": tables.joins,
    "recovery": tables.recovery,
    "simulation": tables.simulation,
}
_BLOCK = re.compile(r"(<!-- begin (\w+) -->\n).*?(<!-- end \2 -->)", re.DOTALL)


def filled(page: str, data: Mapping[str, Any]) -> str:
    """The page with every marked part made anew. Raises KeyError if a part is unknown."""
    return _BLOCK.sub(lambda found: f"{found[1]}\n{_PARTS[found[2]](data)}\n\n{found[3]}", page)


def write(page: Path = PAGE, data: Path = DATA) -> None:
    page.write_text(filled(page.read_text("utf-8"), json.loads(data.read_text("utf-8"))), "utf-8")
