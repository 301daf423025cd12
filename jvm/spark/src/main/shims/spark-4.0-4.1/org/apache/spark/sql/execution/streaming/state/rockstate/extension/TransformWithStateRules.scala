package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.sql.SparkSessionExtensions

/** Spark 4.0 and 4.1 do not check which provider `transformWithState` runs on. */
private[extension] object TransformWithStateRules {
  def addTo(extensions: SparkSessionExtensions): Unit = ()
}
