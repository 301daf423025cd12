package io.rockstate.db

import java.lang.management.ManagementFactory
import java.nio.ByteBuffer
import java.nio.file.{Files, Path}
import java.util.concurrent.FutureTask

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.rocksdb.{RocksDBException, Status}
import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.{CorruptFile, Unavailable}
import io.rockstate.folders.FailedMark
import io.rockstate.format.wire.WriteBatchRecords

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

  test("what is used after its close is an error of ours, and a database that is closed too early is counted") {
    val before = (NativeHandles.open, NativeHandles.closedTooEarly)
    val db = LocalDb.open(Files.createTempDirectory("rockstate-db"), NativeMemory.shared(64L << 20))
    val (view, other) = (db.view(), db.view())
    val iterator = view.iterator()
    assert(NativeHandles.open == before._1 + 4)
    iterator.close()
    iterator.close()
    view.close()
    assert(NativeHandles.open == before._1 + 2)
    intercept[IllegalStateException](view.get(key("a")))
    intercept[IllegalStateException](view.iterator())
    assert(other.get(key("a")) == null && NativeHandles.closedTooEarly == before._2)
    db.close()
    assert(NativeHandles.closedTooEarly == before._2 + 1)
    intercept[IllegalStateException](other.get(key("a")))
    Seq[() => Any](() => db.get(key("a")), () => db.view(), () => db.cacheReads, () => db.write(new Array[Byte](12)))
      .foreach(use => intercept[IllegalStateException](use()))
    other.close()
    assert(NativeHandles.open == before._1)
  }

  test("a table file that somebody has deleted says nothing against the database") {
    val folder = Files.createTempDirectory("rockstate-db")
    Using.resource(LocalDb.open(folder, NativeMemory.shared(64L << 20))) { db =>
      val gone = intercept[Unavailable](db.verify(folder.resolve("000099.sst")))
      assert(gone.problem.startsWith("A table file is gone") && !db.hasFailed)
      Files.write(folder.resolve("000099.sst"), new Array[Byte](100))
      intercept[Unavailable](db.verify(folder.resolve("000099.sst")))
      assert(db.hasFailed)
    }
  }

  private def key(name: String): Array[Byte] = name.getBytes("UTF-8")

  /** RocksDB notes the options that it works with beside the data. */
  private def optionsOf(folder: Path): Map[String, String] = {
    val newest = filesOf(folder).filter(_.getFileName.toString.startsWith("OPTIONS-")).max
    Files.readString(newest).linesIterator.map(_.trim.split("=", 2)).collect { case Array(k, v) => k -> v }.toMap
  }

  private def filesOf(folder: Path): Vector[Path] = Using.resource(Files.list(folder))(_.iterator.asScala.toVector)

  test("no timer of RocksDB is at work that a JVM's end could meet") {
    val folder = newFolder()
    Using.resource(open(folder)) { _ =>
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

  test("RocksDB's manifest does not grow with the flushes that a database has seen") {
    val folder = newFolder()
    Using.resource(open(folder)) { db =>
      val sizes = (1 to 400).map { n =>
        put(db, key(n % 10), key(n))
        val checkpoint = folder.resolveSibling(s"${folder.getFileName}-checkpoint-$n")
        db.checkpoint(checkpoint)
        filesOf(checkpoint).filter(_.getFileName.toString.startsWith("MANIFEST-")).map(Files.size).sum
      }
      // A new one begins when it has reached 16 KB, and an entry has less than 1 KB.
      assert(sizes.max <= (17 << 10), sizes)
    }
  }

  test("block cache figures are those of the thread that reads") {
    Using.resource(open(newFolder())) { db =>
      put(db, key(1), key(1))
      db.checkpoint(newFolder().resolve("checkpoint"))
      val before = db.cacheReads
      val elsewhere = onAnotherThread {
        val before = db.cacheReads
        (1 to 5).foreach(_ => db.get(key(1)))
        db.cacheReads.since(before)
      }
      assert(elsewhere.hits + elsewhere.misses >= 5)
      val own = db.cacheReads.since(before)
      assert(own.hits == 0 && own.misses == 0)
      assert(onAnotherThread(db.cacheReads).since(before) == CacheReads())
    }
  }

  test("an open database counts as memory that is used, beside what RocksDB counts") {
    val memory = NativeMemory.shared(64L << 20)
    def used(databases: Int) = {
      val all = Seq.fill(databases)(open(newFolder()))
      try memory.usedBytes
      finally all.foreach(_.close())
    }
    val (one, ten) = (used(1), used(10))
    assert(ten - one >= 9 * NativeMemory.DatabaseBytes && used(1) < ten)
    assert(Seq(10L, 24L, 100L).map(mebibytes => NativeMemory.heldFor(mebibytes << 20) >> 20) == Seq(20, 48, 124))
  }

  test("a database whose background work has ended still reads, and says that the JVM is ending when it cannot flush") {
    Using.resource(open(newFolder())) { db =>
      put(db, key(1), key(2))
      db.endBackgroundWork(waiting = true)
      db.endBackgroundWork(waiting = true)
      assert(db.get(key(1)).sameElements(key(2)))
      val failure = intercept[Unavailable](db.checkpoint(newFolder().resolve("checkpoint")))
      assert(failure.problem == "This JVM is ending")
    }
  }

  private def put(db: LocalDb, key: Array[Byte], value: Array[Byte]): Unit =
    new WriteBatches(db.write).finish(key, value)

  private def newFolder(): Path = Files.createTempDirectory("rockstate-db")
  private def open(folder: Path): LocalDb = LocalDb.open(folder, NativeMemory.shared(64L << 20))
  private def key(n: Int): Array[Byte] = ByteBuffer.allocate(6).putInt(2, n).array

  private def onAnotherThread[T](body: => T): T = {
    val task = new FutureTask[T](() => body)
    new Thread(task).start()
    task.get()
  }

  test("what RocksDB cannot read at once is looked at again, and is corrupt only if its files can be opened") {
    val folder = Files.createTempDirectory("rockstate-db")
    Files.write(folder.resolve("CURRENT"), Array[Byte](1))
    def read(answers: Boolean*): Unit = {
      val left = answers.iterator
      LocalDb.requireReadable(folder)(left.next())
    }
    read(true)
    read(false, true)
    assert(intercept[RocksDBException](read(false, false)).getStatus.getCode == Status.Code.Corruption)
    Files.createSymbolicLink(folder.resolve("MANIFEST-000005"), folder.resolve("gone"))
    intercept[Unavailable](read(false, false))
  }

  test("too many open files say nothing against the database's files, and what to do against them") {
    val folder = Files.createTempDirectory("rockstate-db")
    val failure = new RocksDBException("While open a file for random read: 000009.sst: Too many open files")
    val error = intercept[Unavailable](LocalDb.guarded(folder)(throw failure))
    assert(!FailedMark.isSet(folder) && error.file.isEmpty && error.remedy.contains("ulimit -n"))
  }

  test("a large record is copied once on its way into a batch") {
    val threads = ManagementFactory.getThreadMXBean.asInstanceOf[com.sun.management.ThreadMXBean]
    val record = new Array[Byte](WriteBatchRecords.pairSize(1, 32 << 20))
    WriteBatchRecords.writePut(record, 0, key("a"), new Array[Byte](32 << 20))
    val sizes = mutable.Buffer.empty[Int]
    val before = threads.getCurrentThreadAllocatedBytes
    val batches = new WriteBatches(batch => sizes += batch.length, Some(key("under way")))
    (1 to 2).foreach(_ => batches.add(record, 0, record.length, 1))
    batches.finish(key("version"), Array.emptyByteArray)
    val allocated = threads.getCurrentThreadAllocatedBytes - before
    assert(sizes.size == 3 && allocated < 2.2 * record.length)
  }
}
