from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rockstate import JarNotFound, jar_path
from rockstate.launch import jars
from rockstate.launch.jars import conformance_jar_path
from rockstate.launch.versions import built_conformance_jar, built_jar, conformance_jar_name, jar_name

DRIVER = "io/rockstate/ConformanceDriver.class"


@pytest.mark.parametrize("find", [jar_path, conformance_jar_path])
def test_the_installed_package_brings_thin_jars(find: Callable[[], Path]) -> None:
    jar = find()
    assert jar.is_absolute()
    assert jar.stat().st_size < 1.5 * 1024 * 1024
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
    assert "make jar" in str(error.value)
