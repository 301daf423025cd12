"""Which Java Spark starts."""

from __future__ import annotations

import os
from pathlib import Path


def java_command() -> str:
    """The `java` that Spark's launcher takes: JAVA_HOME's, or else the PATH's."""
    home = os.environ.get("JAVA_HOME")
    return str(Path(home) / "bin" / "java") if home else "java"
