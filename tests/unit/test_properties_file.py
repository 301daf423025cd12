"""Properties files: read as Spark reads them, written so that Spark reads what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from rockstate import Misuse
from rockstate.launch import properties_file


def test_properties_are_read_as_spark_reads_them(tmp_path: Path) -> None:
    file = tmp_path / "spark-defaults.conf"
    file.write_text("# spark.jars no.jar\n\nspark.jars   a.jar,\\\n   b.jar\nspark.a=1\nspark.b : 2=3\nspark.empty\n")
    found = properties_file.read(file)
    assert found == {"spark.jars": "a.jar,b.jar", "spark.a": "1", "spark.b": "2=3", "spark.empty": ""}


def test_a_missing_file_is_empty(tmp_path: Path) -> None:
    assert properties_file.read(tmp_path / "none") == {}


def test_bytes_that_are_not_utf_8_are_replaced(tmp_path: Path) -> None:
    file = tmp_path / "spark-defaults.conf"
    file.write_bytes("# für alle\nspark.a é\nspark.b 1\n".encode("latin-1"))
    assert properties_file.read(file) == {"spark.a": "\ufffd", "spark.b": "1"}


def test_what_is_written_is_read_and_written_anew(tmp_path: Path) -> None:
    entries = {"spark.jars": "/with space/a.jar,/é#!/b=c.jar,/back\\\\slash/d.jar", "spark.a": "1"}
    file = tmp_path / "rockstate.conf"
    for _ in range(2):
        properties_file.write(file, entries)
        assert properties_file.read(file) == entries
    assert [found.name for found in tmp_path.iterdir()] == ["rockstate.conf"]


def test_another_file_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "spark-defaults.conf"
    file.write_text("spark.a 1\n")
    with pytest.raises(Misuse, match="was not written by rockstate conf"):
        properties_file.write(file, {"spark.b": "2"})
    assert file.read_text() == "spark.a 1\n"
    with pytest.raises(Misuse, match="cannot be written"):
        properties_file.write(tmp_path / "none" / "rockstate.conf", {})
    with pytest.raises(Misuse, match="cannot be written"):
        properties_file.write(tmp_path, {})


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("# see C:\\\nspark.jars /opt/mine.jar\n", {"spark.jars": "/opt/mine.jar"}),
        ("spark.a b\\\\\nspark.jars /opt/m.jar\n", {"spark.a": "b\\", "spark.jars": "/opt/m.jar"}),
        ("spark.jars s3a\\://b/x.jar\n", {"spark.jars": "s3a://b/x.jar"}),
        ("spark.a \\u00e9\\t1\\\n", {"spark.a": "é\t1"}),
        ("spark\\ a\\=b = c=d\n", {"spark a=b": "c=d"}),
    ],
)
def test_lines_and_escapes_are_javas(tmp_path: Path, text: str, entries: dict[str, str]) -> None:
    file = tmp_path / "spark-defaults.conf"
    file.write_text(text, encoding="utf-8")
    assert properties_file.read(file) == entries


def test_a_value_that_ends_in_a_backslash_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "rockstate.conf"
    properties_file.write(file, {"spark.a": "x\\", "spark.b": "1"})
    assert properties_file.read(file) == {"spark.a": "x\\", "spark.b": "1"}
