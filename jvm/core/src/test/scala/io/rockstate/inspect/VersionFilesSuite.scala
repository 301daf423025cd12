package io.rockstate.inspect

import scala.util.{Try, Using}

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.{CorruptFile, NotFound, StateStoreException}
import io.rockstate.testkit.{ClosesHandles, Damage, EngineUnderTest, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** The files that are named are enough to load the version elsewhere, and there are such files whenever the engine finds some. */
class VersionFilesSuite extends AnyFunSuite with ClosesHandles {
  private val newest = 10

  private def store(checkpointIds: Boolean): (MemoryFiles, Vector[StateVersion]) = {
    val files = new MemoryFiles
    val settings = EngineSettings(checkpointIds = checkpointIds, minDeltasForSnapshot = 4, minVersionsToRetain = 100)
    val versions = Using.resource(new EngineUnderTest(files, settings)) { engine =>
      (1 to newest).scanLeft(StateVersion.Empty) { (base, i) =>
        val transaction = engine.begin(base)
        (1 to 20).foreach(n => transaction.putRow(s"row$n", s"value $i of $n"))
        transaction.mergeRow("list", s"$i")
        val next = transaction.commit()
        engine.maintain()
        next
      }
    }
    (files, versions.tail.toVector)
  }

  private lazy val stores = Map(false -> store(checkpointIds = false), true -> store(checkpointIds = true))

  private def logged(version: StateVersion): LoggedCommit = LoggedCommit(version.version, version.checkpointId.toSet)

  private def rowsOf(files: MemoryFiles, version: StateVersion): Try[Vector[(String, String)]] = Try {
    Using.resource(new EngineUnderTest(files, EngineSettings(checkpointIds = version.checkpointId.isDefined)))(
      rowsAt(_, version)
    )
  }

  private def copied(files: MemoryFiles, names: Vector[String]): MemoryFiles = {
    val copy = new MemoryFiles
    names.foreach(name => copy.put(name, files.bytes(name)))
    copy
  }

  Seq(false, true).foreach { checkpointIds =>
    lazy val (sound, versions) = stores(checkpointIds)
    val how = s"checkpoint ids ${if (checkpointIds) "on" else "off"}"

    test(s"they are enough, no more than one snapshot is among them, and their sizes are told, $how") {
      for (version <- versions; isWhole <- Seq(true, false)) {
        val found = new VersionFiles(sound, isWhole).of(logged(version))
        assert(found.count(_.name.endsWith(".snapshot")) <= 1 && found.size < sound.names.size)
        found.foreach(file => assert(file.length == sound.bytes(file.name).length, file.name))
        assert(rowsOf(copied(sound, found.map(_.name)), version) == rowsOf(sound, version))
        assert(rowsOf(sound, version).get.size == 21)
      }
    }

    Damage.all.foreach { damage =>
      test(s"when a file is $damage they are found if the version can be loaded, and only then, $how") {
        sound.names.foreach { name =>
          val files = sound.crashClone()
          damage.inflict(files, name)
          versions.foreach { version =>
            withClue(s"$version without $name: ") {
              val found = Try(new VersionFiles(files, isWhole = true).of(logged(version)))
              val loaded = rowsOf(files, version)
              assert(found.isSuccess == loaded.isSuccess, found)
              found.foreach(all => assert(rowsOf(copied(files, all.map(_.name)), version) == loaded))
              found.failed.foreach(e => assert(e.asInstanceOf[StateStoreException].file.isDefined))
            }
          }
        }
      }
    }
  }

  test("a snapshot of a history that was replaced is none of them, though its name is the version's") {
    val files = new MemoryFiles
    val settings = EngineSettings(minDeltasForSnapshot = 2, minVersionsToRetain = 100)
    def commit(engine: EngineUnderTest, base: Int, text: String): Unit = {
      val transaction = engine.begin(StateVersion(base.toLong))
      transaction.putRow(s"row$base", text)
      transaction.commit(): Unit
    }
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      (0 until 4).foreach { base =>
        commit(engine, base, "old")
        engine.maintain()
      }
    }
    Using.resource(new EngineUnderTest(files, settings))(engine => (3 to 4).foreach(commit(engine, _, "new")))
    assert(files.names.contains("4.snapshot"))
    for (version <- Seq(4L, 5L).map(StateVersion(_)); isWhole <- Seq(true, false)) {
      val found = new VersionFiles(files, isWhole).of(logged(version)).map(_.name)
      assert(!found.contains("4.snapshot") && found.contains("2.snapshot") && found.contains("4.delta"))
      assert(rowsOf(copied(files, found), version) == rowsOf(files, version))
      assert(rowsOf(files, version).get.contains("row3" -> "new"))
    }
  }

  test("an attempt that is not there is told by its id") {
    val (sound, versions) = stores(true)
    val e = intercept[NotFound](new VersionFiles(sound, isWhole = true).of(LoggedCommit(10, Set("lost", "gone"))))
    assert(e.problem.contains("gone or lost") && e.problem.contains("1-10"))
    val one = LoggedCommit(10, versions.last.checkpointId.toSet + "of-another-store")
    assert(new VersionFiles(sound, isWhole = true).of(one).nonEmpty)
  }

  test("names alone do not tell that a table file is damaged") {
    val (sound, versions) = stores(true)
    val files = sound.crashClone()
    files.names.filter(_.endsWith(".sst")).foreach(name => files.put(name, files.bytes(name).reverse))
    files.names.filter(_.startsWith("1_")).foreach(files.delete)
    assert(new VersionFiles(files, isWhole = false).of(logged(versions.last)).nonEmpty)
    intercept[CorruptFile](new VersionFiles(files, isWhole = true).of(logged(versions.last)))
  }
}
