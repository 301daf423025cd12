"""The table of results in docs/conformance.md: written from reports, and read back by the tests.

`python -m tests.conformance.published` runs the suite on every configuration and writes the table anew; that takes a
quarter of an hour. With names of configurations it runs only those.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.conformance.configurations import CONFIGURATIONS, DOCUMENT, Configuration

from rockstate.conformance import RULES

BEGIN, END = "<!-- results: written by tests/conformance/published.py -->", "<!-- end of results -->"
SIGNS = {"passed": "✓", "failed": "**failed**", "absent": "absent", "skipped": "skipped", "error": "error"}
ORDER = ("error", "failed", "passed", "absent", "skipped")  # of several checks of a rule the first of these counts


def judge(configuration: Configuration, folder: Path, *options: str) -> dict[str, Any]:
    """Runs the suite in a process of its own and returns its report; `folder` gets the reports as files.

    Raises:
        RuntimeError: it ended without a report.
    """
    path = _report(configuration, folder)
    page = path.with_suffix(".html")
    command = [sys.executable, "-m", "rockstate", "conformance", *configuration.arguments(), *options]
    ended = subprocess.run(
        [*command, "--json", str(path), "--html", str(page)], capture_output=True, text=True, check=False
    )
    if ended.returncode not in (0, 1) or not path.is_file():
        raise RuntimeError(f"{configuration.name}: exit code {ended.returncode}\n{ended.stdout}\n{ended.stderr}")
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return report


def _report(configuration: Configuration, folder: Path) -> Path:
    return folder / f"{configuration.name.replace(' ', '-').lower()}.json"


def verdicts(report: dict[str, Any]) -> dict[str, str]:
    """The verdict of each rule."""
    found: dict[str, set[str]] = {}
    for result in report["results"]:
        found.setdefault(result["rule"], set()).add(result["verdict"])
    return {rule: next(verdict for verdict in ORDER if verdict in of_rule) for rule, of_rule in found.items()}


def failures(report: dict[str, Any]) -> str:
    """What failed, each with the calls that show it."""
    wrong = [result for result in report["results"] if result["verdict"] in ("failed", "error")]
    return "\n\n".join(f"{r['rule']} {r['check']}\n{r['message']}\n{r['program']}" for r in wrong)


def table(reports: dict[str, dict[str, Any]]) -> str:
    """The results as Markdown, a column for each report."""
    columns = {name: verdicts(report) for name, report in reports.items()}
    lines = [f"| rule | what must hold | {' | '.join(columns)} |", f"|---|---|{'---|' * len(columns)}"]
    for rule in RULES.values():
        signs = (SIGNS[of_rules.get(rule.id, "absent")] for of_rules in columns.values())
        lines.append(f"| {rule.id} | **{rule.title}**: {rule.meaning} | {' | '.join(signs)} |")
    checks = (f"{r['count']['passed']} passed, {r['count']['failed']} failed" for r in reports.values())
    lines.append(f"| | checks | {' | '.join(checks)} |")
    seconds = (f"{r['seconds']:.0f}" for r in reports.values())
    lines.append(f"| | seconds | {' | '.join(seconds)} |")
    return "\n".join(lines)


def read() -> dict[str, dict[str, str]]:
    """The published verdict of each rule, by configuration."""
    text = DOCUMENT.read_text(encoding="utf-8")
    rows = [line.strip("|").split("|") for line in text[text.index(BEGIN) : text.index(END)].splitlines()[1:]]
    names = [cell.strip() for cell in rows[0][2:]]
    meant = {sign: verdict for verdict, sign in SIGNS.items()}
    rules = [row for row in rows if row[0].strip().startswith("R")]
    return {name: {row[0].strip(): meant[row[2 + i].strip()] for row in rules} for i, name in enumerate(names)}


def write(reports: dict[str, dict[str, Any]]) -> None:
    """Puts the table into the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    head, tail = text[: text.index(BEGIN)], text[text.index(END) :]
    DOCUMENT.write_text(f"{head}{BEGIN}\n{table(reports)}\n{tail}", encoding="utf-8")


def main(names: Sequence[str]) -> None:
    """Runs the configurations of these names, or all, two at a time; the others' reports are of their last run."""
    folder = Path("target/conformance")
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda c: judge(c, folder), (c for c in CONFIGURATIONS if not names or c.name in names)))
    write({c.name: json.loads(_report(c, folder).read_text(encoding="utf-8")) for c in CONFIGURATIONS})


if __name__ == "__main__":
    main(sys.argv[1:])
