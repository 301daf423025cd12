"""The options of `pytest -p rockstate.pytest_plugin --pyargs rockstate.conformance`.

pytest has to know them before it finds that package. Only who asks for this plugin gets them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

OPTIONS = {
    "class": "the class of the provider to judge",
    "jars": "the jars with it, separated by commas",
    "only": "only these rules, such as R07,R12",
    "declare": "capabilities to take as there without trying",
    "require": "capabilities that fail when they are absent",
}
NUMBERS = {
    "seed": (0, "of the random histories (default 0)"),
    "examples": (50, "histories per random check (default 50)"),
    "timeout": (60, "seconds until a call hangs (default 60)"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--provider-class` and its like."""
    group = parser.getgroup("rockstate", "Rockstate's conformance suite (pytest --pyargs rockstate.conformance)")
    for name, meaning in OPTIONS.items():
        group.addoption(f"--provider-{name}", default="", help=meaning)
    group.addoption("--provider-conf", action="append", default=[], metavar="K=V", help="a Spark conf; may be repeated")
    group.addoption("--provider-checkpoint-format", choices=("1", "2"), help="2: versions have checkpoint ids")
    for name, (default, meaning) in NUMBERS.items():
        group.addoption(f"--provider-{name}", type=int, default=default, help=meaning)
