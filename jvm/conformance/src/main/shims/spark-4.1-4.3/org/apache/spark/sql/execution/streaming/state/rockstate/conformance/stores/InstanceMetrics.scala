package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.streaming.state._

/** The metrics that each instance of a provider has of its own, since Spark 4.1. */
private[conformance] object InstanceMetrics {

  /** What a store says of itself, by the name that Spark gives each. */
  def of(metrics: StateStoreMetrics): Map[String, Long] =
    metrics.instanceMetrics.map { case (metric, value) => metric.name -> value }

  /** The names that a store of this partition and name may use; each can be shown. */
  def declared(provider: StateStoreProvider, id: StateStoreId): Seq[String] =
    ofStore(provider, id).tapEach(metric => SparkContext.getActive.foreach(metric.createSQLMetric)).map(_.name)

  /** The names of a store's metrics that are equal to none of those that `declaring` has: operators look each up among them. */
  def unknown(metrics: StateStoreMetrics, declaring: StateStoreProvider, id: StateStoreId): Seq[String] = {
    val known = ofStore(declaring, id).toSet
    metrics.instanceMetrics.keys.filterNot(known).map(_.name).toSeq
  }

  private def ofStore(provider: StateStoreProvider, id: StateStoreId) =
    provider.supportedInstanceMetrics.map(_.withNewId(id.partitionId, id.storeName))
}
