package io.rockstate.mutants

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import io.rockstate.reference._
import io.rockstate.reference.StateFiles.{DeltaFile, Kind, SnapshotFile}

/** The operators of a query have their files in one folder. */
class OperatorsShareFiles extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    super.filesIn(stateStoreId.copy(operatorId = 0).storeCheckpointLocation(), hadoopConf)
}

/** The stores of an operator's partition have their files in one folder. */
class NamesShareFiles extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    super.filesIn(stateStoreId.copy(storeName = "default").storeCheckpointLocation(), hadoopConf)
}

/** Clean-up deletes what is in the store's folder and is neither a delta nor a snapshot. */
class MaintenanceDeletesFilesOfOthers extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def list(): Seq[(Version, Kind)] = {
        val storage = this.folder.getFileSystem(hadoopConf)
        storage.listStatus(this.folder).map(_.getPath).filterNot(isOwn).foreach(storage.delete(_, true))
        super.list()
      }
    }

  private def isOwn(path: Path): Boolean =
    Seq(DeltaFile, SnapshotFile).exists(kind => path.getName.endsWith("." + kind.extension))
}

/** The name of the checkpoint's folder is escaped once more than it has to be. */
class EscapesItsFolderTwice extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    super.filesIn(new Path(folder.toUri.getScheme, folder.toUri.getAuthority, folder.toUri.getRawPath), hadoopConf)
}

/** What looks escaped in the name of the checkpoint's folder is read as what it would stand for. */
class UnescapesItsFolder extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    val path =
      "%([0-9A-F]{2})".r.replaceAllIn(folder.toUri.getPath, code => s"${Integer.parseInt(code.group(1), 16).toChar}")
    super.filesIn(new Path(folder.toUri.getScheme, folder.toUri.getAuthority, path), hadoopConf)
  }
}

/** Files are looked for in the folder that the first of them was written to. */
class StaysInItsFirstFolder extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    val first = new SmallFile(new Path(folder, "folder"), hadoopConf).orElse(folder.toString)
    super.filesIn(new Path(first), hadoopConf)
  }
}

/** A store does not open if the first file of its folder was not written whole. */
class NeedsItsFirstFileWhole extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    val format = new SmallFile(new Path(folder, "format"), hadoopConf).orElse("reference")
    if (format != "reference") throw new CorruptFile(s"$folder is of another format: '$format'")
    super.filesIn(folder, hadoopConf)
  }
}

/** The files of all stores lie side by side, with operator, partition and name in front. */
class StoresHaveNoFolders extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    val root = new Path(stateStoreId.checkpointRootLocation)
    val own = s"${stateStoreId.operatorId}-${stateStoreId.partitionId}-${stateStoreId.storeName}"
    super.filesIn(new Path(root, own), hadoopConf)
  }
}
