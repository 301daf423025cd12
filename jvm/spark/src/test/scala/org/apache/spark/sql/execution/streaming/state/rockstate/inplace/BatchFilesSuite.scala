package org.apache.spark.sql.execution.streaming.state.rockstate.inplace

import java.nio.file.{Files, Path => LocalPath}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.scalatest.funsuite.AnyFunSuite

class BatchFilesSuite extends AnyFunSuite {
  private val folder: LocalPath = Files.createTempDirectory("batch-files")
  Files.createDirectory(folder.resolve("offsets"))
  private val files = new BatchFiles(new Path(folder.toUri), new Configuration(false))

  private def text(name: String): String = Files.readString(folder.resolve(name))

  test("what is there is not added again") {
    assert(files.add("offsets/1", "one"))
    assert(!files.add("offsets/1", "another"))
    assert(text("offsets/1") == "one")
  }

  test("of two that add the same one does") {
    val other = new BatchFiles(new Path(folder.toUri), new Configuration(false))
    assert(other.add("offsets/2", "theirs") != files.add("offsets/2", "ours"))
    assert(text("offsets/2") == "theirs")
  }

  test("what is put replaces what was there, and what is deleted may be gone") {
    files.put("offsets/3", "one")
    files.put("offsets/3", "another")
    assert(text("offsets/3") == "another")
    files.delete(Vector("offsets/3", "offsets/4"))
    assert(!Files.exists(folder.resolve("offsets/3")))
  }
}
