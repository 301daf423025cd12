package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import org.apache.spark.sql.execution.streaming.state.StateStoreCustomMetric

/** What operators do with the metrics that a provider declares. */
private[conformance] object LabMetrics {

  /** The names of those that they show: a join gives each a text of its own. */
  def shown(declared: Seq[StateStoreCustomMetric]): Seq[String] = declared.map { metric =>
    val renamed = metric.withNewDesc(s"left side: ${metric.desc}")
    LabSpark.context.foreach(renamed.createSQLMetric)
    renamed.name
  }
}
