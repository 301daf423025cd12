package io.rockstate.engine.maintenance

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.HandMade
import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.Unavailable
import io.rockstate.files.RemoteFile
import io.rockstate.testkit.{
  Calls,
  Damage,
  FailBefore,
  FaultyFiles,
  ForwardingFiles,
  MemoryFiles,
  RecordingFiles,
  RemoteOperation
}
import io.rockstate.versions.StateVersion

/** What clean-up deletes of a folder of files that were made by hand. */
class RetentionSuite extends AnyFunSuite {
  private val hour = 60L * 60 * 1000
  private val settings =
    EngineSettings(minVersionsToRetain = 3, minVersionsToDelete = 1, maxVersionsToDelete = -1, checkpointIds = true)
  private val newest = 12

  private final class Store(checkpointIds: Boolean = true, behindHours: Long = 0) {
    private var ageHours = 0L
    val files = new MemoryFiles(clock = () => System.currentTimeMillis() - (behindHours + ageHours) * hour)

    def version(n: Int): StateVersion = StateVersion(n.toLong, Option.when(checkpointIds)(s"id-$n"))

    /** Deltas of versions 1 to `newest`; snapshots of 3, 6 and 9, of which two in a row share a table file. */
    def filled(): Store = {
      (1 to newest).foreach(n => HandMade.delta(files, version(n), HandMade.commitIdOf(version(n - 1))))
      Seq("a", "a-b", "b", "b-c", "c").foreach(table(_))
      snapshot(3, "a", "a-b")
      snapshot(6, "a-b", "b", "b-c")
      snapshot(9, "b-c", "c")
      this
    }

    def table(name: String, age: Long = 0): Unit = {
      ageHours = age
      files.put(s"sst/$name.sst", Array[Byte](1))
      ageHours = 0
    }

    def snapshot(n: Int, tables: String*): Unit =
      HandMade.snapshot(files, version(n), tables.map(name => s"sst/$name.sst"): _*)

    def deltas: Seq[Int] = numbers(".delta")
    def snapshots: Seq[Int] = numbers(".snapshot")
    def tables: Seq[String] =
      files.names.filter(_.startsWith("sst/")).map(_.stripPrefix("sst/").stripSuffix(".sst")).sorted

    private def numbers(kind: String): Seq[Int] =
      files.names.filter(_.endsWith(kind)).map(_.takeWhile(_.isDigit).toInt).sorted
  }

  test("what is older than the second newest snapshot that a promised version goes back to is deleted, and counted") {
    val store = new Store().filled()
    val before = store.files.names.size
    assert(new Retention(store.files, settings).cleanUp(newest.toLong) == before - store.files.names.size)
    assert(store.deltas == (6 to newest) && store.snapshots == Seq(6, 9))
  }

  test("a clean-up that fails is tried again at the same version") {
    val store = new Store().filled()
    var failures = 1
    val files = new ForwardingFiles(store.files) {
      override def deleteAll(names: Seq[String]): Unit = {
        failures -= 1
        if (failures >= 0) throw new Unavailable("Storage is busy", "Try again.", None)
        super.deleteAll(names)
      }
    }
    val retention = new Retention(files, settings)
    intercept[Unavailable](retention.cleanUp(newest.toLong))
    assert(retention.cleanUp(newest.toLong) > 0 && store.deltas == (6 to newest))
    assert(retention.cleanUp(newest.toLong) == 0)
  }

  test("table files that only deleted snapshots name go at once, those that others share stay") {
    val store = new Store().filled()
    new Retention(store.files, settings).cleanUp(newest.toLong)
    assert(store.tables == Seq("a-b", "b", "b-c", "c"))
  }

  test("table files that no snapshot names are kept for a day, files of other names for ever") {
    val store = new Store().filled()
    store.table("young", age = 23)
    store.table("old", age = 25)
    store.files.put("sst/notes.txt", Array[Byte](1))
    store.table("other_name", age = 1000)
    new Retention(store.files, settings).cleanUp(newest.toLong)
    assert(store.tables == Seq("a-b", "b", "b-c", "c", "notes.txt", "other_name", "young"))
  }

  test("a day is one of storage's clock, wherever this machine's is") {
    Seq(40L, -40L).foreach { behind =>
      val store = new Store(behindHours = behind).filled()
      store.table("young", age = 23)
      store.table("old", age = 25)
      new Retention(store.files, settings).cleanUp(newest.toLong)
      assert(store.tables == Seq("a-b", "b", "b-c", "c") ++ (if (behind < 0) Seq("old") else Nil) :+ "young")
    }
  }

  test("while a manifest cannot be read, whether it is to stay or to go, all table files stay") {
    Seq(3, 9).foreach { damaged =>
      val store = new Store().filled()
      store.table("old", age = 25)
      val tables = store.tables
      Damage.AlteredInTheMiddle.inflict(store.files, s"${damaged}_id-$damaged.snapshot")
      new Retention(store.files, settings).cleanUp(newest.toLong)
      assert(store.tables == tables && store.snapshots == Seq(6, 9) && store.deltas.head == 6, s"snapshot $damaged")
    }
  }

