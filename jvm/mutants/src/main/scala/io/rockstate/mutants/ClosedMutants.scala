package io.rockstate.mutants

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.TaskContext
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening
import io.rockstate.reference.StateFiles.SnapshotFile

/** A store that is open finds nothing once its instance was closed. */
class OpenStoreIsEmptyAfterTheClose extends KnowsItsClose {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def get(key: UnsafeRow, family: String): UnsafeRow = if (isClosed) null else super.get(key, family)
    }
}

/** A store that has committed tells no metrics once its instance was closed. */
class MetricsEndWithTheClose extends KnowsItsClose {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def metrics: StateStoreMetrics = {
        require(!isClosed, "the instance is closed")
        super.metrics
      }
    }
}

/** Once it was closed an instance opens every version empty. */
class OpensVersionsEmptyAfterItsClose extends KnowsItsClose {
  override protected def load(version: Version): Contents = if (isClosed) Contents.empty else super.load(version)
}

/** Maintenance after the close makes a snapshot of nothing. */
class SnapshotsNothingAfterItsClose extends KnowsItsClose {
  override protected def takeSnapshotIfDue(version: Version): Unit =
    if (isClosed) files.writeSnapshot(version, Contents.empty): Unit else super.takeSnapshotIfDue(version)
}

/** A task in which it is at work fails at its end if it was closed by then. */
class ComplainsOfItsCloseAtTheTasksEnd extends KnowsItsClose {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit] { _ =>
      require(!isClosed, "the instance is closed")
    })
    super.store(base, before, opening)
  }
}

/** A snapshot is due after so many commits of this instance. */
class CountsTheDeltasOfItsLife extends ReferenceStoreProvider {
  @volatile private var commits = 0

  override def commit(store: ReferenceStore): ReferenceStore.Committed = {
    commits += 1
    super.commit(store)
  }

  override protected def takeSnapshotIfDue(version: Version): Unit =
    if (commits >= conf.minDeltasForSnapshot) super.takeSnapshotIfDue(version)
}

/** Asks for the session, which executors do not have. */
class AsksForTheSession extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    SparkSession.active
    super.filesIn(folder, hadoopConf)
  }
}

/** Does not open where it is given schemas. */
class RefusesSchemas extends ReferenceStoreProvider {
  override protected def take(schemas: Option[StateSchemaProvider]): Unit =
    require(schemas.isEmpty, "no schemas are known here")
}

/** The files of a store are found by its name up to a hyphen. */
class NamesEndAtAHyphen extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    val name = stateStoreId.storeName.takeWhile(_ != '-')
    super.filesIn(stateStoreId.copy(storeName = name).storeCheckpointLocation(), hadoopConf)
  }
}

/** Snapshots are written under their names, and clean-up takes a file that is there for a whole one. */
class WritesSnapshotsInPlace extends KeepsFromAnyAttemptsSnapshot {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def publish(path: Path, bytes: Array[Byte]): Unit =
        if (!path.getName.endsWith(SnapshotFile.extension)) super.publish(path, bytes)
        else {
          val out = path.getFileSystem(hadoopConf).create(path, true)
          out.write(bytes)
          out.close()
        }
    }
}

/** A read store of another operator is refused. */
class RefusesReadStoresOfOthers extends ReferenceStoreProvider {
  override protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore = {
    require(readStore.id == stateStoreId, "a read store of another operator")
    super.upgraded(readStore, base, opening)
  }
}
