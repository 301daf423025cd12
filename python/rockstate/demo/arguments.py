"""The command line of `rockstate demo`."""

import argparse
from pathlib import Path

from rockstate.base.arguments import Parser, whole

DAYS_OF_2013 = 365


def parse(argv: list[str]) -> argparse.Namespace:
    """Return the options; raises WrongUsage for a wrong one."""
    return own_parser().parse_args(argv)


def own_parser() -> Parser:
    """What reads them."""
    parser = Parser(
        prog="rockstate demo",
        description="Stream the flights of 2013 through five stateful queries, kill Spark half-way, start it again,"
        " and compare every result with a batch computation, row for row.",
    )
    parser.add_argument(
        "--work-dir", type=Path, metavar="DIR", help="where to make the run's folder (default: temporary)"
    )
    parser.add_argument("--keep", action="store_true", help="keep input, checkpoints and results")
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        default=Path("rockstate-demo.png"),
        help="where to write batch duration and state size per batch (default: %(default)s)",
    )
    parser.add_argument(
        "--days",
        type=whole(1, DAYS_OF_2013),
        default=DAYS_OF_2013,
        metavar="N",
        help="only the first N days (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON, and all else on stderr")
    parser.add_argument("--no-kill", dest="kill", action="store_false", help="let Spark run through")
    parser.add_argument("--master", default="local[*]", help="Spark master (default: %(default)s)")
    return parser