  test("if a listing fails, nothing is deleted") {
    Seq("", "sst").foreach { folder =>
      val store = new Store().filled()
      val before = store.files.names
      val faulty = new FaultyFiles(store.files, FailBefore(Calls.of(RemoteOperation.List).named(folder)))
      assertThrows[Unavailable](new Retention(faulty, settings).cleanUp(newest.toLong))
      assert(store.files.names == before)
    }
  }

  test("a later listing that lacks snapshots takes no table file from those that were seen to stay") {
    def missing(name: String): Boolean = name.endsWith(".snapshot")
    Seq[RemoteFile => Boolean](_ => true, file => missing(file.name), _.name.startsWith("9_")).foreach { lost =>
      val store = new Store().filled()
      val forgetful = new ForwardingFiles(store.files) {
        private var hasDeleted = false

        override def delete(name: String): Unit = {
          hasDeleted = true
          super.delete(name)
        }
        override def list(folder: String): Seq[RemoteFile] =
          if (hasDeleted) super.list(folder).filterNot(lost) else super.list(folder)
      }
      new Retention(forgetful, settings).cleanUp(newest.toLong)
      assert(store.snapshots == Seq(6, 9) && store.tables == Seq("a-b", "b", "b-c", "c"))
    }
  }

  test("storage is not even asked before enough versions have come since the last clean-up") {
    val store = new Store().filled()
    val recording = new RecordingFiles(store.files)
    val retention = new Retention(recording, settings.copy(minVersionsToDelete = 5))
    assert(retention.cleanUp(4) == 0 && recording.take().isEmpty)
    assert(retention.cleanUp(newest.toLong) > 0 && recording.take().nonEmpty)
    assert(retention.cleanUp(newest + 4L) == 0 && recording.take().isEmpty)
    retention.cleanUp(newest + 5L)
    assert(recording.take().nonEmpty)
  }

  test("a store that has no more versions than it promises is left alone") {
    val store = new Store().filled()
    val recording = new RecordingFiles(store.files)
    val retention = new Retention(recording, settings.copy(minVersionsToRetain = newest))
    assert(retention.cleanUp(newest.toLong) == 0 && recording.transcript.isEmpty)
  }

  test("of so many versions at most, the oldest first") {
    val store = new Store().filled()
    new Retention(store.files, settings.copy(maxVersionsToDelete = 2)).cleanUp(newest.toLong)
    assert(store.deltas == (3 to newest))
  }

  test("where there is a limit, clean-up goes on until no more is left than would be without one") {
    val store = new Store().filled()
    val retention = new Retention(store.files, settings.copy(minVersionsToDelete = 3, maxVersionsToDelete = 2))
    val first = Seq.fill(3) {
      retention.cleanUp(newest.toLong)
      store.deltas.head
    }
    assert(first == Seq(3, 5, 5), "fewer than three are stale then")
  }

  test("where each version was made twice, a snapshot counts if all deltas after it go on from what it holds") {
    def cleaned(bases: Int => Int): Store = {
      val store = new Store().filled()
      def twin(n: Int) = StateVersion(n.toLong, Some(s"twin-$n"))
      (1 to newest).foreach(n =>
        HandMade.delta(
          store.files,
          twin(n),
          HandMade.commitIdOf(if (bases(n) < n) store.version(n - 1) else twin(n - 1))
        )
      )
      new Retention(store.files, settings).cleanUp(newest.toLong)
      store
    }
    val beside = cleaned(_ - 1)
    // 9 is the oldest version that is promised: its twin goes on from 6, or from before.
    assert(beside.deltas.distinct == (3 to newest) && beside.snapshots == Seq(3, 6, 9))
    val apart = cleaned(n => n)
    assert(apart.deltas.head == 1 && apart.snapshots == Seq(3, 6, 9))
  }

  test("without ids a snapshot counts only if the delta after it goes on from what it holds") {
    val plain = settings.copy(checkpointIds = false)
    def cleaned(change: Store => Unit): Store = {
      val store = new Store(checkpointIds = false).filled()
      change(store)
      new Retention(store.files, plain).cleanUp(newest.toLong)
      store
    }
    assert(cleaned(_ => ()).deltas.head == 6)
    // Snapshot 9 is of an attempt that was gone back behind.
    val replaced = cleaned(store => HandMade.delta(store.files, store.version(10), "another commit"))
    assert(replaced.deltas.head == 3 && replaced.snapshots == Seq(3, 6, 9))
    val damaged = cleaned(store => Damage.CutByAByte.inflict(store.files, "9.snapshot"))
    assert(damaged.deltas.head == 3 && damaged.snapshots == Seq(3, 6, 9))
    val withoutNext = cleaned(store => store.files.delete("10.delta"))
    assert(withoutNext.deltas.head == 3)
  }

  test("what writers left unpublished goes after a day, and is counted") {
    val store = new Store().filled()
    val now = System.currentTimeMillis()
    val (young, old) = (RemoteFile(".a.tmp", 1, now - 23 * hour), RemoteFile("sst/.b.tmp", 1, now - 25 * hour))
    var deleted = Vector.empty[RemoteFile]
    val files = new ForwardingFiles(store.files) {
      override def leftovers(): Seq[RemoteFile] = Seq(young, old)
      override def deleteLeftover(file: RemoteFile): Unit = deleted :+= file
    }
    val before = store.files.names.size
    assert(new Retention(files, settings).cleanUp(newest.toLong) == before - store.files.names.size + 1)
    assert(deleted == Vector(old))
  }
}
