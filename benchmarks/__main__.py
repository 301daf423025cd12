"""The command: `python -m benchmarks run|report|page|soak`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import contenders, machine, page, plots, questions, regression, report, run, soak, storage, store
from benchmarks.forms import FORMS, Form
from benchmarks.process import WRONG_ANSWER, Failed, WrongAnswer
from benchmarks.results import BadResult, Results

#: What rounds of one run have in common, and what to do if they have not.
_UNCHANGED = {
    "jar": "remove it, or choose another --out",
    "storage": "choose another --storage or --out",
    "cpu": "choose another --out",
    "cores": "choose another --out",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0, 1 a bound of the regression form is broken, 2 bad arguments, 4 a wrong answer, 5 a failure."""
    parsed = _parser().parse_args(arguments)
    try:
        code: int = parsed.command(parsed)
    except WrongAnswer as wrong:
        print(wrong, file=sys.stderr)
        return WRONG_ANSWER
    except Failed as failure:
        print(failure, file=sys.stderr)
        return 5
    except (ValueError, BadResult, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Rockstate beside Spark's own state stores"
    )
    commands = parser.add_subparsers(required=True)

    running = commands.add_parser("run", help="measure, print the report, write results.json, report.md and plots")
    running.add_argument("--form", choices=sorted(FORMS), default="quick")
    running.add_argument("--questions", help="comma-separated; each in a process of its own")
    running.add_argument("--contenders", help="comma-separated names or name=provider.class")
    running.add_argument("--rounds", type=int)
    running.add_argument("--size", action="append", default=[], metavar="NAME=N", help="keys, batches, batch_rows, …")
    running.add_argument("--latency-ms", type=int, default=0, help="for every storage call, as an object store has")
    running.add_argument("--jars", default="", help="comma-separated jars of contenders of your own")
    running.add_argument("--out", type=Path, default=Path("target/benchmarks"))
    running.add_argument("--resume", action="store_true", help="go on with the run in --out that was ended early")
    running.add_argument("--work", type=Path, help="folder for local databases while it runs")
    running.add_argument(
        "--storage", type=Path, help="folder for checkpoints while it runs; in memory if there is room"
    )
    running.set_defaults(command=_run)

    reporting = commands.add_parser("report", help="print the report of a run")
    reporting.add_argument("run", type=Path)
    reporting.set_defaults(command=_report)

    paging = commands.add_parser("page", help="generate docs/performance.md, its .json and plots from a full run")
    paging.add_argument("run", type=Path, help="folder of a run, or such a .json")
    paging.add_argument("--to", type=Path, default=Path("docs/performance.md"))
    help_text = "a later run, for questions that the full one was not asked; may be given several times"
    paging.add_argument("--later", type=Path, action="append", default=[], help=help_text)
    paging.set_defaults(command=_page)

    soaking = commands.add_parser("soak", help="generate the plot of docs/reliability.md from a run of the form soak")
    soaking.add_argument("run", type=Path, help="folder of a run, or such a .json")
    soaking.add_argument("--to", type=Path, default=soak.PLACE)
    soaking.set_defaults(command=_soak)
    return parser


def _run(parsed: argparse.Namespace) -> int:
    form = _form(parsed)
    place = parsed.storage or storage.in_memory()
    results = _found_so_far(parsed.out, form, place) if parsed.resume else Results([])
    jars = tuple(filter(None, parsed.jars.split(",")))
    done = frozenset(each.key for each in results.all)
    order = run.Order(form, parsed.latency_ms, jars, parsed.work, place, done)
    for result in run.perform(order):  # written each time: a run that is ended early has what it found
        results = results.having(result)
        store.write(store.Run(form.name, machine.describe(place), results), parsed.out)
    plots.write(results, parsed.out)
    print(report.full_text(results))
    broken = regression.broken(results) if form.name == "regression" else []
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken else 0


def _found_so_far(folder: Path, form: Form, place: Path | None) -> Results:
    """The results of a run to go on with. Raises ValueError unless it was made as it would be now."""
    if not (folder / store.RESULTS).exists():
        return Results([])
    earlier = store.read(folder)
    if earlier.form != form.name:
        raise ValueError(f"{folder}: a run of form {earlier.form} cannot go on as {form.name}; choose another --out")
    now = machine.describe(place)
    for key, remedy in _UNCHANGED.items():
        if earlier.machine.get(key) != now[key]:
            raise ValueError(
                f"{folder}: made with another {key} ({earlier.machine.get(key)}, now {now[key]}); {remedy}"
            )
    return earlier.results


def _form(parsed: argparse.Namespace) -> Form:
    form = FORMS[parsed.form]
    if parsed.contenders:
        names = tuple(parsed.contenders.split(","))
        for name in names:
            contenders.named(name)
        form = replace(form, contenders=names, every_round=names)
    if parsed.questions:
        names = tuple(parsed.questions.split(","))
        end_to_end = tuple(name for name in names if name in questions.pyspark_questions())
        sittings = tuple((questions.named(name).name,) for name in names if name not in end_to_end)
        form = replace(form, sittings=sittings, sittings_once=(), pyspark=end_to_end)
    if parsed.rounds:
        form = replace(form, rounds=parsed.rounds)
    return replace(form, sizes={**form.sizes, **dict(map(_size, parsed.size))})


def _size(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    return name, int(number)


def _report(parsed: argparse.Namespace) -> int:
    print(report.full_text(store.read(parsed.run).results))
    return 0


def _page(parsed: argparse.Namespace) -> int:
    found = store.read(parsed.run)
    for later in parsed.later:
        found = found.with_later(store.read(later))
    page.write(found, parsed.to)
    return 0


def _soak(parsed: argparse.Namespace) -> int:
    broken = soak.write(store.read(parsed.run), parsed.to)
    for sentence in broken:
        print(f"not as promised: {sentence}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
