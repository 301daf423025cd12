package io.rockstate.engine.loaded

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.util.concurrent.{CountDownLatch, Executors}

import io.rockstate.db.{LocalDb, NativeMemory}
import io.rockstate.engine.layers.ChangeLayer
import io.rockstate.engine.memory.HeapMemory
import io.rockstate.engine.records.{KeyHash, KeyedRecords}
import io.rockstate.errors.Unavailable
import io.rockstate.format.wire.WriteBatchRecords
import io.rockstate.versions.CommittedVersion

import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

/** What becomes of a database that changes could not be applied to. */
class LoadedDbSuite extends AnyFunSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(timeout = Span(10, Seconds))

  private final class Loaded {
    val heap = new HeapMemory(1L << 20)
    val applier = new Applier
    var isClosed = false
    val db = new LoadedDb(
      LocalDb.open(Files.createTempDirectory("rockstate-loaded"), NativeMemory.shared(64L << 20)),
      CommittedVersion.emptyAt(0),
      heap,
      applier,
      _ => isClosed = true
    )

    /** Puts `row` = `value` on top of the head. */
    def advance(row: String, value: String): Unit = advance(layer(row, value))

    def advance(changes: ChangeLayer): Unit = {
      val base = db.head
      assert(db.advance(base, base.copy(version = base.version + 1), DeltaSize(10, 1), changes))
    }

    def close(): Unit = {
      db.release()
      assert(isClosed && heap.usedBytes == 0)
      applier.close()
    }
  }

  private def key(row: String): Array[Byte] = Array[Byte](0, 0) ++ row.getBytes(UTF_8)

  private def layer(row: String, value: String, tag: Byte = WriteBatchRecords.Put): ChangeLayer = {
    val record = new Array[Byte](WriteBatchRecords.pairSize(key(row).length, value.length))
    WriteBatchRecords.writePut(record, 0, key(row), value.getBytes(UTF_8))
    record(0) = tag
    val changes = new KeyedRecords
    val id = changes.addKey(key(row), 0, key(row).length, KeyHash.of(key(row)))
    changes.add(id, record, 0, record.length, record.length - value.length)
    new ChangeLayer(changes, 100)
  }

  /** RocksDB knows no record of this kind. */
  private def unknown: ChangeLayer = layer("b", "2", tag = 99)

  private def value(view: View, row: String): Option[String] =
    Option(view.get(key(row), KeyHash.of(key(row)))).map(new String(_, UTF_8))

  test("layers are read before and after they are applied") {
    val loaded = new Loaded
    loaded.advance("a", "1")
    val before = loaded.db.view()
    loaded.db.applyLayers()
    val after = loaded.db.view()
    assert(before.layers.length == 1 && after.layers.isEmpty && Seq(before, after).forall(value(_, "a").contains("1")))
    Seq(before, after).foreach(_.close())
    loaded.close()
  }

  test("a database that a layer could not be applied to is given up, and the views of it stay readable") {
    val loaded = new Loaded
    loaded.advance("a", "1")
    loaded.db.applyLayers()
    loaded.advance(unknown)
    loaded.advance("c", "3")
    val view = loaded.db.view()
    assert(intercept[Unavailable](loaded.db.applyLayers()).getMessage.contains(loaded.db.folder.toString))
    assert(loaded.db.isBroken)
    assert(Seq("a", "b", "c").map(value(view, _)) == Seq(Some("1"), Some("2"), Some("3")))
    assert(loaded.db.holding(_ => true)(identity).isEmpty, "nobody starts from it")
    val head = loaded.db.head
    assert(
      !loaded.db.advance(head, head.copy(version = head.version + 1), DeltaSize(10, 1), layer("d", "4")),
      "nothing is added to it"
    )
    assertThrows[Unavailable](loaded.db.checkpoint(loaded.db.folder.resolve("copy")))
    loaded.db.applyLayers() // nothing is applied twice
    view.close()
    loaded.close()
  }

  test("the thread that applies outlives a failure") {
    val (broken, sound) = (new Loaded, new Loaded)
    broken.advance(unknown)
    broken.applier.start(broken.db)
    eventually(assert(broken.db.isBroken))
    sound.advance("a", "1")
    sound.applier.start(sound.db)
    eventually {
      val view = sound.db.view()
      try assert(view.layers.isEmpty && value(view, "a").contains("1"))
      finally view.close()
    }
    Seq(broken, sound).foreach(_.close())
  }

  test("an interrupt does not keep a store that is closed from waiting for what the applier is at") {
    val loaded = new Loaded
    loaded.advance("a", "1")
    loaded.applier.start(loaded.db)
    Thread.currentThread().interrupt()
    loaded.applier.close()
    assert(Thread.interrupted(), "the interrupt is kept")
    loaded.close()
  }

  test("where no thread can be had, the next one who wants changes applied asks for one again") {
    val loaded = new Loaded
    loaded.advance("a", "1")
    val refusing = new Applier(_ => throw new java.util.concurrent.RejectedExecutionException("no thread"))
    assertThrows[java.util.concurrent.RejectedExecutionException](refusing.start(loaded.db))
    loaded.applier.start(loaded.db)
    eventually {
      val view = loaded.db.view()
      try assert(view.layers.isEmpty)
      finally view.close()
    }
    loaded.close()
  }

  test("a database that takes a long delta does not keep others from being applied to") {
    val (long, other) = (new Loaded, new Loaded)
    val one = Executors.newSingleThreadExecutor()
    val applier = new Applier(one)
    val (begun, end) = (new CountDownLatch(1), new CountDownLatch(1))
    val head = long.db.head
    val next = head.copy(version = 1)
    val replay = new Thread(() => {
      long.db.applyPortions(head) { _ =>
        begun.countDown()
        end.await()
        (next, DeltaSize(10, 1))
      }
      ()
    })
    replay.start()
    begun.await()
    assert(long.db.holding(_ => true)(identity).isEmpty, "nobody starts from half a delta")
    assert(!long.db.advance(head, next, DeltaSize(10, 1), layer("a", "1")), "nobody else goes on from its base")
    other.advance("a", "1")
    applier.start(long.db)
    applier.start(other.db)
    eventually {
      val view = other.db.view()
      try assert(view.layers.isEmpty && value(view, "a").contains("1"))
      finally view.close()
    }
    end.countDown()
    replay.join()
    assert(long.db.head eq next)
    applier.close()
    one.shutdown()
    Seq(long, other).foreach(_.close())
  }
}
