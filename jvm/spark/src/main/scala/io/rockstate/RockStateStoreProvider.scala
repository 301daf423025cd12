package io.rockstate

import org.apache.spark.sql.execution.streaming.state.rockstate.provider.StoreProvider

/** The class to name in `spark.sql.streaming.stateStore.providerClass`; this name is stable across releases and Spark versions.
  *
  * Spark writes it to the offset log with a query's first batch; when the query restarts, the log's value wins over the session's. A
  * checkpoint therefore keeps its provider for life.
  */
class RockStateStoreProvider extends StoreProvider
