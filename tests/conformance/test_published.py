"""The suite on Spark's providers and on Rockstate: what docs/conformance.md publishes is what comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conformance import published
from tests.conformance.configurations import CONFIGURATIONS, Configuration

from rockstate.conformance import RULES

# What time allows in every run; `python -m tests.conformance.published` runs all of them, with more random histories.
JUDGED = [c for c in CONFIGURATIONS if c.name in ("HDFS-backed", "RocksDB changelog format 2")]
OURS = [c for c in CONFIGURATIONS if c.name.startswith("Rockstate")]
# Random histories find a fault or do not.
RANDOM = {rule.id for rule in RULES.values() if rule.area == "histories"}


def judged(configuration: Configuration, folder: Path) -> dict[str, Any]:
    return published.judge(configuration, folder, "--examples", "15")


def failures(report: dict[str, Any]) -> str:
    wrong = [result for result in report["results"] if result["verdict"] in ("failed", "error")]
    return "\n\n".join(f"{r['rule']} {r['check']}\n{r['message']}\n{r['program']}" for r in wrong)


@pytest.mark.parametrize("configuration", OURS, ids=lambda c: c.name)
def test_rockstate_conforms(configuration: Configuration, tmp_path: Path) -> None:
    report = judged(configuration, tmp_path)
    assert report["conforms"], failures(report)
    assert published.verdicts(report) == published.read()[configuration.name]


@pytest.mark.parametrize("configuration", JUDGED, ids=lambda c: c.name)
def test_sparks_providers_are_as_published(configuration: Configuration, tmp_path: Path) -> None:
    report = judged(configuration, tmp_path)
    found, said = published.verdicts(report), published.read()[configuration.name]
    different = {rule: (said[rule], found[rule]) for rule in found if said[rule] != found[rule]}
    assert not different.keys() - RANDOM, f"published, found: {different}\n{failures(report)}"
    assert "error" not in found.values(), failures(report)


def test_every_rule_is_published_for_every_configuration() -> None:
    assert published.read().keys() == {configuration.name for configuration in CONFIGURATIONS}
    assert all(verdicts.keys() == RULES.keys() for verdicts in published.read().values())
