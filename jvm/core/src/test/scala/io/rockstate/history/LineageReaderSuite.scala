package io.rockstate.history

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.HandMade
import io.rockstate.files.{FileNames, RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}
import io.rockstate.format.delta.{DeltaFooter, DeltaHeader, OperationCounts, SameTable}
import io.rockstate.format.wire.Codec
import io.rockstate.testkit.MemoryFiles
import io.rockstate.versions.{LineageEntry, StateVersion}

class LineageReaderSuite extends AnyFunSuite {
  private def name(version: Long): StateVersion = StateVersion(version, Some(s"id-$version"))

  /** Deltas of versions 1 to `last`, made when they are opened; each names the 64 versions before it. */
  private final class ManyDeltas(last: Int) extends RemoteFiles {
    var opened = 0

    override def location: String = "many:/store"

    override def open(file: String): RemoteInput = {
      opened += 1
      val version = file.takeWhile(_.isDigit).toLong
      val lineage = (math.max(1, version - 64) until version).map(v => LineageEntry(v, s"id-$v")).toVector
      val memory = new MemoryFiles
      val header = DeltaHeader(version, s"id-$version", if (version == 1) "" else s"id-${version - 1}", 0, lineage)
      HandMade.delta(memory, name(version), header, Codec.Lz4)(_ =>
        DeltaFooter(SameTable(Vector.empty), OperationCounts(0, 0, 0, 0), 0)
      )
      memory.open(file)
    }

    override def list(folder: String): Seq[RemoteFile] =
      (1 to last).map(v => RemoteFile(FileNames.delta(name(v.toLong)), 100, 0))

    override def create(file: String): RemoteOutput = throw new UnsupportedOperationException
    override def delete(file: String): Unit = throw new UnsupportedOperationException
  }

  test("a lineage of many versions takes one header for 64 of them") {
    val last = 10000
    val files = new ManyDeltas(last)
    val known =
      new LineageReader(files).read(name(last.toLong), files.list("").flatMap(file => FileNames.parse(file.name)))
    assert(known.entries.map(_.version) == (1L to last.toLong) && known.problem.isEmpty)
    assert(files.opened == (last + 63) / 64 + 1) // the first version says that nothing is before it
  }
}
