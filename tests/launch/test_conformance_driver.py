"""The conformance suite with a JVM: the driver, a program that was pasted, and the command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rockstate.conformance import Check, DriverDied, Lab, Version, all_checks, expect
from rockstate.conformance.jvm.driver import JvmDriver
from rockstate.conformance.running.report import Plan
from rockstate.conformance.running.suite import Suite
from rockstate.options.keys import PROVIDER_CLASS

SPARKS = "org.apache.spark.sql.execution.streaming.state"


@pytest.fixture(scope="module")
def driver() -> Iterator[JvmDriver]:
    driver = JvmDriver()
    yield driver
    driver.close()


def rule_15() -> list[Check]:
    return [check for check in all_checks() if check.rule.id == "R15"]


@pytest.mark.parametrize(
    ("provider", "absent"),
    [
        (
            f"{SPARKS}.HDFSBackedStateStoreProvider",
            {"column-families", "range-scan", "multiple-values", "delete-range", "timestamp-keys", "checkpoint-ids"},
        ),
        (f"{SPARKS}.RocksDBStateStoreProvider", {"checkpoint-ids", "change-feed", "snapshot-replay"}),
        (PROVIDER_CLASS, {"checkpoint-ids"}),
    ],
)
def test_capabilities_of_known_providers_are_found(driver: JvmDriver, provider: str, absent: set[str]) -> None:
    suite = Suite(Plan(provider), driver)
    assert {each.name for each in suite.capabilities if not each.is_there} == absent
    assert [suite.run(check).message for check in rule_15()] == [""] * len(rule_15())


def test_checkpoint_format_2_gives_ids(driver: JvmDriver) -> None:
    plan = Plan(PROVIDER_CLASS, {"spark.sql.streaming.stateStore.checkpointFormatVersion": "2"})
    assert all(each.is_there for each in Suite(plan, driver).capabilities)


def test_a_program_runs_when_it_is_pasted(driver: JvmDriver, tmp_path: Path) -> None:
    def wrong(lab: Lab) -> None:
        executor = lab.open()
        store = executor.begin(Version.EMPTY)
        store.put(["k"], ["v", 1])
        version = store.commit()
        expect(executor.begin(version).get(["k"]), ["v", 2], "a value")

    result = Suite(Plan(PROVIDER_CLASS), driver).run(Check(rule_15()[0].rule, wrong, frozenset()))
    file = tmp_path / "program.py"
    file.write_text(result.program)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False)
    assert "    assert s2.get(['k']) == ['v', 2]" in done.stderr
    assert done.stderr.strip().endswith("AssertionError")
    file.write_text(result.program.replace("['v', 2]", "['v', 1]"))
    assert subprocess.run([sys.executable, str(file)], check=False).returncode == 0


def test_after_the_jvm_was_killed_the_driver_starts_another() -> None:
    driver = JvmDriver()
    try:
        with Lab(PROVIDER_CLASS, driver=driver) as lab:
            lab.open()
            assert driver.pid is not None
            os.kill(driver.pid, signal.SIGKILL)
            with pytest.raises(DriverDied):
                lab.open("b")
        driver.restart()
        with Lab(PROVIDER_CLASS, driver=driver) as lab:
            assert lab.open().begin(Version.EMPTY).scan() == []
    finally:
        driver.close()


def test_the_command_judges_a_provider(tmp_path: Path) -> None:
    words = ["conformance", "--provider", PROVIDER_CLASS, "--only", "R15,R16", "--html", str(tmp_path / "report.html")]
    done = subprocess.run([sys.executable, "-m", "rockstate", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "read your writes: get" in done.stdout
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_a_class_that_is_not_there_is_said_in_a_line() -> None:
    words = ["conformance", "--provider", "org.example.Nowhere"]
    done = subprocess.run([sys.executable, "-m", "rockstate", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("rockstate: org.example.Nowhere is no state store provider")
    assert done.stderr.count("\n") == 1
