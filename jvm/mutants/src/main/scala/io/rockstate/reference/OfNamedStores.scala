package io.rockstate.reference

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.reference.Records
import org.apache.spark.sql.types.StructType

/** A mutant whose fault is in stores that have a name: a query's only store is kept as it has to be. */
abstract class OfNamedStores(faulty: => ReferenceStoreProvider)
    extends StateStoreProvider
    with SupportsFineGrainedReplay {
  @volatile private var chosen: ReferenceStoreProvider = new ReferenceStoreProvider

  override def init(
      id: StateStoreId,
      keySchema: StructType,
      valueSchema: StructType,
      spec: KeyStateEncoderSpec,
      useColumnFamilies: Boolean,
      storeConfs: StateStoreConf,
      hadoopConf: Configuration,
      useMultipleValuesPerKey: Boolean,
      schemas: Option[StateSchemaProvider]
  ): Unit = {
    if (id.storeName != StateStoreId.DEFAULT_STORE_NAME) chosen = faulty
    chosen.init(
      id,
      keySchema,
      valueSchema,
      spec,
      useColumnFamilies,
      storeConfs,
      hadoopConf,
      useMultipleValuesPerKey,
      schemas
    )
  }

  override def stateStoreId: StateStoreId = chosen.stateStoreId
  override def close(): Unit = chosen.close()
  override def doMaintenance(): Unit = chosen.doMaintenance()
  override def supportedCustomMetrics: Seq[StateStoreCustomMetric] = chosen.supportedCustomMetrics

  override def getStore(version: Long, id: Option[String], takesSnapshot: Boolean, startsEmpty: Boolean): StateStore =
    chosen.getStore(version, id, takesSnapshot, startsEmpty)

  override def getReadStore(version: Long, id: Option[String]): ReadStateStore = chosen.getReadStore(version, id)

  override def upgradeReadStoreToWriteStore(
      readStore: ReadStateStore,
      version: Long,
      id: Option[String],
      takesSnapshot: Boolean
  ): StateStore = chosen.upgradeReadStoreToWriteStore(readStore, version, id, takesSnapshot)

  override def replayStateFromSnapshot(
      snapshot: Long,
      end: Long,
      readOnly: Boolean,
      snapshotId: Option[String],
      endId: Option[String]
  ): StateStore = chosen.replayStateFromSnapshot(snapshot, end, readOnly, snapshotId, endId)

  override def getStateStoreChangeDataReader(
      first: Long,
      last: Long,
      family: Option[String],
      lastId: Option[String]
  ): Records = chosen.getStateStoreChangeDataReader(first, last, family, lastId)
}
