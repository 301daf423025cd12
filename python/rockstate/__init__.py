"""Rockstate: a state store for Spark Structured Streaming. Importing this package does not import PySpark."""

from typing import TYPE_CHECKING, Any

from rockstate.base.errors import (
    Damaged,
    InvalidOption,
    JarConflict,
    JarNotFound,
    JarNotLoaded,
    Misuse,
    NotFound,
    RockstateError,
    SparkConnectUnsupported,
    Unreachable,
    Unsupported,
    UnsupportedSparkVersion,
)
from rockstate.inspection.checkpoint import Checkpoint
from rockstate.launch.jars import jar_path
from rockstate.launch.versions import ROCKSTATE_VERSION as __version__
from rockstate.session.builder import configure

if TYPE_CHECKING:
    from rockstate.progress.recorder import ProgressRecorder

__all__ = [
    "Checkpoint",
    "Damaged",
    "InvalidOption",
    "JarConflict",
    "JarNotFound",
    "JarNotLoaded",
    "Misuse",
    "NotFound",
    "ProgressRecorder",
    "RockstateError",
    "SparkConnectUnsupported",
    "Unreachable",
    "Unsupported",
    "UnsupportedSparkVersion",
    "__version__",
    "configure",
    "jar_path",
]


def __getattr__(name: str) -> Any:
    if name == "ProgressRecorder":  # a PySpark class by inheritance
        from rockstate.progress.recorder import ProgressRecorder

        return ProgressRecorder
    raise AttributeError(f"module 'rockstate' has no attribute {name!r}")
