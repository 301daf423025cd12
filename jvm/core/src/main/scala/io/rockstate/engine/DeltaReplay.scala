package io.rockstate.engine

import java.io.ByteArrayInputStream

import scala.util.Using

import io.rockstate.errors.Conflict
import io.rockstate.files.{FileNames, RemoteFiles, RemoteInput}
import io.rockstate.format.DeltaReader
import io.rockstate.history.StateVersion

/** Applies deltas to a loaded database, in order and each wholly or not at all; they are fetched ahead in parallel. */
private[engine] final class DeltaReplay(files: RemoteFiles, settings: EngineSettings) {

  def apply(loaded: LoadedDb, deltas: Vector[StateVersion], work: RecoveryFigures): Unit =
    Parallel.ahead(settings.fetchThreads, deltas)(fetch) { fetched =>
      fetched.foreach { case (name, bytes) =>
        applyOne(loaded, name, bytes)
        work.deltasReplayed += 1
        work.bytesRead += bytes.length
      }
    }

  /** Whether the delta was written on top of `base`. */
  def follows(base: CommittedVersion, delta: StateVersion): Boolean = {
    val name = FileNames.delta(delta)
    Using.resource(new DeltaReader(name, files.open(name)))(isBase(base, _))
  }

  /** Whether the delta is what made `version`. */
  def made(version: CommittedVersion, delta: StateVersion): Boolean = {
    val (name, bytes) = fetch(delta)
    reading(name, bytes) { reader =>
      reader.header.commitId == version.commitId || {
        while (reader.nextFrame().isDefined) ()
        reader.footer.contentDigest == version.contentDigest
      }
    }
  }

  def otherHistory(base: CommittedVersion, file: String): Conflict = new Conflict(
    s"Two attempts of version ${base.version} wrote different rows, and this file goes on from the one that is gone",
    "Restart the query from an earlier version, or restore the other attempt's file. Checkpoint format 2 " +
      "(spark.sql.streaming.stateStore.checkpointFormatVersion=2, for new queries) keeps attempts apart.",
    Some(s"${files.location}/$file"),
    Some(base.version)
  )

  private def fetch(delta: StateVersion): (String, Array[Byte]) = {
    val name = FileNames.delta(delta)
    Using.resource(files.open(name))(input => (name, input.stream.readAllBytes()))
  }

  private def applyOne(loaded: LoadedDb, name: String, bytes: Array[Byte]): Unit =
    reading(name, bytes) { reader =>
      val base = loaded.head
      if (!isBase(base, reader)) throw otherHistory(base, name)
      val frames = Iterator.continually(reader.nextFrame()).takeWhile(_.isDefined).flatten.toVector
      val next = CommittedVersion(
        reader.header.version,
        reader.header.commitId,
        reader.footer.contentDigest,
        reader.footer.columnFamilies(base.columnFamilies),
        reader.header.lineage
      )
      loaded.advance(base, next, bytes.length.toLong)(batches =>
        frames.foreach(f => batches.add(f.bytes, 0, f.bytes.length, f.recordCount))
      )
    }

  private def reading[T](name: String, bytes: Array[Byte])(body: DeltaReader => T): T =
    Using.resource(new DeltaReader(name, new RemoteInput(new ByteArrayInputStream(bytes), bytes.length.toLong)))(body)

  private def isBase(base: CommittedVersion, reader: DeltaReader): Boolean =
    reader.header.version == base.version + 1 &&
      base.isBase(reader.header.baseCommitId, reader.header.baseContentDigest, settings.checkpointIds)
}
