package io.rockstate.inspect

import scala.util.{Try, Using}

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.{HandMade, StoredDelta}
import io.rockstate.engine.api.{EngineSettings, Transaction}
import io.rockstate.errors.Unavailable
import io.rockstate.files.{FileNames, SnapshotName}
import io.rockstate.format.delta.{DeltaFooter, DeltaHeader, FamilyRows, OperationCounts, SameTable}
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.format.wire.Codec
import io.rockstate.testkit.{
  Calls,
  ClosesHandles,
  Damage,
  EngineUnderTest,
  FailBefore,
  FaultyFiles,
  MemoryFiles,
  RemoteOperation,
  Rows
}
import io.rockstate.versions.{StateVersion, VersionRange}

import Rows._

/** The inspector says of every store, sound or damaged, what the engine then finds. */
class StoreInspectorSuite extends AnyFunSuite with ClosesHandles {
  private val newest = 10

  /** A store with snapshots, deltas, two column families and lists, and the names of its versions. */
  private def store(checkpointIds: Boolean): (MemoryFiles, Vector[StateVersion]) = {
    val files = new MemoryFiles
    val settings = EngineSettings(checkpointIds = checkpointIds, minDeltasForSnapshot = 4, minVersionsToRetain = 100)
    val versions = Using.resource(new EngineUnderTest(files, settings)) { engine =>
      (1 to newest).scanLeft(StateVersion.Empty) { (base, i) =>
        val transaction = engine.begin(base)
        val other = transaction.createColumnFamily("other", isInternal = true)
        (1 to 20).foreach(n => transaction.putRow(s"row$n", s"value $i of $n"))
        transaction.mergeRow("list", s"$i")
        transaction.put(key(s"only in $i", other), bytes("x"))
        val next = transaction.commit()
        engine.maintain()
        next
      }
    }
    (files, versions.tail.toVector)
  }

  private lazy val stores = Map(false -> store(checkpointIds = false), true -> store(checkpointIds = true))

  private def isLoadable(files: MemoryFiles, version: StateVersion): Boolean =
    Using.resource(new EngineUnderTest(files, EngineSettings(checkpointIds = version.checkpointId.isDefined))) { engine =>
      Try(engine.begin(version)).map(_.abort()).isSuccess
    }

  private def commit(transaction: Transaction, rows: String*): StateVersion = {
    rows.foreach(transaction.putRow(_, "x"))
    transaction.commit()
  }

  private def snapshotsOf(files: MemoryFiles): Vector[Long] =
    files.names.flatMap(FileNames.parse).collect { case SnapshotName(version) => version.version }

  Seq(false, true).foreach { checkpointIds =>
    lazy val (sound, versions) = stores(checkpointIds)
    val how = s"checkpoint ids ${if (checkpointIds) "on" else "off"}"

    test(s"a sound store, $how") {
      val inspector = new StoreInspector(sound)
      Seq(inspector.inspect(), inspector.verify()).foreach { report =>
        assert(report.problems.isEmpty)
        assert(report.loadable == Vector(VersionRange(1, newest.toLong)))
        assert(report.newest.map(_.version).contains(newest.toLong))
        assert(report.newest.get.checkpointId == versions.last.checkpointId)
        assert(report.newest.get.columnFamilies.map(f => (f.name, f.rows)) == Vector(("default", 21L), ("other", 10L)))
        assert(report.deltas.files == newest && report.snapshots.files >= 2 && report.tables.bytes > 0)
        assert(report.orphans.files == 0 && report.others.files == 0)
      }
    }

    Damage.all.foreach { damage =>
      test(s"a file that is $damage is found, and the loadable versions are those that load, $how") {
        sound.names.foreach { name =>
          val files = sound.crashClone()
          damage.inflict(files, name)
          val report = new StoreInspector(files).verify()
          withClue(s"$name is $damage, ${report.problems}, ${report.loadable}: ") {
            // What is gone may be stood in for, or look like an old file that was cleaned up or a version that is not there yet.
            val hasGap = report.loadable.size > 1 || report.loadable.isEmpty || name.endsWith(".sst")
            if (damage != Damage.Deleted) assert(report.problems.exists(_.file == name))
            else if (hasGap) assert(report.problems.nonEmpty)
            versions.foreach { version =>
              assert(report.loadable.exists(_.contains(version.version)) == isLoadable(files, version), version)
            }
          }
        }
      }
    }
  }

