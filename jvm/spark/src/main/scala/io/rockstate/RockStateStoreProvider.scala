package io.rockstate

import org.apache.spark.sql.execution.streaming.state.rockstate

/** The class to name in `spark.sql.streaming.stateStore.providerClass`; this name is stable across releases and Spark versions.
  *
  * Spark writes it to the offset log with a query's first batch; when the query restarts, the log's value wins over the session's. A
  * checkpoint therefore keeps its provider until it is migrated.
  */
class RockStateStoreProvider extends rockstate.RockStateStoreProvider
