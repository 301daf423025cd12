package io.rockstate.engine.maintenance

import java.util.concurrent.{CompletableFuture, TimeUnit}

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.files.{FileNames, RemoteFiles}
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.inspect.StoreInspector
import io.rockstate.testkit._
import io.rockstate.testkit.RemoteOperation.{Create, Delete, Publish}
import io.rockstate.versions.StateVersion

import Rows._

/** A store that has moved to another executor and back: the first one still knows table files that the other one's clean-up takes. */
class CleanUpBesideUploadSuite extends AnyFunSuite with ClosesHandles {
  private val settings = EngineSettings(
    minDeltasForSnapshot = 1,
    minVersionsToRetain = 1,
    minVersionsToDelete = 2,
    maxVersionsToDelete = -1,
    fetchThreads = 1
  )
  private val rows = (1 to 3000).map(i => f"a$i%04d" -> "1") // in fewer RocksDB writes them all anew with the next

  /** How often RocksDB may write a table file anew, which it does now and then when no view is open any more. */
  private val Tries = 20

  /** Two executors, and a table file that the one has stored, and knows from version 6 on as its last snapshot's; the other has stored two
    * snapshots since, and cleans up as soon as it knows of version 6.
    */
  private final class Moved(val memory: MemoryFiles, val here: EngineUnderTest, val elsewhere: EngineUnderTest) {
    private val one = commit(here, StateVersion.Empty, rows)
    elsewhere.begin(one).abort() // by its delta: of the snapshot that comes now it knows nothing
    here.maintain()
    val table: String = memory.names.find(_.endsWith(".sst")).get
    private val five = (2 to 5).foldLeft(one) { (base, i) =>
      val next = commit(elsewhere, base, Seq("b" -> s"$i"))
      if (i < 5) elsewhere.requestSnapshot()
      if (i == 3 || i == 4) elsewhere.maintain()
      next
    }
    val six: StateVersion = commit(here, five, Seq("c" -> "6"))
    assert(memory.names.contains(table))

    def cleanUpElsewhere(): Unit = {
      elsewhere.begin(six).abort()
      elsewhere.maintain()
    }

    def named: Vector[String] = SnapshotManifest.read(memory, FileNames.snapshot(six)).tableFiles.map(_.remoteName)

    def verify(): Unit = {
      assert(new StoreInspector(memory).verify().problems.isEmpty)
      Using.resource(new EngineUnderTest(memory, settings)) { fresh =>
        val transaction = fresh.begin(six)
        assert(transaction.rows == rows.toVector ++ Vector("b" -> "5", "c" -> "6"))
        assert(transaction.metrics.recovery.snapshotsSkipped == 0)
        transaction.abort()
      }
    }
  }

  private def whereMoved(here: RemoteFiles => RemoteFiles, elsewhere: RemoteFiles => RemoteFiles)(
      body: Moved => Unit
  ): Unit = {
    val memory = new MemoryFiles
    Using.Manager { use =>
      body(
        new Moved(
          memory,
          use(new EngineUnderTest(here(memory), settings)),
          use(new EngineUnderTest(elsewhere(memory), settings))
        )
      )
    }.get
  }

  Seq(
    "others are uploaded" -> Calls.of(Create).named("sst/*").nth(2),
    "its manifest is written" -> Calls.of(Publish).named("*.snapshot").nth(2)
  ).foreach { case (when, calls) =>
    test(s"a snapshot names no table file that a clean-up elsewhere takes while $when") {
      val gate = new Gate
      whereMoved(new FaultyFiles(_, Hold(calls, gate)), identity) { moved =>
        val uploading = CompletableFuture.supplyAsync(() => moved.here.maintained().snapshot)
        gate.awaitArrival()
        moved.cleanUpElsewhere()
        assert(!moved.memory.names.contains(moved.table), "the clean-up took nothing")
        gate.open()
        assert(uploading.get(10, TimeUnit.SECONDS).contains(moved.six))
        assert(!moved.named.contains(moved.table))
        moved.verify()
      }
    }
  }

  test("a clean-up takes no table file that a snapshot names which was stored elsewhere while it looked for others") {
    assert((1 to Tries).exists(_ => isNamedDuringCleanUp()), "nothing was at stake")
  }

  /** False if RocksDB had written the table file anew before. */
  private def isNamedDuringCleanUp(): Boolean = {
    val gate = new Gate
    var isNamed = false
    whereMoved(identity, new FaultyFiles(_, Hold(Calls.of(Delete).named("1.snapshot"), gate))) { moved =>
      val cleaning = CompletableFuture.runAsync(() => moved.cleanUpElsewhere())
      gate.awaitArrival()
      assert(moved.here.maintained().snapshot.contains(moved.six))
      isNamed = moved.named.contains(moved.table)
      gate.open()
      cleaning.get(10, TimeUnit.SECONDS)
      assert(!moved.memory.names.contains("1.snapshot") && moved.memory.names.contains(moved.table) == isNamed)
      moved.verify()
    }
    isNamed
  }
}
