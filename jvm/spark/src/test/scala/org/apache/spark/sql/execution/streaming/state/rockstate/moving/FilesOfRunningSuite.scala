package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.nio.file.Files

import scala.collection.mutable.ArrayBuffer

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.scalatest.funsuite.AnyFunSuite

class FilesOfRunningSuite extends AnyFunSuite {
  private val folder = Files.createTempDirectory("running")
  private val files = new FilesOfRunning(new Path(folder.toUri), new Configuration(false))

  test("what is being written, or is deleted meanwhile, is left out") {
    Files.createDirectories(folder.resolve("sources/0"))
    Seq("sources/0/0", "sources/0/1", "sources/0/.2.7f.tmp", "note").foreach(name =>
      Files.writeString(folder.resolve(name), name)
    )
    val found = ArrayBuffer.empty[String]
    files.each(Seq("sources", "note", "gone")) { (path, name) =>
      // The query deletes the other one while this one is handed over.
      if (name.startsWith("sources"))
        Files.delete(folder.resolve(if (name.endsWith("0")) "sources/0/1" else "sources/0/0"))
      path.getFileSystem(new Configuration(false)).open(path).close()
      found += name
    }
    assert(found.size == 2 && found.last == "note" && found.head.startsWith("sources/0/"))
  }
}
