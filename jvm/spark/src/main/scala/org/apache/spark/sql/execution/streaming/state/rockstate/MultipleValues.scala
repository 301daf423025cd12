package org.apache.spark.sql.execution.streaming.state.rockstate

import org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider

import io.rockstate.errors.Unsupported

/** The one refusal of several values per key, until the engine has merge records. */
private[rockstate] object MultipleValues {

  /** @param what what asked for it, at the start of a sentence */
  def unsupported(what: String): Throwable = new Unsupported(
    s"$what needs several values per key, which this release does not support",
    "ListState of transformWithState and stream-stream joins of state format 4 need it; name " +
      s"${classOf[RocksDBStateStoreProvider].getName} as the provider of such a query"
  )
}
