"""The figures of docs/reliability.md: what the suites have counted, kept in docs/reliability.json.

`python -m tests.reliability` takes what the last runs in this clone have left in target/reliability, and writes both
anew. A run with `ROCKSTATE_TIMES` of more than 1 is a long one, and has a column of its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FIGURES, PAGE = ROOT / "docs" / "reliability.json", ROOT / "docs" / "reliability.md"
COUNTED = ROOT / "target" / "reliability"
BEGIN, END = "<!-- figures: written by tests/reliability.py -->", "<!-- end of figures -->"

#: Suites in the order of the page, and what they do.
SUITES = {
    "CrashSuite": "a query cut off at every call to storage",
    "CutQuerySuite": "the same at every call of Hadoop's file system, whose renames do not replace",
    "RaceSuite": "whoever may meet on a store, in an order that a seed chooses",
    "HostileSuite": "files with altered bytes",
}


def merged(known: dict[str, Any], counted: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures known so far, with those that were counted in place of earlier ones."""
    figures: dict[str, Any] = {kind: dict(known.get(kind, {})) for kind in ("usual", "long")}
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


def with_table(page: str, figures: dict[str, Any]) -> str:
    """The page with the table of these figures."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n\n{table(figures)}\n\n{END}{rest.split(END)[1]}"


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
    FIGURES.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")


if __name__ == "__main__":
    main()
