from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rockstate import JarNotFound, jar_path
from rockstate.launch import jars
from rockstate.launch.jars import conformance_jar_path
from rockstate.launch.versions import (
    SUPPORTED_MINORS,
    built_conformance_jar,
    built_jar,
    conformance_jar_name,
    jar_name,
)

DRIVER = "io/rockstate/ConformanceDriver.class"


@pytest.mark.parametrize("find", [jar_path, conformance_jar_path])
def test_the_installed_package_brings_thin_jars(find: Callable[[], Path]) -> None:
    jar = find()
    assert jar.is_absolute()
    assert jar.stat().st_size < 3 << 20
    foreign = [name for name in zipfile.ZipFile(jar).namelist() if name.endswith(".class") and "rockstate" not in name]
    assert foreign == []


def test_no_query_loads_the_conformance_driver() -> None:
    assert DRIVER not in zipfile.ZipFile(jar_path()).namelist()
    driver = zipfile.ZipFile(conformance_jar_path()).namelist()
    assert DRIVER in driver
    assert not set(driver) & {name for name in zipfile.ZipFile(jar_path()).namelist() if name.endswith(".class")}


@pytest.mark.parametrize(
    ("find", "name", "built"),
    [
        (jar_path, jar_name("4.2"), built_jar),
        (conformance_jar_path, conformance_jar_name("4.2"), built_conformance_jar),
    ],
)
def test_the_packages_own_jar_comes_before_the_built_one(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    find: Callable[[], Path],
    name: str,
    built: Callable[[Path, str], Path],
) -> None:
    monkeypatch.setattr(jars, "spark_minor", lambda spark=None: "4.2")
    packaged = tmp_path / "python" / "rockstate" / "jars" / name
    built_here = built(tmp_path, "4.2")
    for file in (packaged, built_here):
        file.parent.mkdir(parents=True)
        file.touch()
    monkeypatch.setattr(jars, "PACKAGE", tmp_path / "python" / "rockstate")
    monkeypatch.setattr(jars, "SOURCE_TREE", tmp_path)
    assert find() == packaged
    packaged.unlink()
    assert find() == built_here
    built_here.unlink()
    with pytest.raises(JarNotFound) as error:
        find()
    assert error.value.path == packaged
    assert "make jar SPARK=4.2" in str(error.value)


@pytest.mark.parametrize("spark", ["4.1", "4.1.3"])
def test_the_jar_of_another_spark_can_be_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spark: str) -> None:
    monkeypatch.setattr(jars, "PACKAGE", tmp_path)
    (tmp_path / "jars").mkdir()
    for minor in SUPPORTED_MINORS:
        (tmp_path / "jars" / jar_name(minor)).touch()
    assert jar_path(spark) == tmp_path / "jars" / jar_name("4.1")


def test_what_sbt_builds_for_one_minor_is_apart_from_the_others() -> None:
    built = {each(Path("root"), minor) for minor in SUPPORTED_MINORS for each in (built_jar, built_conformance_jar)}
    folder, name = Path("root/jvm/spark/target/spark-4.1/scala-2.13"), jar_name("4.1")
    assert folder / name in built
    assert {file.parts[1:4] + file.parts[5:6] for file in built} == {
        ("jvm", module, "target", "scala-2.13") for module in ("spark", "conformance")
    }
    assert {file.parts[4] for file in built} == {f"spark-{minor}" for minor in SUPPORTED_MINORS}
