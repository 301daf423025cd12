package io.rockstate.db

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Using

import io.rockstate.errors.{CorruptFile, Unavailable}
import io.rockstate.format.WriteBatchRecords

import org.scalatest.funsuite.AnyFunSuite

class LocalDbSuite extends AnyFunSuite {

  test("a view tells the length of a value, with what was appended to it, and of an empty one from none") {
    val folder = Files.createTempDirectory("rockstate-db")
    Using.Manager { use =>
      val db = use(LocalDb.open(folder, NativeMemory.shared(64L << 20)))
      val records = new Array[Byte](200)
      val afterPut = WriteBatchRecords.writePut(records, 0, key("list"), new Array[Byte](70))
      val afterMerge = WriteBatchRecords.writeMerge(records, afterPut, key("list"), new Array[Byte](50))
      val afterOther = WriteBatchRecords.writeMerge(records, afterMerge, key("only appended"), new Array[Byte](3))
      val batches = new WriteBatches(db.write)
      batches.add(records, 0, afterOther, 3)
      batches.finish(key("empty"), Array.emptyByteArray)
      val view = use(db.view())
      assert(Seq("list", "only appended", "empty", "absent").map(name => view.length(key(name))) == Seq(120, 3, 0, -1))
      assert(view.contains(key("empty")) && !view.contains(key("absent")))
    }.get
  }

  private def key(name: String): Array[Byte] = name.getBytes("UTF-8")

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
