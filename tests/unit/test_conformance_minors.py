"""The suite on older Sparks: no call is made that they lack, and the report says what was not judged for it."""

from __future__ import annotations

from contextlib import suppress

import pytest
from tests.unit.conformance_fake import GOOD, FakeDriver, made_check

from rockstate.conformance import Lab, NotInSpark, StoreError, Version, refused
from rockstate.conformance.calls import since
from rockstate.conformance.histories.operations import LAYOUTS, Can, Drawn, Layout, Operation
from rockstate.conformance.lab import store
from rockstate.conformance.running.report import Plan, Result
from rockstate.conformance.running.suite import Suite
from rockstate.launch.versions import SUPPORTED_MINORS, is_since

LACKING = {
    "4.0": {*since._SINCE},
    "4.1": {op for op, minor in since._SINCE.items() if minor == "4.2"},
    "4.2": set(),
    "4.3": set(),
}


def reads_many(lab: Lab) -> None:
    opened = lab.open().begin(Version.EMPTY)
    opened.put(["k"], ["v", 1])
    opened.multi_get([["k"]])


def judged(spark: str, plan: Plan, needs: frozenset[str] = frozenset()) -> tuple[Result, FakeDriver]:
    driver = FakeDriver(spark=spark)
    return Suite(plan, driver).run(made_check("reads_many", reads_many, needs=needs)), driver


def test_calls_with_a_minor_are_calls_of_the_suite_and_of_minors_that_there_are() -> None:
    assert since._SINCE.keys() <= store._ARGUMENTS.keys() | {"upgrade", "track_commit"}
    assert set(since._SINCE.values()) <= set(SUPPORTED_MINORS)


def test_a_check_that_wants_a_call_that_spark_lacks_is_skipped_and_the_call_is_not_made() -> None:
    result, driver = judged("4.1", Plan(GOOD))
    assert (result.verdict, result.message) == ("skipped", "not in Spark 4.1: multi_get came with 4.2")
    assert "multi_get" not in driver.ops()
    result, driver = judged("4.2", Plan(GOOD))
    assert result.verdict == "failed"  # the driver without a JVM has no such call
    assert "multi_get" in driver.ops()


@pytest.mark.parametrize("plan", [Plan(GOOD), Plan(GOOD, required=frozenset({"multi-get"}))])
def test_a_capability_that_spark_lacks_is_not_held_against_the_provider(plan: Plan) -> None:
    result, driver = judged("4.0", plan, frozenset({"multi-get"}))
    assert (result.verdict, result.message) == ("skipped", "not in Spark 4.0: multi_get came with 4.2")
    (found,) = [each for each in Suite(plan, driver).capabilities if each.name == "multi-get"]
    assert (found.is_there, found.is_in_spark) == (False, False)
    assert not LACKING["4.0"] & set(driver.ops())


def test_a_call_that_spark_lacks_is_no_refusal() -> None:
    with Lab(GOOD, driver=FakeDriver(spark="4.1")) as lab, pytest.raises(NotInSpark), refused():
        lab.open().begin(Version.EMPTY).open("range", None, None)


@pytest.mark.parametrize(("spark", "ops"), [("4.0", ["put", "merge", "abort"]), ("4.1", ["put_list", "release"])])
def test_where_spark_lacks_a_call_the_lab_does_what_its_operators_do(spark: str, ops: list[str]) -> None:
    driver = FakeDriver(spark=spark)
    with Lab(GOOD, driver=driver) as lab:
        opened = lab.open().begin(Version.EMPTY)
        with suppress(StoreError):  # the driver without a JVM knows only some calls
            opened.put_list(["k"], [["v", 1], ["v", 2]])
        with suppress(StoreError):
            opened.release()
    assert [op for op in driver.ops() if op in {"abort", "release", "put", "put_list", "merge"}][: len(ops)] == ops


@pytest.mark.parametrize(
    "request_",
    [
        {"op": "begin", "empty": True},
        {"op": "iter_open", "kind": "range_multi"},
        {"op": "changes", "id": "an id"},
        {"op": "replay", "id": "an id"},
    ],
)
def test_arguments_that_came_later_count_as_calls_of_their_own(request_: dict[str, object]) -> None:
    assert since.lack_of(request_) is not None
    plain = {**request_, "empty": False, "kind": "scan", "id": None}
    assert since.lack_of(plain) is None


@pytest.mark.parametrize("spark", SUPPORTED_MINORS)
def test_random_histories_ask_only_for_what_spark_has(spark: str) -> None:
    def can(op: str) -> bool:
        minor = since.minor_of(op)
        return minor is None or is_since(spark, minor)

    names = {op.name for layout in LAYOUTS for op in every_operation(layout, can)}
    assert not names & LACKING[spark]
    assert {"put", "merge", "values", "scan", "prefix", "remake"} <= names
    assert ("range_multi" in names) == ("scan_multi" in names) == (spark in ("4.2", "4.3"))


def every_operation(layout: Layout, can: Can) -> list[Operation]:
    drawn = [Drawn(family, kind, 0, 1, 2) for family in range(6) for kind in range(36)]
    found = [layout.operation(each, can) for each in drawn]
    return [*layout.looks(can), *[each for each in found if each is not None]]
