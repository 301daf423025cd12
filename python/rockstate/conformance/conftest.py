"""What the suite needs under pytest; its options are in `rockstate.pytest_plugin`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from rockstate.base.errors import Misuse, RockstateError
from rockstate.conformance.running.plan import Arguments, make_plan, select
from rockstate.conformance.running.report import Plan
from rockstate.conformance.running.suite import Suite, driver_for

_OPTIONS = ("jars", "conf", "checkpoint_format", "declare", "require", "seed", "examples", "timeout")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test per check."""
    if "check" in metafunc.fixturenames:
        _plan(metafunc.config)
        try:
            checks = select(_option(metafunc.config, "only"))
        except Misuse as error:
            raise pytest.UsageError(str(error)) from error
        metafunc.parametrize("check", checks, ids=[f"{each.rule.id}-{each.name}" for each in checks])


@pytest.fixture(scope="session")
def suite(pytestconfig: pytest.Config) -> Iterator[Suite]:
    """The suite for the provider, with a JVM of its own."""
    plan = _plan(pytestconfig)
    driver = driver_for(plan)
    try:
        yield Suite(plan, driver)
    finally:
        driver.close()


def _plan(config: pytest.Config) -> Plan:
    if config.getoption("provider_class", None) is None:
        raise pytest.UsageError("The suite's options belong to a plugin: pytest -p rockstate.pytest_plugin ...")
    if not _option(config, "class"):
        raise pytest.UsageError("Say what to judge: --provider-class CLASS")
    try:
        given = {name: config.getoption(f"provider_{name}") for name in _OPTIONS}
        return make_plan(Arguments(_option(config, "class"), **given))
    except RockstateError as error:
        raise pytest.UsageError(str(error)) from error


def _option(config: pytest.Config, name: str) -> str:
    return cast("str", config.getoption(f"provider_{name}"))
