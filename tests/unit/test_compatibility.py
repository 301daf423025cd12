"""docs/compatibility.md's tables: made from the results beside them, which are made from the tests' reports."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.minors import compatibility, results
from tests.minors.operators import OF_THE_TESTS, ROWS, TABLES, Row
from tests.minors.reports import scala_suites
from tests.minors.results import Counts, NoRow, Run, load, read_run, save

from rockstate.launch.versions import SUPPORTED_MINORS

ROOT = Path(__file__).parents[2]
PACKAGE = "org.apache.spark.sql.execution.streaming.state.rockstate"
TIME = "2026-01-02T03:04:05"


def test_the_page_is_made_from_the_results_beside_it() -> None:
    text = compatibility.PAGE.read_text("utf-8")
    assert compatibility.page(text, load(compatibility.PAGE.with_suffix(".json"))) == text


def test_the_results_are_of_rows_that_there_are() -> None:
    known = load(compatibility.PAGE.with_suffix(".json"))
    assert {name for runs in known.values() for run in runs.values() for name in run.rows} <= ROWS.keys()
    assert known.keys() <= set(SUPPORTED_MINORS)
    assert len(ROWS) == sum(len(table.rows) for table in TABLES)


def test_every_file_of_tests_of_queries_is_in_a_row() -> None:
    files = {f"{file.parent.name}/{file.stem}" for each in ("integration", "minors") for file in files_of(each)}
    named = {pattern.partition("::")[0] for row in ROWS.values() for pattern in row.pyspark}
    assert files <= named
    assert all((ROOT / "tests" / f"{name}.py").is_file() for name in named)


def files_of(folder: str) -> list[Path]:
    return sorted((ROOT / "tests" / folder).glob("test_*.py"))


@pytest.mark.parametrize("minor", SUPPORTED_MINORS)
def test_every_scala_suite_is_in_one_row(minor: str) -> None:
    suites = scala_suites(ROOT, minor)
    assert "provider.ProviderLifeSuite" in suites
    rows_of = {suite: [row.name for row in ROWS.values() if row.has("scala", suite, "")] for suite in suites}
    assert {suite: rows for suite, rows in rows_of.items() if len(rows) != 1} == {}


def test_every_pattern_of_suites_is_of_some() -> None:
    suites = {suite for minor in SUPPORTED_MINORS for suite in scala_suites(ROOT, minor)}
    patterns = {pattern for row in ROWS.values() for pattern in row.scala}
    assert {each for each in patterns if not any(Row(("",), (), (each,)).has("scala", s, "") for s in suites)} == set()
    shims = ROOT / "jvm/spark/src/test/shims"
    of_the_tests = {each.rpartition(".")[2] for each in OF_THE_TESTS}
    assert of_the_tests <= {file.stem for file in shims.rglob("*Suite.scala")}


def pytest_report(root: Path, *cases: str, name: str = "junit-4.0") -> None:
    file = root / "target" / f"{name}.xml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f'<testsuites><testsuite timestamp="{TIME}.123+00:00">{"".join(cases)}</testsuite></testsuites>')


def sbt_report(root: Path, suite: str, *cases: str, time: str = TIME) -> None:
    file = root / f"jvm/spark/target/spark-4.0/test-reports/TEST-{PACKAGE}.{suite}.xml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'<testsuite hostname="here" timestamp="{time}">{"".join(cases)}</testsuite>')


def case(suite: str, name: str, inside: str = "") -> str:
    return f'<testcase classname="{suite}" name="{name}" time="1">{inside}</testcase>'


def scala_case(suite: str, inside: str = "") -> str:
    return case(f"{PACKAGE}.{suite}", "a test", inside)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source tree with the suites of a limit, of the provider and one that is for another minor, and no reports."""
    for folder, room, name in (
        ("shims/spark-4.0-4.2", "operators", "RockstateLimitSuite"),
        ("shims/spark-4.1-4.2", "operators", "RockstateSessionWindowSuite"),
        ("shims/spark-4.0", "operators/extended", "RockstateInnerJoinV3Suite"),
        ("scala", "provider", "ProviderLifeSuite"),
    ):
        file = tmp_path / "jvm/spark/src/test" / folder / PACKAGE.replace(".", "/") / room / "Suites.scala"
        file.parent.mkdir(parents=True)
        file.write_text(f"package x\n\nabstract class NoSuite\n\nfinal class {name} extends Y\n")
    (tmp_path / "project").mkdir()
    (tmp_path / "project/SparkVersions.scala").write_text('SparkVersion("4.0", "4.0.9", "2.13.16")')
    (tmp_path / ".venv-4.0").mkdir()
    said = {"git": "abc1234", str(tmp_path / ".venv-4.0/bin/python"): "4.0.8 3.12.1"}
    monkeypatch.setattr(results, "_said", lambda *command: said[command[0]])
    return tmp_path


