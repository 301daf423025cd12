from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rockstate import Misuse
from rockstate.launch.submit import defaults, defaults_jars, submit_args_jars, submit_args_with_jars

words = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "Zs"])).filter(lambda w: not w.startswith("-"))
flags = st.sampled_from(["--packages", "--master", "--name"])
others = st.lists(st.tuples(flags, words)).map(lambda pairs: [word for pair in pairs for word in pair])


@pytest.mark.parametrize(
    ("args", "jars"),
    [
        ("", None),
        ("pyspark-shell", None),
        ("--packages a:b:1 pyspark-shell", None),
        ("--jars a.jar,b.jar pyspark-shell", "a.jar,b.jar"),
        ("--jars=a.jar pyspark-shell", "a.jar"),
        ("--jars a.jar --jars b.jar pyspark-shell", "b.jar"),
        ("--conf spark.jars=a.jar pyspark-shell", "a.jar"),
        ("-c spark.jars=a.jar pyspark-shell", "a.jar"),
        ("--jars a.jar --conf spark.jars=b.jar pyspark-shell", "a.jar"),
        ("--conf spark.jars.packages=a:b:1 pyspark-shell", None),
        ("--jars '/with space/a.jar' pyspark-shell", "/with space/a.jar"),
    ],
)
def test_the_jars_that_spark_submit_would_take_are_found(args: str, jars: str | None) -> None:
    assert submit_args_jars({"PYSPARK_SUBMIT_ARGS": args}) == jars


def test_without_submit_args_there_are_no_jars() -> None:
    assert submit_args_jars({}) is None


@given(others, others, st.sampled_from([["--jars", "x.jar"], ["--conf", "spark.jars=x.jar"], ["--jars=x.jar"]]))
def test_replacing_the_jars_keeps_all_other_arguments(before: list[str], after: list[str], jars: list[str]) -> None:
    args = shlex.join([*before, *jars, *after, "pyspark-shell"])
    replaced = submit_args_with_jars({"PYSPARK_SUBMIT_ARGS": args}, "new one.jar")
    assert shlex.split(replaced) == ["--jars", "new one.jar", *before, *after, "pyspark-shell"]
    assert submit_args_jars({"PYSPARK_SUBMIT_ARGS": replaced}) == "new one.jar"


def test_jars_come_from_the_defaults_file_that_spark_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    named = tmp_path / "named.conf"
    named.write_text("spark.jars named.jar\n")
    for folder in ("conf", "home/conf"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "spark-defaults.conf").write_text(f"spark.jars {folder}.jar\n")
    home = {"SPARK_HOME": str(tmp_path / "home")}
    conf = {**home, "SPARK_CONF_DIR": str(tmp_path / "conf")}
    assert defaults_jars(home) == "home/conf.jar"
    assert defaults_jars(conf) == "conf.jar"
    assert defaults_jars({**conf, "PYSPARK_SUBMIT_ARGS": f"--properties-file {named} pyspark-shell"}) == "named.jar"
    assert defaults_jars({"SPARK_CONF_DIR": str(tmp_path / "nowhere")}) == ""
    assert defaults_jars({"SPARK_HOME": ""}) == defaults_jars({})


@pytest.mark.parametrize(
    ("flags", "values"),
    [
        ("", "000"),
        ("--properties-file {0}/first.conf", " 11"),
        ("--load-spark-defaults --properties-file={0}/first.conf", "011"),
        ("--properties-file {0}/second.conf --properties-file {0}/first.conf", " 11"),
        ("--extra-properties-file {0}/second.conf", "002"),
        ("--extra-properties-file {0}/second.conf --properties-file {0}/first.conf", " 12"),
    ],
)
def test_files_that_submit_args_name_count_as_in_spark_submit(tmp_path: Path, flags: str, values: str) -> None:
    for name, text in (("spark-defaults", "a 0\nb 0\nc 0\n"), ("first", "b 1\nc 1\n"), ("second", "c 2\n")):
        (tmp_path / f"{name}.conf").write_text(text)
    found = defaults(
        {"SPARK_CONF_DIR": str(tmp_path), "PYSPARK_SUBMIT_ARGS": f"{flags.format(tmp_path)} pyspark-shell"}
    )
    assert "".join(found.get(key, " ") for key in "abc") == values


def test_arguments_that_cannot_be_told_apart_are_named() -> None:
    for call in (submit_args_jars, lambda environ: submit_args_with_jars(environ, "a.jar")):
        with pytest.raises(Misuse, match=r"PYSPARK_SUBMIT_ARGS cannot be read: No closing quotation in --name it's"):
            call({"PYSPARK_SUBMIT_ARGS": "--name it's pyspark-shell"})


def test_an_empty_folder_of_confs_counts_for_nothing_as_with_spark(tmp_path: Path) -> None:
    (tmp_path / "conf").mkdir()
    (tmp_path / "jars").mkdir()
    (tmp_path / "conf" / "spark-defaults.conf").write_text("spark.jars /opt/mine.jar\n", encoding="utf-8")
    assert defaults_jars({"SPARK_HOME": str(tmp_path), "SPARK_CONF_DIR": ""}) == "/opt/mine.jar"
