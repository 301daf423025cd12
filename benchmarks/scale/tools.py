"""What counting needs beside .venv: s3a's jars by Maven, a server of S3's kind by pip, both below target."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TARGET = Path("target/scale")
#: s3a of the Hadoop that PySpark 4.2 has, and Spark's other checkpoint file manager, of the newest release there is.
JARS = (
    "org.apache.hadoop:hadoop-aws:3.5.0",
    "software.amazon.awssdk:bundle:2.35.4",
    "software.amazon.s3.analyticsaccelerator:analyticsaccelerator-s3:1.3.1",
    "org.apache.spark:spark-hadoop-cloud_2.13:4.1.1",
)
SERVER = "moto[server]==5.2.5"
MANAGER = "spark.sql.streaming.checkpointFileManagerClass"
ABORTABLE = {MANAGER: "org.apache.spark.internal.io.cloud.AbortableStreamBasedCheckpointFileManager"}


def jars() -> list[Path]:
    """Fetches what is not there yet."""
    folder = (TARGET / "jars").resolve()
    for each in JARS:
        _, name, version = each.split(":")
        if not (folder / f"{name}-{version}.jar").is_file():
            copy = ["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={each}", f"-DoutputDirectory={folder}"]
            subprocess.run(copy, check=True)
    return sorted(folder.glob("*.jar"))


def server_python() -> Path:
    """The Python of an environment with the server, which is made if it is not there."""
    folder = TARGET / "venv"
    made = folder / "made"
    if not made.is_file():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", SERVER], check=True)
        made.touch()
    return folder / "bin" / "python"


@contextmanager
def serving(log: Path) -> Iterator[int]:
    """A server whose requests are in `log`, for as long as the block runs; gives its port."""
    process, port = start_server(log)
    try:
        yield port
    finally:
        process.terminate()
        process.wait()


def start_server(
    log: Path, program: str = "benchmarks.scale.server", *arguments: str
) -> tuple[subprocess.Popen[bytes], int]:
    """A server whose requests are in `log`, once it answers at the port. Another program gets its arguments last."""
    log.unlink(missing_ok=True)
    log.touch()
    port = _free_port()
    process = subprocess.Popen([server_python(), "-m", program, str(log), str(port), *arguments])
    try:
        _await(port, process)
    except BaseException:
        process.kill()
        raise
    return process, port


def s3a_confs(port: int) -> dict[str, str]:
    """Spark's confs by which s3a leads to the server at the port."""
    s3a = {
        "endpoint": f"http://127.0.0.1:{port}",
        "endpoint.region": "us-east-1",
        "path.style.access": "true",
        "connection.ssl.enabled": "false",
        "access.key": "nobody",
        "secret.key": "nothing",
        "aws.credentials.provider": "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider",
        # moto refuses what s3a sends to copy a local file by another client than all else: Spark's snapshots.
        "optimized.copy.from.local.enabled": "false",
    }
    return {f"spark.hadoop.fs.s3a.{key}": value for key, value in s3a.items()}


def make_bucket(port: int, name: str) -> None:
    ask(port, "PUT", name)


def ask(port: int, method: str, path: str) -> bytes:
    """What the server answers to a request without a body."""
    signed = "AWS4-HMAC-SHA256 Credential=k/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=x"
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/{path}", method=method, headers={"Authorization": signed})
    with urllib.request.urlopen(asked) as answer:
        return bytes(answer.read())


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _await(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if process.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")
