package io.rockstate.engine

import scala.util.{Failure, Success, Try, Using}

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.{CorruptFile, NotFound, StateStoreException, Unsupported}
import io.rockstate.testkit.{ClosesHandles, Damage, EngineUnderTest, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** Every file of a store is truncated, altered or deleted, one at a time: each version still loads as it was, or an error names the file. */
class DamageSuite extends AnyFunSuite with ClosesHandles {
  private val settings = EngineSettings(minDeltasForSnapshot = 4, minVersionsToRetain = 100)
  private val versions = 10

  private lazy val sound: MemoryFiles = {
    val files = new MemoryFiles
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      (1 to versions).foldLeft(StateVersion.Empty) { (base, i) =>
        val transaction = engine.begin(base)
        (1 to 20).foreach(n => transaction.putRow(s"row$n", s"value $i of $n"))
        val next = transaction.commit()
        engine.maintain()
        next
      }
    }
    files
  }

  test("the store under test has snapshots, deltas and table files") {
    assert(Seq(".delta", ".snapshot", ".sst").forall(kind => sound.names.exists(_.endsWith(kind))))
    assert(sound.names.count(_.endsWith(".snapshot")) >= 2)
  }

  Damage.all.foreach { damage =>
    test(s"a file that is $damage is noticed or not needed, and never changes an answer") {
      sound.names.foreach { name =>
        val files = sound.crashClone()
        damage.inflict(files, name)
        Using.resource(new EngineUnderTest(files, settings)) { engine =>
          (1 to versions).foreach(version =>
            withClue(s"$name is $damage, version $version: ")(verify(engine, version, name))
          )
        }
      }
    }
  }

  test("a damaged delta's error names the file, and restoring it heals the store") {
    val files = sound.crashClone()
    Damage.Altered(100).inflict(files, "10.delta")
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      val error = intercept[CorruptFile](engine.begin(StateVersion(10)))
      assert(error.getMessage.contains("10.delta") && error.version.contains(10L))
      files.put("10.delta", sound.bytes("10.delta"))
      verify(engine, 10, "nothing")
    }
  }

  test("a damaged snapshot is skipped for the one before it, and counted") {
    val files = sound.crashClone()
    val newest = sound.names.filter(_.endsWith(".snapshot")).maxBy(_.takeWhile(_.isDigit).toInt)
    Damage.Altered(50).inflict(files, newest)
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      val transaction = engine.begin(StateVersion(10))
      assert(transaction.metrics.recovery.snapshotsSkipped == 1)
      transaction.abort()
      verify(engine, 10, "nothing")
    }
  }

  test("the files of Spark's own providers are named for what they are") {
    val hdfs = new MemoryFiles
    hdfs.put("1.delta", "LZ4Block and what follows".getBytes)
    Using.resource(new EngineUnderTest(hdfs))(engine => intercept[CorruptFile](engine.begin(StateVersion(1))))
    val rocks = new MemoryFiles
    rocks.put("1.zip", Array[Byte](1))
    Using.resource(new EngineUnderTest(rocks)) { engine =>
      assert(intercept[Unsupported](engine.begin(StateVersion(1))).getMessage.contains("RocksDBStateStoreProvider"))
    }
  }

  private def verify(engine: EngineUnderTest, version: Int, damaged: String): Unit =
    Try(engine.begin(StateVersion(version.toLong))) match {
      case Success(transaction) =>
        try assert(transaction.rows.toMap == (1 to 20).map(n => s"row$n" -> s"value $version of $n").toMap)
        finally transaction.abort()
      case Failure(e @ (_: CorruptFile | _: NotFound)) =>
        assert(e.asInstanceOf[StateStoreException].file.exists(_.endsWith(damaged)), e)
      case Failure(other) => throw other
    }
}
