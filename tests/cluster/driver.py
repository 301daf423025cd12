"""The driver application as whoever watches it sees it: started, killed, and started again whenever it has ended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType

from tests.cluster.settings import Settings
from tests.cluster.spark_cluster import environment

from rockstate.demo.processes import kill_tree

REPOSITORY = Path(__file__).parents[2]


class Driver:
    """One application after the other with the same checkpoints. As a context manager it leaves none running."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self.starts = 0

    def __enter__(self) -> Driver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def is_running(self) -> bool:
        """False before the first start, and once it has ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def has_finished(self) -> bool:
        """Whether it has processed all there is."""
        return self._process is not None and self._process.poll() == 0

    def start(self) -> None:
        """Starts it on what the last one has left."""
        folder = Path(self._settings.folder)
        path = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH")]))
        self.starts += 1
        with (folder / f"driver-{self.starts}.log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.cluster.job", self._settings.to_json()],
                env={**environment(folder), "PYTHONPATH": path, "PYTHONWARNINGS": "ignore::FutureWarning"},
                cwd=folder,
                stdin=subprocess.PIPE,  # closes when this process dies, and the application ends
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def kill(self) -> None:
        """SIGKILL for Python, its JVM and their workers."""
        if self._process is not None and self._process.poll() is None:
            kill_tree(self._process.pid)
            self._process.wait()
