package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.sql.{SparkSessionExtensions, SparkSessionExtensionsProvider}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.SparkVersionCheck

/** What Rockstate adds to a session. */
class Extensions extends SparkVersionCheck with SparkSessionExtensionsProvider {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    TransformWithStateRules.addTo(extensions)
    extensions.injectCheckRule(_ => CheckOptionsAtStart)
    extensions.injectCheckRule(session => new CheckCheckpointAtStart(session))
  }
}
