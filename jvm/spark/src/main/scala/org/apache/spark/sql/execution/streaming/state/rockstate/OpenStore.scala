package org.apache.spark.sql.execution.streaming.state.rockstate

import org.apache.hadoop.conf.Configuration

import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.codec.{FamilyCodecs, FamilySchema}
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.{MemoryInForce, ProviderConf}
import org.apache.spark.sql.execution.streaming.state.rockstate.files.SparkRemoteFiles
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.Utils

import io.rockstate.db.NativeMemory
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}
import io.rockstate.engine.StateEngine
import io.rockstate.errors.OnFailure

/** Opens a store's engine on what Spark says at `init`. */
private[rockstate] final case class OpenStore(
    id: StateStoreId,
    keySchema: StructType,
    valueSchema: StructType,
    useColumnFamilies: Boolean,
    conf: StateStoreConf,
    hadoopConf: Configuration
) {

  /** Checks the options before anything is opened; what is opened is let go again if the rest fails. */
  def open(
      keyEncoderSpec: KeyStateEncoderSpec,
      useMultipleValuesPerKey: Boolean,
      avroSchemas: Option[StateSchemaProvider]
  ): StoreContext = {
    val ours = ProviderConf(conf)
    MemoryInForce.ask(ours)
    val codecs = new FamilyCodecs(useColumnFamilies, conf, avroSchemas, id.toString)
    codecs.declare(
      StateStore.DEFAULT_COL_FAMILY_NAME,
      FamilySchema(keyEncoderSpec, valueSchema, useMultipleValuesPerKey)
    )
    val files = new SparkRemoteFiles(id.storeCheckpointLocation(), hadoopConf)
    val memory = SharedMemory(NativeMemory.shared(ours.nativeBytes), HeapMemory.shared(ours.heapBytes))
    val folder =
      Utils.createExecutorLocalTempDir(sparkConf, s"rockstate-${id.operatorId}-${id.partitionId}-${id.storeName}")
    OnFailure(Utils.deleteRecursively(folder)) {
      val engine = StateEngine.open(files, folder.toPath, ours.engine, memory)
      val reports = CoordinatorReports(id, hadoopConf)
      val context = new StoreContext(
        id,
        keySchema,
        valueSchema,
        useColumnFamilies,
        conf,
        hadoopConf,
        reports,
        codecs,
        files,
        folder,
        engine
      )
      OpenStores.addOne()
      context
    }
  }

  private def sparkConf: SparkConf = Option(SparkEnv.get).fold(new SparkConf)(_.conf)
}
