package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import java.lang.reflect.{InvocationHandler, InvocationTargetException, Method, Proxy}
import java.util.UUID

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

import io.rockstate.RockStateStoreProvider

/** Spark's suites of state variables and timers, on a Rockstate store. */
trait StateVariablesOnRockState extends StateVariableSuiteBase {
  override protected def newStoreProviderWithStateVariable(
      storeId: StateStoreId,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      sqlConf: SQLConf,
      conf: Configuration,
      useColumnFamilies: Boolean,
      schemaProvider: Option[StateSchemaProvider]
  ): RocksDBStateStoreProvider = {
    val schemas = schemaProvider.collect { case schemas: TestStateSchemaProvider => schemas }
    val provider = new RockStateInRocksDBsPlace(schemas.getOrElse(new TestStateSchemaProvider))
    conf.set(StreamExecution.RUN_ID_KEY, UUID.randomUUID().toString)
    provider.init(
      storeId,
      schemaForKeyRow,
      schemaForValueRow,
      keyStateEncoderSpec,
      useColumnFamilies,
      new StateStoreConf(sqlConf),
      conf,
      useMultipleValuesPerKey
    )
    provider
  }
}

/** Rockstate under the type that Spark's suites ask for: nothing of the superclass is in use. Like that class it tells `schemas` of every
  * column family; in a query the driver does.
  */
private final class RockStateInRocksDBsPlace(schemas: TestStateSchemaProvider) extends RocksDBStateStoreProvider {
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
  ): Unit = {
    schemas.captureSchema(StateStore.DEFAULT_COL_FAMILY_NAME, keySchema, valueSchema)
    ours.init(
      stateStoreId,
      keySchema,
      valueSchema,
      keyStateEncoderSpec,
      useColumnFamilies,
      storeConf,
      hadoopConf,
      useMultipleValuesPerKey,
      Some(schemas)
    )
  }

  override def stateStoreId: StateStoreId = ours.stateStoreId

  override def getStore(
      version: Long,
      stateStoreCkptId: Option[String],
      forceSnapshotOnCommit: Boolean,
      loadEmpty: Boolean
  ): StateStore = tellingOfFamilies(ours.getStore(version, stateStoreCkptId, forceSnapshotOnCommit, loadEmpty))

  private def tellingOfFamilies(store: StateStore): StateStore = {
    val handler: InvocationHandler = (_: Any, method: Method, arguments: Array[AnyRef]) => {
      (method.getName, arguments) match {
        case ("createColFamilyIfAbsent", Array(name: String, key: StructType, value: StructType, _*)) =>
          schemas.captureSchema(name, key, value)
        case _ =>
      }
      try method.invoke(store, arguments: _*)
      catch { case e: InvocationTargetException => throw e.getCause }
    }
    Proxy.newProxyInstance(getClass.getClassLoader, Array(classOf[StateStore]), handler).asInstanceOf[StateStore]
  }

  override def close(): Unit = ours.close()
}

class RockStateValueStateSuite extends ValueStateSuite with StateVariablesOnRockState
class RockStateListStateSuite extends ListStateSuite with StateVariablesOnRockState
class RockStateMapStateSuite extends MapStateSuite with StateVariablesOnRockState
class RockStateTimerSuite extends TimerSuite with StateVariablesOnRockState
class RockStateStatefulProcessorHandleSuite extends StatefulProcessorHandleSuite with StateVariablesOnRockState
