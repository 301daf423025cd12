package io.rockstate.engine.recovery

import scala.util.Using

import io.rockstate.engine.api.EngineSettings
import io.rockstate.files.{FileNames, RemoteFiles}
import io.rockstate.format.delta.{DeltaFooter, DeltaHeader, DeltaWriter, FamilyRows, OperationCounts, SameTable}
import io.rockstate.format.wire.{Codec, WriteBatchRecords}
import io.rockstate.testkit.{EngineUnderTest, Rows}
import io.rockstate.versions.{ColumnFamily, StateVersion}

import Rows._

/** Deltas of any size, written frame by frame. */
private object LargeDeltas {

  /** Writes the delta of version `header.version`. A frame is one put of `bytes` bytes under the key `row<n>`.
    *
    * @param rows how many rows there are afterwards
    */
  def write(files: RemoteFiles, header: DeltaHeader, codec: Codec, frames: Iterator[Array[Byte]], rows: Int): Unit =
    Using.resource(files.create(FileNames.delta(StateVersion(header.version)))) { output =>
      val writer = new DeltaWriter(output, header, codec)
      var count = 0
      frames.foreach { frame =>
        writer.writeFrame(frame, 0, frame.length, 1)
        count += 1
      }
      val table = SameTable(Vector(FamilyRows(ColumnFamily.DefaultId, rows.toLong)))
      writer.finish(DeltaFooter(table, OperationCounts(count.toLong, 0, 0, 0), contentDigest = header.version))
      output.publish()
    }

  /** A frame with one put. */
  def put(row: Int, bytes: Int, fill: Int = 0): Array[Byte] = {
    val value = Array.fill(bytes)((row + fill).toByte)
    val record = new Array[Byte](WriteBatchRecords.pairSize(key(s"row$row").length, bytes))
    WriteBatchRecords.writePut(record, 0, key(s"row$row"), value)
    record
  }

  def header(version: Long): DeltaHeader =
    DeltaHeader(
      version,
      s"by hand $version",
      if (version == 1) "" else s"by hand ${version - 1}",
      version - 1,
      Vector.empty
    )
}

/** Recovers large deltas in a JVM with a small heap: started by `LargeDeltaSuite`. The argument after the folder says which. */
private object SmallHeapRecovery {
  private val MiB = 1 << 20

  def main(arguments: Array[String]): Unit = arguments(1) match {
    case "one" =>
      // 2,100 values of 1 MiB, as they come: the file is larger than an array can be.
      val puts = (0 until 16).map(LargeDeltas.put(_, MiB))
      recover(1, _ => (0 until 2100).iterator.map(i => puts(i % 16)), Codec.Uncompressed, 16)
    case "six" =>
      val frames = (version: Int) => (0 until 320).iterator.map(i => LargeDeltas.put(i % 160, MiB / 4, fill = version))
      recover(6, frames, Codec.Zstd1, 160)
    case "announced" =>
      // Some kilobytes that announce 2 GiB.
      recover(1, _ => Iterator.continually(LargeDeltas.put(7, 64 * MiB)).take(33), Codec.Zstd1, 1)
  }

  private def recover(versions: Int, frames: Int => Iterator[Array[Byte]], codec: Codec, rows: Int): Unit = {
    val files = new SharedBytesFiles
    (1 to versions).foreach(v => LargeDeltas.write(files, LargeDeltas.header(v.toLong), codec, frames(v), rows))
    Using.resource(new EngineUnderTest(files, EngineSettings())) { engine =>
      val transaction = engine.begin(StateVersion(versions.toLong))
      val found = (0 until 161).count(row => transaction.contains(key(s"row$row")))
      transaction.abort()
      println(s"recovered $found of $rows rows from ${files.list("").map(_.length).sum} bytes")
    }
  }
}
