package io.rockstate.engine.maintenance

import java.util.concurrent.{CompletableFuture, TimeUnit}

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.inspect.StoreInspector
import io.rockstate.testkit.{Calls, EngineUnderTest, FaultyFiles, Gate, Hold, MemoryFiles, RemoteOperation, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** A store that has moved to another executor and back: the first one still knows table files that the other one's clean-up takes. */
class CleanUpBesideUploadSuite extends AnyFunSuite {
  private val settings = EngineSettings(
    minDeltasForSnapshot = 1,
    minVersionsToRetain = 1,
    minVersionsToDelete = 2,
    maxVersionsToDelete = -1,
    fetchThreads = 1
  )

  test("a snapshot names no table file that a clean-up elsewhere took while others were uploaded") {
    val memory = new MemoryFiles
    val gate = new Gate
    val gated = new FaultyFiles(memory, Hold(Calls.of(RemoteOperation.Create).named("sst/*").nth(2), gate))
    Using.Manager { use =>
      val here = use(new EngineUnderTest(gated, settings))
      val elsewhere = use(new EngineUnderTest(memory, settings))
      val one = commit(here, StateVersion.Empty, Seq("a" -> "1"))
      elsewhere.begin(one).abort() // by its delta: of the snapshot that comes now it knows nothing
      here.maintain()
      val table = memory.names.filter(_.endsWith(".sst"))
      val five = (2 to 5).foldLeft(one) { (base, i) =>
        val next = commit(elsewhere, base, Seq("b" -> s"$i"))
        if (i < 5) elsewhere.requestSnapshot()
        if (i == 3 || i == 4) elsewhere.maintain()
        next
      }
      val six = commit(here, five, Seq("c" -> "6"))
      assert(memory.names.containsSlice(table))
      val uploading = CompletableFuture.supplyAsync(() => here.maintained().snapshot)
      gate.awaitArrival()
      elsewhere.begin(six).abort()
      elsewhere.maintain()
      assert(!memory.names.containsSlice(table), "the clean-up took nothing")
      gate.open()
      assert(uploading.get(10, TimeUnit.SECONDS).contains(six))
      assert(new StoreInspector(memory).verify().problems.isEmpty)
      val fresh = use(new EngineUnderTest(memory, settings)).begin(six)
      assert(fresh.rows == Vector("a" -> "1", "b" -> "5", "c" -> "6") && fresh.metrics.recovery.snapshotsSkipped == 0)
      fresh.abort()
    }.get
  }
}
