"""Rockstate conforms on the Spark that is installed, whichever minor it is, in both checkpoint formats.

On the usual minor tests/conformance asks for more; `make test-minor` runs this on one of the others, and `make test`
one check of each rule.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.conformance import published
from tests.conformance.configurations import CONFIGURATIONS, Configuration

OURS = [each for each in CONFIGURATIONS if each.name.startswith("Rockstate")]
OPTIONS = ["--quick"] if "ROCKSTATE_QUICK" in os.environ else ["--examples", "15"]


@pytest.mark.slow
@pytest.mark.parametrize("configuration", OURS, ids=lambda each: each.name.replace(" ", "-"))
def test_rockstate_conforms(configuration: Configuration, tmp_path: Path) -> None:
    report = published.judge(configuration, tmp_path, *OPTIONS)
    assert report["conforms"], published.failures(report)
    found, said = published.verdicts(report), published.read()[configuration.name]
    assert {rule for rule in found if found[rule] not in (said[rule], "skipped")} == set()
