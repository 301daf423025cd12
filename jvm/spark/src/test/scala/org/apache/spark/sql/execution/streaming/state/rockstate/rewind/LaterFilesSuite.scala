package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import java.io.{FileNotFoundException, IOException}
import java.nio.file.Files

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataInputStream, Path, RawLocalFileSystem}
import org.scalatest.BeforeAndAfterEach
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles

import io.rockstate.errors.Unavailable
import io.rockstate.format.snapshot.{SnapshotManifest, TableFile}
import io.rockstate.versions.ColumnFamily

class LaterFilesSuite extends AnyFunSuite with BeforeAndAfterEach {
  private val conf = new Configuration(false)
  conf.set("fs.file.impl", classOf[ClosedFiles].getName)
  conf.setBoolean("fs.file.impl.disable.cache", true)

  private val Store = "state/0/0"
  private val (old, both, late) = ("sst/1.sst", "sst/2.sst", "sst/3.sst")

  override def beforeEach(): Unit = ClosedFiles.closed = None

  /** Snapshots of versions 2 and 3, of which batch 1 has the first. */
  private def checkpoint(): java.nio.file.Path = {
    val folder = Files.createTempDirectory("later-files")
    Seq("commits", "offsets").foreach { log =>
      Files.createDirectories(folder.resolve(log))
      (0 to 2).foreach(batch => Files.writeString(folder.resolve(s"$log/$batch"), ""))
    }
    Files.createDirectories(folder.resolve(s"$Store/sst"))
    Seq(old, both, late).foreach(table => Files.writeString(folder.resolve(s"$Store/$table"), table))
    snapshot(folder, 2, old, both)
    snapshot(folder, 3, both, late)
    folder
  }

  private def snapshot(folder: java.nio.file.Path, version: Long, tables: String*): Unit = {
    val files = tables.zipWithIndex.map { case (name, n) => TableFile(name, f"${n + 10}%06d.sst", 9, 0) }
    val manifest = SnapshotManifest(version, "commit", 0, ColumnFamily.initial, Vector.empty, files.toVector)
    Files.write(folder.resolve(s"$Store/$version.snapshot"), manifest.encode): Unit
  }

  private def names(folder: java.nio.file.Path): Vector[String] =
    new LaterFiles(new CheckpointFiles(folder.toString, conf), 1, conf).names

  private def tables(folder: java.nio.file.Path): Vector[String] = names(folder).filter(_.contains("/sst/"))

  private def plans(folder: java.nio.file.Path, partitions: Int*): Vector[String] = {
    partitions.zipWithIndex.foreach { case (number, batch) =>
      val entry = s"""v1\n{"conf":{"spark.sql.shuffle.partitions":"$number"}}\n{}"""
      Files.writeString(folder.resolve(s"offsets/$batch"), entry)
    }
    names(folder).filter(_.startsWith("offsets"))
  }

  test("the batch that was planned next stays") {
    assert(plans(checkpoint(), 4, 4, 4, 4) == Vector("offsets/3"))
  }

  test("one that only gave the query another number of partitions goes") {
    assert(plans(checkpoint(), 4, 4, 7, 7) == Vector("offsets/3", "offsets/2"))
    assert(plans(checkpoint(), 4, 7, 7, 7) == Vector("offsets/3"))
  }

  test("a table file that only later snapshots name goes") {
    assert(tables(checkpoint()) == Vector(s"$Store/$late"))
  }

  test("while storage does not give a kept snapshot nobody knows which table files it needs") {
    val folder = checkpoint()
    ClosedFiles.closed = Some("2.snapshot")
    assert(intercept[Unavailable](tables(folder)).getMessage.contains("2.snapshot"))
  }

  test("without a later snapshot, or a folder for table files, none is read") {
    val folder = checkpoint()
    Files.delete(folder.resolve(s"$Store/3.snapshot"))
    ClosedFiles.closed = Some("2.snapshot")
    assert(tables(folder).isEmpty)
    // As Spark's file-based provider names them.
    val rows = folder.resolve("state/0/1/5.snapshot")
    Files.createDirectories(rows.getParent)
    Files.writeString(rows, "all rows of a store")
    ClosedFiles.closed = Some("5.snapshot")
    assert(names(folder).filter(_.startsWith("state/")) == Vector("state/0/1/5.snapshot"))
  }

  test("a kept snapshot that is damaged needs no table files") {
    val folder = checkpoint()
    Files.writeString(folder.resolve(s"$Store/2.snapshot"), "not this")
    assert(tables(folder).toSet == Set(s"$Store/$both", s"$Store/$late"))
  }
}

/** Local files of which one cannot be read. */
class ClosedFiles extends RawLocalFileSystem {
  override def open(path: Path, bufferSize: Int): FSDataInputStream =
    if (ClosedFiles.closed.contains(path.getName)) throw new IOException(s"$path: not today")
    else if (ClosedFiles.lost.contains(path.getName) && ClosedFiles.timesLost > 0) {
      ClosedFiles.timesLost -= 1
      ClosedFiles.atLoss()
      throw new FileNotFoundException(path.toString)
    } else super.open(path, bufferSize)
}

object ClosedFiles {
  @volatile var closed = Option.empty[String]

  /** Is not found so many times. */
  @volatile var lost = Option.empty[String]
  @volatile var timesLost = 0

  /** What somebody else does then. */
  @volatile var atLoss: () => Unit = () => ()
}
