"""One contender's JVM: the jars of the installed PySpark, Rockstate's, which is what a user has, and the questions."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.contenders import ROCKSTATE, Contender
from benchmarks.questions import Question
from rockstate.launch.jars import jar_path
from rockstate.options.catalogue import option

ROOT = Path(__file__).parents[1]
JAR = ROOT / "benchmarks/provider/target/scala-2.13/rockstate-benchmarks.jar"
MAIN = "io.rockstate.benchmarks.Main"

# As Spark's launcher passes them to a JDK 17 or newer.
_OPENED = (
    *("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util"),
    *("java.util.concurrent", "java.util.concurrent.atomic", "sun.nio.ch", "sun.nio.cs", "sun.security.action"),
    "sun.util.calendar",
)


@dataclass(frozen=True)
class Sitting:
    """One process: a contender's answers to `questions` in one round. Memory and cores are those of the first."""

    contender: Contender
    questions: tuple[Question, ...]
    round: int

    @property
    def name(self) -> str:
        return f"{self.contender.name}-{self.questions[0].name}-{self.round}"

    @property
    def asked(self) -> tuple[str, ...]:
        return tuple(question.name for question in self.questions)

    @property
    def before(self) -> Sitting | None:
        """The process that has to write the checkpoint first."""
        first = self.questions[0]
        return replace(self, questions=(replace(first, of=first.after, after=None),)) if first.after else None


def command(
    sitting: Sitting, sizes: Mapping[str, int], latency_ms: int, folder: Path, checkpoints: Path, jars: Sequence[str]
) -> list[str]:
    """The command line of a sitting that works in `folder`; results are written to `folder/out`.

    Raises FileNotFoundError if the jar of the questions has not been built.
    """
    if not JAR.is_file():
        raise FileNotFoundError(f"{JAR} is not there: run `jvm/sbt benchmarks/package` or `make bench`")
    first = sitting.questions[0]
    confs = dict(sitting.contender.confs(first.budget))
    if first.is_auto and sitting.contender.name == ROCKSTATE:
        confs[option("memory_budget").key] = "auto"
    return [
        *_java(first, folder / "tmp"),
        *("-cp", _class_path(jars), MAIN),
        *("--contender", sitting.contender.name),
        *("--provider", sitting.contender.provider),
        *("--questions", ",".join(question.asked_as for question in sitting.questions)),
        *("--round", str(sitting.round)),
        *("--latency-ms", str(latency_ms)),
        *("--budget-bytes", str(first.budget)),
        *("--work", str(checkpoints)),
        *("--out", str(folder / "out")),
        *(word for key, value in confs.items() for word in ("--conf", f"{key}={value}")),
        *(word for key, value in sizes.items() for word in ("--size", f"{key}={value}")),
    ]


def _java(question: Question, temporary: Path) -> list[str]:
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin/java") if home else shutil.which("java") or "java"
    return [
        java,
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED),
        "-Djdk.reflect.useDirectMethodHandle=false",
        f"-Xms{question.heap}",
        f"-Xmx{question.heap}",
        "-XX:+ExitOnOutOfMemoryError",  # exit code 3: the contender cannot do it with this heap
        # Or else the first gigabytes are measured with the kernel's page faults in them; a new JVM has to pay for them.
        *([] if question.after else ["-XX:+AlwaysPreTouch"]),
        f"-Djava.io.tmpdir={temporary}",
        "-Dlog4j2.configurationFile=classpath:benchmarks-log4j2.properties",
    ]


def _class_path(jars: Sequence[str]) -> str:
    import pyspark

    sparks = Path(pyspark.__file__).parent / "jars"
    return os.pathsep.join([str(JAR), str(jar_path()), *jars, f"{sparks}/*"])
