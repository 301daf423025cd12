package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.state._

// Common code extends these and writes `override` everywhere; here is what Spark 4.2 lacks.

trait ProviderShim
    extends StateStoreProvider
    with ProviderSince43
    with ProviderWithInstanceMetrics
    with SupportsFineGrainedReplay
trait ReadStoreShim extends ReadStateStore with ReadStoreSince43
trait StoreShim extends StateStore with ReadStoreShim
