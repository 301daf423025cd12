"""The command line that all scripts share: see benchmarks/README.md."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import contenders
from benchmarks.process import CANNOT, WRONG_ANSWER, WrongAnswer
from benchmarks.pyspark import _answers, _progress, _session, _streaming
from benchmarks.pyspark._question import Question, Sizes
from rockstate.base.units import parse_bytes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_WARMUP_ROWS = 1_500_000


def main(question: Question, arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0, 3 the contender cannot do it (or has too little heap), 4 a wrong answer; other failures raise."""
    parsed = _parser(question).parse_args(arguments)
    contender = contenders.named(parsed.contender)
    if contender.answers is not None:
        print(f"{contender.name} is no state store for a query", file=sys.stderr)
        return CANNOT
    parsed.out.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".work-", dir=parsed.out.parent)).resolve()
    try:
        jars = tuple(filter(None, parsed.jars.split(",")))
        spark = _session.start(contender, parse_bytes(parsed.memory), parsed.heap, jars, work)
        try:
            result = _measure(question, spark, parsed, work)
        except Exception:
            if _session.is_out_of_memory(spark):
                print(f"{contender.name} needs more heap than {parsed.heap}", file=sys.stderr)
                return CANNOT
            raise
        spark.stop()
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
    parser.add_argument("--jars", default="", help="comma-separated jars of a contender of your own, name=class")
    parser.add_argument("--checkpoints", type=Path, help="folder to keep the checkpoint in while it runs")
    parser.add_argument("--out", type=Path, required=True)
    return parser


def _measure(question: Question, spark: SparkSession, parsed: argparse.Namespace, work: Path) -> dict[str, Any]:
    chosen = sizes(parsed.batch_rows, parsed.batches, parsed.keys, parsed.warmup)
    checkpoint = _streaming.checkpoint_uri(parsed.checkpoints or work)
    stream = _streaming.run(question, spark, checkpoint, chosen)
    _answers.check_output(question, spark, chosen, stream.batches)
    state_rows = _answers.check_state(question, spark, checkpoint, chosen)
    counted = stream.batches[chosen.first_counted :]
    return {
        "question": question.name,
        "contender": contenders.named(parsed.contender).name,
        "round": parsed.round,
        "settings": {**_settings(parsed, chosen), "state_rows": state_rows},
        "metrics": _progress.metrics(counted, stream.cpu_millis_per_batch),
        "series": {
            "batch_ms": [each.millis for each in counted],
            "state_ms": [each.state_millis for each in counted],
        },
        "machine": _session.machine(spark),
    }


def _settings(parsed: argparse.Namespace, chosen: Sizes) -> Mapping[str, Any]:
    contender, budget = contenders.named(parsed.contender), parse_bytes(parsed.memory)
    return {
        "keys": chosen.keys,
        "batch_rows": chosen.rows,
        "warmup": chosen.warmup,
        "batches": chosen.batches,
        "partitions": _session.PARTITIONS,
        "heap": parsed.heap,
        "memory_bytes": budget,
        "provider": contender.provider,
        "confs": dict(_session.contender_confs(contender, budget)),
    }