  test("what storage does not tell is no damage: nothing is said of the store") {
    val sound = stores(true)._1
    sound.names.foreach { name =>
      Seq(RemoteOperation.Open, RemoteOperation.Read).foreach { operation =>
        val files = new FaultyFiles(sound, FailBefore(Calls.of(operation).named(name)))
        withClue(s"$operation $name: ")(intercept[Unavailable](new StoreInspector(files).verify()))
      }
    }
    val newestName = FileNames.delta(stores(true)._2.last)
    val files = new FaultyFiles(sound, FailBefore(Calls.of(RemoteOperation.Open).named(newestName)))
    intercept[Unavailable](new StoreInspector(files).inspect())
    // The second time of a damaged file, for its commit id.
    Damage.all.filter(_ != Damage.Deleted).foreach { damage =>
      val damaged = sound.crashClone()
      damage.inflict(damaged, newestName)
      val again = new FaultyFiles(damaged, FailBefore(Calls.of(RemoteOperation.Open).named(newestName).nth(2)))
      intercept[Unavailable](new StoreInspector(again).verify())
    }
  }

  test("the newest snapshot is the newest that a recovery can begin with") {
    val files = stores(false)._1.crashClone()
    val before = new StoreInspector(files).verify()
    val Seq(older, newer) = snapshotsOf(files).sorted.takeRight(2): @unchecked
    assert(before.newestSnapshot.contains(newer))
    Damage.CutInHalf.inflict(files, FileNames.snapshot(StateVersion(newer)))
    assert(new StoreInspector(files).verify().newestSnapshot.contains(older))
    assert(new StoreInspector(files).inspect().newestSnapshot.contains(older))
    // Of tables that only the newer one names, one is gone: names do not tell, a look into all files does.
    val others = stores(false)._1.crashClone()
    def tablesOf(version: Long) =
      SnapshotManifest.read(others, FileNames.snapshot(StateVersion(version))).tableFiles.map(_.remoteName)
    others.delete(tablesOf(newer).diff(tablesOf(older)).head)
    assert(new StoreInspector(others).verify().newestSnapshot.contains(older))
  }

  test("an empty folder is an empty store") {
    val report = new StoreInspector(new MemoryFiles).verify()
    assert(report.loadable.isEmpty && report.newest.isEmpty && report.problems.isEmpty)
  }

  test("table files that no manifest names are orphans, other files are others") {
    val files = stores(false)._1.crashClone()
    files.put("sst/0123.sst", new Array[Byte](7))
    files.put("12.zip", new Array[Byte](5))
    val report = new StoreInspector(files).inspect()
    assert(report.orphans.files == 1 && report.orphans.bytes == 7)
    assert(report.others.files == 1 && report.others.bytes == 5)
  }

