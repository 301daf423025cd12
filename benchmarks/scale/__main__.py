"""`python -m benchmarks.scale count|simulate|page|all`: see benchmarks/README.md."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import date
from typing import Any

from benchmarks.scale import measure, page, tables, tools
from benchmarks.scale.count import collected, count
from benchmarks.scale.queries import QUERIES
from benchmarks.scale.scenarios import SEED, simulate_all

#: Left out of the data file: whole logs of single batches, which are in target/scale.
_EXAMPLE = "example"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0, 2 bad arguments; what goes wrong is raised."""
    parser = argparse.ArgumentParser(description="what state costs at scale")
    parser.add_argument("step", choices=("count", "collect", "simulate", "page", "all"))
    parser.add_argument("--contenders", default=",".join(measure.CONTENDERS))
    parser.add_argument("--managers", default=",".join(measure.MANAGERS))
    parser.add_argument("--queries", default=",".join(each.name for each in QUERIES))
    parsed = parser.parse_args(arguments)
    if parsed.step in ("count", "all"):
        count(parsed.contenders.split(","), parsed.managers.split(","), parsed.queries)
    if parsed.step in ("count", "collect", "all"):
        _write({**_about(), "counts": _without_examples(collected()), "simulation": _read().get("simulation", [])})
    if parsed.step in ("simulate", "all"):
        data = _read()
        _write({**data, "seed": SEED, "simulation": simulate_all(tables.network_of(data))})
    if parsed.step in ("page", "all"):
        page.write()
    return 0


def _about() -> dict[str, Any]:
    return {
        "date": date.today().isoformat(),
        "partitions": measure.PARTITIONS,
        "jars": list(tools.JARS),
        "server": tools.SERVER,
        "managers": {name: dict(confs) for name, confs in measure.MANAGERS.items()},
        "seed": SEED,
    }


def _without_examples(counts: dict[str, Any]) -> dict[str, Any]:
    for found in (found for queries in counts.values() for found in queries.values()):
        found.pop(_EXAMPLE, None)
    return counts


def _read() -> dict[str, Any]:
    if not page.DATA.is_file():
        return {}
    read: dict[str, Any] = json.loads(page.DATA.read_text("utf-8"))
    return read


def _write(data: dict[str, Any]) -> None:
    page.DATA.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
