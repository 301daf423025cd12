"""Runs the checks on a provider, each on a fresh lab."""

from __future__ import annotations

import re
import time
import traceback
from collections.abc import Callable, Sequence

from rockstate.base.errors import NotFound
from rockstate.conformance.calls.outcomes import (
    DriverDied,
    HarnessError,
    NotApplicable,
    NotInSpark,
    StoreError,
    Timeout,
)
from rockstate.conformance.checks.registry import Check
from rockstate.conformance.jvm.driver import PATIENCE, JvmDriver
from rockstate.conformance.jvm.protocol import RestartableDriver
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.rules import CAPABILITIES
from rockstate.conformance.running.capabilities import tried
from rockstate.conformance.running.program import program
from rockstate.conformance.running.report import Capability, Plan, Report, Result, Verdict
from rockstate.launch.versions import ROCKSTATE_VERSION, launched_version


class Suite:
    """The checks for one provider. Making it finds out what the provider can do.

    Raises:
        NotFound: the JVM finds no such class, or one that is no provider.
        HarnessError: the JVM does not start.
    """

    def __init__(self, plan: Plan, driver: RestartableDriver) -> None:
        self._plan = plan
        self._driver = driver
        self.capabilities: list[Capability] = []
        self._require_provider()
        self.capabilities = [self._capability(name) for name in CAPABILITIES]

    def run(self, check: Check) -> Result:
        """Runs one check; what the provider does to it is in the result, never raised."""
        absent = [each for each in self.capabilities if each.name in check.needs and not each.is_there]
        if absent:
            return _lacking(check, absent, self._plan.required)
        start = time.monotonic()
        with self._lab() as lab:
            error = _raised(check, lab)
            shown = "" if error is None else program(lab.latest, error, _heading(check, error))
        if isinstance(error, DriverDied):
            self._driver.restart()
        verdict = _verdict(error)
        seconds = time.monotonic() - start
        return Result(check, verdict, seconds, _message(error), shown if verdict == "failed" else "")

    def one_of_each_rule(self, checks: Sequence[Check]) -> list[Check]:
        """The first check of each rule, if there is one of those that the provider can be judged by."""
        there = {each.name for each in self.capabilities if each.is_there}
        chosen: dict[str, Check] = {}
        for check in checks:
            known = chosen.get(check.rule.id)
            if known is None or (check.needs <= there and not known.needs <= there):
                chosen[check.rule.id] = check
        return list(chosen.values())

    def _lab(self) -> Lab:
        plan, names = self._plan, [each.name for each in self.capabilities if each.is_there]
        return Lab(
            plan.provider, plan.conf, jars=plan.jars, capabilities=names, driver=self._driver, effort=plan.effort
        )

    def _require_provider(self) -> None:
        with self._lab() as lab:
            try:
                lab.open()
            except StoreError as error:
                if re.search(r"ClassNotFound|NoClassDef|ClassCast|not a subtype", str(error)):
                    problem = f"{self._plan.provider} is no state store provider that the JVM finds ({error})"
                    raise NotFound(problem, "Give its full class name, and its jars with --jars") from error

    def _capability(self, name: str) -> Capability:
        if name in self._plan.declared:
            return Capability(name, True, "declared")
        try:
            with self._lab() as lab:
                return tried(lab, name)
        except DriverDied as error:
            self._driver.restart()
            return Capability(name, True, str(error))


def driver_for(plan: Plan) -> JvmDriver:
    """A driver that has time for calls that hang as long as the plan lets them."""
    return JvmDriver(plan.jars, plan.conf, PATIENCE + plan.effort.patience)


def run(
    plan: Plan,
    driver: RestartableDriver,
    checks: Sequence[Check],
    progress: Callable[[int, int, str], None] = lambda done, total, title: None,
) -> Report:
    """Runs `checks` in turn; `progress` gets how many are done, how many there are, and what comes next.

    Raises:
        NotFound: there is no such provider.
        HarnessError: the JVM does not start.
    """
    start = time.monotonic()
    progress(0, len(checks), "what the provider can do")
    suite = Suite(plan, driver)
    if plan.effort.quick:
        checks = suite.one_of_each_rule(checks)
    results = []
    for done, check in enumerate(checks):
        progress(done, len(checks), f"{check.rule.id} {check.title}")
        results.append(suite.run(check))
    return Report(plan, launched_version(), ROCKSTATE_VERSION, suite.capabilities, results, time.monotonic() - start)


def _raised(check: Check, lab: Lab) -> BaseException | None:
    try:
        check.run(lab)
    except Exception as error:
        return _innermost(error)
    return None


def _innermost(error: BaseException) -> BaseException:
    """Hypothesis wraps failures that do not come back every time into groups."""
    members: Sequence[BaseException] = getattr(error, "exceptions", ())
    return _innermost(members[0]) if members else error


def _verdict(error: BaseException | None) -> Verdict:
    if error is None:
        return "passed"
    if isinstance(error, NotInSpark):
        return "skipped"
    if isinstance(error, NotApplicable):
        return "absent"
    return "failed" if isinstance(error, AssertionError | StoreError) else "error"


def _message(error: BaseException | None) -> str:
    if error is None:
        return ""
    if isinstance(error, Timeout):
        return f"a call hangs: {error.message}"
    if isinstance(error, StoreError):
        return f"a call throws that has to succeed: {error}"
    if isinstance(error, AssertionError | HarnessError | NotApplicable) and str(error):
        return str(error)
    return "".join(traceback.format_exception(error)).strip()


def _heading(check: Check, error: BaseException) -> str:
    return f"{check.rule.id} {check.rule.title}: {check.rule.meaning}\n{check.title}\n{_message(error)}"


def _lacking(check: Check, absent: Sequence[Capability], required: frozenset[str]) -> Result:
    beyond = [each.reason for each in absent if not each.is_in_spark]
    if beyond:
        return Result(check, "skipped", 0.0, "; ".join(beyond))
    verdict: Verdict = "failed" if any(each.name in required for each in absent) else "absent"
    missing = "; ".join(f"no {CAPABILITIES[each.name]} ({each.name}): {each.reason}" for each in absent)
    return Result(check, verdict, 0.0, missing)
