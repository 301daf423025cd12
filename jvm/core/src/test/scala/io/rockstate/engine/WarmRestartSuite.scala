package io.rockstate.engine

import java.nio.file.Files

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.db.NativeMemory
import io.rockstate.engine.api.{EngineSettings, RecoveryMetrics, Transaction}
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}
import io.rockstate.errors.Unavailable
import io.rockstate.folders.{MachineFolders, MachineStart, Trees}
import io.rockstate.testkit.{
  Calls,
  ClosesHandles,
  EngineUnderTest,
  FailBefore,
  FaultyFiles,
  MemoryFiles,
  RecordingFiles,
  RemoteOperation,
  Rows
}
import io.rockstate.versions.StateVersion

import EngineUnderTest.{AllOfIt, AmpleHeap, Found, WhatACrashLeft}
import Rows._

/** What an engine does with what the one before it left on the local disk, and when it does without. */
class WarmRestartSuite extends AnyFunSuite with ClosesHandles {
  private val withIds = EngineSettings(checkpointIds = true, minDeltasForSnapshot = 2)
  private val all = (1 to 300).map(i => f"row$i%03d" -> s"value $i")

  test("a store that was closed goes on from its own database: nothing is asked of storage") {
    withEngine(AllOfIt, withIds) { (engine, files) =>
      val two = commit(engine, commit(engine, StateVersion.Empty, all), Seq("row001" -> "new"))
      engine.restart()
      files.take()
      assert(recovery(engine, two) == (0, 0))
      assert(files.take().isEmpty)
      assert(rowsAt(engine, two) == ("row001" -> "new") +: all.drop(1))
      val three = commit(engine, two, Seq("row002" -> "newer"))
      engine.restart()
      assert(rowsAt(engine, three) == Seq("row001" -> "new", "row002" -> "newer") ++ all.drop(2))
    }
  }

  test("under plain names it first looks whether the version is still that attempt's") {
    withEngine(AllOfIt, withIds.copy(checkpointIds = false)) { (engine, files) =>
      val one = commit(engine, StateVersion.Empty, all)
      engine.restart()
      files.take()
      engine.begin(one).abort()
      assert(files.take() == Vector("open 1.delta"))
    }
  }

  test("another attempt that has replaced the version meanwhile is what is read") {
    val memory = new MemoryFiles
    val plain = withIds.copy(checkpointIds = false)
    Using.Manager { use =>
      val engine = use(new EngineUnderTest(memory, plain, AmpleHeap, AllOfIt))
      val other = use(new EngineUnderTest(memory, plain))
      val one = commit(engine, StateVersion.Empty, all)
      commit(engine, one, Seq("row001" -> "ours"))
      val two = commit(other, one, Seq("row001" -> "theirs"))
      engine.restart()
      assert(rowsAt(engine, two).head == "row001" -> "theirs")
    }.get
  }

