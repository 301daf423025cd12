package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileContext, Path}
import org.apache.hadoop.fs.Options.Rename

import org.apache.spark.sql.execution.streaming.state.{HDFSBackedStateStoreProvider, StateStore, StateStoreProvider}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.WholeStores

/** Copies one partition of a store, row by row, to another provider. Runs in a task. */
private[moving] final class StoreCopy(from: StateSide, to: StateSide, hadoopConf: Configuration) {

  /** @return the checkpoint id of what was written, if it has one, and what was written, by column family */
  def copy(plan: StorePlan, partition: Int): (Option[String], Map[String, RowTotals]) =
    Using.resource(plan.open(partition, to, hadoopConf)) { provider =>
      val goesOnOnly = provider.isInstanceOf[HDFSBackedStateStoreProvider]
      val store = if (goesOnOnly) WholeStores.first(provider) else WholeStores.empty(provider, to.version - 1)
      val written = fill(store, plan, partition)
      if (goesOnOnly) renumber(provider)
      written
    }(_.close())

  private def fill(store: StateStore, plan: StorePlan, partition: Int): (Option[String], Map[String, RowTotals]) =
    try {
      if (plan.hasColumnFamilies) plan.declareFamilies(store)
      val rows = new StoreRows(plan, partition, from, hadoopConf).foreach { (family, pair, isNext) =>
        if (isNext) store.merge(pair.key, pair.value, family.name)
        else store.put(pair.key, pair.value, family.name)
      }
      store.commit()
      (store.getStateStoreCheckpointInfo().stateStoreCkptId, rows)
    } finally if (!store.hasCommitted) store.abort()

  /** Spark's file-based provider wrote the rows as its version 1; a snapshot's file says its version by its name alone. */
  private def renumber(provider: StateStoreProvider): Unit = if (to.version != 1) {
    val folder = provider.stateStoreId.storeCheckpointLocation()
    val files = FileContext.getFileContext(folder.toUri, hadoopConf)
    files.rename(new Path(folder, "1.snapshot"), new Path(folder, s"${to.version}.snapshot"), Rename.OVERWRITE)
    files.delete(new Path(folder, "1.delta"), false)
  }
}
