from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from rockstate import JarNotFound, jar_path, jars
from rockstate.versions import built_jar, jar_name


def test_the_installed_package_brings_a_thin_jar() -> None:
    jar = jar_path()
    assert jar.is_absolute()
    assert jar.stat().st_size < 1024 * 1024
    foreign = [name for name in zipfile.ZipFile(jar).namelist() if name.endswith(".class") and "rockstate" not in name]
    assert foreign == []


def test_the_packages_own_jar_comes_before_the_built_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    packaged = tmp_path / "python" / "rockstate" / "jars" / jar_name("4.2")
    built = built_jar(tmp_path, "4.2")
    for file in (packaged, built):
        file.parent.mkdir(parents=True)
        file.touch()
    monkeypatch.setattr(jars, "PACKAGE", tmp_path / "python" / "rockstate")
    monkeypatch.setattr(jars, "SOURCE_TREE", tmp_path)
    assert jar_path() == packaged
    packaged.unlink()
    assert jar_path() == built
    built.unlink()
    with pytest.raises(JarNotFound) as error:
        jar_path()
    assert error.value.path == packaged
    assert "make jar" in str(error.value)
