"""Runs a form of the suite: every sitting of every contender, one process after the other."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import contenders, jvm, process, questions
from benchmarks.contenders import Contender
from benchmarks.forms import Form
from benchmarks.process import Cannot
from benchmarks.questions import Question
from benchmarks.results import Result

_PATIENCE = 3600.0  # seconds that one process may take


@dataclass(frozen=True)
class Order:
    """What to run: a form, a latency for every storage call, jars of contenders of one's own, and where to work.

    Checkpoints are kept in `storage`, everything else in `work`; None is the folder for temporary files.
    `done` has question, contender and round of each result that is there already.
    """

    form: Form
    latency_ms: int = 0
    jars: tuple[str, ...] = ()
    work: Path | None = None
    storage: Path | None = None
    done: frozenset[tuple[str, str, int]] = frozenset()


def perform(order: Order, say: Callable[[str], None] | None = None) -> Iterator[Result]:
    """Runs everything, in rounds with rotating order; each process's results come when it has ended.

    Raises:
        WrongAnswer: a contender's answer differs from the shadow copy.
        Failed: a process ended otherwise than it may.
    """
    tell = say or (lambda line: print(line, file=sys.stderr, flush=True))
    with _temporary(order.work) as work, _temporary(order.storage) as storage:
        for each in processes(order):
            yield from _run(each, order, Path(work), Path(storage), tell)


def _temporary(parent: Path | None) -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="rockstate-bench-", dir=parent)


@dataclass(frozen=True)
class _EndToEnd:
    """A script of pyspark/ for one contender in one round, with so many batches of `rows`."""

    contender: Contender
    question: str
    round: int
    rows: int
    batches: int

    @property
    def name(self) -> str:
        return f"{self.contender.name}-{self.question}-{self.rows}-{self.round}"

    @property
    def asked(self) -> tuple[str, ...]:
        return (f"{self.question}_{self.rows}",)


def processes(order: Order) -> Iterator[jvm.Sitting | _EndToEnd]:
    """What is left to do, in order."""
    for each in _all_processes(order.form):
        if not {(name, each.contender.name, each.round) for name in each.asked} <= order.done:
            yield each


def _all_processes(form: Form) -> Iterator[jvm.Sitting | _EndToEnd]:
    for number in range(1, form.rounds + 1):
        for names in form.sittings_in_round(number):
            for contender in map(contenders.named, form.in_round(number)):
                asked = tuple(each for each in map(questions.named, names) if _takes_part(contender, each))
                if asked:
                    yield jvm.Sitting(contender, asked, number)
        for name in form.pyspark:
            for rows, batches in form.pyspark_batches.items():
                for contender in map(contenders.named, form.in_round(number)):
                    if contender.answers is None:
                        yield _EndToEnd(contender, name, number, rows, batches)


def _takes_part(contender: Contender, question: Question) -> bool:
    invited = question.contenders is None or contender.name in question.contenders
    return invited and contender.can_answer(question.name)


def _run(
    what: jvm.Sitting | _EndToEnd, order: Order, work: Path, storage: Path, tell: Callable[[str], None]
) -> Sequence[Result]:
    folder = work / what.name
    first = what.questions[0] if isinstance(what, jvm.Sitting) else None
    container = first.container_bytes if first else None
    # What is in memory would count.
    checkpoints = work / f"{what.name}-checkpoints" if container else storage / what.name
    checkpoints.mkdir(parents=True)
    start = time.monotonic()
    one_core = first is not None and first.one_core

    def asked(of: jvm.Sitting | _EndToEnd) -> Sequence[Result]:
        if isinstance(of, jvm.Sitting):
            command = jvm.command(of, order.form.sizes, order.latency_ms, folder, checkpoints, order.jars)
        else:
            command = _script(of, order.jars, folder, checkpoints)
        return process.run(command, folder, _PATIENCE, one_core=one_core, container_bytes=container)

    try:
        if isinstance(what, jvm.Sitting) and what.before:
            asked(what.before)
            shutil.rmtree(folder / "out" if what.questions[0].same_disk else folder)
        found = asked(what)
    except Cannot as cannot:
        tell(f"{what.name}: - ({cannot})")
        return []
    finally:
        for each in (folder, checkpoints):
            shutil.rmtree(each, ignore_errors=True)
    tell(f"{what.name}: {time.monotonic() - start:.1f} s")
    if isinstance(what, _EndToEnd):
        return [replace(each, question=what.asked[0]) for each in found]
    names = {question.asked_as: question.name for question in what.questions}
    named = [replace(each, question=names[each.question]) for each in found]
    return sorted(named, key=lambda each: what.asked.index(each.question))


def _script(what: _EndToEnd, jars: Sequence[str], folder: Path, checkpoints: Path) -> list[str]:
    return [
        sys.executable,
        str(questions.PYSPARK / f"{what.question}.py"),
        *("--contender", contenders.spelled(what.contender)),
        *("--jars", ",".join(jars)),
        *("--round", str(what.round)),
        *("--batch-rows", str(what.rows)),
        *("--batches", str(what.batches)),
        *("--memory", f"{contenders.DEFAULT_BUDGET >> 20}m"),
        *("--heap", questions.DEFAULT_HEAP),
        *("--checkpoints", str(checkpoints)),
        *("--out", str(folder / "out" / "result.json")),
    ]
