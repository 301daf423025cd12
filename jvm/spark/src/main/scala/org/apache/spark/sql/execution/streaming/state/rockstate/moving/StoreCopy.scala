package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import scala.collection.mutable
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.{HDFSBackedStateStoreProvider, StateStore, StateStoreProvider}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{CheckpointFileManager, WholeStores}

import io.rockstate.errors.{Misuse, OnFailure}

/** Writes one partition of a store anew, with the provider of `to`. Runs in a task.
  *
  * @param isUnique whether to look for keys that come twice
  * @return the checkpoint id of what was written, if it has one
  */
private[moving] final class StoreCopy(
    plan: StorePlan,
    partition: Int,
    to: Destination,
    hadoopConf: Configuration,
    isUnique: Boolean = false
) {

  def write(rows: Iterator[StoreRow]): Option[String] =
    Using.resource(plan.open(partition, to.side, to.mark.heededIn(hadoopConf))) { provider =>
      val goesOnOnly = provider.isInstanceOf[HDFSBackedStateStoreProvider]
      val store = if (goesOnOnly) WholeStores.first(provider) else WholeStores.empty(provider, to.side.version - 1)
      fill(store, rows)
      if (goesOnOnly) renumber(provider)
      store.getStateStoreCheckpointInfo().stateStoreCkptId
    }(_.close())

  private def fill(store: StateStore, rows: Iterator[StoreRow]): Unit =
    try {
      if (plan.hasColumnFamilies) plan.declareFamilies(store)
      val formers = mutable.Set.empty[String]
      rows.foreach { row =>
        val pair = row.pair
        if (row.family.isFormer && formers.add(row.family.name)) row.family.declare(store)
        if (isUnique && store.get(pair.key, row.family.name) != null) throw twice(row)
        if (row.isNext) store.merge(pair.key, pair.value, row.family.name)
        else store.put(pair.key, pair.value, row.family.name)
      }
      to.mark.require(hadoopConf)
      store.commit()
    } finally if (!store.hasCommitted) store.abort()

  private def twice(row: StoreRow): Misuse = {
    val fields = row.family.schema.keySchema
    val key = row.pair.key.toSeq(fields).mkString(", ")
    new Misuse(
      s"The rows that were given have a key twice: ($key) in operator ${plan.operator} (${plan.operatorName}), store " +
        s"${plan.store}, column family ${row.family.name}",
      s"Give one row for each (${fields.fieldNames.mkString(", ")})."
    )
  }

  /** Spark's file-based provider wrote the rows as its version 1; a snapshot's file says its version by its name alone. */
  private def renumber(provider: StateStoreProvider): Unit = if (to.side.version != 1) {
    val folder = provider.stateStoreId.storeCheckpointLocation()
    // Copied and not renamed: managers of checkpoints' files, which storage may have one of its own of, do not rename.
    val files = CheckpointFileManager.create(folder, hadoopConf)
    val first = new Path(folder, "1.snapshot")
    val whole = files.createAtomic(new Path(folder, s"${to.side.version}.snapshot"), overwriteIfPossible = true)
    OnFailure(whole.cancel()) {
      Using.resource(files.open(first))(_.transferTo(whole)): Unit
      to.mark.require(hadoopConf)
      whole.close()
    }
    files.delete(first)
    files.delete(new Path(folder, "1.delta"))
  }
}

/** Where stores are written, and by which run. */
private[moving] final case class Destination(side: StateSide, mark: RunMark)
