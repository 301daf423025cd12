"""Rockstate: a state store for Spark Structured Streaming. Importing this package does not import PySpark."""

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

__all__ = [
    "Checkpoint",
    "InvalidOption",
    "JarConflict",
    "JarNotFound",
    "JarNotLoaded",
    "Misuse",
    "NotFound",
    "RockstateError",
    "SparkConnectUnsupported",
    "Unreachable",
    "Unsupported",
    "UnsupportedSparkVersion",
    "__version__",
    "configure",
    "jar_path",
]
