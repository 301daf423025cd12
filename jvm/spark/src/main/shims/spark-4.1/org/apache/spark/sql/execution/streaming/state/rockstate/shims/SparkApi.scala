package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.state._

// Common code extends these and writes `override` everywhere; here is what Spark 4.1 lacks.

trait ProviderShim
    extends ProviderSince42
    with ProviderSince43
    with ProviderWithInstanceMetrics
    with SupportsFineGrainedReplay {
  override def upgradeReadStoreToWriteStore(
      readStore: ReadStateStore,
      version: Long,
      uniqueId: Option[String]
  ): StateStore = upgradeReadStoreToWriteStore(readStore, version, uniqueId, forceSnapshotOnCommit = false)
}

trait ReadStoreShim extends ReadStateStore with ReadStoreSince42 with ReadStoreSince43
trait StoreShim extends StateStore with ReadStoreShim with StoreSince42
