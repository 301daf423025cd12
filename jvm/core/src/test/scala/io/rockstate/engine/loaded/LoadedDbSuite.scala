package io.rockstate.engine.loaded

import java.util.concurrent.{CountDownLatch, Executors}

import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

import io.rockstate.errors.Unavailable

import LoadedUnderTest.value

/** What becomes of a database that changes could not be applied to. */
class LoadedDbSuite extends AnyFunSuite with Eventually {
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
    end.countDown()
    replay.join()
    assert(long.db.head eq next)
    applier.close()
    one.shutdown()
    Seq(long, other).foreach(_.close())
  }
}
