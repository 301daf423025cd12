"""What spark-submit will be told by its environment: spark-defaults.conf and PYSPARK_SUBMIT_ARGS."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from rockstate.base.errors import Misuse
from rockstate.launch import properties_file
from rockstate.launch.spark_home import named_home

SUBMIT_ARGS = "PYSPARK_SUBMIT_ARGS"
NO_SUBMIT_ARGS = "pyspark-shell"
JARS_KEY = "spark.jars"


def defaults_jars(environ: Mapping[str, str]) -> str:
    """`spark.jars` of spark-defaults.conf, "" if it is not set there."""
    return defaults(environ).get(JARS_KEY, "")


def defaults(environ: Mapping[str, str]) -> dict[str, str]:
    """All of spark-defaults.conf, or of the file that PYSPARK_SUBMIT_ARGS names instead, and of those that it adds."""
    flags = _flags(environ.get(SUBMIT_ARGS, NO_SUBMIT_ARGS))
    named = [Path(value) for flag, value in flags if flag == "--properties-file"][-1:]
    extra = [Path(value) for flag, value in flags if flag == "--extra-properties-file"]
    by_default = _defaults_files(environ) if not named or "--load-spark-defaults" in dict(flags) else []
    files = [*by_default, *named, *extra]
    return {key: value for file in files for key, value in properties_file.read(file).items()}


def submit_args_confs(environ: Mapping[str, str]) -> dict[str, str]:
    """What PYSPARK_SUBMIT_ARGS sets with --conf."""
    flags = _flags(environ.get(SUBMIT_ARGS, NO_SUBMIT_ARGS))
    given = (value.partition("=") for flag, value in flags if flag == "--conf")
    return {key: value for key, _, value in given}


def setting(environ: Mapping[str, str], flag: str, key: str) -> str:
    """What spark-submit will take for a conf that has a flag, too, "" if nothing says it."""
    flags = dict(_flags(environ.get(SUBMIT_ARGS, NO_SUBMIT_ARGS)))
    return flags.get(flag) or {**defaults(environ), **submit_args_confs(environ)}.get(key, "")


def submit_args_jars(environ: Mapping[str, str]) -> str | None:
    """The jars that PYSPARK_SUBMIT_ARGS names and that win over the builder's; None if it names none."""
    jars: str | None = None
    named: str | None = None
    for flag, value in _flags(environ.get(SUBMIT_ARGS, NO_SUBMIT_ARGS)):
        if flag == "--jars":
            named = value
        elif flag == "--conf" and value.startswith(f"{JARS_KEY}="):
            jars = value.partition("=")[2]
    return jars if named is None else named


def submit_args_with_jars(environ: Mapping[str, str], jars: str) -> str:
    """PYSPARK_SUBMIT_ARGS with its jars replaced by `jars`."""
    args = _words(environ.get(SUBMIT_ARGS, NO_SUBMIT_ARGS))
    return shlex.join(["--jars", jars, *_without_jars(args)])


def submit_args_adding(environ: Mapping[str, str], words: Sequence[str]) -> str:
    """PYSPARK_SUBMIT_ARGS with more of spark-submit's arguments, which win over those that are there."""
    args = _words(environ.get(SUBMIT_ARGS, NO_SUBMIT_ARGS))
    at = args.index(NO_SUBMIT_ARGS) if NO_SUBMIT_ARGS in args else 0
    return shlex.join([*args[:at], *words, *args[at:]])


def _defaults_files(environ: Mapping[str, str]) -> list[Path]:
    """Where spark-defaults.conf may be: one place, or none if there is no Spark."""
    if environ.get("SPARK_CONF_DIR"):  # empty, it counts for nothing with Spark, too
        return [Path(environ["SPARK_CONF_DIR"]) / "spark-defaults.conf"]
    home = named_home(environ)
    if home is not None:
        return [home / "conf" / "spark-defaults.conf"]
    spec = find_spec("pyspark")
    return [Path(spec.origin).parent / "conf" / "spark-defaults.conf"] if spec and spec.origin else []


def _flags(submit_args: str) -> list[tuple[str, str]]:
    args = _words(submit_args)
    split = [pair for arg, after in zip(args, [*args, ""][1:], strict=True) for pair in _flag(arg, after)]
    return [("--conf" if flag == "-c" else flag, value) for flag, value in split]


def _words(submit_args: str) -> list[str]:
    try:
        return shlex.split(submit_args)
    except ValueError as error:
        raise Misuse(f"{SUBMIT_ARGS} cannot be read: {error} in {submit_args}", "Correct or unset it") from error


def _flag(arg: str, after: str) -> list[tuple[str, str]]:
    if not arg.startswith("-"):
        return []
    flag, equals, value = arg.partition("=")
    return [(flag, value if equals else after)]


def _without_jars(args: list[str]) -> list[str]:
    kept: list[str] = []
    skip = False
    for arg, after in zip(args, [*args, ""][1:], strict=True):
        if skip:
            skip = False
        elif arg == "--jars" or (arg in ("--conf", "-c") and after.startswith(f"{JARS_KEY}=")):
            skip = True
        elif not arg.startswith(("--jars=", f"--conf={JARS_KEY}=")):
            kept.append(arg)
    return kept
