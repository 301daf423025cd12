"""`rockstate explain-conf`."""

from __future__ import annotations

import argparse
import json
import os

from rockstate.cli.parsers import Commands, add_command, add_spark, pairs, require_spark
from rockstate.cli.wrapping import wrapped
from rockstate.options.catalogue import markdown_table
from rockstate.options.explain import ROCKSTATE_SUBMIT, SPARK_SUBMIT, Explanation, Setting

_EXAMPLES = """\
examples:
  rockstate explain-conf
  rockstate explain-conf memory_budget maintenanceInterval
  rockstate explain-conf --all --conf spark.sql.streaming.stateStore.rockstate.memoryBudget=1g
"""

_HEADS = {
    ROCKSTATE_SUBMIT: "A query that `rockstate submit` starts, or a program that calls rockstate.configure:",
    SPARK_SUBMIT: (
        "A query that spark-submit or pyspark starts, in a program that does not call rockstate.configure"
        " (with it: --launcher 'rockstate submit'):"
    ),
}


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    more = (
        " They are those of a query that is started here: what --conf says, what `rockstate submit` and `configure`"
        " set, what spark-defaults.conf says, defaults. The exit code is 1 if a key that is set is misspelt or a value"
        " is not valid."
    )
    parser = add_command(commands, "explain-conf", "show the options in force, and what they mean", _EXAMPLES, more)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these: option names or Spark conf keys")
    parser.add_argument("--conf", "-c", action="append", default=[], metavar="KEY=VALUE", help="as for spark-submit")
    add_spark(parser)
    parser.add_argument("--all", action="store_true", help="with Spark's own confs that matter to state")
    parser.add_argument(
        "--launcher",
        choices=(ROCKSTATE_SUBMIT, SPARK_SUBMIT),
        help="who starts the query (default: spark-submit if spark-defaults.conf, say, names the provider)",
    )
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print everything as JSON")
    shape.add_argument("--markdown", action="store_true", help="print the table of options in docs/configuration.md")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the settings, then what is wrong with them; 1 if anything is."""
    if args.markdown:
        print(markdown_table())
        return 0
    require_spark(args.spark)
    explanation = Explanation(dict(pairs(args.conf, "--conf", "KEY=VALUE")), os.environ, args.launcher, args.spark)
    shown = [explanation.find(name) for name in args.names] or [
        setting for setting in explanation.settings if args.all or setting.name or setting.source == "--conf"
    ]
    if args.json:
        settings = [setting.to_dict() for setting in shown]
        told = {"launcher": explanation.launcher, "settings": settings}
        told |= {"problems": explanation.problems, "warnings": explanation.warnings}
        print(json.dumps(told, indent=2))
    else:
        print(wrapped(_HEADS[explanation.launcher]))
        for setting in shown:
            print(_text(setting))
        for warning in explanation.warnings:
            print(wrapped(f"WARNING {warning}"))
        for problem in explanation.problems:
            print(wrapped(f"PROBLEM {problem}"))
    return 1 if explanation.problems else 0


def _text(setting: Setting) -> str:
    default = "" if setting.source == "default" else f" (default: {setting.default})"
    instead = "".join(f"; {source} says {value}" for source, value in setting.overridden.items())
    source = "by default" if setting.source == "default" else f"from {setting.source}"
    lines = [wrapped(f"{setting.name or setting.key} = {setting.value}  {source}{default}{instead}")]
    lines += [f"    {setting.key}"] if setting.name else []
    lines += [wrapped(setting.meaning, "    ")]
    lines += [wrapped(f"takes {setting.takes}", "    ")] if setting.takes else []
    return "\n".join(lines)
