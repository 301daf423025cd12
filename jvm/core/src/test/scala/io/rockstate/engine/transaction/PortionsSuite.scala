package io.rockstate.engine.transaction

import scala.util.{Random, Using}

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.{EngineSettings, Transaction}
import io.rockstate.errors.NotFound
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, RecordingFiles, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** A transaction that begins without rows puts its writes into its database in portions. */
class PortionsSuite extends AnyFunSuite with ClosesHandles {
  private val PortionBytes = 128L << 10
  private val settings = EngineSettings(portionBytes = PortionBytes)

  /** A portion, and the array that grew last beyond it. */
  private val MostBytes = PortionBytes * 2

  private val Count = 20000
  private def name(i: Int) = f"row$i%05d"

  /** Some four megabytes, the rows in an order of their own. Every seventh row is written again, every eleventh removed, each long after. */
  private def fill(transaction: Transaction): Unit = {
    val order = new Random(3).shuffle((1 to Count).toVector)
    order.foreach { i =>
      assert(!transaction.contains(key(name(i))))
      transaction.putRow(name(i), s"$i" * 20)
    }
    order.foreach { i =>
      if (i % 7 == 0) transaction.mergeRow(name(i), "+")
      if (i % 11 == 0) transaction.removeRow(name(i))
    }
  }

  private val expected =
    (1 to Count).filter(_ % 11 != 0).map(i => name(i) -> (s"$i" * 20 + (if (i % 7 == 0) "+" else "")))

  private def digestOf(memory: MemoryFiles, version: Int = 1): Long =
    SnapshotManifest.read(memory, s"$version.snapshot").contentDigest

  private def digestAfter(portionBytes: Long)(write: Transaction => Unit): Long = {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(memory, EngineSettings(portionBytes = portionBytes))) { engine =>
      val transaction = engine.beginEmpty(StateVersion.Empty)
      write(transaction)
      transaction.commit()
    }
    digestOf(memory)
  }

  Seq(false, true).foreach { checkpointIds =>
    test(s"it holds no more than a portion of them, however many there are, checkpoint ids $checkpointIds") {
      Using.resource(new EngineUnderTest(new MemoryFiles, settings.copy(checkpointIds = checkpointIds))) { engine =>
        val transaction = engine.beginEmpty(StateVersion(7))
        fill(transaction)
        assert(transaction.metrics.pendingBytes <= MostBytes)
        assert(transaction.rows == expected)
        val eight = transaction.commit()
        assert(transaction.metrics.pendingBytes <= MostBytes && transaction.rowCount == expected.size)
        assert(rowsAt(engine, eight) == expected)
        engine.restart()
        val nine = commit(engine, eight, "more" -> "9")
        engine.restart()
        assert(rowsAt(engine, nine) == ("more" -> "9") +: expected)
      }
    }
  }

  test("one that goes on from rows holds all of them: its database is everybody's") {
    Using.resource(new EngineUnderTest(new MemoryFiles, settings)) { engine =>
      val transaction = engine.begin(StateVersion.Empty)
      fill(transaction)
      assert(transaction.metrics.pendingBytes > MostBytes)
      assert(rowsAt(engine, StateVersion.Empty).isEmpty)
      transaction.abort()
    }
  }

  test("a scan that is open shows the rows as they stood, and the next write after it goes on in portions") {
    Using.resource(new EngineUnderTest(new MemoryFiles, settings)) { engine =>
      val transaction = engine.beginEmpty(StateVersion.Empty)
      fill(transaction)
      val scan = transaction.scan(key(""), key("z"))
      assert(scan.next())
      (1 to Count).foreach(i => transaction.putRow(name(i), s"$i again, with more than a portion's worth" * 2))
      assert(drained(scan) == expected.tail)
      (1 to Count).foreach(i => transaction.removeRow(name(i)))
      assert(transaction.rowsWith("row0").isEmpty)
      transaction.commit()
      assert(transaction.rowCount == 0)
    }
  }

  test(
    "an abort leaves nothing of the portions, an interrupt neither stops one nor is lost, and the next attempt is whole"
  ) {
    val memory = new MemoryFiles
    val files = new RecordingFiles(memory)
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      val aborted = engine.beginEmpty(StateVersion.Empty)
      Thread.currentThread().interrupt()
      fill(aborted)
      assert(Thread.interrupted())
      assert(engine.databases == 1)
      aborted.abort()
      assert(engine.databases == 0 && memory.names.isEmpty && files.transcript.isEmpty)
      intercept[NotFound](engine.begin(StateVersion(1)))
      val again = engine.beginEmpty(StateVersion.Empty)
      assert(again.rows.isEmpty)
      fill(again)
      assert(rowsAt(engine, again.commit()) == expected)
    }
  }

  test("two attempts side by side do not see each other's portions, and the one that commits last is the version") {
    Using.resource(new EngineUnderTest(new MemoryFiles, settings)) { engine =>
      val attempts = Seq.fill(2)(engine.beginEmpty(StateVersion.Empty))
      (1 to Count).foreach(i => attempts.foreach(_.putRow(name(i), s"$i")))
      attempts(0).removeRow(name(1))
      attempts(1).removeRow(name(2))
      assert(attempts(0).row(name(2)).contains("2") && attempts(1).row(name(1)).contains("1"))
      attempts.foreach(_.commit())
      Seq(false, true).foreach { isAnew =>
        if (isAnew) engine.restart()
        assert(rowsAt(engine, StateVersion(1)).map(_._1) == (1 to Count).filter(_ != 2).map(name))
      }
    }
  }

  test("a column family that has rows of earlier portions goes with all of them") {
    Using.resource(new EngineUnderTest(new MemoryFiles, settings)) { engine =>
      val transaction = engine.beginEmpty(StateVersion.Empty)
      val short = transaction.createColumnFamily("short", isInternal = false)
      (1 to Count).foreach { i =>
        transaction.put(key(name(i), short), bytes("1"))
        if (i % 100 == 0) transaction.putRow(name(i), "1")
      }
      assert(transaction.removeColumnFamily("short"))
      val again = transaction.createColumnFamily("short", isInternal = false)
      assert(again != short)
      transaction.put(key("only", again), bytes("2"))
      val one = transaction.commit()
      engine.restart()
      val after = engine.begin(one)
      assert(counts(after) == Set("default" -> Count / 100L, "short" -> 1L))
      assert(content(after)("short") == Vector("only" -> "2"))
      assert(drained(after.scan(key("", short), key("", short + 1))).isEmpty)
      after.abort()
    }
  }

  test("the digest of rows that are written once each does not depend on their order, nor on what a portion is") {
    val names = (1 to 500).map(name)
    def each(order: Seq[String])(transaction: Transaction): Unit = order.foreach(n => transaction.putRow(n, n))
    val whole = digestAfter(Long.MaxValue)(each(names))
    Seq(1L, 16L << 10).foreach { portionBytes =>
      assert(digestAfter(portionBytes)(each(names)) == whole)
      assert(digestAfter(portionBytes)(each(names.reverse)) == whole)
    }
  }

  test("the digest depends on the order of what is written to one key in several portions") {
    val (put, other, remove, merge) = (
      (_: Transaction).putRow("a", "1"),
      (_: Transaction).putRow("a", "2"),
      (_: Transaction).removeRow("a"),
      (_: Transaction).mergeRow("a", "3")
    )
    val digests =
      Seq(Seq(put, other), Seq(other, put), Seq(put, remove), Seq(remove, put), Seq(merge, put), Seq(put, merge))
        .map(writes => digestAfter(1)(transaction => writes.foreach(_(transaction))))
    assert(digests.distinct == digests)
  }
}
