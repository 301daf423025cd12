"""docs/reliability.md says what the suites have counted, and names suites that there are."""

from __future__ import annotations

import json
import re

from tests.cluster.outcome import SAID
from tests.reliability import FIGURES, PAGE, ROOT, RUNS, SUITES, cluster_table, merged, table, with_tables

page = PAGE.read_text(encoding="utf-8")
figures = json.loads(FIGURES.read_text(encoding="utf-8"))


def test_the_tables_are_those_of_the_figures() -> None:
    assert with_tables(page, figures) == page


def test_every_suite_has_been_counted() -> None:
    assert set(figures["usual"]) == set(SUITES)


def test_the_runs_on_a_cluster_are_those_that_there_are() -> None:
    assert set() < set(figures["cluster"]) <= set(RUNS)


def test_a_run_on_a_cluster_is_a_column() -> None:
    run = {
        "counts": {"kill executor": 3, "kill driver": 1, "kill driver while an executor is stopped": 1},
        "said": dict.fromkeys(SAID, 7),
        **{what: {"one query": 1000, "another": 234} for what in ("batches", "rows", "left over")},
        "seconds": 605.0,
        "seed": 17,
    }
    lines = cluster_table({"s3": run}).splitlines()
    assert lines[0] == "| | S3, format 2 |"
    assert {"| executors killed | 3 |", "| driver killed | 2 |", "| rows compared | 1,234 |"} <= set(lines)
    assert {"| local disk full | 0 |", "| late commits refused | 7 |", "| minutes, without the verdict | 10 |"} <= set(
        lines
    )


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
