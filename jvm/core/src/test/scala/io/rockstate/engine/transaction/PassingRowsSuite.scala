package io.rockstate.engine.transaction

import scala.util.{Random, Using}

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.Transaction
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, ModelUnderTest, Rows, StoreUnderTest}
import io.rockstate.versions.StateVersion

import Rows._

/** The first scans after a restart leave their rows in the read cache. */
class PassingRowsSuite extends AnyFunSuite with ClosesHandles {
  private val Count = 2000
  private def name(i: Int) = f"row$i%05d"
  private val loaded = (1 to Count).map(i => name(i) -> s"value of $i")

  private def afterRestart(
      heapBytes: Long = EngineUnderTest.AmpleHeap
  )(body: (EngineUnderTest, StateVersion) => Unit): Unit =
    Using.resource(new EngineUnderTest(new MemoryFiles, heapBytes = heapBytes)) { engine =>
      val one = commit(engine, StateVersion.Empty, loaded)
      engine.restart()
      body(engine, one)
    }

  private def ended[A](transaction: Transaction)(body: Transaction => A): A =
    try body(transaction)
    finally transaction.abort()

  /** How many of all rows, and of as many that do not exist, are not answered by the cache. */
  private def missesOf(transaction: Transaction): Long = {
    (1 to Count).foreach(i => transaction.row(name(i)))
    (1 to Count).foreach(i => assert(transaction.row(s"no ${name(i)}").isEmpty))
    transaction.metrics.rowMisses
  }

  test("after it, nothing is read from the database, in its transaction nor in the next") {
    afterRestart() { (engine, one) =>
      ended(engine.begin(one)) { transaction =>
        assert(transaction.rows == loaded)
        assert(missesOf(transaction) == 0)
      }
      ended(engine.begin(one)) { transaction =>
        assert(missesOf(transaction) == 0)
        assert(transaction.rows == loaded)
      }
    }
  }

  test("asking whether a key is there is counted as a read, before and after it") {
    afterRestart() { (engine, one) =>
      ended(engine.begin(one)) { transaction =>
        assert(transaction.contains(key(name(1))) && !transaction.contains(key("none")))
        assert((transaction.metrics.rowHits, transaction.metrics.rowMisses) == (0, 2))
        assert(transaction.rows == loaded)
        assert(transaction.contains(key(name(2))) && !transaction.contains(key("nor this")))
        assert((transaction.metrics.rowHits, transaction.metrics.rowMisses) == (2, 2))
      }
    }
  }

  test("a scan that removes what it passes, as an eviction does") {
    afterRestart() { (engine, one) =>
      val evicting = engine.begin(one)
      val scan = evicting.scan(key(""), key("", 1))
      Iterator.continually(scan).takeWhile(_.next()).foreach(s => if (s.key.last % 2 == 0) evicting.remove(s.key))
      val two = evicting.commit()
      assert(evicting.rowCount == Count / 2)
      ended(engine.begin(two)) { transaction =>
        assert(missesOf(transaction) == 0)
        assert(transaction.rows == loaded.filter(_._1.last % 2 != 0))
      }
    }
  }

  test("one that ends early leaves what it passed, and answers stay right") {
    afterRestart() { (engine, one) =>
      ended(engine.begin(one)) { transaction =>
        val scan = transaction.scan(key(""), key("", 1))
        (1 to 100).foreach(_ => scan.next())
        scan.close()
        assert(missesOf(transaction) == 2 * Count - 100)
        assert(transaction.rows == loaded)
      }
    }
  }

  test("ranges from the first row on, as timers are read, leave what they pass, too") {
    afterRestart() { (engine, one) =>
      ended(engine.begin(one)) { transaction =>
        Seq(Count / 4, Count).foreach { until =>
          assert(transaction.rowsIn(key(""), key(s"${name(until)}!")) == loaded.take(until))
        }
        assert(missesOf(transaction) == 0)
        assert(transaction.rowsIn(key(name(7)), key(name(9))) == loaded.slice(6, 8))
      }
    }
  }

  /** Where a key is written, removed or merged before the scan, while it runs and after it, all answers are the model's. */
  Seq("ample" -> EngineUnderTest.AmpleHeap, "for half of the rows" -> (120L << 10), "tiny" -> EngineUnderTest.TinyHeap)
    .foreach { case (room, heapBytes) =>
      test(s"with writes around and among it every answer is right, memory $room") {
        (1 to 5).foreach { seed =>
          afterRestart(heapBytes) { (engine, one) =>
            Using.resource(new ModelUnderTest(checkpointIds = false)) { model =>
              val modelOne = commit(model, StateVersion.Empty, loaded)
              val ours = written(engine, one, seed)
              val theirs = written(model, modelOne, seed)
              assert(ours._1 == theirs._1)
              assert(rowsAt(engine, ours._2) == rowsAt(model, theirs._2))
              ended(engine.begin(ours._2)) { transaction =>
                assert(rowsAt(model, theirs._2).forall { case (name, value) => transaction.row(name).contains(value) })
                assert(transaction.rowCount == rowsAt(model, theirs._2).size)
              }
            }
          }
        }
      }
    }

  private def written(
      store: StoreUnderTest,
      version: StateVersion,
      seed: Int
  ): (Vector[(String, String)], StateVersion) = {
    val random = new Random(seed)
    val transaction = store.begin(version)
    def write(): Unit = {
      val any = name(random.nextInt(2 * Count))
      random.nextInt(4) match {
        case 0 => transaction.removeRow(any)
        case 1 => transaction.mergeRow(any, "+")
        case _ => transaction.putRow(any, s"written ${random.nextInt()}" * 100) // several frames
      }
    }
    (1 to 300).foreach(_ => write())
    val scan = transaction.scan(key(""), if (seed % 2 == 0) key("", 1) else key(name(2 * Count / seed)))
    val seen = Vector.newBuilder[(String, String)]
    while (scan.next()) {
      seen += new String(scan.key.drop(2)) -> new String(scan.value)
      if (random.nextInt(3) == 0) write()
      if (random.nextInt(9) == 0) transaction.row(name(random.nextInt(2 * Count)))
    }
    (1 to 300).foreach(_ => write())
    (seen.result(), transaction.commit())
  }
}
