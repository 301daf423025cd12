"""The conformance suite finds faults: a simple provider that is right passes it, and each of many with one fault fails.

`make test-apart` builds the providers' jar before; their sources are in jvm/mutants.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conformance.caught_by import CAUGHT_BY, WITHOUT_IDS
from tests.conftest import IS_WHOLE

from rockstate.conformance import CAPABILITIES, HarnessError
from rockstate.conformance.histories import search
from rockstate.conformance.jvm.driver import JvmDriver
from rockstate.conformance.running.plan import Arguments, make_plan, select
from rockstate.conformance.running.suite import Suite, run

EXAMPLES = 20 if IS_WHOLE else 5
CHECKS = {check.name: check for check in select("")}
JAR = Path(__file__).parents[2] / "jvm" / "mutants" / "target" / "scala-2.13" / "rockstate-mutants.jar"


@pytest.fixture(scope="module")
def driver() -> Iterator[JvmDriver]:
    """One JVM for all the providers."""
    if not JAR.is_file():
        raise HarnessError(f"{JAR} is missing: run `make test-apart`, or `jvm/sbt mutants/package`")
    driver = JvmDriver([str(JAR)])
    yield driver
    driver.close()


@pytest.mark.parametrize("checkpoint_format", ["1", "2"] if IS_WHOLE else ["2"])
def test_the_reference_passes_everything(driver: JvmDriver, checkpoint_format: str) -> None:
    provider = "io.rockstate.reference.ReferenceStoreProvider"
    plan = make_plan(Arguments(provider, jars=str(JAR), checkpoint_format=checkpoint_format, examples=EXAMPLES))
    report = run(plan, driver, select(""))
    failures = [(each.check.name, each.message) for each in report.results if each.verdict in ("failed", "error")]
    assert failures == []
    absent = {each.name for each in report.capabilities if not each.is_there}
    assert absent == ({"checkpoint-ids"} if checkpoint_format == "1" else set())


@pytest.mark.parametrize("mutant", CAUGHT_BY)
def test_a_mutant_is_caught(driver: JvmDriver, mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SHRINKING", 1)  # seconds: the first failure is enough
    checkpoint_format = "1" if mutant in WITHOUT_IDS else "2"
    provider = f"io.rockstate.mutants.{mutant}"
    there = ",".join(CAPABILITIES.keys() - ({"checkpoint-ids"} if checkpoint_format == "1" else set()))
    plan = make_plan(Arguments(provider, jars=str(JAR), checkpoint_format=checkpoint_format, timeout=5, declare=there))
    suite = Suite(plan, driver)
    for check in CAUGHT_BY[mutant].split():
        assert suite.run(CHECKS[check]).verdict == "failed"


def test_executors_know_the_storage_by_one_name_if_they_are_to(driver: JvmDriver) -> None:
    provider = "io.rockstate.mutants.LoadsWhatItsProcessRemembers"
    check = CHECKS["any_value_comes_back_as_it_was"]
    one_name = ["spark.rockstate.conformance.oneStorageName=true"]
    verdicts = [
        Suite(make_plan(Arguments(provider, jars=str(JAR), conf=conf)), driver).run(check).verdict
        for conf in ([], one_name)
    ]
    assert verdicts == ["failed", "passed"]


def test_lists_are_judged_where_only_other_families_than_the_stores_own_have_them(driver: JvmDriver) -> None:
    plan = make_plan(Arguments("io.rockstate.mutants.StoresOwnFamilyHasSingleValues", jars=str(JAR)))
    assert {each.name: each.is_there for each in Suite(plan, driver).capabilities}["multiple-values"]


def test_every_mutant_is_in_the_table() -> None:
    folder = "io/rockstate/mutants/"
    with zipfile.ZipFile(JAR) as jar:
        classes = [Path(name).stem for name in jar.namelist() if name.startswith(folder) and name.endswith(".class")]
    assert sorted(name for name in classes if "$" not in name) == sorted(CAUGHT_BY)


def test_every_rule_with_checks_catches_a_mutant() -> None:
    catching = {CHECKS[name].rule.id for name in " ".join(CAUGHT_BY.values()).split()}
    assert {check.rule.id for check in CHECKS.values()} == catching
