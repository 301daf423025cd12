package io.rockstate.db

import java.nio.file.{Files, Path}

import scala.util.Using

import org.rocksdb.{Options, SstFileReader}
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

import io.rockstate.folders.Trees
import io.rockstate.format.wire.WriteBatchRecords

class FilterRoomSuite extends AnyFunSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(timeout = Span(30, Seconds))

  test("databases have all filters while there is room for those of all of them") {
    val room = new FilterRoom(1700)
    val (first, second) = (room.share(500), room.share(500))
    assert(first.hasAll && second.hasAll && !first.isOutgrown)
    second.note(501)
    assert(first.isOutgrown && second.isOutgrown)
    second.note(0)
    assert(!first.isOutgrown)
  }

  test("one that there is no room for is opened without the last level's, and stays so") {
    val room = new FilterRoom(1700)
    val large = room.share(1001)
    assert(!large.hasAll)
    large.note(1)
    assert(!large.isOutgrown)
    large.note(1000)
    val small = room.share(700)
    assert(small.hasAll && !small.isOutgrown)
    large.note(1100)
    assert(small.isOutgrown && !room.share(1).hasAll)
    small.note(3)
    large.note(3400)
    assert(!small.isOutgrown, "it leaves hardly any room to others")
  }

  for ((rows, hasFilters) <- Seq(0L -> true, 100L -> false))
    test(s"a database opened for $rows rows where there is room for ten has filters in its last level: $hasFilters") {
      val folder = Files.createTempDirectory("rockstate-db")
      try
        Using.resource(LocalDb.open(folder, NativeMemory.apart(17), rows)) { db =>
          (1 to 8).foreach { _ => // as many as lead to a compaction
            write(db, 1 to 1000)
            db.flush()
          }
          eventually(assert(tables(folder).size == 1))
          assert(tables(folder).map(filterBytes).exists(_ > 1000) == hasFilters)
          assert(db.get(key(1)) != null && db.get(key(1000)) != null && db.get(key(1001)) == null)
        }
      finally Trees.delete(folder)
    }

  test("write buffers of a large database have filters, which change no answer") {
    val folder = Files.createTempDirectory("rockstate-db")
    try
      Using.resource(LocalDb.open(folder, NativeMemory.apart(1L << 20))) { db =>
        write(db, 1 to 10)
        Seq(2000000L, 3000000L, 10L).foreach { rows =>
          db.noteRows(rows)
          write(db, 11 to 20)
          assert((1 to 20).forall(n => db.get(key(n)) != null) && db.get(key(21)) == null)
          db.flush()
        }
      }
    finally Trees.delete(folder)
  }

  private def key(n: Int): Array[Byte] = f"key$n%05d".getBytes

  private def write(db: LocalDb, numbers: Seq[Int]): Unit = {
    val records = new Array[Byte](numbers.size * 32)
    val end = numbers.foldLeft(0)((at, n) => WriteBatchRecords.writePut(records, at, key(n), new Array[Byte](8)))
    val batches = new WriteBatches(db.write)
    batches.add(records, 0, end, numbers.size)
    batches.flush()
  }

  private def tables(folder: Path): Vector[Path] =
    Trees.children(folder).filter(_.getFileName.toString.endsWith(".sst"))

  private def filterBytes(table: Path): Long = Using.Manager { use =>
    val reader = use(new SstFileReader(use(new Options)))
    reader.open(table.toString)
    reader.getTableProperties.getFilterSize
  }.get
}
