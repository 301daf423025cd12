package io.rockstate.mutants

import java.util.concurrent.atomic.AtomicLong

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening

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

/** What a thread writes goes to the store that it has begun on last. */
class ThreadWritesToOneStore extends ReferenceStoreProvider {
  import ThreadWritesToOneStore._

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val opened = new OnThread(this, base, before, opening)
    last.set(opened)
    opened
  }
}

private object ThreadWritesToOneStore {
  val last: ThreadLocal[OnThread] = new ThreadLocal

  final class OnThread(provider: ReferenceStoreProvider, base: Version, before: Contents, opening: Opening)
      extends ReferenceStore(provider, base, before, opening) {
    override protected def write(change: Change): Unit =
      Option(last.get).filter(other => (other ne this) && other.isOpen) match {
        case Some(other) => other.write(change)
        case None => super.write(change)
      }
  }
}

/** Values have as many columns as those of the first store that was opened in the run of the query. */
class ReadsValuesAsTheQuerysFirst extends ReferenceStoreProvider {
  private var run = ""

  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    run = hadoopConf.get(StreamExecution.RUN_ID_KEY)
    ReadsValuesAsTheQuerysFirst.columns.putIfAbsent(run, valueSchema.size)
    super.filesIn(folder, hadoopConf)
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def keep(value: UnsafeRow): UnsafeRow =
        Rows.point(new UnsafeRow(ReadsValuesAsTheQuerysFirst.columns(run)), super.keep(value))
    }
}

private object ReadsValuesAsTheQuerysFirst {
  val columns: TrieMap[String, Int] = TrieMap.empty
}

/** Loads the first attempt at a version that its process has made. */
class LoadsTheFirstAttemptOfItsProcess extends LoadsWhatIsShared(LoadsTheFirstAttemptOfItsProcess.made) {
  override protected def remember(place: (Path, Version), contents: Contents): Unit =
    LoadsTheFirstAttemptOfItsProcess.made.putIfAbsent(place, contents): Unit
}

private object LoadsTheFirstAttemptOfItsProcess {
  val made: TrieMap[(Path, Version), Contents] = TrieMap.empty
}

/** Ids are numbers of the commits of this process. */
class NumbersTheAttemptsOfItsProcess extends ReferenceStoreProvider {
  override protected def newId(): String = NumbersTheAttemptsOfItsProcess.attempts.incrementAndGet().toString
}

private object NumbersTheAttemptsOfItsProcess {
  val attempts: AtomicLong = new AtomicLong
}

/** A clock tells attempts apart. */
class TakesIdsFromTheClock extends ReferenceStoreProvider {
  override protected def newId(): String = System.currentTimeMillis.toString
}

/** Writes its own conf into the Hadoop configuration, which others in its process have, too. */
class ChangesTheConfigurationOfOthers extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    hadoopConf.setInt("io.file.buffer.size", 1 << 20)
    super.filesIn(folder, hadoopConf)
  }
}
