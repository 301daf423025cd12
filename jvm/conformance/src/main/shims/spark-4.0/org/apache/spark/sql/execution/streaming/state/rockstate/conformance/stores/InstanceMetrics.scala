package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import scala.annotation.unused

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command.UsageException

/** The metrics that each instance of a provider has of its own, since Spark 4.1. */
private[conformance] object InstanceMetrics {
  def of(@unused metrics: StateStoreMetrics): Map[String, Long] = Map.empty

  def declared(@unused provider: StateStoreProvider, @unused id: StateStoreId): Seq[String] = Nil

  def unknown(@unused m: StateStoreMetrics, @unused p: StateStoreProvider, @unused id: StateStoreId): Seq[String] =
    throw new UsageException("this Spark has no metrics of an instance")
}
