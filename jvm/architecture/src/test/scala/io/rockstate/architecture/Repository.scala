package io.rockstate.architecture

import java.io.File
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._
import scala.sys.process.Process
import scala.util.Using

/** The files of this repository. */
object Repository {
  val root: Path = Iterator
    .iterate(Paths.get("").toAbsolutePath)(_.getParent)
    .takeWhile(_ != null)
    .find(folder => Files.exists(folder.resolve("build.sbt")))
    .getOrElse(throw new IllegalStateException("There is no build.sbt here or above"))

  def text(path: Path): String = new String(Files.readAllBytes(path), UTF_8)

  /** As people know it. */
  def name(path: Path): String = root.relativize(path).toString

  /** Sources of all modules and of the build itself, main and test. */
  def sources: Seq[Path] =
    Seq("jvm", "benchmarks", "project").map(root.resolve).flatMap { folder =>
      Using.resource(Files.walk(folder))(_.iterator.asScala.filter(isSource).toVector)
    }

  /** Every file that git has. */
  def tracked: Seq[Path] =
    Process(Seq("git", "ls-files", "-z"), root.toFile).!!.split('\u0000').toSeq
      .map(root.resolve)
      .filter(Files.exists(_))

  /** Where the modules' main classes are. */
  def mainClasses: Seq[Path] = System
    .getProperty("java.class.path")
    .split(File.pathSeparator)
    .toSeq
    .map(Paths.get(_))
    .filter(path => path.endsWith("classes") && path.startsWith(root) && Files.isDirectory(path))

  private def isSource(path: Path): Boolean =
    Seq(".scala", ".java").exists(path.toString.endsWith) && !name(path).split('/').contains("target")
}
