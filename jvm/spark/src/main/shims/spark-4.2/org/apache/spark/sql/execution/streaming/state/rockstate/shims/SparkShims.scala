package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.state.{ReadStateStore, StateStore, StateStoreProvider}

/** The Spark minor this jar is compiled against. */
private[rockstate] object BuiltFor {
  val minor = "4.2"
}

// Common code extends these and writes `override` everywhere; a shim declares what its Spark lacks. 4.2 has every member.
trait ProviderShim extends StateStoreProvider
trait ReadStoreShim extends ReadStateStore
trait StoreShim extends StateStore with ReadStoreShim
