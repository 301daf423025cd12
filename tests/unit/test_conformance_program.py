"""A recorded lab as a program: it runs, fails where the check failed, and passes on a provider that is right."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.unit.conformance_fake import COMMITS_TWICE, GOOD, LOSES_PUTS, FakeDriver

from rockstate.conformance import Lab, StoreError, Version, Violation, expect, expect_rows, refused
from rockstate.conformance.running.program import program


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[[Lab], None]], str]:
    """Runs a check that has to fail and returns its program; programs share a fake driver as well."""
    driver = FakeDriver()
    monkeypatch.setattr("rockstate.conformance.lab.lab.shared_driver", lambda jars, conf: driver)

    def run(provider: str, check: Callable[[Lab], None]) -> str:
        with Lab(provider) as lab, pytest.raises((AssertionError, StoreError)) as failure:
            check(lab)
        return program(lab.latest, failure.value, "R15 get\na heading")

    return run


def execute(source: str) -> None:
    exec(compile(source, "program", "exec"), {})


def wrong_get(lab: Lab) -> None:
    executor = lab.open()
    store = executor.begin(Version.EMPTY)
    store.put(["k"], ["v", 1])
    version = store.commit()
    expect(executor.begin(version).get(["k"]), ["v", 1], "what was committed")


def wrong_scan(lab: Lab) -> None:
    store = lab.open().begin(Version.EMPTY)
    store.put(["k"], ["v", None])
    expect_rows(store.scan(), [[["k"], ["v", None]]], "a scan")


def second_commit(lab: Lab) -> None:
    store = lab.open().begin(Version.EMPTY)
    store.commit()
    with refused("a second commit has to be refused"):
        store.commit()


@pytest.mark.parametrize(
    ("provider", "check"), [(LOSES_PUTS, wrong_get), (LOSES_PUTS, wrong_scan), (COMMITS_TWICE, second_commit)]
)
def test_a_program_fails_as_its_check_did_and_passes_on_a_good_provider(
    fail: Callable[[str, Callable[[Lab], None]], str], provider: str, check: Callable[[Lab], None]
) -> None:
    source = fail(provider, check)
    with pytest.raises(AssertionError):
        execute(source)
    execute(source.replace(provider, GOOD))


def test_a_program_reads_as_its_check(fail: Callable[[str, Callable[[Lab], None]], str]) -> None:
    assert fail(LOSES_PUTS, wrong_get) == (
        "# R15 get\n"
        "# a heading\n"
        "from rockstate.conformance import Lab, Version\n"
        "\n"
        "with Lab('LosesPuts') as lab:\n"
        "    a = lab.open('a')\n"
        "    s1 = a.begin(Version.EMPTY)\n"
        "    s1.put(['k'], ['v', 1])\n"
        "    v1 = s1.commit()\n"
        "    s2 = a.begin(v1)\n"
        "    assert s2.get(['k']) == ['v', 1]\n"
    )


def test_what_threw_throws_again(fail: Callable[[str, Callable[[Lab], None]], str]) -> None:
    def check(lab: Lab) -> None:
        lab.open().begin(Version(7))

    source = fail(GOOD, check)
    assert source.endswith("    # java.io.FileNotFoundException: version 7\n    a.begin(Version(7))\n")
    with pytest.raises(StoreError):
        execute(source)


def test_an_error_that_the_check_went_on_after_is_passed_over(
    fail: Callable[[str, Callable[[Lab], None]], str],
) -> None:
    def check(lab: Lab) -> None:
        executor = lab.open()
        with refused():
            executor.begin(Version(7))
        expect(executor.begin(Version.EMPTY).get(["k"]), ["v", 1], "a value")

    source = fail(GOOD, check)
    assert "    with suppress(StoreError):\n        a.begin(Version(7))  # java.io.FileNotFound" in source
    with pytest.raises(AssertionError):
        execute(source)


def test_the_newest_lab_is_the_one_that_is_shown(fail: Callable[[str, Callable[[Lab], None]], str]) -> None:
    def check(lab: Lab) -> None:
        lab.open("first").begin(Version.EMPTY).commit()
        for name in ("second", "third"):
            with lab.fresh() as one:
                expect(one.open(name).begin(Version.EMPTY).get(["k"]), None if name == "second" else 1, "a value")

    source = fail(GOOD, check)
    assert "third.begin" in source
    assert "first" not in source
    assert "second" not in source


def test_calls_of_a_batch_are_shown_one_by_one(fail: Callable[[str, Callable[[Lab], None]], str]) -> None:
    def check(lab: Lab) -> None:
        store = lab.open().begin(Version.EMPTY)
        outcomes = lab.run([store.call("put", ["k"], ["v", 1]), store.call("get", ["k"]), store.call("commit")])
        expect(outcomes[1].get(), ["w", 2], "a value")

    source = fail(GOOD, check)
    assert source.endswith("    s1.put(['k'], ['v', 1])\n    assert s1.get(['k']) == ['w', 2]\n")


def test_a_failure_of_no_single_call_ends_in_its_message(fail: Callable[[str, Callable[[Lab], None]], str]) -> None:
    def check(lab: Lab) -> None:
        lab.open().begin(Version.EMPTY).put(["k"], ["v", 1])
        raise Violation("it is\nslow")

    assert fail(GOOD, check).endswith("    s1.put(['k'], ['v', 1])\n    # Here: it is slow\n")


def test_damage_is_shown_without_the_looking_around(fail: Callable[[str, Callable[[Lab], None]], str]) -> None:
    def check(lab: Lab) -> None:
        executor = lab.open()
        executor.begin(Version.EMPTY).commit()
        for path in lab.files():
            lab.flip(path, 9)
        raise Violation("damaged")

    lines = [line.strip() for line in fail(GOOD, check).splitlines()]
    assert lines[-3:] == ["s1.commit()", "lab.flip('1.delta', 9)", "# Here: damaged"]


def test_random_parts_of_a_path_are_looked_up() -> None:
    tables = {f"SSTs/{n}-2a1b2ebf-b717-41d4-aafa-4e1ddde3645{n}.sst": 100 - n for n in (1, 2)}
    lab = Lab(GOOD, driver=FakeDriver())
    lab.driver.run = lambda commands: [{"ok": list(tables.items())} for _ in commands]  # type: ignore[method-assign]
    first = next(iter(lab.files()))
    lab.delete(first)
    assert "lab.delete(lab.find('SSTs/1-*.sst'))" in program(lab, Violation("gone"), "a heading")
    assert lab.find("SSTs/*.sst", 1) == first


def test_ids_in_a_path_are_those_of_the_versions() -> None:
    def run(commands: list[dict[str, object]]) -> list[dict[str, object]]:
        return [{"ok": {"version": 1, "id": "abc"} if each["op"] == "commit" else None} for each in commands]

    lab = Lab(GOOD, driver=FakeDriver())
    lab.driver.run = run  # type: ignore[method-assign,assignment]
    lab.open().begin(Version.EMPTY).commit()
    lab.delete("1_abc.delta")
    shown = program(lab, Violation("gone"), "a heading")
    assert "    v1 = s1.commit()\n    lab.delete(f'1_{v1.id}.delta')\n" in shown


def test_a_part_of_an_answer_is_asserted_as_such(fail: Callable[[str, Callable[[Lab], None]], str]) -> None:
    def check(lab: Lab) -> None:
        store = lab.open().begin(Version.EMPTY)
        version = store.commit()
        lab.open("other")
        expect(version.version, 2, "the number")

    assert fail(GOOD, check).endswith("    assert s1.commit().version == 2\n")


def test_nothing_is_what_a_read_answered_not_a_write(fail: Callable[[str, Callable[[Lab], None]], str]) -> None:
    def check(lab: Lab) -> None:
        store = lab.open().begin(Version.EMPTY)
        found = store.get(["k"])
        store.put(["k"], ["v", 1])
        expect(found, ["v", 1], "a value")

    assert fail(GOOD, check).endswith("    assert s1.get(['k']) == ['v', 1]\n")
