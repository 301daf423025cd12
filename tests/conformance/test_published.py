"""The suite on Spark's providers and on Rockstate: what docs/conformance.md publishes is what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeAlias

import pytest
from tests.conformance import published
from tests.conformance.configurations import CONFIGURATIONS
from tests.conftest import IS_WHOLE

from rockstate.conformance import RULES

# In format 2 the oldest and the newest Spark minor judge it.
OURS = [c.name for c in CONFIGURATIONS if c.name.startswith("Rockstate") and (IS_WHOLE or "format 2" not in c.name)]
# What time allows; `python -m tests.conformance.published` runs all of them, with more random histories.
SPARKS = ["HDFS-backed", "RocksDB changelog format 2"] if IS_WHOLE else []
# Random histories, and samples of damage, find a fault or do not.
SAMPLED = {rule.id for rule in RULES.values() if rule.area in ("histories", "damage")}
EXAMPLES = "15" if IS_WHOLE else "5"

Reports: TypeAlias = dict[str, Future[dict[str, Any]]]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reports]:
    """A report for each of `SPARKS` and `OURS`. Runs wait for their disks more than they work: two at a time."""
    folder = tmp_path_factory.mktemp("reports")
    with ThreadPoolExecutor(2) as pool:
        chosen = [c for c in CONFIGURATIONS if c.name in (*SPARKS, *OURS)]
        yield {c.name: pool.submit(published.judge, c, folder, "--examples", EXAMPLES) for c in chosen}


@pytest.mark.parametrize("name", OURS)
def test_rockstate_conforms(reports: Reports, name: str) -> None:
    report = reports[name].result()
    assert report["conforms"], published.failures(report)
    assert published.verdicts(report) == published.read()[name]


@pytest.mark.parametrize("name", SPARKS)
def test_sparks_providers_are_as_published(reports: Reports, name: str) -> None:
    report = reports[name].result()
    found, said = published.verdicts(report), published.read()[name]
    different = {rule: (said[rule], found[rule]) for rule in found if said[rule] != found[rule]}
    assert not different.keys() - SAMPLED, f"published, found: {different}\n{published.failures(report)}"
    assert "error" not in found.values(), published.failures(report)


def test_every_rule_is_published_for_every_configuration() -> None:
    assert published.read().keys() == {configuration.name for configuration in CONFIGURATIONS}
    assert all(verdicts.keys() == RULES.keys() for verdicts in published.read().values())
