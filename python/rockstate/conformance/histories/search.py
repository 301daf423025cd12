"""Random histories, tried by Hypothesis."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, configuration, settings
from hypothesis import seed as seeded
from hypothesis.errors import Flaky
from hypothesis.internal.conjecture import engine
from hypothesis.stateful import get_state_machine_test

from rockstate.conformance.histories.machine import Histories
from rockstate.conformance.lab.lab import Lab

STEPS = 25
SHRINKING = 60
"""Seconds that a failing history is made shorter for, at most."""


def search(lab: Lab, *, rewrites: bool) -> None:
    """Tries `lab.effort.examples` histories from `lab.effort.seed`; raises what the shortest failing one raises.

    With `rewrites` the query also goes back to older versions and writes other rows after them.
    """
    failures: list[Exception] = []
    machine: Callable[[], Histories] = lambda: Histories(lab.fresh(), failures, rewrites=rewrites)  # noqa: E731
    test: Any = get_state_machine_test(machine, settings=_settings(lab.effort.at_most(lab.effort.examples)))  # type: ignore[arg-type]
    home = Path(tempfile.mkdtemp(prefix="rockstate-hypothesis-"))
    before = engine.MAX_SHRINKING_SECONDS
    configuration.set_hypothesis_home_dir(home)
    engine.MAX_SHRINKING_SECONDS = SHRINKING
    try:
        seeded(lab.effort.seed)(test)()
    except Flaky as flaky:  # the provider answers the same calls now so, now so
        raise (failures[-1] if failures else flaky) from flaky
    finally:
        engine.MAX_SHRINKING_SECONDS = before
        configuration.set_hypothesis_home_dir(None)
        shutil.rmtree(home, ignore_errors=True)


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )
