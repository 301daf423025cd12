"""From a command line to a plan: what is judged, and how."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rockstate.base.errors import Misuse, NotFound
from rockstate.conformance.checks import all_checks
from rockstate.conformance.checks.registry import Check
from rockstate.conformance.lab.effort import Effort
from rockstate.conformance.lab.lab import CHECKPOINT_FORMAT
from rockstate.conformance.rules import CAPABILITIES, RULES
from rockstate.conformance.running.report import Plan
from rockstate.launch.jar_list import entries


@dataclass(frozen=True)
class Arguments:
    """What a command line says: lists are separated by commas, confs are `key=value`, `timeout` is in seconds."""

    provider: str
    jars: str = ""
    conf: Sequence[str] = ()
    checkpoint_format: str | None = None
    declare: str = ""
    require: str = ""
    seed: int = 0
    examples: int = 50
    timeout: int = 60
    quick: bool = False


def make_plan(given: Arguments) -> Plan:
    """The plan that arguments of a command line describe.

    Raises:
        Misuse: a jar or capability does not exist, or a conf has no value.
        NotFound: Hypothesis, which makes the random histories, is not installed.
    """
    _require_hypothesis()
    if given.examples < 1 or given.timeout < 1:
        raise Misuse("Examples and timeout have to be 1 or more", "Give a larger number")
    format_conf = {CHECKPOINT_FORMAT: given.checkpoint_format} if given.checkpoint_format else {}
    return Plan(
        given.provider,
        {**dict(map(_conf, given.conf)), **format_conf},
        tuple(map(_jar, entries(given.jars))),
        _capabilities(given.declare),
        _capabilities(given.require),
        Effort(given.examples, given.seed, given.timeout, given.quick),
    )


def select(only: str) -> list[Check]:
    """All checks, or those of the rules that `only` names, such as `R07,R12`.

    Raises:
        Misuse: there is no such rule.
    """
    rules = {rule.upper() for rule in entries(only)}
    if not rules <= RULES.keys():
        unknown = ", ".join(sorted(rules - RULES.keys()))
        raise Misuse(f"There is no rule {unknown}", "`rockstate conformance --rules` lists them")
    return [check for check in all_checks() if not rules or check.rule.id in rules]


def _require_hypothesis() -> None:
    try:
        import hypothesis  # noqa: F401
    except ModuleNotFoundError as error:
        problem = "The conformance suite needs Hypothesis, which is not installed"
        raise NotFound(problem, "Install it: pip install 'rockstate[conformance]'") from error


def _conf(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise Misuse(f"{text!r} is no conf", "Write key=value")
    return key.strip(), value


def _jar(jar: str) -> str:
    if not re.match(r"[A-Za-z][\w+.-]*:", jar) and not Path(jar).is_file():
        raise Misuse(f"There is no jar {jar}", "Give the path of a file, or a URI")
    return jar


def _capabilities(names: str) -> frozenset[str]:
    named = frozenset(entries(names))
    if not named <= CAPABILITIES.keys():
        unknown = ", ".join(sorted(named - CAPABILITIES.keys()))
        raise Misuse(f"There is no capability {unknown}", f"There are {', '.join(CAPABILITIES)}")
    return named
