"""The options of `pytest --pyargs rockstate.conformance`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from rockstate.conformance.driver import JvmDriver
from rockstate.conformance.plan import Plan, make_plan, select
from rockstate.conformance.runner import Suite
from rockstate.errors import Misuse

_OPTIONS = {
    "class": "the class of the provider, which is needed",
    "jars": "the jars with it, separated by commas",
    "checkpoint-format": "1, or 2: versions have checkpoint ids",
    "only": "only these rules, such as R07,R12",
    "declare": "capabilities to take as there without trying",
    "require": "capabilities that fail when they are absent",
}
_NUMBERS = {
    "seed": (0, "of the random histories (default 0)"),
    "examples": (50, "histories per random check (default 50)"),
    "timeout": (60, "seconds until a call hangs (default 60)"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rockstate conformance")
    for name, meaning in _OPTIONS.items():
        choices = ("1", "2") if name == "checkpoint-format" else None
        group.addoption(f"--provider-{name}", default=None if choices else "", choices=choices, help=meaning)
    group.addoption("--provider-conf", action="append", default=[], metavar="K=V", help="a Spark conf; may be repeated")
    for name, (default, meaning) in _NUMBERS.items():
        group.addoption(f"--provider-{name}", type=int, default=default, help=meaning)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test per check."""
    if "check" in metafunc.fixturenames:
        _plan(metafunc.config)
        checks = select(_option(metafunc.config, "only"))
        metafunc.parametrize("check", checks, ids=[f"{each.rule.id}-{each.name}" for each in checks])


@pytest.fixture(scope="session")
def suite(pytestconfig: pytest.Config) -> Iterator[Suite]:
    """The suite for the provider, with a JVM of its own."""
    plan = _plan(pytestconfig)
    driver = JvmDriver(plan.jars, plan.conf)
    try:
        yield Suite(plan, driver)
    finally:
        driver.close()


def _plan(config: pytest.Config) -> Plan:
    if not _option(config, "class"):
        raise pytest.UsageError("Say what to judge: --provider-class CLASS")
    names = ("jars", "conf", "checkpoint_format", "declare", "require", *_NUMBERS)
    try:
        return make_plan(_option(config, "class"), **{name: config.getoption(f"provider_{name}") for name in names})
    except Misuse as error:
        raise pytest.UsageError(str(error)) from error


def _option(config: pytest.Config, name: str) -> str:
    return cast("str", config.getoption(f"provider_{name}"))
