package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.nio.file.{Files, Path => LocalPath}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.util.Utils

import io.rockstate.errors.{Conflict, Misuse}

class NewCheckpointSuite extends AnyFunSuite {
  private val conf = new Configuration()
  private val root = Utils.createTempDir().toPath.toRealPath()

  private def at(path: LocalPath): NewCheckpoint = new NewCheckpoint(path.toString, conf)
  private def folder(name: String): LocalPath = Files.createDirectory(root.resolve(name))
  private def asSource(path: LocalPath): Path = new Path("file", null, path.toString)

  private def names(path: LocalPath): Set[String] = path.toFile.list().toSet.filterNot(_.endsWith(".crc"))

  test("of two attempts on one folder only the later one finishes") {
    val (old, made) = (asSource(folder("old")), root.resolve("made"))
    val (first, second) = (at(made), at(made))
    first.begin(old)
    second.begin(old)
    intercept[Conflict](first.finish("{}"))
    assert(!names(made)("metadata"))
    second.finish("{}")
    assert(names(made) == Set("metadata"))
  }

  test("what was left with a mark and without an attempt is started over") {
    val (old, made) = (asSource(folder("source")), folder("left"))
    Files.writeString(made.resolve("rockstate-unfinished"), old.toString)
    Files.writeString(made.resolve("left-over"), "")
    val again = at(made)
    again.begin(old)
    again.finish("{}")
    assert(names(made) == Set("metadata"))
  }

  test("a folder that a link leads to is not beside itself") {
    val old = folder("linked")
    val link = Files.createSymbolicLink(root.resolve("link"), old)
    intercept[Misuse](at(link.resolve("new")).begin(asSource(old)))
    assert(names(old).isEmpty)
  }

  test("a look at a folder in use refuses it and changes nothing") {
    val (old, used) = (asSource(folder("another")), folder("used"))
    Files.writeString(used.resolve("precious"), "")
    intercept[Misuse](at(used).requireFree(old))
    assert(names(used) == Set("precious"))
  }
}
