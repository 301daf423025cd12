package org.apache.spark.sql.execution.streaming.state.rockstate.reference

import java.io.File

import org.apache.spark.SparkEnv
import org.apache.spark.util.Utils

/** The local disk of an executor, which only Spark's own packages can ask for. */
object LocalDisk {
  def newFile(): Unit = File.createTempFile("left", "", new File(Utils.getLocalDir(SparkEnv.get.conf))): Unit
}
