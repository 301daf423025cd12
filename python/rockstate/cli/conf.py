"""`rockstate conf`."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from rockstate.base.arguments import Offering
from rockstate.cli.parsers import CHECKPOINT_FORMAT, Commands, add_command, add_spark, require_spark
from rockstate.launch import jar_list, properties_file, submit
from rockstate.launch.jars import jar_path
from rockstate.launch.versions import spark_minor
from rockstate.options.catalogue import OPTIONS, confs, require_budget, ui_confs

_EXAMPLES = """\
examples:
  rockstate conf --properties-file rockstate.conf
  spark-submit --load-spark-defaults --properties-file rockstate.conf app.py

  rockstate conf --spark-defaults >> $SPARK_HOME/conf/spark-defaults.conf

  rockstate conf --memory-budget 512m --jars mine.jar,other.jar
  eval "spark-submit $(rockstate conf) app.py"
"""

_MORE = """

Printed, they are quoted for a POSIX shell, which reads them by eval: $(rockstate conf) alone would split a path at its
spaces. A file holds in any launcher. Spark reads it instead of spark-defaults.conf; with --load-spark-defaults it reads
both, and the file wins. --jars would hide the jars of the file: name yours to `rockstate conf`."""


def add_parser(commands: Commands) -> None:
    """Adds the subcommand with a flag per option."""
    summary = "print the arguments that make spark-submit, spark-shell or pyspark use Rockstate"
    parser = add_command(commands, "conf", summary, _EXAMPLES, _MORE)
    add_options(parser)
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--spark-defaults", action="store_true", help="print them as lines for spark-defaults.conf")
    shape.add_argument("--json", action="store_true", help="print them as a JSON object")
    shape.add_argument(
        "--properties-file", type=Path, metavar="FILE", help="write them to this file, for --properties-file"
    )
    parser.set_defaults(run=run)


def add_options(parser: argparse.ArgumentParser) -> None:
    """A flag for each option, one for the Spark, and one for the user's own jars."""
    add_spark(parser)
    for option in OPTIONS:
        flag = "--" + option.name.replace("_", "-")
        flags = CHECKPOINT_FORMAT if flag in CHECKPOINT_FORMAT else (flag,)
        text = f"{option.meaning}; {option.takes} (default {option.defaults})"
        parser.add_argument(
            *flags, action=Offering, offers=option.names, dest=option.name, metavar=option.unit.upper(), help=text
        )
    parser.add_argument(
        "--jars", default="", metavar="LIST", help="jars of your own, comma-separated: --jars counts only once"
    )


def run(args: argparse.Namespace) -> int:
    """Prints them in the form that is asked for, or writes the file."""
    if args.json:
        print(json.dumps(properties(args), indent=2))
        return 0
    if args.spark_defaults:
        print(properties_file.lines(properties(args)))
        return 0
    if args.properties_file is not None:
        properties_file.write(args.properties_file, properties(args))
        print(f"spark-submit --load-spark-defaults --properties-file {shlex.quote(str(args.properties_file))}")
        return 0
    print(shlex.join(submit_words(args)))
    return 0


def properties(args: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Spark's confs for the options and jars in `args`, beside what `environ` says of Spark."""
    require_spark(args.spark)
    given = {option.name: getattr(args, option.name) for option in OPTIONS}
    settings = confs({name: value for name, value in given.items() if value is not None}, spark_minor(args.spark))
    defaults = submit.defaults(environ)
    require_budget({**defaults, **submit.submit_args_confs(environ), **settings})
    jars = jar_list.merge([args.jars or submit.defaults_jars(environ)], jar_path(args.spark))
    return {submit.JARS_KEY: jars, **settings, **ui_confs(defaults)}


def submit_words(args: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> list[str]:
    """The same as spark-submit's arguments: of `--jars` and `spark.jars` it takes the former."""
    settings = properties(args, environ)
    jars = settings.pop(submit.JARS_KEY)
    return ["--jars", jars, *(word for key, value in settings.items() for word in ("--conf", f"{key}={value}"))]
