package io.rockstate.mutants

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.TaskContext

import io.rockstate.reference._

/** Partitions are counted in a signed byte. */
class CountsPartitionsInAByte extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    val partition = stateStoreId.partitionId % 128
    super.filesIn(stateStoreId.copy(partitionId = partition).storeCheckpointLocation(), hadoopConf)
  }
}

/** A store is that of its task's partition. */
class TakesThePartitionOfTheTask extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    val partition = Option(TaskContext.get()).fold(stateStoreId.partitionId)(_.partitionId())
    super.filesIn(stateStoreId.copy(partitionId = partition).storeCheckpointLocation(), hadoopConf)
  }
}

/** What is kept in the process is found by operator, partition and name, whichever the checkpoint. */
class KnowsStoresByTheirNumbers extends LoadsWhatIsShared(KnowsStoresByTheirNumbers.kept) {
  override protected def folder: Path =
    new Path(s"/${stateStoreId.operatorId}/${stateStoreId.partitionId}/${stateStoreId.storeName}")
}

private object KnowsStoresByTheirNumbers {
  val kept: TrieMap[(Path, Version), Contents] = TrieMap.empty
}

/** A store is read by one instance of a process. */
class ReadsAStoreOnceInAProcess extends ReferenceStoreProvider {
  import ReadsAStoreOnceInAProcess.readers

  private def folder = stateStoreId.storeCheckpointLocation()

  override protected def readStore(base: Version, contents: Contents): ReadStore = {
    require(readers.putIfAbsent(folder, this).forall(_ eq this), s"$folder is in use")
    super.readStore(base, contents)
  }

  override def close(): Unit = {
    readers.remove(folder, this)
    super.close()
  }
}

private object ReadsAStoreOnceInAProcess {
  val readers: TrieMap[Path, ReferenceStoreProvider] = TrieMap.empty
}
