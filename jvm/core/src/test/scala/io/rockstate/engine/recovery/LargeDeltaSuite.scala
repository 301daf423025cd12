package io.rockstate.engine.recovery

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.apart.OwnJvm
import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.{Conflict, CorruptFile}
import io.rockstate.testkit.{ClosesHandles, Damage, EngineUnderTest, MemoryFiles, Rows, StoreUnderTest}
import io.rockstate.versions.StateVersion

import Rows._

/** Deltas that no memory holds as a whole go into the database portion by portion. */
class LargeDeltaSuite extends AnyFunSuite with ClosesHandles {
  private val Rows = 3000
  private val withIds = EngineSettings(checkpointIds = true)

  /** About 30 MB, three times what is held of a delta: puts, removals of what was put a portion before, and merges to it. */
  private def largeBatch(store: StoreUnderTest, base: StateVersion): StateVersion = {
    val transaction = store.begin(base)
    val random = new scala.util.Random(5)
    val value = Array.fill(10000)(random.nextInt().toByte)
    (1 to Rows).foreach { i =>
      transaction.put(key(f"row$i%05d"), value)
      if (i > 1500) {
        transaction.mergeRow(f"row${i - 1500}%05d", s"+$i")
        if (i % 3 == 0) transaction.removeRow(f"row${i - 1500}%05d")
      }
    }
    transaction.commit()
  }

  private def verify(store: StoreUnderTest, version: StateVersion, others: Set[String]): Unit = {
    val transaction = store.begin(version)
    try {
      val removed = (1501 to Rows).filter(_ % 3 == 0).map(i => f"row${i - 1500}%05d").toSet
      val names = (1 to Rows).map(i => f"row$i%05d").toSet -- removed ++ others
      assert(transaction.rows.map(_._1).toSet == names && transaction.rowCount == names.size)
      assert(transaction.get(key("row00001")).length == 10005 && transaction.get(key("row02500")).length == 10000)
      assert(transaction.contains(key("row00002")) && !transaction.contains(key("row00003")))
    } finally transaction.abort()
  }

  Seq(EngineUnderTest.AmpleHeap, EngineUnderTest.NoHeap, EngineUnderTest.TinyHeap).foreach { heapBytes =>
    test(s"a large delta between small ones is replayed as it was written, with $heapBytes bytes of heap") {
      val memory = new MemoryFiles
      Using.Manager { use =>
        val engine = use(new EngineUnderTest(memory, withIds, heapBytes))
        val behind = use(new EngineUnderTest(memory, withIds, heapBytes))
        val one = commit(behind, StateVersion.Empty, "first" -> "1")
        val two = largeBatch(engine, one)
        val three = commit(engine, two, "third" -> "3")
        verify(engine, three, Set("first", "third"))
        verify(behind, three, Set("first", "third")) // brought forward
        engine.restart()
        verify(engine, two, Set("first"))
        verify(engine, three, Set("first", "third"))
        Seq(engine, behind).foreach { store =>
          store.close()
          assert(store.heapUsed == 0)
        }
      }.get
    }
  }

  test("a large delta that is damaged at its end is an error, and a store that was brought up to it is loaded anew") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val engine = use(new EngineUnderTest(memory, withIds))
      val behind = use(new EngineUnderTest(memory, withIds))
      val one = commit(behind, StateVersion.Empty, "first" -> "1")
      val two = largeBatch(engine, one)
      val sound = memory.bytes(s"$two.delta")
      Damage.Altered(sound.length - 20).inflict(memory, s"$two.delta")
      assert(intercept[CorruptFile](behind.begin(two)).getMessage.contains(s"$two.delta"))
      assert(rowsAt(behind, one) == Vector("first" -> "1"))
      memory.put(s"$two.delta", sound)
      verify(behind, two, Set("first"))
      behind.close()
      assert(behind.databases == 0 && behind.heapUsed == 0)
    }.get
  }

  test("a zombie that commits while a large delta is replayed on the same database changes nothing of it") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val engine = use(new EngineUnderTest(memory, withIds))
      val here = use(new EngineUnderTest(memory, withIds))
      val one = commit(here, StateVersion.Empty, "first" -> "1")
      val zombie = here.begin(one)
      zombie.putRow("zombie", "1")
      val two = largeBatch(engine, one)
      val replay = new Thread(() => verify(here, two, Set("first")))
      replay.start()
      scala.util.Try(zombie.commit()).failed.foreach(e => assert(e.isInstanceOf[Conflict], e))
      replay.join(60000)
      verify(here, two, Set("first"))
    }.get
  }

  /** What a JVM with a heap of so many megabytes prints. */
  private def inSmallHeap(megabytes: Int, what: String): String =
    OwnJvm.run(SmallHeapRecovery.getClass, Seq(s"-Xmx${megabytes}m"), Seq(what)).output

  test("a delta of more than 2 GiB is recovered with a heap of 300 MB") {
    assert(inSmallHeap(300, "one").contains("recovered 16 of 16 rows from 2202"))
  }

  test("six deltas of 80 MB, small when compressed, are recovered with a heap of 300 MB") {
    assert(inSmallHeap(300, "six").contains("recovered 160 of 160 rows"))
  }

  test("a small file that announces 2 GiB takes no more memory than one frame of it") {
    assert(inSmallHeap(400, "announced").contains("recovered 1 of 1 rows"))
  }
}
