package io.rockstate.engine

import java.io.ByteArrayInputStream

import scala.util.Using

import io.rockstate.errors.Conflict
import io.rockstate.files.{FileNames, Parallel, RemoteFiles, RemoteInput}
import io.rockstate.format.DeltaReader
import io.rockstate.history.StateVersion

/** Applies deltas to a loaded database, in order and each wholly or not at all; they are fetched ahead in parallel. */
private[engine] final class DeltaReplay(files: RemoteFiles, settings: EngineSettings) {

  def apply(loaded: LoadedDb, deltas: Vector[StateVersion], work: RecoveryFigures): Unit =
    Parallel.ahead(settings.fetchThreads, deltas)(fetch) { fetched =>
      fetched.foreach { case (delta, bytes) =>
        applyOne(loaded, delta, bytes)
        work.deltasReplayed += 1
        work.bytesRead += bytes.length
      }
    }

  /** Whether the delta was written on top of `base`. */
  def follows(base: CommittedVersion, delta: StateVersion): Boolean = {
    val name = FileNames.delta(delta)
    Using.resource(new DeltaReader(name, files.open(name)))(isBase(base, delta, _))
  }

  /** Whether the delta is what made `version`. */
  def made(version: CommittedVersion, delta: StateVersion): Boolean = {
    val (_, bytes) = fetch(delta)
    reading(delta, bytes) { reader =>
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

  private def fetch(delta: StateVersion): (StateVersion, Array[Byte]) =
    Using.resource(files.open(FileNames.delta(delta)))(input => (delta, input.stream.readAllBytes()))

  private def applyOne(loaded: LoadedDb, delta: StateVersion, bytes: Array[Byte]): Unit =
    reading(delta, bytes) { reader =>
      val base = loaded.head
      if (!isBase(base, delta, reader)) throw otherHistory(base, FileNames.delta(delta))
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

  private def reading[T](delta: StateVersion, bytes: Array[Byte])(body: DeltaReader => T): T =
    Using.resource(
      new DeltaReader(FileNames.delta(delta), new RemoteInput(new ByteArrayInputStream(bytes), bytes.length.toLong))
    )(body)

  /** A delta with a checkpoint id names its base for certain; one without may have been written on a twin of it. */
  private def isBase(base: CommittedVersion, delta: StateVersion, reader: DeltaReader): Boolean =
    reader.header.version == base.version + 1 &&
      base.isBase(reader.header.baseCommitId, reader.header.baseContentDigest, delta.checkpointId.isDefined)
}
