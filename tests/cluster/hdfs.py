"""A real HDFS on loopback, in a JVM of its own: Hadoop's jars are those of PySpark, but for one that Maven fetches."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import ClassVar

import pyspark
from tests.launch.loopback import free_port

from rockstate.demo.processes import kill_tree

PROGRAM = Path(__file__).with_name("MiniHdfs.java")
SPARKS_JARS = Path(pyspark.__file__).parent / "jars"
GROUP, ARTIFACT = "org.apache.hadoop", "hadoop-client-minicluster"
GET = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get"
QUICK_JVM = ("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
DONE = "done"


def minicluster_jar() -> Path:
    """The jar with NameNode and DataNode, of the release that the installed PySpark has; Maven fetches it once."""
    (client,) = SPARKS_JARS.glob("hadoop-client-api-*.jar")
    release = client.stem.removeprefix("hadoop-client-api-")
    repository = Path(os.environ.get("MAVEN_REPO_LOCAL", Path.home() / ".m2" / "repository"))
    jar = repository / GROUP.replace(".", "/") / ARTIFACT / release / f"{ARTIFACT}-{release}.jar"
    if not jar.is_file():
        what = [f"-Dartifact={GROUP}:{ARTIFACT}:{release}", "-Dtransitive=false", f"-Dmaven.repo.local={repository}"]
        subprocess.run(["mvn", "-q", "-B", GET, *what], check=True, stdin=subprocess.DEVNULL)
    return jar


class Hdfs:
    """The file system, as a context manager. `url` has no slash at its end; its port stays the same all the time."""

    confs: ClassVar[dict[str, str]] = {}
    #: Nothing goes wrong here by itself.
    faults: ClassVar[Counter[str]] = Counter()

    def __init__(self, folder: Path, seed: int) -> None:
        folder.mkdir(parents=True)
        port = free_port()
        self.url = f"hdfs://127.0.0.1:{port}"
        self._log = folder / "hdfs.log"
        jars = os.pathsep.join([str(minicluster_jar()), str(SPARKS_JARS / "*")])
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                ["java", *QUICK_JVM, "-cp", jars, str(PROGRAM), str(folder / "data"), str(port)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def __enter__(self) -> Hdfs:
        self._answer()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            kill_tree(self._process.pid)
        self._process.wait()

    def stop(self) -> None:
        """Returns when the NameNode is down."""
        self._obey("stop")

    def start(self) -> None:
        """Returns when it answers again."""
        self._obey("start")

    def files(self) -> list[str]:
        """The paths of all files there are."""
        return self._obey("list")

    def _obey(self, command: str) -> list[str]:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> list[str]:
        assert self._process.stdout is not None
        lines: list[str] = []
        for line in self._process.stdout:
            if line.rstrip("\n") == DONE:
                return lines
            lines.append(line.rstrip("\n"))
        raise AssertionError(f"HDFS has ended:\n{self._log.read_text(errors='replace')[-4000:]}")
