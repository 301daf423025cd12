package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.sql.SparkSessionExtensions

/** From 4.2 on, Spark checks which provider `transformWithState` runs on. */
private[extension] object TransformWithStateRules {
  def addTo(extensions: SparkSessionExtensions): Unit =
    extensions.injectColumnar(_ => RunTransformWithStateOnRockstate)
}
