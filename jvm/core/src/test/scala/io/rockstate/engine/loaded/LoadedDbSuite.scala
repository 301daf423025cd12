package io.rockstate.engine.loaded

import java.util.concurrent.{CountDownLatch, ExecutionException, Executors, FutureTask, TimeUnit}

import scala.util.Using

import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

import io.rockstate.engine.layers.{ChangeLayer, Put, Write}
import io.rockstate.engine.memory.ScarceHeap
import io.rockstate.engine.records.KeyedRecords
import io.rockstate.errors.Unavailable
import io.rockstate.testkit.ClosesHandles
import io.rockstate.versions.StateVersion

import LoadedUnderTest.value

/** What becomes of a database that changes could not be applied to. */
class LoadedDbSuite extends AnyFunSuite with Eventually with ClosesHandles {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(timeout = Span(10, Seconds))

  test("layers are read before and after they are applied") {
    val loaded = new LoadedUnderTest
    loaded.advance("a", "1")
    val before = loaded.db.view()
    loaded.db.applyLayers()
    val after = loaded.db.view()
    assert(before.layers.length == 1 && after.layers.isEmpty && Seq(before, after).forall(value(_, "a").contains("1")))
    Seq(before, after).foreach(_.close())
    loaded.close()
  }

  test("who waits for a large delta that another reads can be told to stop") {
    val loaded = new LoadedUnderTest
    val reads, ends = new CountDownLatch(1)
    val reader = Executors.newFixedThreadPool(3)
    val reading = reader.submit(() =>
      loaded.db.applyPortions(loaded.db.head) { _ =>
        reads.countDown()
        ends.await()
        (loaded.db.head.copy(version = 1), DeltaSize(10, 1))
      }
    )
    reads.await()
    val base = loaded.db.head
    for (
      wait <- Seq[() => Any](
        () => loaded.db.checkpoint(loaded.db.folder.resolve("copy")),
        () => loaded.db.turnTo(StateVersion(0)),
        () => loaded.db.applyPortions(base)(_ => fail("it is read already"))
      )
    ) {
      val waiting = new FutureTask[Any](() => wait())
      val thread = new Thread(waiting)
      thread.start()
      eventually(assert(thread.getState == Thread.State.WAITING))
      thread.interrupt()
      assert(
        intercept[ExecutionException](waiting.get(10, TimeUnit.SECONDS)).getCause.isInstanceOf[InterruptedException]
      )
    }
    ends.countDown()
    assert(reading.get().isDefined && loaded.db.head.version == 1)
    reader.shutdown()
    loaded.close()
  }

  test("a database that a layer could not be applied to is given up, and the views of it stay readable") {
    val loaded = new LoadedUnderTest
    loaded.advance("a", "1")
    loaded.db.applyLayers()
    loaded.advance(Layers.unknown)
    loaded.advance("c", "3")
    val view = loaded.db.view()
    assert(intercept[Unavailable](loaded.db.applyLayers()).getMessage.contains(loaded.db.folder.toString))
    assert(loaded.db.isBroken)
    assert(Seq("a", "b", "c").map(value(view, _)) == Seq(Some("1"), Some("2"), Some("3")))
    assert(loaded.db.holding(_ => true)(identity).isEmpty, "nobody starts from it")
    val head = loaded.db.head
    assert(
      !loaded.db.advance(head, head.copy(version = head.version + 1), DeltaSize(10, 1), Layers.put("d", "4")),
      "nothing is added to it"
    )
    assertThrows[Unavailable](loaded.db.checkpoint(loaded.db.folder.resolve("copy")))
    loaded.db.applyLayers() // nothing is applied twice
    view.close()
    loaded.close()
  }

  test("what leads to the newest version is kept apart until a transaction begins on it, and can be set aside") {
    val loaded = new LoadedUnderTest
    import loaded.db
    def layers = Using.resource(db.view())(_.layers.length)
    def has(row: String) = Using.resource(db.view())(value(_, row))
    val used = loaded.heap.usedBytes
    db.keepNewestApart(true)
    loaded.advance("a", "1")
    loaded.advance("b", "1", id = "first")
    db.applyLayersIfFree()
    assert(layers == 1)
    assert(!db.turnTo(StateVersion(0)) && db.head.version == 2, "one version, not two")
    assert(db.turnTo(StateVersion(1)) && db.head.version == 1 && layers == 0 && has("b").isEmpty)
    assert(loaded.heap.usedBytes > used && db.toReplay.deltas.map(_.version) == Vector(1))
    assert(db.holding(_ => true)(identity).isDefined)
    loaded.advance("b", "2", id = "second")
    for ((id, value) <- Seq("first" -> "1", "second" -> "2")) {
      assert(db.turnTo(StateVersion(2, Some(id))) && db.head.commitId == id && has("b").contains(value))
      assert(db.toReplay.deltas.map(_.version) == Vector(1, 2))
    }
    assert(!db.turnTo(StateVersion(2, Some("third"))))
    assert(db.holding(_ => true)(identity).isDefined)
    assert(!db.turnTo(StateVersion(2, Some("first"))), "a transaction has begun on the other")
    db.applyLayersIfFree()
    assert(layers == 0 && has("b").contains("2") && loaded.heap.usedBytes == used)
    assert(!db.turnTo(StateVersion(1)), "the database has gone on")
    loaded.close()
  }

