package io.rockstate.engine.transaction

import scala.util.{Random, Using}

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.db.NativeHandles
import io.rockstate.engine.api.{KeyValueIterator, Transaction}
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** Scans that nobody drains, more of them than there are native iterators for. */
class ManyScansSuite extends AnyFunSuite with ClosesHandles {
  private val Scans = 1000
  private val RowsEach = 4
  private val Most = 256 + 8 // and what the engine has open besides
  private val loaded = for (i <- 1 to Scans; j <- 1 to RowsEach) yield name(i, j) -> s"$i-$j"

  private def name(i: Int, j: Int) = f"row$i%05d-$j"

  /** A transaction that has written some rows; the others are in the database, and some in layers above it. */
  private def withWrites(body: Transaction => Unit): Unit =
    Using.resource(new EngineUnderTest(new MemoryFiles, heapBytes = 1 << 20)) { engine =>
      val one = commit(engine, StateVersion.Empty, loaded)
      engine.restart()
      val two = commit(engine, one, rows(3, "layer"))
      val transaction = engine.begin(two)
      rows(5, "own").foreach { case (name, value) => transaction.put(key(name), value.getBytes) }
      try body(transaction)
      finally transaction.abort()
    }

  private def rows(each: Int, of: String): Seq[(String, String)] =
    for (i <- each to Scans by each) yield name(i, 2) -> s"$of-$i"

  private def wanted(i: Int): Vector[String] = {
    val second = if (i % 5 == 0) s"own-$i" else if (i % 3 == 0) s"layer-$i" else s"$i-2"
    Vector(s"$i-1", second, s"$i-3", s"$i-4")
  }

  private def opened(transaction: Transaction): Vector[KeyValueIterator] =
    (1 to Scans).toVector.map(i => transaction.scan(key(f"row$i%05d-"), key(f"row$i%05d.")))

  private def rest(scan: KeyValueIterator): Vector[String] =
    Iterator.continually(scan).takeWhile(_.next()).map(s => new String(s.value)).toVector

  test("hold few native iterators, and go on with theirs when they are read on, in any order") {
    withWrites { transaction =>
      val before = NativeHandles.open
      val scans = opened(transaction)
      val firsts = scans.map { scan => assert(scan.next()); new String(scan.value) }
      assert(NativeHandles.open - before <= Most)
      val left = new Random(7).shuffle(scans.indices.toVector)
      left.foreach(i => assert(scans(i).next() && new String(scans(i).value) == wanted(i + 1)(1)))
      left.reverse.foreach(i => assert(firsts(i) +: wanted(i + 1)(1) +: rest(scans(i)) == wanted(i + 1)))
      assert(NativeHandles.open - before <= Most)
    }
  }

  test("leave nothing open when their transaction ends, whichever of them were closed before") {
    val before = NativeHandles.open
    withWrites { transaction =>
      val scans = opened(transaction)
      scans.foreach(_.next())
      scans.indices.by(3).foreach(i => scans(i).close())
      scans.indices.drop(1).by(3).foreach(i => assert(rest(scans(i)) == wanted(i + 1).tail))
    }
    assert(NativeHandles.open == before)
  }
}
