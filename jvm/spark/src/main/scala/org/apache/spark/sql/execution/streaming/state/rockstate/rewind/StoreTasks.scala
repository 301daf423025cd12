package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.SourceCheckpoint
import org.apache.spark.util.SerializableConfiguration

/** A job with a task for each store that a batch committed.
  *
  * @param name for Spark's UI
  */
private[rewind] final class StoreTasks(session: SparkSession, name: String, hadoopConf: Configuration) {
  private val context = session.sparkContext

  /** @param task of a store, the checkpoint's folder and its provider */
  def run[T](what: String, source: SourceCheckpoint)(
      task: (StoreAt, String, String, Configuration) => T
  ): Vector[(StoreAt, T)] = {
    val stores = StoreAt.all(source)
    val conf = context.broadcast(new SerializableConfiguration(hadoopConf))
    val (root, provider) = (source.folder.toString, source.provider)
    context.setJobDescription(s"$name: $what")
    try
      context
        .parallelize(stores, stores.size.max(1))
        .map(store => store -> task(store, root, provider, conf.value.value))
        .collect()
        .toVector
    finally {
      context.setJobDescription(null)
      conf.destroy()
    }
  }
}
