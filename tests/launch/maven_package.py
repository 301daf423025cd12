"""A Maven package of one class, in a repository folder of its own: no network is needed to resolve it."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

COORDINATES = "org.example:greeter:1.0"

_SOURCE = """
package org.example;

public class Greeter {
  public static String greet(String name) { return "hello " + name; }
}
"""

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example</groupId>
  <artifactId>greeter</artifactId>
  <version>1.0</version>
</project>
"""

_IVY_SETTINGS = """<ivysettings>
  <settings defaultResolver="folder"/>
  <caches defaultCacheDir="{cache}"/>
  <resolvers><ibiblio name="folder" m2compatible="true" root="{root}"/></resolvers>
</ivysettings>
"""


def write_repository(folder: Path) -> dict[str, str]:
    """Compiles the class `org.example.Greeter` into the package and returns the confs by which Spark finds it."""
    released = folder / "repository" / "org" / "example" / "greeter" / "1.0"
    released.mkdir(parents=True)
    (released / "greeter-1.0.pom").write_text(_POM, encoding="utf-8")
    source = folder / "Greeter.java"
    source.write_text(_SOURCE, encoding="utf-8")
    classes = folder / "classes"  # on nobody's class path
    subprocess.run(["javac", "--release", "17", "-d", classes, source], check=True)
    with zipfile.ZipFile(released / "greeter-1.0.jar", "w") as jar:
        jar.write(classes / "org" / "example" / "Greeter.class", "org/example/Greeter.class")
    return {"spark.jars.packages": COORDINATES, "spark.jars.ivySettings": str(write_settings(folder))}


def write_settings(folder: Path) -> Path:
    """The file by which Spark looks for packages in the folder's repository, and nowhere else."""
    settings = folder / "ivysettings.xml"
    root = (folder / "repository").as_uri()
    settings.write_text(_IVY_SETTINGS.format(cache=folder / "ivy", root=root), encoding="utf-8")
    return settings
