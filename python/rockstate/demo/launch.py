"""The streaming application as its parent sees it: a process that is started, watched, killed and started again."""

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType

from rockstate.demo.errors import ApplicationFailed
from rockstate.demo.places import Places
from rockstate.demo.processes import kill_tree
from rockstate.demo.settings import Settings

_LOG_LINES_SHOWN = 30


class Application:
    """One start of `rockstate.demo.app`. As a context manager it leaves no process behind."""

    def __init__(self, places: Places, settings: Settings) -> None:
        self._places = places
        with places.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "rockstate.demo.app", settings.to_json()],
                env=_environment(),
                stdin=subprocess.PIPE,  # closes when this process dies, and the application ends
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C reaches the parent only, which cleans up
            )

    def __enter__(self) -> "Application":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self.kill()
        if self._process.stdin is not None:
            self._process.stdin.close()

    def is_running(self) -> bool:
        """True until the application has ended; raises ApplicationFailed if it ended with an error."""
        code = self._process.poll()
        if code:
            raise ApplicationFailed(f"The streaming application ended with exit code {code}", self._end_of_log())
        return code is None

    def _end_of_log(self) -> str:
        lines = self._places.log.read_text(errors="replace").splitlines()[-_LOG_LINES_SHOWN:]
        return "\n".join([f"See {self._places.log}, which ends with", *lines])

    def kill(self) -> list[int]:
        """Kill Python, JVM and Python workers with SIGKILL; return their process ids when all are dead."""
        killed = kill_tree(self._process.pid)
        self._process.wait()
        return killed


def _environment() -> dict[str, str]:
    """This process's environment, in which Spark's Python workers find this package too, installed or not."""
    package_root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [package_root, os.environ.get("PYTHONPATH")]))
    # PySpark's own pandas code warns about itself for every batch.
    return {"PYTHONWARNINGS": "ignore::FutureWarning", **os.environ, "PYTHONPATH": path}
