"""Rockstate: a state store for Spark Structured Streaming. Importing this package does not import PySpark."""

from typing import TYPE_CHECKING, Any

from rockstate.checkpoint import Checkpoint
from rockstate.errors import (
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
from rockstate.jars import jar_path
from rockstate.session import configure
from rockstate.versions import ROCKSTATE_VERSION as __version__

if TYPE_CHECKING:
    from rockstate.progress import ProgressRecorder

__all__ = [
    "Checkpoint",
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
        from rockstate.progress import ProgressRecorder

        return ProgressRecorder
    raise AttributeError(f"module 'rockstate' has no attribute {name!r}")
