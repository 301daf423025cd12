package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import java.io.File

import org.apache.spark.SparkConf
import org.apache.spark.util.Utils

/** Where an executor keeps what it needs no longer than it lives. */
private[rockstate] object LocalFolders {

  /** A new folder whose name starts so. */
  def make(conf: SparkConf, name: String): File = Utils.createTempDir(Utils.getLocalDir(conf), name)
}
