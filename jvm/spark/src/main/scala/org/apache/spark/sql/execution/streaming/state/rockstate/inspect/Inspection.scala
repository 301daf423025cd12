package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import org.apache.hadoop.conf.Configuration

import org.apache.spark.SparkConf
import org.apache.spark.deploy.SparkHadoopUtil

import io.rockstate.inspect.StoreReport

/** Looks into checkpoints with the Hadoop settings of the running Spark, `spark.hadoop.*` included. */
final class Inspection private (hadoopConf: Configuration) {

  def checkpoint(location: String): CheckpointReport = new CheckpointFolder(location, hadoopConf).report()

  def store(location: String, provider: Option[String], verify: Boolean, expected: Option[Long]): StoreReport =
    new StoreFolder(location, provider, hadoopConf).report(verify, expected)
}

object Inspection {
  def apply(): Inspection = new Inspection(SparkHadoopUtil.newConfiguration(new SparkConf))
}