def test_pysparks_tests_are_counted_by_row_and_file(root: Path) -> None:
    skipped = '<skipped type="pytest.skip" message="Spark 4.0: not there">a/path.py:3: not there</skipped>'
    joins = "tests.integration.test_join"
    pytest_report(
        root,
        case(joins, "test_a_join[left_outer-append]"),
        case(f"{joins}.TestOfAClass", "test_a_join[inner-append]"),
        case(joins, "test_a_join[inner-update]", skipped),
        case("", "tests.integration.test_dedup", '<error message="collection failure"/>'),
        case("tests.unit.test_units", "test_of_no_operator", '<failure message="no"/>'),
    )
    pytest_report(root, case("tests.launch.test_connect", "test_a_server"), name="junit-4.0-apart")
    run = read_run(root, "4.0", "pyspark", None)
    assert run is not None
    assert (run.time, run.about) == (TIME, {"spark": "4.0.8", "python": "3.12.1", "commit": "abc1234"})
    assert run.total == Counts(3, 1, {"Spark 4.0: not there": 1})
    inner = {"integration/test_join": Counts(1, 0, {"Spark 4.0: not there": 1})}
    assert run.rows["inner and left semi join of streams"] == inner
    assert run.rows["left, right and full outer join of streams"] == {"integration/test_join": Counts(1)}
    for each in ("`dropDuplicates`", "`dropDuplicatesWithinWatermark`"):
        assert run.rows[each] == {"integration/test_dedup": Counts(0, 1)}
    assert run.rows["`rockstate doctor --connect`"] == {"launch/test_connect": Counts(1)}
    assert "the joins' state by itself" not in run.rows
    assert "integration/test_aggregation" in run.without_report


def test_scalas_tests_are_counted_by_row_and_suite(root: Path) -> None:
    limit, provider = "operators.RockstateLimitSuite", "provider.ProviderLifeSuite"
    sbt_report(root, limit, scala_case(limit), scala_case(limit, "<skipped/>"))
    sbt_report(root, "operators.RockstateGoneSuite", scala_case("operators.RockstateGoneSuite"))
    run = read_run(root, "4.0", "scala", None)
    assert run is not None
    assert run.about == {"spark": "4.0.9", "commit": "abc1234"}
    assert run.rows["streaming limit"] == {limit: Counts(1, 0, {"ignored or canceled": 1})}
    assert run.without_report == [provider]
    sbt_report(root, provider, scala_case(provider), "<testcase")
    run = read_run(root, "4.0", "scala", None)
    assert run is not None
    assert (run.without_report, run.total.failed) == ([], 1)


def test_what_was_not_run_is_left_as_it_is(root: Path) -> None:
    assert read_run(root, "4.0", "pyspark", None) is None
    assert read_run(root, "4.0", "scala", None) is None
    sbt_report(root, "provider.ProviderLifeSuite", scala_case("provider.ProviderLifeSuite"))
    assert read_run(root, "4.0", "scala", None) is None, "the provider's suites alone, as `make test` runs them"


def test_a_run_that_is_read_again_keeps_its_commit(root: Path) -> None:
    sbt_report(root, "operators.RockstateLimitSuite", scala_case("operators.RockstateLimitSuite"))
    before = Run(TIME, {"spark": "4.0.1", "commit": "0000000"}, Counts(), {})
    again = read_run(root, "4.0", "scala", before)
    assert again is not None
    assert (again.about, again.total) == (before.about, Counts(1))
    limit = "operators.RockstateLimitSuite"
    sbt_report(root, limit, scala_case(limit), time="2026-01-02T03:04:06")
    later = read_run(root, "4.0", "scala", before)
    assert later is not None
    assert later.about["commit"] == "abc1234"


