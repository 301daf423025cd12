package io.rockstate.engine.maintenance

import java.util.concurrent.{CompletableFuture, TimeUnit}

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.Unavailable
import io.rockstate.testkit._
import io.rockstate.testkit.RemoteOperation.Create
import io.rockstate.versions.StateVersion

import Rows._

/** What maintenance does beside a query. */
class MaintenanceSuite extends AnyFunSuite with ClosesHandles {
  private val settings = EngineSettings(minDeltasForSnapshot = 2)

  private def manyRows(version: Int): Iterable[(String, String)] = (1 to 200).map(i => s"row$i" -> s"$version/$i")

  test("a snapshot uploads table files first, its manifest last, and known table files only once") {
    val files = new RecordingFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      val two = commit(engine, commit(engine, StateVersion.Empty, manyRows(1)), manyRows(2))
      files.take()
      assert(engine.maintained().snapshot.contains(two))
      val first = files.take().map(_.takeWhile(_ != '(').trim)
      assert(first == Vector("create sst/#1.sst", "publish sst/#1.sst", "create 2.snapshot", "publish 2.snapshot"))
      val four = commit(engine, commit(engine, two, Seq("new" -> "3")), manyRows(4).take(60))
      files.take()
      assert(engine.maintained().snapshot.contains(four))
      val second = files.take().map(_.takeWhile(_ != '(').trim)
      // The last one is looked at again if its table files are in the new one, too: RocksDB's threads have a say in that.
      assert(second.filterNot(_ == "open 2.snapshot").last == "publish 4.snapshot")
      assert(!second.contains("create sst/#1.sst"))
    }
  }

  test("what is needed no more is deleted though no snapshot can be stored") {
    val memory = new MemoryFiles
    def goneOn(engine: EngineUnderTest, from: StateVersion): StateVersion =
      (1 to 4).foldLeft(from)((base, i) => commit(engine, base, Seq("row" -> s"$i")))
    val eight = Using.resource(new EngineUnderTest(memory, settings)) { engine =>
      (1 to 2).foldLeft(StateVersion.Empty) { (base, _) =>
        val next = goneOn(engine, base)
        engine.maintain()
        next
      }
    }
    val faulty = new FaultyFiles(memory, FailBefore(Calls.of(Create).named("12.snapshot")))
    val few = settings.copy(minVersionsToRetain = 1, minVersionsToDelete = 1)
    Using.resource(new EngineUnderTest(faulty, few)) { engine =>
      val twelve = goneOn(engine, eight)
      assert(memory.names.contains("1.delta"))
      intercept[Unavailable](engine.maintained())
      assert(!memory.names.contains("1.delta"))
      assert(rowsAt(engine, twelve) == Vector("row" -> "4"))
    }
  }

  test("who commits a version made from nothing while an upload hangs can be told to stop") {
    val gate = new Gate
    val gated = new FaultyFiles(new MemoryFiles, Hold(Calls.of(RemoteOperation.Create).named("sst/*").nth(1), gate))
    Using.resource(new EngineUnderTest(gated, settings)) { engine =>
      val two = commit(engine, commit(engine, StateVersion.Empty, Seq("a" -> "1")), Seq("a" -> "2"))
      val maintaining = CompletableFuture.runAsync(() => engine.maintain())
      gate.awaitArrival()
      var failure: Option[Throwable] = None
      val task = new Thread(() => {
        val transaction = engine.beginEmpty(two)
        transaction.putRow("b", "2")
        try { transaction.commit(); () }
        catch { case e: Throwable => failure = Some(e) }
        transaction.abort()
      })
      task.start()
      while (task.getState != Thread.State.WAITING) Thread.sleep(1)
      task.interrupt()
      task.join(10000)
      assert(!task.isAlive && failure.exists(_.isInstanceOf[InterruptedException]), failure)
      gate.open()
      maintaining.get(10, TimeUnit.SECONDS)
    }
  }

  test("maintenance that is not due touches nothing") {
    val files = new RecordingFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      commit(engine, StateVersion.Empty, Seq("a" -> "1"))
      files.take()
      assert(engine.maintained().snapshot.isEmpty)
      assert(files.take().isEmpty)
    }
  }

  test("a snapshot that was asked for is taken by a later maintenance if this one fails") {
    val memory = new MemoryFiles
    val files = new FaultyFiles(memory, FailBefore(Calls.of(Create).named("*.snapshot").nth(1)))
    Using.resource(new EngineUnderTest(files)) { engine =>
      commit(engine, StateVersion.Empty, "a" -> "1")
      engine.requestSnapshot()
      assertThrows[Unavailable](engine.maintain())
      assert(engine.maintained().snapshot.contains(StateVersion(1)))
      assert(engine.maintained().snapshot.isEmpty)
    }
  }

  test("a snapshot that was asked for of a version is one of that or a later one") {
    Using.resource(new EngineUnderTest(new MemoryFiles)) { engine =>
      val first = commit(engine, StateVersion.Empty, "a" -> "1")
      val stored = engine.snapshotsStored
      engine.requestSnapshot(2, stored)
      assert(engine.maintained().snapshot.isEmpty, "version 2 is not there yet")
      val second = commit(engine, first, "a" -> "2")
      assert(engine.maintained().snapshot.contains(second))
    }
  }

  test("who asks for a snapshot and has not heard that one was stored meanwhile, or is being, gets no other") {
    val gate = new Gate
    val files = new FaultyFiles(new MemoryFiles, Hold(Calls.of(Create).named("1.snapshot"), gate))
    Using.resource(new EngineUnderTest(files)) { engine =>
      val first = commit(engine, StateVersion.Empty, "a" -> "1")
      engine.requestSnapshot()
      val known = engine.snapshotsStored
      val maintaining = CompletableFuture.runAsync(() => engine.maintain())
      gate.awaitArrival()
      val second = commit(engine, first, "a" -> "2")
      engine.requestSnapshot(second.version, known)
      gate.open()
      maintaining.get(10, TimeUnit.SECONDS)
      val third = commit(engine, second, "a" -> "3")
      engine.requestSnapshot(third.version, known)
      assert(engine.snapshotsStored == known + 1 && engine.maintained().snapshot.isEmpty)
      engine.requestSnapshot(third.version, engine.snapshotsStored)
      assert(engine.maintained().snapshot.contains(third))
    }
  }

  test("commits go on while snapshots are taken, and every snapshot holds exactly one version") {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(memory, EngineSettings(minDeltasForSnapshot = 1))) { engine =>
      @volatile var running = true
      val maintenance = new Thread(() => while (running) engine.maintain())
      maintenance.start()
      // On a busy machine maintenance may come seldom: there are commits until it has come often enough.
      try
        Iterator
          .range(1, 5000)
          .scanLeft(StateVersion.Empty)((base, i) => commit(engine, base, manyRows(i)))
          .find(_.version >= 150 && snapshots(memory).size > 3)
      finally {
        running = false
        maintenance.join()
      }
      assert(snapshots(memory).size > 3)
    }
    Using.resource(new EngineUnderTest(memory)) { fresh =>
      snapshots(memory).foreach { version =>
        val transaction = fresh.begin(StateVersion(version.toLong))
        assert(transaction.rows.toMap == manyRows(version).toMap)
        transaction.abort()
      }
    }
  }

  private def snapshots(memory: MemoryFiles): Seq[Int] =
    memory.names.filter(_.endsWith(".snapshot")).map(_.takeWhile(_.isDigit).toInt).toSeq
}
