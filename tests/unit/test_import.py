from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("pyspark", "py4j", "pandas", "numpy", "pyarrow", "matplotlib", "hypothesis", "rich")


@pytest.mark.parametrize(
    "statement",
    [
        "import rockstate",
        "import rockstate.cli",
        "import rockstate.options",
        "import rockstate.conformance",
        "import rockstate.pytest_plugin",
    ],
)
def test_importing_loads_nothing_heavy(statement: str) -> None:
    code = f"import sys; {statement}; print([name for name in {HEAVY} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_importing_is_fast() -> None:
    # Ten times what it takes: room for a busy machine.
    code = "import time; start = time.process_time(); import rockstate; print(time.process_time() - start)"
    seconds = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert float(seconds) < 0.5
