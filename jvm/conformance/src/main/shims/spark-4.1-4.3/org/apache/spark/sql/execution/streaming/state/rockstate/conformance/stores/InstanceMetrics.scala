package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.util.Utils

/** The metrics that each instance of a provider has of its own, since Spark 4.1. */
private[conformance] object InstanceMetrics {

  /** What a store says of itself, by the name that Spark gives each. */
  def of(metrics: StateStoreMetrics): Map[String, Long] =
    metrics.instanceMetrics.map { case (metric, value) => metric.name -> value }

  /** The names that a store of this partition and name may use; each can be shown, and is the same in a task that it is sent to. */
  def declared(provider: StateStoreProvider, id: StateStoreId): Seq[String] = ofStore(provider, id).map { metric =>
    LabSpark.context.foreach(metric.createSQLMetric)
    val sent = Utils.deserialize[StateStoreInstanceMetric](Utils.serialize(metric))
    require(sent == metric, s"the metric ${metric.name} is another one in a task: $sent")
    metric.name
  }

  /** The names of a store's metrics that are equal to none of those that `declaring` has: operators look each up among them. */
  def unknown(metrics: StateStoreMetrics, declaring: StateStoreProvider, id: StateStoreId): Seq[String] = {
    val known = ofStore(declaring, id).toSet
    metrics.instanceMetrics.keys.filterNot(known).map(_.name).toSeq
  }

  private def ofStore(provider: StateStoreProvider, id: StateStoreId) =
    provider.supportedInstanceMetrics.map(_.withNewId(id.partitionId, id.storeName))
}
