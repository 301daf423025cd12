"""Builds the thin jars with `jvm/sbt` and puts them into the wheel at `rockstate/jars/`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MINIMUM_JAVA = 17
# Our own classes come to 2.0 MiB; whatever else Spark brings would pass this at once (RocksDB has 70 MB).
MAXIMUM_JAR_BYTES = 3072 * 1024


class JarBuildHook(BuildHookInterface[Any]):
    """Adds the provider's jar and the conformance driver's for each supported Spark minor.

    An editable install reads them from sbt's target folder instead.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        for jar in build_jars(root):
            if version != "editable":
                build_data["force_include"][str(jar)] = f"rockstate/jars/{jar.name}"


def build_jars(root: Path) -> list[Path]:
    """Runs sbt in the source tree `root` and returns the jars it made. Raises SystemExit that says what to install."""
    check_java()
    check_sbt_or_maven()
    sys.path.insert(0, str(root / "python"))
    from rockstate.launch.versions import SUPPORTED_MINORS, built_conformance_jar, built_jar

    minors = wanted_minors(SUPPORTED_MINORS, os.environ)
    command = ["bash", str(root / "jvm" / "sbt"), f"-Drockstate.spark={minors[0]}"]
    # sbt starts once, and has its compiler warm for a minor that has the Scala of the one before.
    for minor in minors:
        command += [f"minor {minor}", "spark/package", "conformance/package"]
    done = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    if done.returncode != 0:
        raise SystemExit(f"rockstate: building the jars failed (exit code {done.returncode}): {' '.join(command)}")
    return [checked(jar(root, minor)) for minor in minors for jar in (built_jar, built_conformance_jar)]


def wanted_minors(supported: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """All minors, or those that ROCKSTATE_MINORS names, such as `4.2,4.3`: a wheel for development lacks the others."""
    named = environ.get("ROCKSTATE_MINORS", "").split(",")
    wanted = [minor.strip() for minor in named if minor.strip()] or list(supported)
    if not set(wanted) <= set(supported):
        raise SystemExit(f"rockstate: ROCKSTATE_MINORS={','.join(wanted)} names others than {', '.join(supported)}")
    return wanted


def checked(jar: Path) -> Path:
    """The jar, if it is there and thin: Spark brings RocksDB and everything else."""
    if not jar.is_file():
        raise SystemExit(f"rockstate: sbt ended well but left no {jar}; see moduleName in build.sbt")
    if jar.stat().st_size >= MAXIMUM_JAR_BYTES:
        raise SystemExit(f"rockstate: {jar} has {jar.stat().st_size} bytes, a thin jar stays under {MAXIMUM_JAR_BYTES}")
    return jar


def check_java() -> None:
    """Raises SystemExit unless a JDK of at least `MINIMUM_JAVA` answers."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(str(Path(home) / "bin" / "java")) if home else shutil.which("java")
    remedy = f"Install a JDK, {MINIMUM_JAVA} or newer, and put it on the PATH or name it in JAVA_HOME."
    if java is None:
        raise SystemExit(f"rockstate: no Java found to build the jar with. {remedy}")
    banner = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', banner)
    if found is None or int(found[1]) < MINIMUM_JAVA:
        raise SystemExit(f"rockstate: {java} is too old to build the jar with: {banner.strip()}. {remedy}")


def check_sbt_or_maven() -> None:
    """Raises SystemExit unless `jvm/sbt` can find sbt or fetch it."""
    if shutil.which("sbt") is None and shutil.which("mvn") is None:
        raise SystemExit("rockstate: neither Maven nor sbt found. Install Maven (mvn): it fetches sbt by itself.")
