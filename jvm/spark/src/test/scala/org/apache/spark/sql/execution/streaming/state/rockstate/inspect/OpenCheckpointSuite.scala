package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import java.nio.file.{Files, Path, Paths}

import org.apache.commons.io.FileUtils
import org.apache.hadoop.conf.Configuration
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.rockstate.provider.RecordedFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.QueryLogFormat
import org.apache.spark.util.Utils

import io.rockstate.errors.NotFound

class OpenCheckpointSuite extends AnyFunSuite {

  /** Its metadata name schema files in the folder `named`. */
  private def copy(named: String): Path = {
    val folder = checkpoint("4.0/transform-with-timers-f1")
    folder.resolve("state/0/_metadata/v2").toFile.listFiles().map(_.toPath).foreach { file =>
      Files.writeString(file, Files.readString(file).replace("{checkpoint}", named))
    }
    folder
  }

  private def checkpoint(golden: String): Path = {
    val folder = Utils.createTempDir().toPath.resolve("copy")
    FileUtils.copyDirectory(Paths.get("../../tests/golden/checkpoints").resolve(golden).toFile, folder.toFile)
    folder
  }

  /** Writes each entry of the offset log anew. */
  private def rewrite(folder: Path)(entry: (String, Int) => String): Unit = {
    val log = folder.resolve("offsets")
    log.toFile.list().toVector.filter(_.forall(_.isDigit)).zipWithIndex.foreach { case (batch, i) =>
      Files.writeString(log.resolve(batch), entry(Files.readString(log.resolve(batch)), i))
      Files.deleteIfExists(log.resolve(s".$batch.crc"))
    }
  }

  test("of named sources not all need have an offset in every batch") {
    assume(QueryLogFormat.NewestOffsets >= 2)
    val folder = checkpoint("4.2/aggregation-f2")
    def inVersion(version: String)(offsets: (String, Int) => Seq[String]): Unit = rewrite(folder) { (entry, i) =>
      val lines = entry.linesIterator.toVector
      val offset = lines(2).drop(lines(2).indexOf("{"))
      (Seq(version, lines(1)) ++ offsets(offset, i)).mkString("\n")
    }
    inVersion("v2")((offset, i) => (0 to (i min 1)).map(source => s"source$source:$offset"))
    assert(problems(folder).isEmpty)
    inVersion("v1")((offset, i) => Seq.fill(1 + (i min 1))(offset))
    assert(problems(folder).exists(_.contains("has the offsets of 1 sources")))
  }

  test("state whose folders are all gone is missed in format 1, too") {
    val folder = checkpoint("4.2/aggregation-f1")
    assert(problems(folder).isEmpty)
    FileUtils.cleanDirectory(folder.resolve("state").toFile)
    assert(intercept[NotFound](problems(folder)).problem.contains("no state"))
    FileUtils.cleanDirectory(folder.resolve("commits").toFile)
    problems(folder): Unit // a query in its first batch
  }

  test("files of a provider whose names are not known are not called broken") {
    val folder = checkpoint("4.2/aggregation-f2")
    val store = folder.resolve("state/0/0")
    def report = new OpenCheckpoint(folder.toString, new Configuration(), verify = true).store(0, 0, "default")
    def rename(provider: String): Unit =
      rewrite(folder)((entry, _) => entry.replaceAll("[a-z.]+\\.\\w+StateStoreProvider", provider))
    val names = store.toFile.list().filter(_.matches("\\d.*"))
    names.foreach(name => Files.move(store.resolve(name), store.resolve(s"v$name.data")))
    rename("org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
    assert(report.problems.nonEmpty)
    rename("com.example.OtherStateStoreProvider")
    assert(report.problems.isEmpty && !report.isVerified && report.loadable.isEmpty)
    assert(report.others.files >= names.length)
  }

  private def problems(folder: Path): Vector[String] =
    new OpenCheckpoint(folder.toString, new Configuration(), verify = true).report.problems.map(_.problem)

  test("schema files on a file system that cannot be reached are not there") {
    val found = problems(copy("nosuchscheme://away/checkpoint"))
    assert(found.size == 1 && found.head.startsWith("It names the schema file nosuchscheme://away/checkpoint/"))
  }

  test("a partition's folder is listed once if metadata tells which stores are in it") {
    val folder = checkpoint("4.2/aggregation-f2")
    val hadoopConf = RecordedFiles.configure(new Configuration())
    def listings(): Int = {
      RecordedFiles.forget()
      val open = new OpenCheckpoint(s"${RecordedFiles.Scheme}:$folder", hadoopConf, verify = false)
      open.report.operators.flatMap(_.stores).foreach(place => open.store(0, place.partition, place.name))
      RecordedFiles.take(folder.toString).count(_ == "list ./state/0/0")
    }
    assert(listings() == 1)
    FileUtils.deleteDirectory(folder.resolve("state/0/_metadata").toFile)
    assert(listings() == 2)
  }
}