  test("versions that another executor committed meanwhile are brought from their deltas alone") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val engine = use(new EngineUnderTest(memory, withIds, AmpleHeap, AllOfIt))
      val other = use(new EngineUnderTest(memory, withIds))
      val one = commit(engine, StateVersion.Empty, all ++ largeRow)
      val two = commit(engine, one, Seq("row001" -> "2"))
      val four = commit(other, commit(other, two, Seq("row002" -> "3")), Seq("row003" -> "4"))
      other.maintained()
      engine.restart()
      assert(recovery(engine, four) == (0, 2))
      assert(rowsAt(engine, four).take(3) == Seq("row001" -> "2", "row002" -> "3", "row003" -> "4"))
    }.get
  }

  test("where the deltas since are more than a newer snapshot, that one is fetched") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val engine = use(new EngineUnderTest(memory, withIds, AmpleHeap, AllOfIt))
      val other = use(new EngineUnderTest(memory, withIds))
      var last = commit(engine, StateVersion.Empty, all)
      for (n <- 1 to 4) last = commit(other, last, Seq("row001" -> s"$n"))
      other.maintained()
      engine.restart()
      val (fetched, replayed) = recovery(engine, last)
      assert(fetched > 0 && replayed == 0)
      assert(rowsAt(engine, last) == ("row001" -> "4") +: all.drop(1))
    }.get
  }

  test("storage that fails once while a store is opened costs it nothing: the next attempt has what was left") {
    val memory = new MemoryFiles
    val faulty = new FaultyFiles(memory, FailBefore(Calls.of(RemoteOperation.List).nth(1)))
    Using.Manager { use =>
      val engine = use(new EngineUnderTest(faulty, withIds, AmpleHeap, AllOfIt))
      val other = use(new EngineUnderTest(memory, withIds))
      val one = commit(engine, StateVersion.Empty, all ++ largeRow)
      val two = commit(other, one, Seq("row001" -> "2"))
      other.maintained()
      engine.restart()
      intercept[Unavailable](engine.begin(two))
      assert(recovery(engine, two) == (0, 1))
    }.get
  }

  test("a batch that was committed and then not taken is no state: the version before it comes from storage") {
    withEngine(AllOfIt, withIds) { (engine, _) =>
      val one = commit(engine, StateVersion.Empty, all)
      commit(engine, one, Seq("row001" -> "lost"))
      engine.restart()
      assert(rowsAt(engine, one) == all)
      val two = commit(engine, one, Seq("row002" -> "taken"))
      engine.restart()
      assert(rowsAt(engine, two) == Seq(all.head, "row002" -> "taken") ++ all.drop(2))
    }
  }

  test("a database of another history is not used, though it has the version's number") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val engine = use(new EngineUnderTest(memory, withIds, AmpleHeap, AllOfIt))
      val other = use(new EngineUnderTest(memory, withIds))
      val one = commit(engine, StateVersion.Empty, all)
      commit(engine, one, Seq("row001" -> "ours"))
      val three = commit(other, commit(other, one, Seq("row001" -> "theirs")), Seq("row002" -> "theirs"))
      engine.restart()
      assert(rowsAt(engine, three).take(2) == Seq("row001" -> "theirs", "row002" -> "theirs"))
    }.get
  }

  test("who only reads an earlier version leaves what it found to the next") {
    withEngine(AllOfIt, withIds) { (engine, files) =>
      val one = commit(engine, StateVersion.Empty, all)
      val two = commit(engine, one, Seq("row001" -> "new"))
      engine.restart()
      assert(rowsAt(engine, one) == all)
      engine.restart()
      files.take()
      assert(rowsAt(engine, two).head == "row001" -> "new" && files.take().isEmpty)
    }
  }

  test("who was opened and not asked for a version leaves what it found") {
    withEngine(AllOfIt, withIds) { (engine, files) =>
      val one = commit(engine, StateVersion.Empty, all)
      engine.restart()
      engine.restart()
      files.take()
      assert(rowsAt(engine, one) == all && files.take().isEmpty)
    }
  }

  test("the next snapshot is due as it would be without the restart") {
    withEngine(AllOfIt, withIds) { (engine, _) =>
      val two = commit(engine, commit(engine, StateVersion.Empty, all), manyRows(2))
      assert(engine.maintained().snapshot.contains(two))
      engine.restart()
      val three = commit(engine, two, Seq("row001" -> "3"))
      assert(engine.maintained().snapshot.isEmpty, "one delta is too few")
      engine.restart()
      val four = commit(engine, three, Seq("row002" -> "4"))
      assert(engine.maintained().snapshot.contains(four))
    }
  }

  test("after a crash the deltas since the last snapshot are read, and none of its tables") {
    withEngine(WhatACrashLeft, withIds) { (engine, _) =>
      val two = commit(engine, commit(engine, StateVersion.Empty, all), manyRows(2))
      engine.maintained()
      val three = commit(engine, two, Seq("row001" -> "3"))
      engine.restart()
      assert(recovery(engine, three) == (0, 1))
      assert(rowsAt(engine, three).find(_._1 == "row001").map(_._2).contains("3"))
    }
  }

  test("a snapshot is due after a crash, when the sizes of the deltas before it are forgotten") {
    withEngine(WhatACrashLeft, withIds.copy(minDeltasForSnapshot = 3)) { (engine, _) =>
      var last = commit(engine, StateVersion.Empty, manyRows(1))
      for (version <- 2 to 3) last = commit(engine, last, Seq("row001" -> s"$version"))
      engine.maintained()
      for (version <- 4 to 6) last = commit(engine, last, Seq("row001" -> s"$version"))
      engine.restart()
      engine.begin(last).abort()
      assert(engine.maintained().snapshot.contains(last))
    }
  }

  test("where a query was begun anew in the place of another, nothing of that one is taken for its version") {
    val memory = new MemoryFiles
    val plain = withIds.copy(checkpointIds = false)
    Using.Manager { use =>
      val engine = use(new EngineUnderTest(memory, plain, AmpleHeap, AllOfIt))
      val other = use(new EngineUnderTest(memory, plain))
      for (later <- Seq(false, true)) {
        withFamilies(engine, "a", "b")
        memory.names.foreach(memory.delete)
        other.restart()
        val one = withFamilies(other, "b", "a")
        val wanted = if (later) commit(other, one) else one
        engine.restart()
        assert(familiesAt(engine, wanted) == familiesAt(other, wanted))
        memory.names.foreach(memory.delete)
        engine.restart()
      }
    }.get
  }

  test("a reader that found nothing does not take the place of what the writer beside it left") {
    val files = new RecordingFiles(new MemoryFiles)
    val root = Files.createTempDirectory("rockstate-beside")
    val machine = MachineFolders.in(root.resolve("machine"), 1L << 30, MachineStart("this start", None))
    val memory = SharedMemory(NativeMemory.shared(64L << 20), new HeapMemory(AmpleHeap))
    def opened() = StateEngine.open(files, machine.open("the store"), withIds, memory)
    try {
      val writer = opened()
      val first = writer.begin(StateVersion.Empty)
      all.foreach { case (name, value) => first.putRow(name, value) }
      val one = first.commit()
      val reader = opened()
      assert(rowsIn(reader.begin(one)) == all)
      writer.close()
      reader.close()
      files.take()
      Using.resource(opened())(next => assert(rowsIn(next.begin(one)) == all && files.take().isEmpty))
    } finally {
      machine.abandon()
      Trees.delete(root)
    }
  }

  private def rowsIn(transaction: Transaction): Seq[(String, String)] =
    try transaction.rows
    finally transaction.abort()

  private def withFamilies(engine: EngineUnderTest, names: String*): StateVersion = {
    val transaction = engine.begin(StateVersion.Empty)
    names.foreach(transaction.createColumnFamily(_, isInternal = false))
    transaction.commit()
  }

  private def familiesAt(engine: EngineUnderTest, version: StateVersion): Seq[String] = {
    val transaction = engine.begin(version)
    try transaction.columnFamilies.map(family => s"${family.id} ${family.name}")
    finally transaction.abort()
  }

  /** So large that its snapshot is not fetched for the sake of some deltas. */
  private def largeRow: Seq[(String, String)] =
    Seq("wide" -> new scala.util.Random(1).alphanumeric.take(1 << 20).mkString)

  private def manyRows(version: Int): Seq[(String, String)] = {
    val random = new scala.util.Random(version)
    (1 to 3000).map(i => f"many$i%05d" -> random.alphanumeric.take(40).mkString)
  }

  /** Table files fetched and deltas replayed for `version`. */
  private def recovery(engine: EngineUnderTest, version: StateVersion): (Long, Long) = {
    val transaction = engine.begin(version)
    val work: RecoveryMetrics = transaction.metrics.recovery
    transaction.abort()
    (work.tableFilesFetched, work.deltasReplayed)
  }

  private def withEngine(found: Found, settings: EngineSettings, heapBytes: Long = AmpleHeap)(
      test: (EngineUnderTest, RecordingFiles) => Unit
  ): Unit = {
    val files = new RecordingFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(files, settings, heapBytes, found))(test(_, files))
  }
}
