package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import java.nio.file.{Files, Paths}

import scala.util.Using

import org.apache.spark.SparkEnv
import org.apache.spark.util.Utils

/** The local disk of this process, where providers keep what they need for themselves. */
private[conformance] object LabDisk {

  /** How many files there are in the folders that Spark has made there. */
  def files(): Long = Utils
    .getOrCreateLocalRootDirs(SparkEnv.get.conf)
    .map { root =>
      Using.resource(Files.walk(Paths.get(root)))(_.filter(Files.isRegularFile(_)).count())
    }
    .sum
}
