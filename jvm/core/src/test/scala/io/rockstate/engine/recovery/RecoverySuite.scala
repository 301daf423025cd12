package io.rockstate.engine.recovery

import java.util.concurrent.atomic.AtomicReference

import scala.util.{Try, Using}

import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Millis, Seconds, Span}

import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.CorruptFile
import io.rockstate.files.RemoteFiles
import io.rockstate.testkit.{
  Calls,
  ClosesHandles,
  Damage,
  EngineUnderTest,
  FaultyFiles,
  Gate,
  Hold,
  Lose,
  MemoryFiles,
  RecordingFiles,
  RemoteOperation,
  Rows
}
import io.rockstate.versions.StateVersion

import RemoteOperation._
import Rows._

/** Recoveries that are interrupted, that meet commits, clean-up or each other, and that find damage on their way. */
class RecoverySuite extends AnyFunSuite with Eventually with ClosesHandles {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(20, Seconds), Span(10, Millis))

  private val withIds = EngineSettings(checkpointIds = true)

  /** Versions 1 to `last`, each of which has a row more. */
  private def versions(files: RemoteFiles, last: Int, settings: EngineSettings): Vector[StateVersion] =
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      (1 to last).scanLeft(StateVersion.Empty)((base, i) => commit(engine, base, f"row$i%02d" -> s"$i")).toVector
    }

  private def expected(version: Int): Vector[(String, String)] =
    (1 to version).map(i => f"row$i%02d" -> s"$i").toVector

  /** Runs `body` on a thread of its own. */
  private def started(name: String)(body: => Unit): Thread = {
    val thread = new Thread(() => body, name)
    thread.start()
    thread
  }

  /** A store of five versions, whose storage keeps this thread waiting at a gate. */
  private def whereStorageHolds(thread: String)(body: (EngineUnderTest, Vector[StateVersion], Gate) => Unit): Unit = {
    val memory = new MemoryFiles
    val path = versions(memory, 5, withIds)
    val gate = new Gate
    val held = new FaultyFiles(memory, Hold(Calls.all.onThread(thread), gate))
    Using.resource(new EngineUnderTest(held, withIds))(body(_, path, gate))
  }

  test("a recovery that is interrupted, wherever it waits for storage, leaves no database and no memory behind") {
    val memory = new MemoryFiles
    val path = Using.resource(new EngineUnderTest(memory, withIds.copy(minDeltasForSnapshot = 3))) { engine =>
      (1 to 8).scanLeft(StateVersion.Empty) { (base, i) =>
        val next = commit(engine, base, f"row$i%02d" -> s"$i")
        if (i == 3) engine.maintain()
        next
      }
    }
    assert(memory.names.exists(_.endsWith(".snapshot")))
    val opens = new RecordingFiles(memory)
    Using.resource(new EngineUnderTest(opens, withIds))(rowsAt(_, path.last))
    (1 to opens.count("open")).foreach { n =>
      val gate = new Gate
      val engine = new EngineUnderTest(new FaultyFiles(memory, Hold(Calls.of(Open).nth(n), gate)), withIds)
      val outcome = new AtomicReference[Try[Any]]
      val task = started("task")(outcome.set(Try {
        try engine.begin(path.last)
        catch { case e: InterruptedException => throw new IllegalStateException(e) }
      }))
      gate.awaitArrival()
      task.interrupt()
      task.join(20000)
      assert(!task.isAlive && outcome.get.isFailure, s"at open $n")
      // What is read ahead is given back by the threads that read it, when they come to it.
      eventually(assert(engine.databases == 0 && engine.heapUsed == 0, s"at open $n"))
      assert(rowsAt(engine, path.last) == expected(8))
      engine.close()
      assert(engine.heapUsed == 0)
    }
  }

  test("a store that is brought forward does without a damaged delta that a newer snapshot makes needless") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val behind = use(new EngineUnderTest(memory))
      val ahead = use(new EngineUnderTest(memory, EngineSettings(minDeltasForSnapshot = 1)))
      val one = commit(behind, StateVersion.Empty, "row01" -> "1")
      val three = commit(ahead, commit(ahead, one, "row02" -> "2"), "row03" -> "3")
      assert(ahead.maintained().snapshot.contains(three))
      val four = commit(ahead, three, "row04" -> "4")
      Damage.Altered(60).inflict(memory, "2.delta")
      assert(rowsAt(behind, four) == expected(4))
    }.get
  }

  test("a delta whose damage is needed all the same is named") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val behind = use(new EngineUnderTest(memory))
      val ahead = use(new EngineUnderTest(memory))
      val one = commit(behind, StateVersion.Empty, "row01" -> "1")
      val three = commit(ahead, commit(ahead, one, "row02" -> "2"), "row03" -> "3")
      Damage.Altered(60).inflict(memory, "2.delta")
      assert(intercept[CorruptFile](behind.begin(three)).getMessage.contains("2.delta"))
      assert(rowsAt(behind, one) == expected(1))
    }.get
  }

  test("a delta that clean-up takes away while a recovery runs is not missed") {
    val memory = new MemoryFiles
    val settings = withIds.copy(minDeltasForSnapshot = 80, minVersionsToRetain = 5, minVersionsToDelete = 1)
    val path = Using.resource(new EngineUnderTest(memory, settings)) { engine =>
      (1 to 170).scanLeft(StateVersion.Empty) { (base, i) =>
        val next = commit(engine, base, f"row$i%03d" -> s"$i")
        if (i == 80 || i == 165) engine.maintain()
        next
      }
    }
    val lineageGoesBackTo = path(170 - 64)
    val gone = new FaultyFiles(memory, Lose(Calls.of(Open).named(s"$lineageGoesBackTo.delta")))
    Using.resource(new EngineUnderTest(gone, withIds))(fresh => assert(rowsAt(fresh, path.last).size == 170))
  }

  test("a commit that ends while the store is brought forward disturbs neither") {
    val memory = new MemoryFiles
    val (publish, read) = (new Gate, new Gate)
    // The delta is opened for its lineage, for its base, and to replay it.
    val held = new FaultyFiles(
      memory,
      Hold(Calls.of(Publish).onThread("attempt"), publish),
      Hold(Calls.of(Open).named("3_*").onThread("forward").nth(3), read)
    )
    Using.Manager { use =>
      val here = use(new EngineUnderTest(held, withIds))
      val elsewhere = use(new EngineUnderTest(memory, withIds))
      val two = commit(here, commit(here, StateVersion.Empty, "row01" -> "1"), "row02" -> "2")
      val three = commit(elsewhere, two, "row03" -> "3")
      val (other, seen) = (new AtomicReference[Try[StateVersion]], new AtomicReference[Try[Vector[(String, String)]]])
      val attempt = started("attempt")(other.set(Try(commit(here, two, "row04" -> "other"))))
      publish.awaitArrival()
      val forward = started("forward")(seen.set(Try(rowsAt(here, three))))
      read.awaitArrival()
      publish.open()
      attempt.join(20000)
      read.open()
      forward.join(20000)
      assert(seen.get.get == expected(3))
      assert(rowsAt(here, other.get.get) == expected(2) :+ ("row04" -> "other"))
      assert(rowsAt(here, three) == expected(3))
    }.get
  }

  test("who waits while another recovers the same version can be told to stop") {
    whereStorageHolds("first") { (engine, path, gate) =>
      val ended = new AtomicReference[Throwable]
      val first = started("first")(assert(rowsAt(engine, path(5)) == expected(5)))
      gate.awaitArrival()
      val second = started("second") {
        try rowsAt(engine, path(5))
        catch { case e: Throwable => ended.set(e) }
      }
      eventually(assert(second.getState == Thread.State.WAITING))
      second.interrupt()
      second.join(20000)
      assert(!second.isAlive && ended.get.isInstanceOf[InterruptedException], ended.get)
      gate.open()
      first.join(20000)
      assert(rowsAt(engine, path(5)) == expected(5))
    }
  }

  test("a zombie's recovery does not hold up a rightful one") {
    whereStorageHolds("zombie") { (engine, path, gate) =>
      val zombie = started("zombie") { Try(rowsAt(engine, path(2))); () }
      gate.awaitArrival()
      val rightful = new AtomicReference[Try[Any]]
      val task = started("rightful")(rightful.set(Try(assert(rowsAt(engine, path(5)) == expected(5)))))
      task.join(20000)
      val isHeldUp = task.isAlive
      gate.open()
      Seq(zombie, task).foreach(_.join(20000))
      assert(!isHeldUp && rightful.get.isSuccess)
      val next = engine.begin(path(5))
      assert(next.metrics.recovery.nanos == 0, "the older version has not displaced it")
      next.abort()
    }
  }

  test("a session without checkpoint ids recovers what one with them wrote once, and then has it") {
    val memory = new MemoryFiles
    val path = versions(memory, 5, withIds)
    val recording = new RecordingFiles(memory)
    Using.resource(new EngineUnderTest(recording, EngineSettings())) { reader =>
      assert(rowsAt(reader, path(5)) == expected(5))
      recording.take()
      assert(rowsAt(reader, path(5)) == expected(5))
      assert(recording.take().isEmpty)
    }
  }
}
