package io.rockstate.engine.storage

import java.util.concurrent.{Callable, Executors, TimeUnit}

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.testkit.{
  Calls,
  ClosesHandles,
  EngineUnderTest,
  FaultyFiles,
  Gate,
  Hold,
  MemoryFiles,
  RemoteOperation,
  Rows
}
import io.rockstate.versions.StateVersion

import Rows._

/** A recovery and a snapshot of one store use the same folder of table files at the same time. */
class SharedTablesSuite extends AnyFunSuite with ClosesHandles {
  private val settings = EngineSettings(minDeltasForSnapshot = 2, fetchThreads = 1)

  private def rows(i: Int): Map[String, String] = (1 to 200).map(row => s"row$row" -> s"$i/$row").toMap

  test("a snapshot that is stored while a recovery fetches table files leaves those in place") {
    val memory = new MemoryFiles
    val gate = new Gate
    val gated = new FaultyFiles(memory, Hold(Calls.of(RemoteOperation.Open).named("sst/*").nth(2), gate))
    Using.Manager { use =>
      val elsewhere = use(new EngineUnderTest(memory, settings))
      val here = use(new EngineUnderTest(gated, settings))
      val one = commit(here, StateVersion.Empty, rows(1))
      val six = (2 to 6).foldLeft(one) { (base, i) =>
        val next = commit(elsewhere, base, rows(i))
        elsewhere.maintain()
        next
      }
      here.begin(six).abort() // brought forward by deltas: no table file is on this disk
      val four = StateVersion(4)
      val pool = Executors.newSingleThreadExecutor()
      try {
        val recovering = pool.submit((() => rowsAt(here, four).toMap): Callable[Map[String, String]])
        gate.awaitArrival()
        here.requestSnapshot()
        assert(here.maintained().snapshot.contains(six))
        gate.open()
        assert(recovering.get(10, TimeUnit.SECONDS) == rows(4))
      } finally {
        gate.open()
        pool.shutdownNow()
      }
    }.get
  }
}
