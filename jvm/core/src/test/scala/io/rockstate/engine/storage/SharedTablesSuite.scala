package io.rockstate.engine.storage

import java.util.concurrent.{Callable, CountDownLatch, Executors, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import scala.util.Using

import io.rockstate.engine.api.EngineSettings
import io.rockstate.files.FileNames
import io.rockstate.testkit.{EngineUnderTest, MemoryFiles, RemoteOperation, Rows, StoreUnderTest, WatchedFiles}
import io.rockstate.versions.StateVersion

import org.scalatest.funsuite.AnyFunSuite

import Rows._

/** A recovery and a snapshot of one store use the same folder of table files at the same time. */
class SharedTablesSuite extends AnyFunSuite {
  private val settings = EngineSettings(minDeltasForSnapshot = 2, fetchThreads = 1)

  private def commit(store: StoreUnderTest, base: StateVersion, i: Int): StateVersion = {
    val transaction = store.begin(base)
    (1 to 200).foreach(row => transaction.putRow(s"row$row", s"$i/$row"))
    transaction.commit()
  }

  test("a snapshot that is stored while a recovery fetches table files leaves those in place") {
    val memory = new MemoryFiles
    // One table file may be opened, the next waits.
    val (openTablesBeforeGate, reached, goOn) =
      (new AtomicInteger(Int.MaxValue), new CountDownLatch(1), new CountDownLatch(1))
    val gated = new WatchedFiles(
      memory,
      (operation, name) =>
        if (
          operation == RemoteOperation.Open && FileNames.isTableFileName(name) && openTablesBeforeGate
            .getAndDecrement() == 0
        ) {
          reached.countDown()
          goOn.await()
        }
    )
    Using.Manager { use =>
      val elsewhere = use(new EngineUnderTest(memory, settings))
      val here = use(new EngineUnderTest(gated, settings))
      val one = commit(here, StateVersion.Empty, 1)
      val six = (2 to 6).foldLeft(one) { (base, i) =>
        val next = commit(elsewhere, base, i)
        elsewhere.maintain()
        next
      }
      here.begin(six).abort() // brought forward by deltas: no table file is on this disk
      val four = StateVersion(4)
      openTablesBeforeGate.set(1)
      val pool = Executors.newSingleThreadExecutor()
      try {
        val recovering = pool.submit((() => {
          val transaction = here.begin(four)
          try transaction.rows.toMap
          finally transaction.abort()
        }): Callable[Map[String, String]])
        assert(reached.await(10, TimeUnit.SECONDS))
        here.requestSnapshot()
        assert(here.maintained().snapshot.contains(six))
        goOn.countDown()
        assert(recovering.get(10, TimeUnit.SECONDS) == (1 to 200).map(row => s"row$row" -> s"4/$row").toMap)
      } finally {
        goOn.countDown()
        pool.shutdownNow()
      }
    }.get
  }
}
