"""The runner's verdicts, on a driver without a JVM."""

from __future__ import annotations

import pytest
from tests.unit.conformance_fake import DIES, GOOD, HANGS, LOSES_PUTS, FakeDriver, made_check

from rockstate.base.errors import NotFound
from rockstate.conformance import (
    CAPABILITIES,
    Effort,
    Lab,
    NotApplicable,
    Timeout,
    Version,
    Violation,
    all_checks,
    check,
    expect,
)
from rockstate.conformance.running.report import Plan
from rockstate.conformance.running.suite import Suite, run


def read_back(lab: Lab) -> None:
    store = lab.open().begin(Version.EMPTY)
    store.put(["k"], ["v", 1])
    expect(store.get(["k"]), ["v", 1], "a value")


def raising(error: Exception) -> object:
    def body(lab: Lab) -> None:
        raise error

    return body


def verdict(provider: str, body: object, needs: frozenset[str] = frozenset(), required: str = "") -> tuple[str, str]:
    plan = Plan(provider, required=frozenset(filter(None, [required])))
    result = Suite(plan, FakeDriver()).run(made_check("a_check", body, needs=needs))
    return result.verdict, result.message


def test_a_provider_that_holds_to_a_rule_passes() -> None:
    assert verdict(GOOD, read_back) == ("passed", "")


def test_one_that_does_not_fails_with_a_program() -> None:
    result = Suite(Plan(LOSES_PUTS), FakeDriver()).run(made_check("reads_back", read_back))
    assert (result.verdict, result.message) == ("failed", "a value: wanted ['v', 1], not None")
    assert "assert s1.get(['k']) == ['v', 1]" in result.program


def test_a_call_that_has_to_succeed_and_throws_is_a_failure() -> None:
    assert verdict(GOOD, lambda lab: lab.open().begin(Version(3)))[0] == "failed"


def test_a_mistake_of_the_check_is_an_error() -> None:
    outcome, message = verdict(GOOD, raising(KeyError("oops")))
    assert outcome == "error"
    assert "KeyError: 'oops'" in message


def test_what_cannot_be_judged_is_absent() -> None:
    assert verdict(GOOD, raising(NotApplicable("it keeps no files"))) == ("absent", "it keeps no files")


def test_without_a_capability_a_check_is_absent_or_failed_where_it_is_required() -> None:
    needs = frozenset({"range-scan"})
    assert verdict(GOOD, read_back, needs)[0] == "absent"
    outcome, message = verdict(GOOD, read_back, needs, required="range-scan")
    assert outcome == "failed"
    assert "no scans in key order within bounds (range-scan)" in message


def test_a_failure_that_comes_in_a_group_is_the_first_of_it() -> None:
    class Group(Exception):
        exceptions = (Violation("the first"), KeyError("the second"))

    assert verdict(GOOD, raising(Group())) == ("failed", "the first")


def test_after_the_jvm_died_the_run_goes_on_with_another() -> None:
    driver = FakeDriver()
    suite = Suite(Plan(GOOD), driver)
    driver.is_dead = True
    assert suite.run(made_check("a", read_back)).verdict == "error"
    assert driver.starts == 2
    assert suite.run(made_check("b", read_back)).verdict == "passed"


def test_a_provider_that_kills_the_jvm_while_it_is_tried_ends_in_an_error_not_in_a_crash() -> None:
    report = run(Plan(DIES), FakeDriver(), [made_check("a", read_back)])
    assert [result.verdict for result in report.results] == ["error"]
    assert not report.conforms


def test_after_a_call_hangs_nothing_more_is_asked_in_that_check() -> None:
    driver = FakeDriver()
    lab = Lab(HANGS, driver=driver)
    with pytest.raises(Timeout):
        lab.open().begin(Version.EMPTY)
    asked = len(driver.asked)
    with pytest.raises(Timeout):
        lab.fresh().open()
    assert len(driver.asked) == asked
    assert lab.latest is lab


def test_capabilities_are_found_by_trying_and_can_be_declared() -> None:
    found = {each.name: each.is_there for each in Suite(Plan(GOOD), FakeDriver()).capabilities}
    assert found.keys() == CAPABILITIES.keys()
    assert not any(found.values())
    declared = Suite(Plan(GOOD, declared=frozenset({"prefix-scan"})), FakeDriver()).capabilities
    assert [each.name for each in declared if each.is_there] == ["prefix-scan"]


def test_a_class_that_is_not_there_is_no_verdict() -> None:
    with pytest.raises(NotFound, match="--jars"):
        Suite(Plan("org.example.Nowhere"), FakeDriver())


def test_open_stores_are_aborted_before_their_executor_closes() -> None:
    driver = FakeDriver()
    with Lab(GOOD, driver=driver) as lab:
        executor = lab.open()
        executor.begin(Version.EMPTY).commit()
        executor.begin(Version(1))
        executor.restart()
        executor.begin(Version(1))
    begun = ["provider_open", "begin", "commit", "begin", "abort", "provider_close", "provider_open", "begin"]
    assert driver.ops() == [*begun, "abort", "provider_close", "drop"]


def test_progress_counts_the_checks() -> None:
    seen: list[tuple[int, int]] = []
    checks = [made_check(name, read_back) for name in "ab"]
    run(Plan(GOOD), FakeDriver(), checks, lambda done, total, title: seen.append((done, total)))
    assert seen == [(0, 2), (0, 2), (1, 2)]


def test_every_check_is_found_and_has_a_rule() -> None:
    checks = all_checks()
    assert [each.rule.number for each in checks] == sorted(each.rule.number for each in checks)


@pytest.mark.parametrize(("rule", "needs"), [("R999", ()), ("R01", ("flying",))])
def test_a_check_of_an_unknown_rule_or_capability_is_refused(rule: str, needs: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=rule if rule == "R999" else "flying"):
        check(rule, needs)


def test_a_lab_ends_with_the_labs_that_were_made_of_it() -> None:
    driver = FakeDriver()
    with Lab(GOOD, driver=driver) as lab:
        lab.fresh().open()
        with lab.fresh() as other:
            other.open()
    assert driver.ops() == [*["provider_open"] * 2, "provider_close", "drop", "drop", "provider_close", "drop"]


def test_a_lab_that_hung_is_given_up_but_the_others_are_closed() -> None:
    driver = FakeDriver()
    with Lab(GOOD, driver=driver) as lab:
        lab.open()
        hanging = lab.fresh()
        hanging.provider = HANGS
        with pytest.raises(Timeout):
            hanging.open().begin(Version.EMPTY)
    assert driver.ops().count("provider_close") == 2


def test_a_quick_run_has_one_check_of_each_rule_that_can_be_judged() -> None:
    checks = [
        made_check("needs_more", lambda lab: None, "R15", frozenset({"multi-get"})),
        made_check("first", lambda lab: None, "R15"),
        made_check("second", lambda lab: None, "R15"),
        made_check("of_another", lambda lab: None, "R16"),
    ]
    report = run(Plan(GOOD, effort=Effort(quick=True)), FakeDriver(), checks)
    assert [each.check.name for each in report.results] == ["first", "of_another"]


def test_a_quick_run_tries_a_twelfth_and_two_at_least() -> None:
    assert [Effort(quick=True).at_most(most) for most in (60, 16, 4)] == [5, 2, 2]
    assert [Effort(quick=True).at_most(most, least=9) for most in (240, 60, 4)] == [20, 9, 4]
    assert Effort().at_most(60, least=9) == 60
