"""A Spark standalone cluster on loopback: a master and workers of one core each, from the PySpark package."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType

import pyspark
from tests.launch.loopback import free_port
from tests.quick_spark import environment_without_spark

from rockstate.demo.processes import descendants, kill_tree

HOME = Path(pyspark.__file__).parent
WORKERS = 3
SECONDS_TO_START = 120
EXECUTOR = "CoarseGrainedExecutorBackend"
DAEMON = "org.apache.spark.deploy"
#: An executor that ends is started anew, however often that happens.
DAEMON_OPTIONS = "-Dspark.deploy.maxExecutorRetries=-1 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
#: Runs a command until the input ends: then whoever started it has died.
WITH_PARENT = '"$@" </dev/null & read -r _; kill -KILL $!'
#: Has the disk until the input ends.
HOLD_MOUNTED = """if mount -t tmpfs -o "size=$1m" tmpfs "$2"; then
  echo mounted; read -r _; umount --lazy "$2"
else
  echo refused
fi"""

#: The second logger's level is that of a driver in Python, which else says little.
LOGGING = """rootLogger.level = info
logger.python.name = org.apache.spark.api.python.PythonGatewayServer
logger.python.level = info
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss.SSS} %p %c{1}: %m%n%ex
"""


def environment(folder: Path) -> dict[str, str]:
    """That of every Spark process of a run: nothing of the developer's own confs."""
    (folder / "conf").mkdir(parents=True, exist_ok=True)
    (folder / "conf" / "log4j2.properties").write_text(LOGGING, encoding="utf-8")
    own = {"SPARK_CONF_DIR": str(folder / "conf"), "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1"}
    return {**environment_without_spark(), **own}


class Daemon:
    """The master or a worker. It ends when this process does."""

    def __init__(self, folder: Path, disk: Path, *command: str) -> None:
        folder.mkdir(parents=True)
        own = {"SPARK_DAEMON_MEMORY": "128m", "SPARK_DAEMON_JAVA_OPTS": DAEMON_OPTIONS, "SPARK_LOCAL_DIRS": str(disk)}
        with (folder / "daemon.log").open("wb") as log:
            self._process = subprocess.Popen(
                ["bash", "-c", WITH_PARENT, "bash", str(HOME / "bin" / "spark-class"), *command],
                env={**environment(folder.parent), **own},
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def executors(self) -> list[int]:
        """The process ids of the executors that it has started and that live, stopped ones too."""
        return [process for process in descendants(self._process.pid) if EXECUTOR in _first_words(process)]

    def close(self) -> None:
        """Kills it and all that it has started."""
        if self._process.poll() is None:
            kill_tree(self._process.pid)
        self._process.wait()


class SparkCluster:
    """Master and workers, as a context manager. The first worker's local disk is `small_disk`, if that is given."""

    def __init__(self, folder: Path, small_disk: Path | None = None) -> None:
        self._folder, self._port = folder, free_port()
        self.url = f"spark://127.0.0.1:{self._port}"
        disks = [folder / f"disk-{number}" for number in range(WORKERS)]
        self._disks = [small_disk, *disks[1:]] if small_disk else disks
        self._master: Daemon | None = None
        self._workers: list[Daemon] = []

    def __enter__(self) -> SparkCluster:
        listens = ("--host", "127.0.0.1", "--webui-port", "0")
        master = (f"{DAEMON}.master.Master", *listens, "--port", str(self._port))
        self._master = Daemon(self._folder / "master", self._folder / "disk-of-master", *master)
        self._wait_for_master()
        for number, disk in enumerate(self._disks):
            has = ("--cores", "1", "--memory", "640m", "--work-dir", str(self._folder / f"work-{number}"))
            command = (f"{DAEMON}.worker.Worker", *listens, *has, self.url)
            self._workers.append(Daemon(self._folder / f"worker-{number}", disk, *command))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for daemon in (*self._workers, self._master):
            if daemon:
                daemon.close()

    def executors(self) -> list[int]:
        """The process ids of all executors."""
        return [process for worker in self._workers for process in worker.executors()]

    def _wait_for_master(self) -> None:
        deadline = time.monotonic() + SECONDS_TO_START
        while True:
            try:
                socket.create_connection(("127.0.0.1", self._port), 1).close()
                return
            except OSError:
                assert time.monotonic() < deadline, (self._folder / "master" / "daemon.log").read_text()[-4000:]
                time.sleep(0.2)


class SmallDisk:
    """A file system of some megabytes that can be filled; only root can mount it. It goes when this process does."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder, self._filler = folder, folder / "filler"
        folder.mkdir(parents=True)
        self._holder = subprocess.Popen(
            ["bash", "-c", HOLD_MOUNTED, "bash", str(megabytes), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self._holder.stdout is not None
        self.is_mounted = self._holder.stdout.readline() == "mounted\n"

    def __enter__(self) -> SmallDisk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._holder.communicate()

    def fill(self) -> None:
        """Leaves no byte free."""
        free = shutil.disk_usage(self.folder).free
        with self._filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, free) if free else None

    def free(self) -> None:
        """Takes away what filled it."""
        self._filler.unlink(missing_ok=True)


def _first_words(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text(errors="replace").replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""
