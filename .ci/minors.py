"""Prints the Spark minors whose PySpark the running Python can use, or with `all` all of them, the oldest first.

Needs nothing installed: `make` asks it before there is an environment.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

from rockstate.launch.versions import SPARK_MINORS

if __name__ == "__main__":
    here = sys.version_info[:2]
    print(*(row.minor for row in SPARK_MINORS.values() if "all" in sys.argv or row.runs_with(here)))
