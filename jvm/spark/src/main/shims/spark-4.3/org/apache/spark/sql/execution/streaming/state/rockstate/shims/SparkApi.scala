package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.state._

// Common code extends these and writes `override` everywhere. 4.3 has every member.

trait ProviderShim extends StateStoreProvider with ProviderWithInstanceMetrics with SupportsFineGrainedReplay
trait ReadStoreShim extends ReadStateStore
trait StoreShim extends StateStore with ReadStoreShim
