package org.apache.spark.sql.execution.streaming.state.rockstate.lookup

import org.apache.spark.rdd.PartitionPruningRDD
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.SourceCheckpoint

/** Rows of Spark's state data source of one key: only the partition is read that the query's shuffle sends the key to. */
final class KeyLookup(session: SparkSession, request: KeyRequest) {
  private val state = session.sessionState
  private lazy val source = new SourceCheckpoint(request.location, request.batch, state.newHadoopConf())
  private val place = new KeyPlace(source, request, state.conf.sessionLocalTimeZone)

  /** Those of the key's partition; all of them if it is not certain which one that is. */
  def narrowed(rows: DataFrame): DataFrame = place.partition.fold(rows) { case (partition, partitions) =>
    val whole = rows.queryExecution.toRdd
    if (whole.getNumPartitions != partitions) rows // those of one snapshot, say
    else session.internalCreateDataFrame(PartitionPruningRDD.create(whole, _ == partition), rows.schema)
  }
}
