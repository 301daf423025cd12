from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest

import rockstate
from rockstate import UnsupportedSparkVersion
from rockstate.launch.versions import SUPPORTED_MINORS, jar_name, spark_minor, spark_version

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


@pytest.mark.parametrize("version", ["4.2.0", "4.2.1", "4.2.7.dev0"])
def test_every_release_of_a_supported_minor_is_accepted(version: str) -> None:
    assert spark_minor(version) == "4.2"


@pytest.mark.parametrize("version", ["3.5.6", "4.1.3", "4.20.0", "5.0.0", "nonsense"])
def test_another_minor_is_refused_with_what_was_found_and_what_is_supported(version: str) -> None:
    with pytest.raises(UnsupportedSparkVersion) as error:
        spark_minor(version)
    assert (error.value.found, error.value.supported) == (version, SUPPORTED_MINORS)
    assert version in str(error.value)
    assert "4.2.x" in str(error.value)


def test_a_missing_pyspark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rockstate.launch.versions.find_spec", lambda name: None)
    with pytest.raises(UnsupportedSparkVersion, match="not installed"):
        spark_version()


def test_the_minors_are_those_that_the_build_knows() -> None:
    table = (ROOT / "project" / "SparkVersions.scala").read_text()
    assert tuple(re.findall(r'SparkVersion\("([0-9.]+)",', table)) == SUPPORTED_MINORS


def test_the_dependency_admits_exactly_the_supported_minors() -> None:
    wanted = next(entry for entry in metadata.requires("rockstate") or () if entry.startswith("pyspark"))
    oldest, newest = SUPPORTED_MINORS[0], int(SUPPORTED_MINORS[-1].split(".")[1])
    assert sorted(wanted.removeprefix("pyspark").split(",")) == [f"<4.{newest + 1}", f">={oldest}"]


def test_the_jars_name_says_spark_scala_and_rockstate() -> None:
    assert jar_name("4.2") == f"rockstate-spark-4.2_2.13-{rockstate.__version__}.jar"
