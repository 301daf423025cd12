"""The command line that all scripts share: see benchmarks/README.md."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import contenders
from benchmarks.process import CANNOT, WRONG_ANSWER, WrongAnswer
from benchmarks.pyspark import _answers, _progress, _session, _streaming
from benchmarks.pyspark._progress import Batch
from benchmarks.pyspark._question import Question, Sizes
from rockstate.base.units import parse_bytes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_WARMUP_ROWS = 1_500_000
_BATCHES_AFTER_RESTART = 5


class OutOfHeap(Exception):
    """The contender needs more heap than it was given."""


def main(question: Question, arguments: Sequence[str] | None = None, **defaults: Any) -> int:
    """Exit codes: 0, 3 the contender cannot do it (or has too little heap), 4 a wrong answer; other failures raise.

    `defaults` are the question's own for some of the arguments.
    """
    parser = _parser(question)
    parser.set_defaults(**defaults)
    parsed = parser.parse_args(arguments)
    contender = contenders.named(parsed.contender)
    if contender.answers is not None:
        print(f"{contender.name} is no state store for a query", file=sys.stderr)
        return CANNOT
    parsed.out.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".work-", dir=parsed.out.parent)).resolve()
    try:
        result = _measure(question, parsed, work)
    except OutOfHeap:
        print(f"{contender.name} needs more heap than {parsed.heap}", file=sys.stderr)
        return CANNOT
    except WrongAnswer as wrong:
        print(f"WRONG ANSWER {contender.name} to {question.name}, round {parsed.round}: {wrong}", file=sys.stderr)
        return WRONG_ANSWER
    finally:
        shutil.rmtree(work, ignore_errors=True)
    parsed.out.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    return 0


def sizes(rows: int, batches: int, keys: int, warmup: int | None) -> Sizes:
    """Unless told otherwise the warm-up is 1.5 M rows, but 5 batches at least and 50 at most."""
    default = min(50, max(5, _WARMUP_ROWS // rows))
    return Sizes(keys=keys, rows=rows, warmup=default if warmup is None else warmup, batches=batches)


def _parser(question: Question) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=question.__doc__)
    parser.add_argument("--contender", required=True)
    parser.add_argument("--round", type=int, default=1)
    parser.add_argument("--batch-rows", type=int, default=100_000)
    parser.add_argument("--batches", type=int, default=10, help="that are counted")
    parser.add_argument("--warmup", type=int, help="batches before, that are not")
    parser.add_argument("--keys", type=int, default=question.default_keys, help="in the state, about")
    parser.add_argument("--memory", default=f"{contenders.DEFAULT_BUDGET}b", help="Rockstate's budget")
    parser.add_argument("--heap", default="2g")
    parser.add_argument("--partitions", type=int, default=_session.PARTITIONS, help="of the state")
    parser.add_argument("--hadoops-files", action="store_true", help="the checkpoint is in Hadoop's own local files")
    parser.add_argument("--restart", action="store_true", help="then go on in a new JVM for a few batches")
    parser.add_argument("--jars", default="", help="comma-separated jars of a contender of your own, name=class")
    parser.add_argument("--checkpoints", type=Path, help="folder to keep the checkpoint in while it runs")
    parser.add_argument("--out", type=Path, required=True)
    return parser


def _measure(question: Question, parsed: argparse.Namespace, work: Path) -> dict[str, Any]:
    chosen = sizes(parsed.batch_rows, parsed.batches, parsed.keys, parsed.warmup)
    checkpoint = _streaming.checkpoint_uri(parsed.checkpoints or work, is_hadoops=parsed.hadoops_files)
    with _session_of(parsed, work) as spark:
        stream = _streaming.run(question, spark, checkpoint, chosen)
        if not parsed.restart:
            state_rows = _check(question, spark, checkpoint, chosen, stream.batches)
        machine = _session.machine(spark)
    counted = stream.batches[chosen.first_counted :]
    metrics = _progress.metrics(counted, stream.cpu_millis_per_batch)
    if parsed.restart:
        with _session_of(parsed, work) as spark:
            after = _streaming.go_on(question, spark, checkpoint, chosen, _BATCHES_AFTER_RESTART)
            until = replace(chosen, after=after[-1].id - chosen.last)
            state_rows = _check(question, spark, checkpoint, until, [*stream.batches, *after])
        metrics |= _progress.restart_metrics(after)
    return {
        "question": question.name,
        "contender": contenders.named(parsed.contender).name,
        "round": parsed.round,
        "settings": {**_settings(parsed, chosen), "state_rows": state_rows},
        "metrics": metrics,
        "series": {
            "batch_ms": [each.millis for each in counted],
            "state_ms": [each.state_millis for each in counted],
        },
        "machine": machine,
    }


def _check(
    question: Question, spark: SparkSession, checkpoint: str, chosen: Sizes, batches: Iterable[Batch]
) -> dict[str, int]:
    _answers.check_output(question, spark, chosen, batches)
    return _answers.check_state(question, spark, checkpoint, chosen)


@contextmanager
def _session_of(parsed: argparse.Namespace, work: Path) -> Iterator[SparkSession]:
    """A session in a JVM of its own. Raises OutOfHeap if that has ended for lack of heap."""
    jars = tuple(filter(None, parsed.jars.split(",")))
    confs = _session.common_confs(parsed.heap, jars, work, parsed.partitions)
    spark = _session.start(contenders.named(parsed.contender), parse_bytes(parsed.memory), confs, work)
    try:
        yield spark
    except Exception as e:
        if _session.is_out_of_memory(spark):
            raise OutOfHeap from e
        raise
    _session.end(spark)


def _settings(parsed: argparse.Namespace, chosen: Sizes) -> Mapping[str, Any]:
    contender, budget = contenders.named(parsed.contender), parse_bytes(parsed.memory)
    return {
        "keys": chosen.keys,
        "batch_rows": chosen.rows,
        "warmup": chosen.warmup,
        "batches": chosen.batches,
        "partitions": parsed.partitions,
        "heap": parsed.heap,
        "memory_bytes": budget,
        "provider": contender.provider,
        "confs": dict(_session.contender_confs(contender, budget)),
    }
