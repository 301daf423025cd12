package io.rockstate.db

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Using

import io.rockstate.errors.{CorruptFile, Unavailable}

import org.scalatest.funsuite.AnyFunSuite

class LocalDbSuite extends AnyFunSuite {

  /** RocksDB notes the options that it works with beside the data. */
  private def optionsOf(folder: Path): Map[String, String] = {
    val files = Using.resource(Files.list(folder))(_.iterator.asScala.toVector)
    val newest = files.filter(_.getFileName.toString.startsWith("OPTIONS-")).max
    Files.readString(newest).linesIterator.map(_.trim.split("=", 2)).collect { case Array(k, v) => k -> v }.toMap
  }

  test("no timer of RocksDB is at work that a JVM's end could meet") {
    val folder = Files.createTempDirectory("rockstate-db")
    Using.resource(LocalDb.open(folder, NativeMemory.shared(64L << 20))) { _ =>
      val options = optionsOf(folder)
      assert(options("stats_persist_period_sec") == "0" && options("stats_dump_period_sec") == "0")
    }
  }

  test("files that RocksDB cannot read are damage, a disk that fails is none") {
    val folder = Files.createTempDirectory("rockstate-db")
    val memory = NativeMemory.shared(64L << 20)
    Using.resource(LocalDb.open(folder, memory)) { _ =>
      // Its lock is held: an error of the disk's kind.
      assert(intercept[Unavailable](LocalDb.open(folder, memory)).getMessage.contains("lock"))
    }
    Files.writeString(folder.resolve("CURRENT"), "nonsense")
    assert(intercept[CorruptFile](LocalDb.open(folder, memory)).getMessage.contains(folder.toString))
  }
}
