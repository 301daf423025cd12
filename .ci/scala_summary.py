"""Prints one line, `scala: N passed, N failed, N skipped`: the sum of ScalaTest's summaries in an sbt log.

Exits with 1 if a test failed, a suite aborted, or no test ran at all.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
TESTS = re.compile(r"Tests: succeeded (\d+), failed (\d+), canceled (\d+), ignored (\d+), pending (\d+)")
SUITES = re.compile(r"Suites: completed \d+, aborted (\d+)")


def count(log: str) -> tuple[int, int, int]:
    """Tests passed, failed (an aborted suite counts as one) and skipped (canceled, ignored or pending)."""
    text = COLOUR.sub("", log)
    runs = [[int(number) for number in run] for run in TESTS.findall(text)]
    aborted = sum(int(number) for number in SUITES.findall(text))
    return sum(r[0] for r in runs), sum(r[1] for r in runs) + aborted, sum(sum(r[2:]) for r in runs)


def main(log: Path) -> int:
    """Prints the line for the file `log`, which may be missing."""
    passed, failed, skipped = count(log.read_text(encoding="utf-8", errors="replace")) if log.is_file() else (0, 0, 0)
    print(f"scala: {passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
