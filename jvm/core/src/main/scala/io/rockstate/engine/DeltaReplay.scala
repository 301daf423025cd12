package io.rockstate.engine

import java.io.ByteArrayInputStream

import scala.util.Using

import io.rockstate.errors.Conflict
import io.rockstate.files.{FileNames, Parallel, RemoteFiles, RemoteInput}
import io.rockstate.format.{DeltaFooter, DeltaFrame, DeltaHeader, DeltaReader}
import io.rockstate.history.StateVersion

/** Puts deltas on top of a loaded database, in order and each wholly or not at all; they are fetched and indexed ahead in parallel. */
private[engine] final class DeltaReplay(files: RemoteFiles, settings: EngineSettings) {
  import DeltaReplay._

  def apply(loaded: LoadedDb, deltas: Vector[StateVersion], work: RecoveryFigures): Unit =
    Parallel.ahead(settings.fetchThreads, deltas)(read) { read =>
      read.foreach { delta =>
        applyOne(loaded, delta)
        work.deltasReplayed += 1
        work.bytesRead += delta.length
      }
    }

  /** Whether the delta was written on top of `base`. */
  def follows(base: CommittedVersion, delta: StateVersion): Boolean = {
    val name = FileNames.delta(delta)
    Using.resource(new DeltaReader(name, files.open(name)))(reader => isBase(base, delta, reader.header))
  }

  /** Whether the delta is what made `version`. */
  def made(version: CommittedVersion, delta: StateVersion): Boolean =
    reading(delta, fetch(delta)) { reader =>
      reader.header.commitId == version.commitId || {
        while (reader.nextFrame().isDefined) ()
        reader.footer.contentDigest == version.contentDigest
      }
    }

  def otherHistory(base: CommittedVersion, file: String): Conflict = new Conflict(
    s"Two attempts of version ${base.version} wrote different rows, and this file goes on from the one that is gone",
    "Restart the query from an earlier version, or restore the other attempt's file. Checkpoint format 2 " +
      "(spark.sql.streaming.stateStore.checkpointFormatVersion=2, for new queries) keeps attempts apart.",
    Some(s"${files.location}/$file"),
    Some(base.version)
  )

  private def fetch(delta: StateVersion): Array[Byte] =
    Using.resource(files.open(FileNames.delta(delta)))(_.stream.readAllBytes())

  private def read(delta: StateVersion): ReadDelta = {
    val bytes = fetch(delta)
    reading(delta, bytes) { reader =>
      val frames = Iterator.continually(reader.nextFrame()).takeWhile(_.isDefined).flatten.toVector
      val changes =
        if (reader.footer.counts.rangeDeletes > 0) Left(frames)
        else Right(DeltaLayer.of(frames, FileNames.delta(delta)))
      ReadDelta(delta, reader.header, reader.footer, changes, bytes.length.toLong)
    }
  }

  private def applyOne(loaded: LoadedDb, delta: ReadDelta): Unit = {
    val base = loaded.head
    if (!isBase(base, delta.name, delta.header)) throw otherHistory(base, FileNames.delta(delta.name))
    val next = CommittedVersion(
      delta.header.version,
      delta.header.commitId,
      delta.footer.contentDigest,
      delta.footer.columnFamilies(base.columnFamilies),
      delta.header.lineage
    )
    delta.changes match {
      case Right(layer) =>
        loaded.advance(base, next, delta.length, layer)
        ()
      case Left(frames) => loaded.applyFrames(next, delta.length, frames)
    }
  }

  private def reading[T](delta: StateVersion, bytes: Array[Byte])(body: DeltaReader => T): T =
    Using.resource(
      new DeltaReader(FileNames.delta(delta), new RemoteInput(new ByteArrayInputStream(bytes), bytes.length.toLong))
    )(body)

  /** A delta with a checkpoint id names its base for certain; one without may have been written on a twin of it. */
  private def isBase(base: CommittedVersion, delta: StateVersion, header: DeltaHeader): Boolean =
    header.version == base.version + 1 &&
      base.isBase(header.baseCommitId, header.baseContentDigest, delta.checkpointId.isDefined)
}

private object DeltaReplay {

  /** A delta in memory.
    *
    * @param changes its frames if it deletes ranges, which only a database can apply
    * @param length  of the file in bytes
    */
  final case class ReadDelta(
      name: StateVersion,
      header: DeltaHeader,
      footer: DeltaFooter,
      changes: Either[Vector[DeltaFrame], ChangeLayer],
      length: Long
  )
}
