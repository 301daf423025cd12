package io.rockstate.engine.transaction

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.{EngineSettings, Transaction}
import io.rockstate.errors.Unsupported
import io.rockstate.inspect.StoreInspector
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, Rows, StoreUnderTest}
import io.rockstate.versions.{ColumnFamily, StateVersion}

import Rows._

/** Ids of column families: given once, and the rows of each found under it whatever its bytes are. */
class ColumnFamilyIdsSuite extends AnyFunSuite with ClosesHandles {
  private val settings = EngineSettings(minDeltasForSnapshot = 1)

  private def committed(store: StoreUnderTest, base: StateVersion)(body: Transaction => Unit): StateVersion = {
    val transaction = store.begin(base)
    body(transaction)
    transaction.commit()
  }

  private def create(name: String)(transaction: Transaction): Unit = {
    transaction.createColumnFamily(name, isInternal = false)
    ()
  }

  private def idOf(transaction: Transaction, name: String): Option[Int] =
    transaction.columnFamilies.find(_.name == name).map(_.id)

  /** Two families, of which the one with the higher id is removed again. */
  private def removed(engine: EngineUnderTest): StateVersion = {
    val one = committed(engine, StateVersion.Empty) { transaction =>
      create("first")(transaction)
      transaction.put(key("a", transaction.createColumnFamily("second", isInternal = false)), bytes("1"))
    }
    committed(engine, one)(transaction => assert(transaction.removeColumnFamily("second")))
  }

  private def thirdIs3(engine: EngineUnderTest, base: StateVersion): Unit = {
    val next = committed(engine, base) { transaction =>
      assert(transaction.columnFamilies.map(_.name) == Vector(ColumnFamily.DefaultName, "first"))
      create("third")(transaction)
      assert(idOf(transaction, "third").contains(3))
    }
    val after = engine.begin(next)
    assert(after.columnFamilies.map(f => f.id -> f.name) == Vector(0 -> "default", 1 -> "first", 3 -> "third"))
    after.abort()
  }

  test("the id of a removed column family is not given again") {
    Using.resource(new EngineUnderTest(new MemoryFiles))(engine => thirdIs3(engine, removed(engine)))
  }

  test("nor after deltas without it, a recovery from deltas, or one from a snapshot") {
    Seq(false, true).foreach { fromSnapshot =>
      val memory = new MemoryFiles
      Using.resource(new EngineUnderTest(memory, settings)) { engine =>
        val three = committed(engine, removed(engine))(_.putRow("row", "3"))
        val report = new StoreInspector(memory).verify().newest.get
        assert(report.columnFamilies.map(_.name) == Vector(ColumnFamily.DefaultName, "first"))
        if (fromSnapshot) {
          assert(engine.maintained().snapshot.contains(three))
          (1 to 3).foreach(version => memory.delete(s"$version.delta"))
        }
        engine.restart()
        thirdIs3(engine, three)
      }
    }
  }

  test("nor is one that was given and taken back within a transaction, whose records are in the change feed") {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(memory)) { engine =>
      val one = committed(engine, StateVersion.Empty) { transaction =>
        transaction.put(key("a", transaction.createColumnFamily("short", isInternal = false)), bytes("1"))
        assert(transaction.removeColumnFamily("short"))
        assert(transaction.columnFamilies.size == 1)
      }
      val two = committed(engine, one) { transaction =>
        create("long")(transaction)
        assert(idOf(transaction, "long").contains(2))
      }
      Using.resource(engine.changes(1, two)) { changes =>
        while (changes.next()) assert(changes.key.take(2).sameElements(Array[Byte](0, 1)))
      }
    }
  }

  test("the rows of families 255, 256, 511 and 512 are scanned, whole and by prefix, in memory and from the database") {
    Seq(EngineUnderTest.AmpleHeap, EngineUnderTest.NoHeap).foreach { heap =>
      Using.resource(new EngineUnderTest(new MemoryFiles, heapBytes = heap)) { engine =>
        val one = committed(engine, StateVersion.Empty) { transaction =>
          (1 to 512).foreach { id =>
            assert(transaction.createColumnFamily(s"family$id", isInternal = false) == id)
            Seq("a1", "a2", "b1").foreach(name => transaction.put(key(name, id), bytes(s"$name of $id")))
          }
        }
        val reading = engine.begin(one)
        Seq(255, 256, 511, 512).foreach { id =>
          val ends = if ((id & 0xff) == 0xff) Array(((id + 1) >>> 8).toByte) else key("", id + 1)
          def rows(names: String*) = names.map(name => name -> s"$name of $id").toVector
          assert(drained(reading.scan(key("", id), ends)) == rows("a1", "a2", "b1"))
          assert(drained(reading.scanUnordered(key("", id), ends)).sorted == rows("a1", "a2", "b1"))
          assert(drained(reading.scan(key("a", id), key("b", id))) == rows("a1", "a2"))
        }
        reading.abort()
      }
    }
  }

  test("a store has no more column families than there are ids, and says so") {
    Using.resource(new EngineUnderTest(new MemoryFiles)) { engine =>
      val transaction = engine.begin(StateVersion.Empty)
      (1 to 65534).foreach(id => transaction.createColumnFamily(s"family$id", isInternal = false))
      val refused = intercept[Unsupported](transaction.createColumnFamily("one too many", isInternal = false))
      assert(refused.problem.contains("65534") && refused.problem.contains("one too many"))
      assert(transaction.createColumnFamily("family65534", isInternal = false) == 65534)
      transaction.put(key("a", 65534), bytes("last"))
      assert(drained(transaction.scan(key("", 65534), Array[Byte](-1, -1))) == Vector("a" -> "last"))
      val one = transaction.commit()
      engine.restart()
      val after = engine.begin(one)
      assert(after.columnFamilies.size == 65535 && text(after.get(key("a", 65534))).contains("last"))
      after.abort()
    }
  }
}
