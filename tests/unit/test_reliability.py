"""docs/reliability.md says what the suites have counted, and names suites that there are."""

from __future__ import annotations

import json
import re

from tests.reliability import FIGURES, PAGE, ROOT, SUITES, merged, table, with_table

page = PAGE.read_text(encoding="utf-8")
figures = json.loads(FIGURES.read_text(encoding="utf-8"))


def test_the_table_is_that_of_the_figures() -> None:
    assert with_table(page, figures) == page


def test_every_suite_has_been_counted() -> None:
    assert set(figures["usual"]) == set(SUITES)


def test_the_suites_that_are_named_are_there() -> None:
    named = set(re.findall(r"`([A-Z]\w+Suite)`", page))
    there = {file.stem for file in (ROOT / "jvm").glob("*/src/test/**/*.scala")}
    assert set(SUITES) < named <= there


def test_what_was_counted_takes_the_place_of_earlier_figures() -> None:
    old = {"usual": {"CrashSuite": {"times": 1, "positions": 5, "seconds": 1}, "RaceSuite": {"seconds": 2}}}
    new = [
        {"suite": "CrashSuite", "times": 1, "figures": {"positions": 1234, "seconds": 7}},
        {"suite": "RaceSuite", "times": 20, "figures": {"interleavings": 9, "seconds": 3}},
    ]
    found = merged(old, new)
    assert found["usual"]["CrashSuite"]["positions"] == 1234 and found["usual"]["RaceSuite"] == {"seconds": 2}
    assert found["long"] == {"RaceSuite": {"times": 20, "interleavings": 9, "seconds": 3}}
    assert "| 1,234 positions; 7 s | - |" in table(found)
