package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import java.nio.file.{Files, Path, Paths}

import org.apache.commons.io.FileUtils
import org.apache.hadoop.conf.Configuration
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.util.Utils

class OpenCheckpointSuite extends AnyFunSuite {
  private val golden = Paths.get("../../tests/golden/checkpoints/4.0/transform-with-timers-f1").toAbsolutePath.normalize

  /** Its metadata name schema files in the folder `named`. */
  private def copy(named: String): Path = {
    val folder = Utils.createTempDir().toPath.resolve("copy")
    FileUtils.copyDirectory(golden.toFile, folder.toFile)
    folder.resolve("state/0/_metadata/v2").toFile.listFiles().map(_.toPath).foreach { file =>
      Files.writeString(file, Files.readString(file).replace("{checkpoint}", named))
    }
    folder
  }

  private def problems(folder: Path): Vector[String] =
    new OpenCheckpoint(folder.toString, new Configuration(), verify = true).report.problems.map(_.problem)

  test("schema files on a file system that cannot be reached are not there") {
    val found = problems(copy("nosuchscheme://away/checkpoint"))
    assert(found.size == 1 && found.head.startsWith("It names the schema file nosuchscheme://away/checkpoint/"))
  }
}
