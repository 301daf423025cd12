"""What the Spark is started with that a command looks into a checkpoint by."""

from __future__ import annotations

import argparse
import os

from rockstate.base.errors import WrongUsage
from rockstate.cli.parsers import pairs
from rockstate.launch import submit

_JAVA_OPTIONS = "spark.driver.defaultJavaOptions"


def add_spark_flags(parser: argparse.ArgumentParser, is_brief: bool = False) -> None:
    """The flags that `take` takes.

    Args:
        is_brief: whether the Spark mostly starts and ends, so that compiling it well takes longer than it saves.
    """
    group = parser.add_argument_group(
        "the Spark that reads the files", "as for spark-submit, beside spark-defaults.conf and PYSPARK_SUBMIT_ARGS"
    )
    group.add_argument("--jars", metavar="LIST", help="jars that it needs besides, comma-separated")
    group.add_argument(
        "--packages",
        metavar="LIST",
        help="Maven packages that it needs besides, comma-separated, such as the file system's",
    )
    group.add_argument(
        "--conf",
        "-c",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a conf of Spark's, such as spark.hadoop.fs.s3a.endpoint=URL; may be repeated",
    )
    parser.set_defaults(takes_spark_flags=True, is_brief=is_brief)


def take(args: argparse.Namespace) -> None:
    """Has the process start its Spark with what the flags say. Raises WrongUsage for a conf that Spark passes over."""
    if not getattr(args, "takes_spark_flags", False):
        return
    for key, _ in pairs(args.conf, "--conf", "KEY=VALUE"):
        if not key.startswith("spark."):
            remedy = f"Give it as --conf spark.hadoop.{key}=VALUE if it is one of Hadoop's"
            raise WrongUsage(f"Spark reads no conf {key}: its own begin with 'spark.'", remedy)
    words = [*(_for_brief_life() if args.is_brief else []), *spark_words(args)]
    if words:
        os.environ[submit.SUBMIT_ARGS] = submit.submit_args_adding(os.environ, words)


def spark_words(args: argparse.Namespace) -> list[str]:
    """The flags as spark-submit takes them."""
    confs = [word for text in args.conf for word in ("--conf", text)]
    return [*_flag("--jars", args.jars), *_flag("--packages", args.packages), *confs]


def _for_brief_life() -> list[str]:
    """What nobody else says of the JVM: a conf of its own, to which spark.driver.extraJavaOptions are added."""
    said = {**submit.defaults(os.environ), **submit.submit_args_confs(os.environ)}
    return [] if _JAVA_OPTIONS in said else ["--conf", f"{_JAVA_OPTIONS}=-XX:TieredStopAtLevel=1"]


def _flag(name: str, value: str | None) -> list[str]:
    return [name, value] if value else []
