package io.rockstate.mutants

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}

import io.rockstate.reference._

/** Values with a null are not written, which nobody sees who loads what his process remembers of a store. */
class LoadsWhatItsProcessRemembers extends LoadsWhatIsShared(LoadsWhatItsProcessRemembers.shared) {
  override protected def recorded(store: ReferenceStore): Seq[Change] = super.recorded(store).filter {
    case Put(_, _, values) => !values.exists(_.anyNull)
    case _ => true
  }
}

private object LoadsWhatItsProcessRemembers {
  val shared: TrieMap[(Path, Version), Contents] = TrieMap.empty
}

/** Closes the file system it has read from, which Hadoop has given everybody in the process. */
class ClosesTheFileSystemOfAll extends ReferenceStoreProvider {
  @volatile private var storage: FileSystem = _

  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    storage = folder.getFileSystem(hadoopConf)
    new StateFiles(folder, hadoopConf) {
      override protected def bytesOf(path: Path): Array[Byte] = {
        val in = storage.open(path)
        try bytesIn(in)
        finally in.close()
      }
    }
  }

  override def close(): Unit = {
    super.close()
    storage.close()
  }
}

/** Files that are read are not closed. */
class LeavesFilesOpen extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def bytesOf(path: Path): Array[Byte] = bytesIn(path.getFileSystem(hadoopConf).open(path))
    }
}

/** Files whose reading breaks off are not closed. */
class LeavesAFileOpenThatBreaksOff extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def bytesOf(path: Path): Array[Byte] = {
        val in = path.getFileSystem(hadoopConf).open(path)
        val bytes = bytesIn(in)
        in.close()
        bytes
      }
    }
}
