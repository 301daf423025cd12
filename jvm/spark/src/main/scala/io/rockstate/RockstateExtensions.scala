package io.rockstate

import org.apache.spark.sql.execution.streaming.state.rockstate.extension.Extensions

/** Lets `transformWithState` run on Rockstate, in every session that is created with the jar on its class path: Spark finds this class by
  * `META-INF/services`. Naming it in `spark.sql.extensions` as well does no harm. Queries on other providers are not touched.
  */
class RockstateExtensions extends Extensions
