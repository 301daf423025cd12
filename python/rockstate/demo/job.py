"""The demo from input to verdict. This process runs no Spark: it lays out, starts, kills, starts again and compares."""

import json
import os
import shutil
import sys
import tempfile
import time
from argparse import Namespace
from dataclasses import asdict
from math import ceil
from pathlib import Path

from rockstate.base.console import Console
from rockstate.base.errors import NotFound, RockstateError, WrongUsage
from rockstate.base.folders import require_folders
from rockstate.base.termination import termination_as_interrupt
from rockstate.demo.arguments import parse
from rockstate.demo.compare import compare_results
from rockstate.demo.data import lay_out
from rockstate.demo.errors import ApplicationFailed
from rockstate.demo.exit_codes import EXIT_DIFFERENT, EXIT_EQUAL, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_NOT_POSSIBLE
from rockstate.demo.flights import read_flights, read_weather
from rockstate.demo.kill import kill_application
from rockstate.demo.launch import Application
from rockstate.demo.places import Places
from rockstate.demo.plot import write_plot
from rockstate.demo.progress import Batch, read_batches
from rockstate.demo.queries import QUERIES
from rockstate.demo.report import figures_of, print_report
from rockstate.demo.settings import Settings
from rockstate.demo.watch import ProgressDisplay
from rockstate.drawing import plots

_BATCHES_OF_A_RUN = 14
_POLL_SECONDS = 0.5
_WIDTH_OF_FILES = 140


def main(argv: list[str]) -> int:
    """Run the demo and return its exit code, see `rockstate.demo.run`."""
    options = parse(argv)
    out = sys.stderr if options.json else sys.stdout
    console = Console(file=out) if out.isatty() else Console(file=out, width=_WIDTH_OF_FILES)
    try:
        plots.check(options.plot)
        require_folders(options.plot)
        _check_java()
        with termination_as_interrupt():
            return _in_own_folder(console, options)
    except ApplicationFailed as failure:
        print(f"rockstate: {failure}", file=sys.stderr)
        return EXIT_FAILED
    except RockstateError as error:
        print(f"rockstate: {error}", file=sys.stderr)
        return EXIT_NOT_POSSIBLE
    except KeyboardInterrupt:
        print("rockstate: cancelled. Spark is stopped", file=sys.stderr)
        return EXIT_INTERRUPTED


def _in_own_folder(console: Console, options: Namespace) -> int:
    """Run in a new folder, and remove it afterwards unless it is to be kept or something went wrong in it."""
    root = _new_folder(options.work_dir)
    code = EXIT_FAILED
    try:
        code = _demo(console, Places(root.absolute()), options)
    except (KeyboardInterrupt, NotFound):
        code = EXIT_INTERRUPTED
        raise
    finally:
        if options.keep or code in (EXIT_DIFFERENT, EXIT_FAILED):
            console.print(f"input, checkpoints, results and log are in {root}", markup=False, soft_wrap=True)
        else:
            shutil.rmtree(root)
    return code


def _new_folder(within: Path | None) -> Path:
    try:
        if within is not None:
            within.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="rockstate-demo-", dir=within))
    except OSError as error:
        place = within or tempfile.gettempdir()
        raise WrongUsage(f"Nothing can be kept in {place} ({error.strerror})", "Name another --work-dir") from error


def _demo(console: Console, places: Places, options: Namespace) -> int:
    started = time.monotonic()
    flights, weather = read_flights(options.days), read_weather()
    duplicates = lay_out(places, flights, weather)
    files_per_batch = ceil(options.days / _BATCHES_OF_A_RUN)
    console.print(
        f"{len(flights):,} flights of {options.days} days, one file per day, {files_per_batch} files per batch;"
        f" {duplicates:,} duplicates injected for distinct_flights"
    )
    batches = stream(console, places, options, files_per_batch)
    comparisons = compare_results(places, flights, weather)
    print_report(console, places, batches, comparisons)
    late_rows = sum(batch.late_rows for batch in batches)
    seconds = time.monotonic() - started
    equal = late_rows == 0 and all(comparison.differing_rows == 0 for comparison in comparisons)
    verdict = "every row equals the batch computation" if equal else f"results DIFFER ({late_rows} rows came late)"
    console.print(f"{verdict}; {seconds:.0f} s", style="bold green" if equal else "bold red")
    if options.json:
        figures = [asdict(figures_of(places, batches, comparison)) for comparison in comparisons]
        told = {"is_equal": equal, "seconds": seconds, "late_rows": late_rows, "queries": figures}
        print(json.dumps({**told, "batches": [asdict(batch) for batch in batches]}, indent=2))
    write_plot(options.plot, batches)  # for which there may be no room
    console.print(f"batch duration and state size per batch: {options.plot}", markup=False, soft_wrap=True)
    return EXIT_EQUAL if equal else EXIT_DIFFERENT


def stream(console: Console, places: Places, options: Namespace, files_per_batch: int) -> list[Batch]:
    """Run all queries to their end, with a kill half-way unless the options forbid it; return what each batch did."""
    # The sentinel is one more file, and the watermark it moves makes one more batch.
    expected = ceil((options.days + 1) / files_per_batch) + 1
    settings = Settings(str(places.root), options.master, files_per_batch, start=1)
    if options.kill:
        _run_until_killed(console, places, settings, expected)
        settings = Settings(str(places.root), options.master, files_per_batch, start=2)
    with Application(places, settings) as application, ProgressDisplay(console, expected) as display:
        while application.is_running():
            display.show(read_batches(places.progress))
            time.sleep(_POLL_SECONDS)
        display.show(read_batches(places.progress))
    return read_batches(places.progress)


def _run_until_killed(console: Console, places: Places, settings: Settings, batches_per_query: int) -> None:
    half = batches_per_query * len(QUERIES) // 2
    with Application(places, settings) as application:
        with ProgressDisplay(console, batches_per_query) as display:
            while len(batches := read_batches(places.progress)) < half:
                if not application.is_running():
                    raise ApplicationFailed(
                        f"The application ended by itself after {len(batches)} batches",
                        f"See {places.log}",
                    )
                display.show(batches)
                time.sleep(_POLL_SECONDS)
        kill = kill_application(application, places, len(batches))
    under_way = ", ".join(f"{query} {batch}" for query, batch in kill.cut_off.items()) or "none"
    console.print(
        f"killed {kill.processes} processes with SIGKILL after {kill.batches_done} batches; under way: {under_way};"
        " starting again from the checkpoints",
        style="bold",
    )


def _check_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if not (shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")):
        where = f"JAVA_HOME is {home}, and there is no bin/java in it" if home else "there is no java on the PATH"
        raise NotFound(f"Spark needs Java 17 or later: {where}", "Install it, or set JAVA_HOME")
