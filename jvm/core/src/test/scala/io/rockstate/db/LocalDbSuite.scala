package io.rockstate.db

import java.nio.ByteBuffer
import java.nio.file.{Files, Path}
import java.util.concurrent.FutureTask

import scala.jdk.CollectionConverters._
import scala.util.Using

import io.rockstate.errors.Unavailable

import org.scalatest.funsuite.AnyFunSuite

class LocalDbSuite extends AnyFunSuite {

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

  test("RocksDB's manifest does not grow with the flushes that a database has seen") {
    val folder = newFolder()
    Using.resource(open(folder)) { db =>
      val sizes = (1 to 400).map { n =>
        db.write(Iterator(WriteBatches.withPut(None, key(n % 10), key(n))))
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
      db.write(Iterator(WriteBatches.withPut(None, key(1), key(1))))
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

  test("a database whose background work has ended still reads, and says that the JVM is ending when it cannot flush") {
    Using.resource(open(newFolder())) { db =>
      db.write(Iterator(WriteBatches.withPut(None, key(1), key(2))))
      db.endBackgroundWork(waiting = true)
      db.endBackgroundWork(waiting = true)
      assert(db.get(key(1)).sameElements(key(2)))
      val failure = intercept[Unavailable](db.checkpoint(newFolder().resolve("checkpoint")))
      assert(failure.problem == "This JVM is ending")
    }
  }

  private def newFolder(): Path = Files.createTempDirectory("rockstate-db")
  private def open(folder: Path): LocalDb = LocalDb.open(folder, NativeMemory.shared(64L << 20))
  private def key(n: Int): Array[Byte] = ByteBuffer.allocate(6).putInt(2, n).array

  private def onAnotherThread[T](body: => T): T = {
    val task = new FutureTask[T](() => body)
    new Thread(task).start()
    task.get()
  }
}
