"""Errors come whole out of another process, and out of a copy."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

from rockstate.base import errors

ERRORS = [
    errors.NotFound("There is no file", "Restore it"),
    errors.UnsupportedSparkVersion("3.5", ["4.0", "4.1"], "Install another", "it is old"),
    errors.SparkConnectUnsupported("SPARK_REMOTE"),
    errors.JarNotFound(Path("/jars/a.jar"), "4.2"),
    errors.InvalidOption("memory_budget", "It is no size", "Give one"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_after_it_was_pickled_or_copied(error: errors.RockstateError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error) and str(again) == str(error)
        assert vars(again) == vars(error)
