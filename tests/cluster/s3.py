"""Storage with S3's interface on loopback, in a process of its own: the server that `make scale` counts with.

Some of its requests go wrong by themselves.
"""

from __future__ import annotations

import os
import signal
import urllib.parse
from collections import Counter
from pathlib import Path
from types import TracebackType
from xml.etree import ElementTree

from benchmarks.scale import tools
from tests.cluster import unreliable_s3
from tests.quick_spark import LOCAL_FILES

BUCKET = "cluster"


class S3:
    """The storage, as a context manager. `url` has no slash at its end; `confs` lead Spark there."""

    def __init__(self, folder: Path, seed: int) -> None:
        folder.mkdir(parents=True)
        self._jars = [*tools.jars(), LOCAL_FILES]
        self._faults = folder / "faults.txt"
        self._process, self._port = tools.start_server(
            folder / "requests.txt", unreliable_s3.__name__, str(self._faults), str(seed)
        )
        self.url = f"s3a://{BUCKET}"

    @property
    def confs(self) -> dict[str, str]:
        """Jars by class paths: to send each executor 600 MB of Amazon's classes takes longer than it lives."""
        jars = os.pathsep.join(map(str, self._jars))
        return {
            "spark.driver.extraClassPath": jars,
            "spark.executor.extraClassPath": jars,
            **tools.s3a_confs(self._port),
            **tools.ABORTABLE,
        }

    def __enter__(self) -> S3:
        tools.make_bucket(self._port, BUCKET)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """From now on it keeps whoever asks waiting."""
        self._process.send_signal(signal.SIGSTOP)

    def start(self) -> None:
        """Answers what was asked meanwhile, and goes on."""
        self._process.send_signal(signal.SIGCONT)

    @property
    def faults(self) -> Counter[str]:
        """What has gone wrong by itself, and how often."""
        return Counter(line.partition("\t")[0] for line in self._faults.read_text(encoding="utf-8").splitlines())

    def files(self) -> list[str]:
        """The paths of all files there are, from the bucket on."""
        found: list[str] = []
        token = ""
        while True:
            query = {"list-type": "2", **({"continuation-token": token} if token else {})}
            page = ElementTree.fromstring(tools.ask(self._port, "GET", f"{BUCKET}?{urllib.parse.urlencode(query)}"))
            found += [f"/{key.text}" for key in page.iterfind("{*}Contents/{*}Key") if not str(key.text).endswith("/")]
            token = page.findtext("{*}NextContinuationToken") or ""
            if not token:
                return found
