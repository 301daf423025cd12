"""The tables of docs/compatibility.md from what the tests said: `python -m tests.minors.compatibility`.

It takes the reports that are in this source tree, or with `--root` in another one, into docs/compatibility.json, and
writes the tables anew. What was not run stays as it is. The exit code is 1 if a test failed, or left no report.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.minors.operators import TABLES, Row, Table
from tests.minors.results import LANGUAGES, Counts, Results, Run, load, read_run, save

from rockstate.launch.versions import SUPPORTED_MINORS

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs/compatibility.md"

_WRITTEN_BY = "written by `make compatibility`"
_FAILED, _NO_RESULT, _PARTLY = "**FAILED**", "**no result**", "partly"


def page(text: str, results: Results) -> str:
    """The page's text with its tables written anew."""
    for name, made in (*((table.name, _table(table, results)) for table in TABLES), ("runs", _runs(results))):
        head, begin, rest = text.partition(f"<!-- {name}: {_WRITTEN_BY} -->\n")
        _, end, tail = rest.partition(f"<!-- end of {name} -->\n")
        if not begin or not end:
            raise ValueError(f"the page has no place for the table {name}")
        text = "".join((head, begin, made, end, tail))
    return text


def _table(table: Table, results: Results) -> str:
    cells = ((*row.cells, *(cell(row, results.get(minor, {})) for minor in SUPPORTED_MINORS)) for row in table.rows)
    return _markdown((*table.head, *SUPPORTED_MINORS), *cells)


def cell(row: Row, runs: dict[str, Run]) -> str:
    """What the tests of a row said on one minor: a verdict, how many passed of PySpark's and of Scala's, and why most
    are left out, if they are.
    """
    known: list[Counts] = []
    numbers, unknown = [], False
    for language in LANGUAGES:
        suites = runs[language].rows.get(row.name, {}) if language in runs else {}
        counts = [each for each in suites.values() if each is not None]
        unknown = unknown or len(counts) < len(suites) or (bool(row.patterns(language)) and language not in runs)
        numbers.append(_number(counts))
        known += counts
    verdict = _verdict(known, unknown)
    if not any(each.passed or each.failed for each in known):
        return verdict
    counted = f"{verdict}, {' + '.join(numbers)}"
    return f"{counted}: {_most_common_reason(known)}" if verdict == _PARTLY else counted


def _verdict(known: Sequence[Counts], unknown: bool) -> str:
    if any(each.failed for each in known):
        return _FAILED
    if unknown:
        return _NO_RESULT
    if passed := sum(each.passed for each in known):
        return "yes" if passed * 2 >= sum(each.all for each in known) else _PARTLY
    reasons = dict.fromkeys(reason for each in known for reason in each.skipped)
    return f"no: {'; '.join(reasons)}" if reasons else "not tested"


def _most_common_reason(known: Sequence[Counts]) -> str:
    reasons = Counter[str]()
    for each in known:
        reasons.update(each.skipped)
    return reasons.most_common(1)[0][0]


def _number(counts: Sequence[Counts]) -> str:
    passed, every = sum(each.passed for each in counts), sum(each.all for each in counts)
    return str(passed) if passed == every else f"{passed} of {every}"


def _runs(results: Results) -> str:
    rows = (
        (
            minor,
            *(
                _run(results[minor][language]) if language in results.get(minor, {}) else _NO_RESULT
                for language in LANGUAGES
            ),
        )
        for minor in SUPPORTED_MINORS
    )
    return _markdown(("Spark", "PySpark", "Scala"), *rows)


def _run(run: Run) -> str:
    python = f", Python {run.about['python']}" if "python" in run.about else ""
    return f"{_totals(run)}: Spark {run.about['spark']}{python}, {run.time[:10]}, commit `{run.about['commit']}`"


def _totals(run: Run) -> str:
    skipped = sum(run.total.skipped.values())
    numbers = ((run.total.passed, "passed"), (run.total.failed, "failed"), (skipped, "left out"))
    return ", ".join(f"{number} {what}" for number, what in numbers if number or what == "passed")


def _markdown(*rows: Sequence[str]) -> str:
    head, *body = (f"| {' | '.join(row)} |\n" for row in rows)
    return "".join((head, f"|{'---|' * len(rows[0])}\n", *body))


def _take(asked: argparse.Namespace, results: Results) -> Iterator[tuple[str, Run | None]]:
    """Takes the runs that are asked for into the results; yields what each is, and the run."""
    for minor in asked.minors or SUPPORTED_MINORS:
        for language in [asked.only] if asked.only else LANGUAGES:
            run = read_run(asked.root, minor, language, results.get(minor, {}).get(language))
            if run is not None:
                results.setdefault(minor, {})[language] = run
            yield f"{minor} {language}", run


def main(arguments: Sequence[str]) -> int:
    """Reads, writes, and says what was found."""
    parser = argparse.ArgumentParser(prog="tests.minors.compatibility", description=__doc__)
    parser.add_argument("minors", nargs="*", metavar="MINOR", help="Spark minors such as 4.2; all unless named")
    parser.add_argument("--root", type=Path, default=ROOT, help="the source tree with the reports")
    parser.add_argument("--only", choices=LANGUAGES, help="the tests of one language; both unless named")
    asked = parser.parse_args(arguments)
    results = load(PAGE.with_suffix(".json"))
    status = 0
    for what, run in _take(asked, results):
        print(f"{what}: {'not run, left as it is' if run is None else _totals(run)}")
        if run is not None and run.without_report:
            print(f"  no report: {', '.join(run.without_report)}")
        if run is not None and (run.total.failed or run.without_report):
            status = 1
    text = page(PAGE.read_text(encoding="utf-8"), results)
    save(results, PAGE.with_suffix(".json"))
    PAGE.write_text(text, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
