package io.rockstate.benchmarks

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.StructType

/** The floor: rocksdbjni in a loop. Gets and puts go straight to the database, write-ahead log off; versions are only counted, nothing is
  * stored or can be aborted. It has the shape of a provider so that the same loops drive it.
  */
class BareRocksDbProvider extends StateStoreProvider {
  private var id: StateStoreId = _
  private var db: BareDb = _

  override def init(
      stateStoreId: StateStoreId,
      keySchema: StructType,
      valueSchema: StructType,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      useColumnFamilies: Boolean,
      storeConfs: StateStoreConf,
      hadoopConf: Configuration,
      useMultipleValuesPerKey: Boolean,
      stateSchemaProvider: Option[StateSchemaProvider]
  ): Unit = {
    if (useColumnFamilies || useMultipleValuesPerKey || !keyStateEncoderSpec.isInstanceOf[NoPrefixKeyStateEncoderSpec])
      throw new CannotDo("only plain keys and values")
    id = stateStoreId
    db = new BareDb(keySchema.size, valueSchema.size, BareRocksDbProvider.CacheBytes)
  }

  override def stateStoreId: StateStoreId = id
  override def close(): Unit = db.close()

  override def getStore(
      version: Long,
      stateStoreCkptId: Option[String],
      forceSnapshotOnCommit: Boolean,
      loadEmpty: Boolean
  ): StateStore =
    new BareStore(id, version, db)
}

object BareRocksDbProvider {
  // As large as the native half of Rockstate's default budget of 512 MB: its block cache and write buffers.
  private val CacheBytes = 256L << 20
}

private final class BareStore(override val id: StateStoreId, override val version: Long, db: BareDb)
    extends StateStore {
  private var committed = false

  override def get(key: UnsafeRow, family: String): UnsafeRow = db.get(key)
  override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit = db.put(key, value)
  override def remove(key: UnsafeRow, family: String): Unit = db.remove(key)
  override def iterator(family: String): StateStoreIterator[UnsafeRowPair] = db.scan()

  override def commit(): Long = {
    committed = true
    version + 1
  }

  override def hasCommitted: Boolean = committed
  override def metrics: StateStoreMetrics = StateStoreMetrics(0, 0, Map.empty)
  override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo =
    StateStoreCheckpointInfo(id.partitionId, version + 1, None, None)
  override def release(): Unit = ()
  override def abort(): Unit = throw new CannotDo("no abort")
  override def allColumnFamilyNames: Set[String] = Set(StateStore.DEFAULT_COL_FAMILY_NAME)

  override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] = no()
  override def prefixScan(prefix: UnsafeRow, family: String): StateStoreIterator[UnsafeRowPair] = no()
  override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): StateStoreIterator[UnsafeRowPair] = no()
  override def iteratorWithMultiValues(family: String): StateStoreIterator[UnsafeRowPair] = no()
  override def removeColFamilyIfExists(family: String): Boolean = no()
  override def createColFamilyIfAbsent(
      family: String,
      keySchema: StructType,
      valueSchema: StructType,
      spec: KeyStateEncoderSpec,
      useMultipleValuesPerKey: Boolean,
      isInternal: Boolean
  ): Unit = no()
  override def putList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit = no()
  override def merge(key: UnsafeRow, value: UnsafeRow, family: String): Unit = no()
  override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit = no()

  private def no(): Nothing = throw new CannotDo("not in the bare loop")
}
