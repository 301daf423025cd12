package io.rockstate.engine

import scala.util.Using

import io.rockstate.files.{FileNames, RemoteFiles}
import io.rockstate.format.delta.{DeltaFooter, DeltaHeader, DeltaWriter, OperationCounts, SameTable}
import io.rockstate.format.snapshot.{SnapshotManifest, TableFile}
import io.rockstate.format.wire.Codec
import io.rockstate.versions.{ColumnFamily, StateVersion}

/** Sound files of a store that no engine wrote. */
private[rockstate] object HandMade {

  /** The commit that made the version, unless it is told otherwise. */
  def commitIdOf(version: StateVersion): String = version.checkpointId.getOrElse(s"commit-${version.version}")

  /** A delta without rows.
    *
    * @param base the commit that it goes on from
    */
  def delta(files: RemoteFiles, target: StateVersion, base: String): Unit =
    delta(files, target, DeltaHeader(target.version, commitIdOf(target), base, 0, Vector.empty), Codec.Uncompressed)(
      _ => DeltaFooter(SameTable(Vector.empty), OperationCounts(0, 0, 0, 0), contentDigest = target.version)
    )

  /** @param frames writes them, and says what the delta ends with */
  def delta(files: RemoteFiles, target: StateVersion, header: DeltaHeader, codec: Codec)(
      frames: DeltaWriter => DeltaFooter
  ): Unit =
    Using.resource(files.create(FileNames.delta(target))) { output =>
      val writer = new DeltaWriter(output, header, codec)
      writer.finish(frames(writer))
      output.publish()
    }

  /** A manifest that names these table files, which it does not write. */
  def snapshot(files: RemoteFiles, target: StateVersion, tables: String*): Unit = {
    val named = tables.zipWithIndex.map { case (table, i) => TableFile(table, s"${i + 1}.sst", 1, 0) }.toVector
    val manifest = SnapshotManifest(
      target.version,
      commitIdOf(target),
      contentDigest = target.version,
      ColumnFamily.initial,
      Vector.empty,
      named
    )
    Using.resource(files.create(FileNames.snapshot(target))) { output =>
      output.write(manifest.encode)
      output.publish()
    }
  }
}