  test("another attempt at a version is told from the one that the next goes on from") {
    val files = new MemoryFiles
    val settings = EngineSettings(checkpointIds = true)
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      val one = engine.begin(StateVersion.Empty)
      one.putRow("a", "1")
      val loser = engine.begin(StateVersion.Empty)
      loser.putRow("b", "1")
      loser.putRow("c", "1")
      val first = one.commit()
      loser.commit()
      val two = engine.begin(first)
      two.putRow("d", "2")
      two.commit()
    }
    val report = new StoreInspector(files).verify()
    assert(report.problems.isEmpty && report.deltas.files == 3)
    assert(report.newest.get.columnFamilies.map(_.rows) == Vector(2L))
  }

  Seq(false, true).foreach { checkpointIds =>
    val how = s"checkpoint ids ${if (checkpointIds) "on" else "off"}"

    test(s"nothing is missing below a version that was made from nothing, $how") {
      val files = new MemoryFiles
      Using.resource(new EngineUnderTest(files, EngineSettings(checkpointIds = checkpointIds))) { engine =>
        commit(engine.begin(commit(engine.begin(StateVersion.Empty), "a")), "b")
        commit(engine.begin(commit(engine.beginEmpty(StateVersion(7)), "c")), "d")
      }
      val report = new StoreInspector(files).verify()
      assert(report.loadable == Vector(VersionRange(1, 2), VersionRange(8, 9)))
      assert(report.problems.isEmpty)
      assert(report.newest.get.columnFamilies.map(_.rows) == Vector(2L))
    }
  }

  test("a snapshot without its delta that later deltas' lineages go back beyond was not made from nothing") {
    val files = stores(true)._1.crashClone()
    val snapshot = snapshotsOf(files).filter(_ > 2).min
    files.names
      .filter(name => Seq(snapshot, snapshot - 1).exists(v => name.startsWith(s"${v}_") && name.endsWith(".delta")))
      .foreach(files.delete)
    val report = new StoreInspector(files).verify()
    assert(report.loadable == Vector(VersionRange(1, snapshot - 2), VersionRange(snapshot, newest.toLong)))
    assert(report.problems.map(_.version) == Vector(Some(snapshot - 1)))
  }

  test("the attempt that the query committed is missed though another one is there") {
    val files = new MemoryFiles
    val (winner, loser) = Using.resource(new EngineUnderTest(files, EngineSettings(checkpointIds = true))) { engine =>
      val (one, two) = (engine.begin(StateVersion.Empty), engine.begin(StateVersion.Empty))
      (commit(one, "a"), commit(two, "b", "c"))
    }
    val logged = LoggedCommit(1, Set(winner.checkpointId.get, "of-another-store"))
    val inspector = new StoreInspector(files)
    Seq(inspector.inspect(Vector(logged)), inspector.verify(Vector(logged))).foreach { report =>
      assert(report.problems.isEmpty)
      assert(report.newest.get.checkpointId == winner.checkpointId)
      assert(report.newest.get.columnFamilies.map(_.rows) == Vector(1L))
    }
    files.delete(FileNames.delta(winner))
    Seq(inspector.inspect(Vector(logged)), inspector.verify(Vector(logged))).foreach { report =>
      assert(report.problems.map(_.version) == Vector(Some(1L)))
      assert(report.problems.head.problem.contains(winner.checkpointId.get))
    }
    Seq(
      Vector.empty,
      Vector(LoggedCommit(0, Set.empty)),
      Vector(LoggedCommit(1, Set.empty)),
      Vector(LoggedCommit(1, loser.checkpointId.toSet))
    )
      .foreach(other => assert(inspector.verify(other).problems.isEmpty))
    val gone = inspector.verify(Vector(LoggedCommit(2, Set("x")))).problems
    assert(gone.map(_.file) == Vector("2_x.delta") && !gone.head.problem.contains("other attempts"))
  }

  test("each version that the logs promise is missed by its attempt, the last apart from those before it") {
    val (sound, versions) = stores(true)
    val files = sound.crashClone()
    val logged = versions.map(v => LoggedCommit(v.version, v.checkpointId.toSet))
    assert(new StoreInspector(files).verify(logged).problems.isEmpty)
    val elsewhere = logged.map(c => if (Set(3L, 4L, 10L)(c.version)) c.copy(checkpointIds = Set("lost")) else c)
    val inspector = new StoreInspector(files)
    Seq(inspector.inspect(elsewhere), inspector.verify(elsewhere)).foreach { report =>
      assert(report.problems.map(_.version) == Vector(Some(3L), Some(10L)))
      assert(report.problems.map(_.file) == Vector("3_lost.delta", "10_lost.delta"))
      assert(report.problems.head.problem.contains("cannot go back to batch 2-3"))
      assert(report.problems.last.problem.contains("other attempts"))
    }
  }

  test("a delta that counts rows of families that its base has not is a problem, not a failure") {
    val files = new MemoryFiles
    Using.resource(new EngineUnderTest(files))(engine => commit(engine.begin(StateVersion.Empty), "a"))
    val one = StoredDelta.header(files, "1.delta")
    val header = DeltaHeader(2, "two", one.commitId, StoredDelta.contentDigest(files, "1.delta"), Vector.empty)
    HandMade.delta(files, StateVersion(2), header, Codec.Uncompressed) { _ =>
      DeltaFooter(SameTable(Vector(FamilyRows(256, 0))), OperationCounts(0, 0, 0, 0), contentDigest = 2)
    }
    val report = new StoreInspector(files).verify()
    assert(report.loadable == Vector(VersionRange(1, 1)) && report.problems.map(_.file) == Vector("2.delta"))
    assert(report.problems.head.problem.contains("other column families"))
  }

  test("what is left over beyond the last committed batch is no problem") {
    val (sound, versions) = stores(false)
    val files = sound.crashClone()
    files.names.filter(_.startsWith("8.")).foreach(files.delete)
    def verify(committed: Long) =
      new StoreInspector(files).verify(
        versions.map(v => LoggedCommit(v.version, Set.empty)).filter(_.version <= committed)
      )
    assert(verify(7).problems.isEmpty)
    assert(verify(8).problems.map(_.version) == Vector(Some(8L)))
  }

  test("progress names every file that was read, once, with its size") {
    val sound = stores(false)._1
    val seen = new java.util.concurrent.ConcurrentLinkedQueue[(String, Long)]
    new StoreInspector(sound, progress = (name, bytes) => { seen.add((name, bytes)); () }).verify()
    val names = seen.toArray(Array.empty[(String, Long)])
    assert(names.map(_._1).sorted.toVector == sound.names && names.forall { case (n, b) => b == sound.bytes(n).length })
  }
}