@pytest.mark.parametrize("suite", ["tests.integration.test_new", "tests.minors.test_new"])
def test_a_test_that_no_row_counts_is_named(root: Path, suite: str) -> None:
    pytest_report(root, case(suite, "test_it"))
    with pytest.raises(NoRow, match=r"test_new::test_it\.$"):
        read_run(root, "4.0", "pyspark", None)


def test_an_environment_of_another_minor_is_not_taken_for_that_of_the_run(root: Path) -> None:
    (root / ".venv-4.0").rename(root / ".venv-4.1")
    pytest_report(root, case("tests.integration.test_limit", "test_it"))
    with pytest.raises(RuntimeError, match=r"no environment with PySpark 4\.0"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(results, "_said", lambda *command: "4.2.1 3.12.1")
        read_run(root, "4.0", "pyspark", None)


BOTH, ONLY_SCALA = Row(("both",), ("integration/test_x",), ("operators.X",)), Row(("both",), (), ("operators.X",))


def runs(pyspark: Counts | None, scala: Counts | None) -> dict[str, Run]:
    return {
        language: Run(TIME, {}, Counts(), {"both": {f"{language}.X": counts}})
        for language, counts in (("pyspark", pyspark), ("scala", scala))
    }


@pytest.mark.parametrize(
    ("row", "found", "said"),
    [
        (BOTH, runs(Counts(9), Counts(61)), "yes, 9 + 61"),
        (BOTH, runs(Counts(9, 0, {"a": 3, "b": 1}), Counts(61)), "yes, 9 of 13 + 61"),
        (BOTH, runs(Counts(1, 0, {"a": 3, "b": 9}), Counts(2)), "partly, 1 of 13 + 2: b"),
        (BOTH, runs(Counts(9), Counts(60, 1)), "**FAILED**, 9 + 60 of 61"),
        (BOTH, runs(Counts(0, 1), None), "**FAILED**, 0 of 1 + 0"),
        (BOTH, runs(Counts(9), None), "**no result**, 9 + 0"),
        (BOTH, {"scala": runs(None, Counts(61))["scala"]}, "**no result**, 0 + 61"),
        (ONLY_SCALA, {"scala": runs(None, Counts(61))["scala"]}, "yes, 0 + 61"),
        (BOTH, {}, "**no result**"),
        (BOTH, runs(Counts(0, 0, {"Spark has none": 2}), Counts()), "no: Spark has none"),
        (BOTH, {each: Run(TIME, {}, Counts(), {}) for each in ("pyspark", "scala")}, "not tested"),
    ],
)
def test_a_cell_tells_what_works(row: Row, found: dict[str, Run], said: str) -> None:
    assert compatibility.cell(row, found) == said


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    known = {"4.2": runs(Counts(1, 2, {"why": 3}), None), "4.0": runs(None, Counts())}
    save(known, file)
    assert load(file) == known
    assert list(load(file)) == ["4.0", "4.2"]
    assert '"pyspark.X": {"passed": 1, "failed": 2, "skipped": {"why": 3}}\n' in file.read_text("utf-8")


def test_only_the_minors_that_were_run_change(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "compatibility.md"
    page.write_text(compatibility.PAGE.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(compatibility, "PAGE", page)
    of_4_1 = Run(TIME, {"spark": "4.1.1", "commit": "0000000"}, Counts(7), {"streaming limit": {"X": Counts(7)}})
    save({"4.1": {"scala": of_4_1}}, page.with_suffix(".json"))
    sbt_report(root, "operators.RockstateLimitSuite", scala_case("operators.RockstateLimitSuite", "<failure/>"))
    assert compatibility.main(["--root", str(root), "--only", "pyspark"]) == 0
    assert "4.0" not in load(page.with_suffix(".json"))
    assert compatibility.main(["--root", str(root), "4.0"]) == 1
    assert "4.0 scala: 0 passed, 1 failed\n" in capsys.readouterr().out
    known = load(page.with_suffix(".json"))
    assert (known["4.1"], list(known["4.0"])) == ({"scala": of_4_1}, ["scala"])
    text = page.read_text("utf-8")
    assert "| **FAILED**, 0 + 0 of 1 | **no result**, 0 + 7 | **no result** | **no result** |" in text
    assert "7 passed: Spark 4.1.1, 2026-01-02, commit `0000000`" in text
    assert compatibility.page(text, known) == text
