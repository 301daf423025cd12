"""The figures of docs/reliability.md, kept in docs/reliability.json: what suites and runs on a cluster have counted.

`python -m tests.reliability` takes what the last runs in this clone have left in target/reliability and target/cluster,
and writes both anew. A run with `ROCKSTATE_TIMES` of more than 1 is a long one, and has a column of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cluster import faults
from tests.cluster.outcome import SAID
from tests.cluster.unreliable_s3 import FAILED, FATES, UNANSWERED

ROOT = Path(__file__).parent.parent
FIGURES, PAGE = ROOT / "docs" / "reliability.json", ROOT / "docs" / "reliability.md"
COUNTED = ROOT / "target" / "reliability"
ON_CLUSTER = ROOT / "target" / "cluster"
BEGIN, END = "<!-- figures: written by tests/reliability.py -->", "<!-- end of figures -->"
CLUSTER_BEGIN = "<!-- figures of a cluster: written by tests/reliability.py -->"
CLUSTER_END = "<!-- end of figures of a cluster -->"

#: Suites in the order of the page, and what they do.
SUITES = {
    "CrashSuite": "a query cut off at every call to storage",
    "CutQuerySuite": "the same at every call of Hadoop's file system, whose renames do not replace",
    "RaceSuite": "whoever may meet on a store, in an order that a seed chooses",
    "HostileSuite": "files with altered bytes",
}

#: What a run has counted of something.
Count = Callable[[dict[str, Any]], int]

#: The runs of `make cluster-test`, by the names of their figures.
RUNS = {"format-1": "HDFS, format 1", "format-2": "HDFS, format 2", "s3": "S3, format 2"}


def _broken(*what: str) -> Count:
    return lambda run: sum(run["counts"].get(each, 0) for each in what)


def _said(what: str) -> Count:
    return lambda run: run["said"][what]


def _of_all_queries(what: str) -> Count:
    return lambda run: sum(run[what].values())


#: What one run has counted, in the words of the page.
ROWS: dict[str, Count] = {
    "executors killed": _broken(faults.KILL),
    "executors stopped that went on": _broken(faults.GOES_ON),
    "driver killed": _broken(faults.DRIVER, faults.DRIVER_AND_ZOMBIE),
    "of these while an executor was stopped": _broken(faults.DRIVER_AND_ZOMBIE),
    "storage stopped": _broken(faults.STORAGE),
    "local disk full": _broken(faults.DISK),
    "requests that went wrong": _broken(*FATES),
    "of these done all the same": _broken(FAILED, UNANSWERED),
    **{what: _said(what) for what in SAID},
    "batches of all queries": _of_all_queries("batches"),
    "rows compared": _of_all_queries("rows"),
    "files left over": _of_all_queries("left over"),
    "minutes, without the verdict": lambda run: round(run["seconds"] / 60),
    "seed": lambda run: run["seed"],
}


def merged(known: dict[str, Any], counted: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures known so far, with those that were counted in place of earlier ones."""
    figures: dict[str, Any] = {kind: dict(known.get(kind, {})) for kind in ("usual", "long", "cluster")}
    for suite in counted:
        entry = {"times": suite["times"], **suite["figures"]}
        figures["usual" if suite["times"] == 1 else "long"][suite["suite"]] = entry
    return figures


def table(figures: dict[str, Any]) -> str:
    """The figures as the page has them."""
    lines = ["| suite | what it does | in each `make test` | in a long run |", "|---|---|---|---|"]
    for suite, what in SUITES.items():
        cells = [_cell(figures[kind].get(suite)) for kind in ("usual", "long")]
        lines.append(f"| `{suite}` | {what} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines)


def cluster_table(runs: dict[str, Any]) -> str:
    """The figures of the runs on a cluster as the page has them."""
    known = [name for name in RUNS if name in runs]
    lines = [f"| | {' | '.join(RUNS[name] for name in known)} |", "|---" * (1 + len(known)) + "|"]
    for what, count in ROWS.items():
        lines.append(f"| {what} | {' | '.join(_counted(count, runs[name]) for name in known)} |")
    return "\n".join(lines)


def with_tables(page: str, figures: dict[str, Any]) -> str:
    """The page with the tables of these figures."""
    page = _between(page, BEGIN, END, table(figures))
    return _between(page, CLUSTER_BEGIN, CLUSTER_END, cluster_table(figures["cluster"]))


def _counted(count: Count, run: dict[str, Any]) -> str:
    """ "-" if the run did not count it."""
    try:
        return f"{count(run):,}"
    except KeyError:
        return "-"


def _between(page: str, begin: str, end: str, text: str) -> str:
    before, rest = page.split(begin)
    return f"{before}{begin}\n\n{text}\n\n{end}{rest.split(end)[1]}"


def _cell(figures: dict[str, int] | None) -> str:
    if figures is None:
        return "-"
    counts = [f"{n:,} {what}" for what, n in figures.items() if what not in ("times", "seconds")]
    return f"{', '.join(counts)}; {figures['seconds']:,} s"


def main() -> None:
    """Writes figures and page."""
    known = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.is_file() else {}
    counted = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(COUNTED.glob("*.json"))]
    figures = merged(known, counted)
    ran = {name: ON_CLUSTER / f"{name}.json" for name in RUNS}
    figures["cluster"] |= {name: json.loads(file.read_text("utf-8")) for name, file in ran.items() if file.is_file()}
    FIGURES.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")


if __name__ == "__main__":
    main()
