package io.rockstate.mutants

import java.io.IOException

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening
import io.rockstate.reference.StateFiles.{DeltaFile, SnapshotFile}

/** Where an attempt's delta is not there, that of another at the version does as well. */
class TakesTheDeltaOfAnyAttempt extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def delta(version: Version): Delta =
        super.delta(if (exists(version, DeltaFile)) version else another(version, DeltaFile).getOrElse(version))
    }
}

/** A replay takes the snapshot of any attempt at its version. */
class ReplaysTheSnapshotOfAnyAttempt extends ReferenceStoreProvider {
  override protected def replay(snapshot: Version, end: Version): Contents =
    if (end.number == snapshot.number) files.snapshot(files.another(snapshot, SnapshotFile).getOrElse(snapshot))
    else {
      val delta = files.delta(end)
      replay(snapshot, delta.base).after(delta.changes)
    }
}

/** A batch that is run again on the keys of the attempt before is taken for the same. */
class KeepsTheAttemptOnTheSameKeys extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def writeDelta(version: Version, delta: Delta): Int = {
        val before = another(version, DeltaFile).flatMap(other => Try(super.delta(other)).toOption)
        super.writeDelta(
          version,
          before.filter(keysOf(_) == keysOf(delta)).fold(delta)(b => delta.copy(changes = b.changes))
        )
      }
    }

  private def keysOf(delta: Delta) = delta.changes.collect { case change: KeyChange => change.key }.toSet
}

/** A snapshot that cannot be read is deleted. */
class DeletesWhatItCannotRead extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def bytesOf(path: Path): Array[Byte] =
        try super.bytesOf(path)
        catch {
          case e: IOException =>
            path.getFileSystem(hadoopConf).delete(path, false)
            throw e
        }
    }
}

/** Clean-up takes a version that was started empty for one that nothing before it is needed for. */
class CleansUpBeforeAnEmptyStart extends ReferenceStoreProvider {
  override protected def retire(version: Version): Unit = {
    super.retire(version)
    files
      .list()
      .collectFirst { case (start, DeltaFile) if files.delta(start).startsEmpty => start }
      .foreach(deleteBefore)
  }
}

/** The close cleans up, for whoever it is that closes. */
class CloseCleansUp extends AtTheCloseOfAReader {
  override protected def end(read: Version): Unit = retire(read)
}

/** Who is closed leaves a snapshot of what it has read, where there is none. */
class CloseTakesASnapshot extends AtTheCloseOfAReader {
  override protected def end(read: Version): Unit =
    if (!files.exists(read, SnapshotFile)) files.writeSnapshot(read, load(read)): Unit
}

/** An abort whose thread is interrupted fails, and the store stays open. */
class AbortHeedsInterrupts extends ReferenceStoreProvider {
  @volatile private var isHeld = false

  override protected def load(version: Version): Contents = {
    if (isHeld) throw new IOException("A store of this instance is still open")
    super.load(version)
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def abort(): Unit = {
        if (isOpen && Thread.currentThread.isInterrupted) {
          isHeld = true
          throw new IOException("interrupted")
        }
        super.abort()
      }
    }
}

/** A store that is read is told of no families. */
class ReadStoresTakeNoFamilies
    extends WithReadStore(new ReadStore(_, _, _) {
      override protected def requireFamilyName(family: String, isInternal: Boolean): Unit =
        throw new UnsupportedOperationException("A store to be read takes no families")
    })
