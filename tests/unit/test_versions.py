from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest

import rockstate
from rockstate import UnsupportedSparkVersion
from rockstate.launch.spark_home import release_of
from rockstate.launch.versions import (
    SPARK_MINORS,
    SUPPORTED_MINORS,
    is_since,
    jar_name,
    launched_version,
    spark_minor,
    spark_version,
)

ROOT = Path(__file__).parents[2]


def test_the_version_is_the_distributions() -> None:
    assert (
        rockstate.__version__
        == metadata.version("rockstate")
        == (ROOT / "python/rockstate/VERSION").read_text().strip()
    )


def test_the_installed_pyspark_is_found_without_importing_it() -> None:
    assert spark_version() == metadata.version("pyspark")
    assert spark_minor() in SUPPORTED_MINORS


@pytest.fixture(autouse=True)
def no_other_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARK_HOME", raising=False)
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)


@pytest.mark.parametrize("version", ["4.2.0", "4.2.1", "4.2.7.dev0", "4.2.0rc1", "4.2.1-vendor-3", "4.2"])
def test_every_release_of_a_supported_minor_is_accepted(version: str) -> None:
    assert spark_minor(version) == "4.2"


@pytest.mark.parametrize("version", ["4.0", "4.0.1", "4.0.4", "4.0.10"])
def test_of_4_0_the_first_release_is_not_accepted_and_the_others_are(version: str) -> None:
    assert spark_minor(version) == "4.0"
    for too_old in ("4.0.0", "4.0.0.dev1"):
        with pytest.raises(UnsupportedSparkVersion, match=r"StateStoreIterator.*Install 4\.0\.1 or later") as error:
            spark_minor(too_old)
        assert (error.value.found, error.value.supported) == (too_old, SUPPORTED_MINORS)


def test_each_first_release_is_of_its_minor_and_the_first_unless_there_is_a_reason() -> None:
    for minor, row in SPARK_MINORS.items():
        assert spark_minor(row.first_release) == minor == row.minor
        assert bool(row.first_release_reason) == (row.first_release != f"{minor}.0")
        assert bool(row.checkpoint_format_reason) == (row.checkpoint_format != 2)
        assert row.minimum_python >= (3, 10)


def test_minors_are_in_order() -> None:
    assert [is_since("4.1", since) for since in SUPPORTED_MINORS] == [True, True, False, False]
    assert sorted(SUPPORTED_MINORS, key=lambda minor: [int(part) for part in minor.split(".")]) == [*SUPPORTED_MINORS]


def spark_in(home: Path, *, jar: str | None = None, release: str | None = None) -> Path:
    (home / "jars").mkdir(parents=True)
    if jar:
        (home / "jars" / f"spark-core_2.13-{jar}.jar").touch()
    if release:
        (home / "RELEASE").write_text(f"Spark {release} (git revision 0) built for Hadoop 3.4.2\nBuild flags: -P\n")
    return home


@pytest.mark.parametrize(
    ("jar", "release", "found"),
    [
        ("4.1.3", None, "4.1.3"),
        (None, "4.0.4", "4.0.4"),
        ("4.1.3-vendor-1", "4.1.3", "4.1.3-vendor-1"),
        (None, None, None),
    ],
)
def test_a_sparks_release_is_told_by_its_jars_or_its_release_file(
    tmp_path: Path, jar: str | None, release: str | None, found: str | None
) -> None:
    assert release_of(spark_in(tmp_path / "home", jar=jar, release=release)) == found


def test_what_would_run_is_the_spark_that_spark_home_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARK_HOME", str(spark_in(tmp_path / "named", jar="4.1.3")))
    assert (launched_version(), spark_minor()) == ("4.1.3", "4.1")
    assert spark_version() == metadata.version("pyspark")
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")  # spark-submit has started this process, with its own PySpark
    assert launched_version() == spark_version()


@pytest.mark.parametrize("home", ["", "nowhere", "no-spark"])
def test_a_spark_home_without_a_spark_does_not_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: str
) -> None:
    (tmp_path / "no-spark").mkdir()
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / home) if home else "")
    assert launched_version() == spark_version()


@pytest.mark.parametrize("version", ["3.5.6", "4.4.0", "4.20.0", "5.0.0", "4", "4.1.x", "nonsense"])
def test_another_minor_is_refused_with_what_was_found_and_what_is_supported(version: str) -> None:
    with pytest.raises(UnsupportedSparkVersion) as error:
        spark_minor(version)
    assert (error.value.found, error.value.supported) == (version, SUPPORTED_MINORS)
    assert version in str(error.value)
    assert str(error.value).endswith("4.0.x from 4.0.1 on, 4.1.x, 4.2.x, 4.3.x.")


def test_a_missing_pyspark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rockstate.launch.versions.find_spec", lambda name: None)
    with pytest.raises(UnsupportedSparkVersion, match="not installed"):
        spark_version()


def test_the_minors_are_those_that_the_build_knows() -> None:
    table = (ROOT / "project" / "SparkVersions.scala").read_text()
    assert tuple(re.findall(r'SparkVersion\("([0-9.]+)",', table)) == SUPPORTED_MINORS


@pytest.mark.parametrize("minor", SUPPORTED_MINORS)
def test_each_jar_knows_its_minor_and_the_first_release_of_it(minor: str) -> None:
    (built_for,) = (ROOT / "jvm/spark/src/main/shims" / f"spark-{minor}").rglob("BuiltFor.scala")
    values = dict(re.findall(r'val (\w+) = "([0-9.]+)"', built_for.read_text()))
    assert values == {"minor": minor, "firstRelease": SPARK_MINORS[minor].first_release}


def test_the_dependency_admits_exactly_the_supported_minors() -> None:
    wanted = next(entry for entry in metadata.requires("rockstate") or () if entry.startswith("pyspark"))
    oldest, newest = SPARK_MINORS[SUPPORTED_MINORS[0]].first_release, int(SUPPORTED_MINORS[-1].split(".")[1])
    assert sorted(wanted.removeprefix("pyspark").split(",")) == [f"<4.{newest + 1}", f">={oldest}"]


def test_the_jars_name_says_spark_scala_and_rockstate() -> None:
    assert jar_name("4.2") == f"rockstate-spark-4.2_2.13-{rockstate.__version__}.jar"
