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
    OutOfMemory,
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
    from rockstate.progress.state_metrics import StateMetrics

__all__ = [
    "Checkpoint",
    "Damaged",
    "InvalidOption",
    "JarConflict",
    "JarNotFound",
    "JarNotLoaded",
    "Misuse",
    "NotFound",
    "OutOfMemory",
    "ProgressRecorder",
    "RockstateError",
    "SparkConnectUnsupported",
    "StateMetrics",
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
    if name == "StateMetrics":  # likewise
        from rockstate.progress.state_metrics import StateMetrics

        return StateMetrics
    raise AttributeError(f"module 'rockstate' has no attribute {name!r}")
