"""The checks as tests: `pytest -p rockstate.pytest_plugin --pyargs rockstate.conformance --provider-class CLASS`."""

from __future__ import annotations

import pytest

from rockstate.conformance.checks.registry import Check
from rockstate.conformance.running.suite import Suite


def test_provider(suite: Suite, check: Check) -> None:
    result = suite.run(check)
    if result.verdict in ("absent", "skipped"):
        pytest.skip(f"{result.verdict}: {result.message}")
    if result.verdict != "passed":
        rule = check.rule
        text = f"{rule.id} {rule.title}: {rule.meaning}\n{result.verdict}: {result.message}\n\n{result.program}"
        pytest.fail(text, pytrace=False)