  test("a database that is closed, and one that has to make room, let go of what was set aside") {
    val loaded = new LoadedUnderTest
    loaded.advance("a", "1")
    assert(loaded.db.turnTo(StateVersion(0)) && loaded.db.head.version == 0)
    loaded.heap.chargeLayers(1L << 20)
    loaded.advance("b", "1")
    assert(!loaded.db.turnTo(StateVersion(1)))
    loaded.heap.releaseLayers(1L << 20)
    loaded.advance("c", "2")
    assert(loaded.db.turnTo(StateVersion(1)))
    loaded.close()
  }

  test(
    "changes that make no version yet are in later views, and where they cannot be written the database is given up"
  ) {
    val loaded = new LoadedUnderTest
    val head = loaded.db.head
    val before = loaded.db.view()
    loaded.db.absorb(Layers.put("a", "1"))
    val after = loaded.db.view()
    assert(loaded.db.head eq head)
    assert(value(before, "a").isEmpty && value(after, "a").contains("1") && after.layers.isEmpty)
    assert(intercept[Unavailable](loaded.db.absorb(Layers.unknown)).getMessage.contains(loaded.db.folder.toString))
    assert(loaded.db.isBroken && value(after, "a").contains("1"))
    assertThrows[Unavailable](loaded.db.checkpoint(loaded.db.folder.resolve("copy")))
    Seq(before, after).foreach(_.close())
    loaded.close()
  }

  test("what was written before memory ran out is not written again: a merge would count twice") {
    val heap = new ScarceHeap(1L << 20)
    val loaded = new LoadedUnderTest(heap = heap)
    loaded.advance("a", "1")
    loaded.db.applyLayers()
    loaded.advance(Layers.merge("a", "2"))
    val view = loaded.db.view()
    heap.isOut = true
    assertThrows[OutOfMemoryError](loaded.db.applyLayers())
    heap.isOut = false
    assert(loaded.db.isBroken && value(view, "a").contains("12"))
    loaded.db.applyLayers()
    assert(intercept[Unavailable](loaded.db.requireSound()).getMessage.contains("did not end"))
    val anew = loaded.db.view()
    assert(value(anew, "a").contains("12"))
    Seq(view, anew).foreach(_.close())
    loaded.close()
  }

  test("rows that a commit could write to the cache only in part are no version's") {
    val heap = new ScarceHeap(1L << 20)
    val loaded = new LoadedUnderTest(heap = heap)
    def base(): LoadedBase = {
      val base = new LoadedBase(StateVersion(0), loaded.db.head, loaded.db, keysAtOnce = 2000)
      base.openCache()
      base
    }
    val changes = new KeyedRecords
    (1 to 100).foreach(n => Write.add(changes, Put(s"row$n", "1")))
    val failing = base()
    heap.isOut = true
    assertThrows[OutOfMemoryError](
      failing.keepInCache(loaded.db.head.copy(version = 1), new ChangeLayer(changes, 100), addresses = null)
    )
    heap.isOut = false
    failing.close()
    val again = base()
    assert(again.cache.size == 0 && again.cache.isWhole)
    again.close()
    loaded.close()
  }

  test("a database that is let go for want of memory is closed all the same") {
    val heap = new ScarceHeap(1L << 20)
    val loaded = new LoadedUnderTest(heap = heap)
    heap.isOut = true
    assertThrows[OutOfMemoryError](loaded.db.release())
    assert(loaded.isClosed)
    loaded.applier.close()
  }

  test("the thread that applies outlives a failure") {
    val (broken, sound) = (new LoadedUnderTest, new LoadedUnderTest)
    broken.advance(Layers.unknown)
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
    val loaded = new LoadedUnderTest
    loaded.advance("a", "1")
    loaded.applier.start(loaded.db)
    Thread.currentThread().interrupt()
    loaded.applier.close()
    assert(Thread.interrupted(), "the interrupt is kept")
    loaded.close()
  }

  test("where no thread can be had, the next one who wants changes applied asks for one again") {
    val loaded = new LoadedUnderTest
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
    val (long, other) = (new LoadedUnderTest, new LoadedUnderTest)
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
    assert(!long.db.advance(head, next, DeltaSize(10, 1), Layers.put("a", "1")), "nobody else goes on from its base")
    other.advance("a", "1")
    applier.start(long.db)
    applier.start(other.db)
    eventually {
      val view = other.db.view()
      try assert(view.layers.isEmpty && value(view, "a").contains("1"))
      finally view.close()
    }
    Thread.currentThread().interrupt()
    assert(!long.db.settle() && Thread.interrupted(), "an interrupt ends the wait, and is kept")
    assert(!long.db.settle(), "who ends does not wait for it")
    end.countDown()
    replay.join()
    assert((long.db.head eq next) && long.db.settle())
    applier.close()
    one.shutdown()
    Seq(long, other).foreach(_.close())
  }
}
