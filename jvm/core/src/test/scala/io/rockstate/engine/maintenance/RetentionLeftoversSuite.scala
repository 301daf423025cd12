package io.rockstate.engine.maintenance

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.files.{RemoteFile, RemoteFiles}
import io.rockstate.inspect.{FileTotals, StoreInspector}
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, ForwardingFiles, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** Temporary files of writers that died go with the files of versions that nobody needs, those of the last day stay. */
class RetentionLeftoversSuite extends AnyFunSuite with ClosesHandles {
  private val settings =
    EngineSettings(minDeltasForSnapshot = 1, minVersionsToRetain = 1, minVersionsToDelete = 1, maxVersionsToDelete = -1)
  private val hour = 60L * 60 * 1000

  test("clean-up deletes temporary files that are older than any write takes, and counts them") {
    val now = System.currentTimeMillis()
    val old =
      Seq(RemoteFile(".3.delta.a.tmp", 10, now - 25 * hour), RemoteFile("sst/.b.sst.c.tmp", 10, now - 100 * hour))
    val young = RemoteFile(".9.delta.d.tmp", 10, now - 23 * hour)
    val files = new WithLeftovers(new MemoryFiles, old :+ young)
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      (1 to 6).foldLeft(StateVersion.Empty) { (base, i) =>
        val transaction = engine.begin(base)
        transaction.putRow("a", s"$i")
        val next = transaction.commit()
        val before = files.deleted
        val report = engine.maintained()
        assert(report.deletedFiles >= files.deleted.size - before.size)
        next
      }
    }
    assert(files.deleted == old)
    assert(new StoreInspector(files).inspect().orphans == FileTotals(1, young.length))
  }

  private final class WithLeftovers(under: RemoteFiles, all: Seq[RemoteFile]) extends ForwardingFiles(under) {
    @volatile var deleted = Seq.empty[RemoteFile]
    override def leftovers(): Seq[RemoteFile] = all.filterNot(deleted.contains)
    override def deleteLeftover(file: RemoteFile): Unit = deleted = deleted :+ file
  }
}
