"""A run of a form, and whether it has ended as it must."""

from __future__ import annotations

import os
import shlex
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.cluster.outcome import KINDS, batches, compared, kinds, other_failures, said, stale, telling, write_figures
from tests.cluster.run import Form, Run
from tests.cluster.storage import SECRET, Storage
from tests.integration.verification import is_sound

from rockstate.demo import expected
from rockstate.demo.sink import read_batches

FIGURES = Path(__file__).parents[2] / "target" / "cluster"
#: Clean-up waits until some versions can go, and the last batches come after the last clean-up.
MOST_STALE_VERSIONS = 4
#: The delta that an executor is writing, and the eight table files that it uploads at a time.
MOST_LEFT_BY_A_FAULT = 9


def judged_run(form: Form, folder: Path, kind: type[Storage], format_version: int, name: str) -> Counter[str]:
    """Runs it, fails unless it has ended as it must, and returns what broke, and how often.

    ROCKSTATE_SEED chooses what breaks when, ROCKSTATE_CLUSTER_FOLDER where a run leaves its logs.
    """
    seed = int(os.environ.get("ROCKSTATE_SEED", time.time_ns() % 1_000_000))
    folder = Path(os.environ.get("ROCKSTATE_CLUSTER_FOLDER", folder)).absolute() / name
    folder.mkdir(parents=True)
    with Run(form, folder, kind, format_version, seed) as run:
        run.to_end()
        _judge(run, name)
    return run.counts


def _judge(run: Run, name: str) -> None:
    """Fails unless every result is right, every checkpoint sound, and nothing is left that should not be."""
    files, folder = run.storage.files(), Path(run.settings.folder)
    left = {query: kinds(files, query) for query in run.form.queries}
    figures: dict[str, Any] = {
        "format": run.settings.format_version,
        "batches": {query: batches(files, query) for query in run.form.queries},
        "left": {query: dict(counted) for query, counted in left.items()},
        "said": said(folder),
        "failures": other_failures(run.settings.failures),
        "rows": {},
        "left over": {},
    }
    try:
        assert figures["failures"] == []
        for query in run.form.queries:
            wanted = getattr(expected, query)(run.arrivals.flights, run.arrivals.weather)
            different = compared(wanted, read_batches(run.settings.places.sink(query)))
            assert different.empty, f"{query}:\n{different.to_string(max_rows=50)}"
            figures["rows"][query] = len(wanted)
        _reach(run.settings.confs)
        for query in run.form.queries:
            summary = is_sound(run.settings.checkpoint(query))
            summary.to_html(folder / f"{query}.html")
            stores = [store for operator in summary.operators for store in operator.stores]
            figures["left over"][query] = sum(store.orphans.files for store in stores)
            assert sum(store.others.files for store in stores) == 0
            assert set(left[query]) <= set(KINDS)
            assert all(len(versions) <= MOST_STALE_VERSIONS for versions in stale(files, query).values())
        assert sum(figures["left over"].values()) <= MOST_LEFT_BY_A_FAULT * run.counts.total()
        assert telling(folder, SECRET) == []
    finally:
        write_figures(run, figures, FIGURES / f"{name}.json")


def _reach(confs: dict[str, str]) -> None:
    """Has the JVM of this process, which has not begun yet, find the checkpoints."""
    words = [word for key, value in confs.items() for word in ("--conf", f"{key}={value}")]
    os.environ["PYSPARK_SUBMIT_ARGS"] = shlex.join([*words, "pyspark-shell"])
