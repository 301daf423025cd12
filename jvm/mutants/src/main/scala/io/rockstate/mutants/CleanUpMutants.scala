package io.rockstate.mutants

import java.nio.file.Files

import scala.util.matching.Regex

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening
import io.rockstate.reference.StateFiles.Kind

/** Clean-up takes the name of the store's folder for a pattern. */
class CleansUpByAPattern extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def list(): Seq[(Version, Kind)] = {
        val found =
          this.folder.getFileSystem(hadoopConf).globStatus(new Path(this.folder, "*")).map(_.getPath.getName).toSet
        super.list().filter { case (version, kind) => found(pathOf(version, kind).getName) }
      }
    }
}

/** Clean-up gives up where a file's name does not begin with a version. */
class GivesUpAtNamesOfOthers extends ReferenceStoreProvider {
  private val OfVersion: Regex = """\.?\d+[_.].*""".r

  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def list(): Seq[(Version, Kind)] =
        if (statuses.forall(status => OfVersion.matches(status.getPath.getName))) super.list() else Nil
    }
}

/** Clean-up takes the version that was written last for the newest, and what is newer for what attempts have left. */
class TakesWhatWasWrittenLastForTheNewest extends ReferenceStoreProvider {
  override protected def retire(version: Version): Unit = {
    super.retire(version)
    val last = files.statuses.maxByOption(_.getModificationTime).map(_.getPath.getName.takeWhile(_.isDigit).toLong)
    files.list().foreach { case (old, kind) => if (last.exists(old.number > _)) files.delete(old, kind) }
  }
}

/** Closes the file system that Hadoop gives everybody in the process, and has none of it itself. */
class ClosesTheFileSystemOfOthers extends ReferenceStoreProvider {
  @volatile private var ofOthers: FileSystem = _

  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    ofOthers = folder.getFileSystem(hadoopConf)
    super.filesIn(folder, hadoopConf)
  }

  override def close(): Unit = {
    super.close()
    ofOthers.close()
  }
}

/** Each instance makes a folder for temporary files, and leaves it. */
class LeavesATemporaryFolder extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    Files.createTempDirectory("mutant")
    super.filesIn(folder, hadoopConf)
  }
}

/** Each abort leaves a folder for temporary files. */
class AbortsLeaveATemporaryFolder extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def abort(): Unit = {
        if (isOpen) Files.createTempDirectory("mutant")
        super.abort()
      }
    }
}

/** The checksum of a file is that of all but its last eight bytes. */
class ChecksumEndsTooEarly extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def checksumOf(bytes: Array[Byte]): Long = super.checksumOf(bytes.dropRight(8))
    }
}
