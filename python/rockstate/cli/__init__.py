"""The `rockstate` command: one module per subcommand."""

from __future__ import annotations

import argparse
import os
import select
import sys
import traceback
from collections.abc import Sequence
from io import TextIOWrapper

from rockstate.base.arguments import Parser
from rockstate.base.errors import Misuse, RockstateError, WrongUsage
from rockstate.cli import (
    bootstrap,
    completion,
    conf,
    conformance,
    demo,
    doctor,
    explain_conf,
    export,
    inspect,
    jar,
    migrate,
    rewind,
    rows,
    spark_flags,
    submit,
    top,
)
from rockstate.cli.help_text import Fitting
from rockstate.cli.parsers import Commands
from rockstate.cli.watching import INTERRUPTED
from rockstate.launch.versions import ROCKSTATE_VERSION, SUPPORTED_MINORS
from rockstate.session import gateway

_EXAMPLES = """\
examples:
  rockstate jar                                       where the jar is; --spark 4.1: for another Spark than the one here
  rockstate submit --memory-budget 512m app.py        a whole job
  rockstate conf --properties-file rockstate.conf     the same for a spark-submit of your own
  rockstate explain-conf                              the options in force, and what they mean
  rockstate doctor hdfs://nn/checkpoints              whether all that is needed is there
  rockstate inspect CHECKPOINT                        what state a query keeps, and where
  rockstate verify CHECKPOINT                         whether every file of it is sound
  rockstate migrate OLD NEW --to rockstate            another provider for a query, with its state
  rockstate fork OLD NEW --batch 41                   a second query that goes on after a batch
  rockstate rollback CHECKPOINT --batch 41            the same query back at a batch
  rockstate export CHECKPOINT OUT                     its state as tables
  rockstate bootstrap NEW --table T=FILES --query APP  a checkpoint with tables for its state
  rockstate top progress.jsonl                        follow running queries
  rockstate conformance --provider CLASS              judge any state store provider
  rockstate demo --help                               what the demo can show

exit codes: 0 done and all is well; 1 it failed, or what was looked at is not well; 2 usage; 130 cancelled
"""


#: The exit code for arguments that cannot be.
WRONG_USAGE = 2

#: What a shell reports of a program that SIGPIPE ended.
_READER_GONE = 128 + 13


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command with `argv`, or the process's arguments, and returns its exit code: 1 for an error of ours.

    If whoever reads standard output has gone, as `| head` does, the command ends without a word and the code is 141.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # rather than no answer for a letter that it does not have
    try:
        try:
            return _run(argv)
        finally:
            if sys.stdout is not None:  # closed by the shell
                sys.stdout.flush()
    except BrokenPipeError:
        if _is_read():
            raise  # it was another pipe
        return _READER_GONE
    except OSError as error:
        return _told(Misuse(_words(error), "See that it can be read or written, and run the same again"))


def _run(argv: Sequence[str] | None) -> int:
    try:
        args = _parsed(argv)
    except WrongUsage as error:
        return _told(error)
    if args.command is None:
        _parser()[0].print_help(sys.stderr)
        return WRONG_USAGE
    if not getattr(args, "in_submit", None):
        gateway.leave_submit()  # a job or notebook runs the command: the JVM there is not for it
    if args.command != "submit":  # whose application may be a client
        gateway.leave_connect()
    gateway.show_log(args.debug)
    if not args.debug:
        gateway.quiet_py4j()
    try:
        spark_flags.take(args)
        with gateway.jvm_that_may_end():
            return int(args.run(args))
    except RockstateError as error:
        return _told(error, args.debug)
    except KeyboardInterrupt:
        print("rockstate: cancelled", file=sys.stderr)
        return INTERRUPTED


def _words(error: OSError) -> str:
    what = error.strerror or str(error)
    return f"{error.filename}: {what}" if error.filename else f"The output could not be written: {what}"


def _told(error: RockstateError, with_trace: bool = False) -> int:
    """Says what is wrong. Returns the exit code."""
    if with_trace:
        traceback.print_exception(error)
    else:
        print(f"rockstate: {error}", file=sys.stderr)
    return WRONG_USAGE if isinstance(error, WrongUsage) else 1


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The arguments; `rest` has those that the command reads itself."""
    words, query = bootstrap.split(sys.argv[1:] if argv is None else argv)
    parser, commands = _parser()
    args, rest = parser.parse_known_args(words)
    if query is not None:
        args.query = query
    if rest and args.command not in ("demo", "submit"):
        commands.choices.get(args.command, parser).refuse(rest)
    args.rest = rest
    return args


def _is_read() -> bool:
    """Whether standard output still has a reader; if not, what is left for it goes nowhere, at Python's end too."""
    output = select.poll()
    output.register(sys.stdout, 0)
    if not output.poll(0):
        return True
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return False


def _parser() -> tuple[Parser, Commands]:
    """What reads the command line, and the commands' own ones in it."""
    parser = Parser(
        prog="rockstate",
        description="A state store for Spark Structured Streaming.",
        epilog=_EXAMPLES,
        formatter_class=Fitting,
    )
    supported = ", ".join(SUPPORTED_MINORS)
    parser.add_argument("--version", action="version", version=f"rockstate {ROCKSTATE_VERSION} (for Spark {supported})")
    parser.add_argument("--debug", action="store_true", help="show Spark's log, and the stack trace of an error")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for module in (
        jar,
        conf,
        explain_conf,
        submit,
        doctor,
        inspect,
        rows,
        migrate,
        rewind,
        export,
        bootstrap,
        top,
        conformance,
        demo,
        completion,
    ):
        module.add_parser(commands)
    return parser, commands
