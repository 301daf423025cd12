package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import java.util.UUID

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.StreamExecution
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

import io.rockstate.RockStateStoreProvider

/** Spark's suites of state variables and timers, on a Rockstate store. */
trait StateVariablesOnRockstate extends StateVariableSuiteBase {
  override protected def newStoreProviderWithStateVariable(
      storeId: StateStoreId,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      sqlConf: SQLConf,
      conf: Configuration,
      useColumnFamilies: Boolean,
      schemaProvider: Option[StateSchemaProvider]
  ): RocksDBStateStoreProvider = {
    val provider = new RockstateInRocksDBsPlace
    conf.set(StreamExecution.RUN_ID_KEY, UUID.randomUUID().toString)
    provider.init(
      storeId,
      schemaForKeyRow,
      schemaForValueRow,
      keyStateEncoderSpec,
      useColumnFamilies,
      new StateStoreConf(sqlConf),
      conf,
      useMultipleValuesPerKey,
      schemaProvider.orElse(Some(new TestStateSchemaProvider))
    )
    provider
  }
}

/** Rockstate under the type that Spark's suites ask for: nothing of the superclass is in use. */
private final class RockstateInRocksDBsPlace extends RocksDBStateStoreProvider {
  private val ours = new RockStateStoreProvider

  override def init(
      stateStoreId: StateStoreId,
      keySchema: StructType,
      valueSchema: StructType,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      useColumnFamilies: Boolean,
      storeConf: StateStoreConf,
      hadoopConf: Configuration,
      useMultipleValuesPerKey: Boolean,
      stateSchemaProvider: Option[StateSchemaProvider]
  ): Unit = ours.init(
    stateStoreId,
    keySchema,
    valueSchema,
    keyStateEncoderSpec,
    useColumnFamilies,
    storeConf,
    hadoopConf,
    useMultipleValuesPerKey,
    stateSchemaProvider
  )

  override def stateStoreId: StateStoreId = ours.stateStoreId

  override def getStore(
      version: Long,
      stateStoreCkptId: Option[String],
      forceSnapshotOnCommit: Boolean,
      loadEmpty: Boolean
  ): StateStore = ours.getStore(version, stateStoreCkptId, forceSnapshotOnCommit, loadEmpty)

  override def close(): Unit = ours.close()
}

class RockstateValueStateSuite extends ValueStateSuite with StateVariablesOnRockstate
class RockstateListStateSuite extends ListStateSuite with StateVariablesOnRockstate
class RockstateMapStateSuite extends MapStateSuite with StateVariablesOnRockstate
class RockstateTimerSuite extends TimerSuite with StateVariablesOnRockstate
class RockstateStatefulProcessorHandleSuite extends StatefulProcessorHandleSuite with StateVariablesOnRockstate
