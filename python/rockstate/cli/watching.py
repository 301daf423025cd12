"""What takes Spark jobs, with a bar while it lasts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TypeVar

from rockstate.cli.bar import Bar
from rockstate.moving.running import FinishedFirst, MoveProgress
from rockstate.session import gateway

T = TypeVar("T")

#: What a shell reports of a program that SIGINT ended.
INTERRUPTED = 128 + 2


def watched(args: argparse.Namespace, what: Callable[[MoveProgress], T], unfinished: str = "") -> T:
    """Does it, with a bar on a terminal, and without Spark's log unless --debug asks for it. Ctrl-C ends it with 130.

    Args:
        args: the command's.
        unfinished: what to say then of what is left.
    """
    try:
        with Bar("look at files") as bar:
            if not args.debug:
                gateway.start_quietly()
            return what(bar.show_phase)
    except FinishedFirst:
        print("rockstate: it was finished before it could be cancelled", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None
    except KeyboardInterrupt:
        print("rockstate: cancelled" + (f". {unfinished}" if unfinished else ""), file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None
