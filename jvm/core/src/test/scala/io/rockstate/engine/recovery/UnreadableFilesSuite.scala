package io.rockstate.engine.recovery

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.Unavailable
import io.rockstate.files.RemoteFiles
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.testkit.{Calls, ClosesHandles, EngineUnderTest, FailBefore, FaultyFiles, MemoryFiles}
import io.rockstate.testkit.RemoteOperation.Open
import io.rockstate.testkit.Rows._
import io.rockstate.versions.StateVersion

/** Files that storage has and cannot give any more, as where HDFS has lost all replicas of a block. */
class UnreadableFilesSuite extends AnyFunSuite with ClosesHandles {
  private val settings = Seq(false, true).map(ids => EngineSettings(checkpointIds = ids, minDeltasForSnapshot = 3))

  private def unreadable(files: RemoteFiles, names: String*): FaultyFiles =
    new FaultyFiles(files, names.map(name => FailBefore(Calls.of(Open).named(name))): _*)

  private def expected(version: Int): Vector[(String, String)] =
    (1 to version).map(i => f"row$i%03d" -> s"$i").toVector

  /** Versions 1 to `last`, each of which has a row more, and snapshots of some. */
  private def versions(last: Int, snapshots: Set[Int], of: EngineSettings): (MemoryFiles, Vector[StateVersion]) = {
    val memory = new MemoryFiles
    val path = Using.resource(new EngineUnderTest(memory, of)) { engine =>
      (1 to last).scanLeft(StateVersion.Empty) { (base, i) =>
        val next = commit(engine, base, f"row$i%03d" -> s"$i")
        if (snapshots(i)) engine.maintain()
        next
      }
    }
    (memory, path.toVector)
  }

  for (of <- settings; file <- Seq("snapshot", "table"))
    test(
      s"a snapshot is done without whose $file cannot be read, ${if (of.checkpointIds) "with" else "without"} ids"
    ) {
      val (memory, path) = versions(8, Set(3, 7), of)
      val older = tables(memory, path(3))
      val name = if (file == "snapshot") s"${path(7)}.snapshot" else (tables(memory, path(7)) -- older).head
      Using.resource(new EngineUnderTest(unreadable(memory, name), of)) { engine =>
        assert(rowsAt(engine, path(8)) == expected(8))
      }
    }

  test("of snapshots none of which can be read the newest is named, and no more than two are tried") {
    val (memory, path) = versions(13, Set(3, 7, 12), settings.last)
    val files = unreadable(memory, "*.snapshot")
    Using.resource(new EngineUnderTest(files, settings.last)) { engine =>
      val failure = intercept[Unavailable](engine.begin(path(13)))
      assert(failure.file.contains(s"${path(12)}.snapshot"))
    }
    val tried = files.calls.filter(_.operation == Open).map(_.name).filter(_.endsWith(".snapshot"))
    assert(tried == Seq(12, 7).map(version => s"${path(version)}.snapshot"))
  }

  test("a delta that only older versions need may not be readable") {
    val (memory, path) = versions(170, Set(80, 165), settings.last)
    val lineageGoesBackTo = s"${path(170 - 64)}.delta"
    Using.resource(new EngineUnderTest(unreadable(memory, lineageGoesBackTo), settings.last)) { engine =>
      assert(rowsAt(engine, path.last) == expected(170))
    }
  }

  test("a store is brought forward past a delta that cannot be read where a newer snapshot does without it") {
    for (of <- settings) {
      val memory = new MemoryFiles
      Using.Manager { use =>
        val behind = use(new EngineUnderTest(unreadable(memory, "2*.delta"), of))
        val ahead = use(new EngineUnderTest(memory, of.copy(minDeltasForSnapshot = 1)))
        val one = commit(behind, StateVersion.Empty, "row001" -> "1")
        val three = commit(ahead, commit(ahead, one, "row002" -> "2"), "row003" -> "3")
        ahead.maintain()
        val four = commit(ahead, three, "row004" -> "4")
        assert(rowsAt(behind, four) == expected(4))
      }.get
    }
  }

  test("a delta that cannot be read and is needed fails the load, which may be tried again") {
    val (memory, path) = versions(5, Set.empty, settings.last)
    Using.resource(new EngineUnderTest(unreadable(memory, s"${path(3)}.delta"), settings.last)) { engine =>
      val failure = intercept[Unavailable](engine.begin(path(5)))
      assert(failure.file.contains(s"${path(3)}.delta"))
      assert(rowsAt(engine, path(2)) == expected(2))
    }
  }

  test("a commit replaces what an earlier attempt has left under its name, readable or not") {
    val (memory, path) = versions(3, Set.empty, settings.head)
    Using.resource(new EngineUnderTest(unreadable(memory, "3.delta"), settings.head)) { engine =>
      val three = commit(engine, path(2), "row003" -> "another attempt's")
      Using.resource(new EngineUnderTest(memory, settings.head)) { elsewhere =>
        assert(rowsAt(elsewhere, three) == expected(2) :+ ("row003" -> "another attempt's"))
      }
    }
  }

  private def tables(files: MemoryFiles, version: StateVersion): Set[String] =
    SnapshotManifest.read(files, s"$version.snapshot").tableFiles.map(_.remoteName).toSet
}
