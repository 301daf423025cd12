package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.codec.{FamilyCodecs, FamilySchema}
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.{JvmMemory, MemoryInForce, ProviderConf}
import org.apache.spark.sql.execution.streaming.state.rockstate.errors.InStore
import org.apache.spark.sql.execution.streaming.state.rockstate.files.SparkRemoteFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.reports.{CoordinatorReports, OpenStores}
import org.apache.spark.sql.execution.streaming.state.rockstate.session.{StoreContext, StoreSetup}

import io.rockstate.db.NativeMemory
import io.rockstate.engine.StateEngine
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}
import io.rockstate.errors.OnFailure

/** Opens a store's engine on what Spark says at `init`. */
private[provider] object OpenStore {

  /** Checks the options before anything is opened; what is opened is let go again if the rest fails. */
  def apply(
      setup: StoreSetup,
      keyEncoderSpec: KeyStateEncoderSpec,
      useMultipleValuesPerKey: Boolean,
      avroSchemas: Option[StateSchemaProvider]
  ): StoreContext =
    try {
      val options = ProviderConf(setup.conf)
      MemoryInForce.ask(options)
      val codecs = new FamilyCodecs(setup.useColumnFamilies, setup.conf, avroSchemas, setup.id.toString)
      val schema = FamilySchema(keyEncoderSpec, setup.valueSchema, useMultipleValuesPerKey)
      codecs.declare(StateStore.DEFAULT_COL_FAMILY_NAME, schema)
      open(setup, options, codecs)
    } catch new InStore(setup.id).tell

  private def open(setup: StoreSetup, options: ProviderConf, codecs: FamilyCodecs): StoreContext = {
    import setup.{hadoopConf, id}
    val files = new SparkRemoteFiles(id.storeCheckpointLocation(), hadoopConf)
    val sizes = options.memory.in(JvmMemory.here)
    val memory = SharedMemory(NativeMemory.shared(sizes.nativeBytes), HeapMemory.shared(sizes.heapBytes))
    val coordinator = CoordinatorReports(id, hadoopConf)
    val key = LocalStores.keyOf(files.location, options)
    // It leaves its database to this one; where nothing is left, Spark's maintenance closes it in its own time.
    if (options.keptBytes > 0) EndedRuns.close(key, coordinator)
    val folder = LocalStores.open(sparkConf, options, id, key)
    val engine = OnFailure(folder.putBack())(StateEngine.open(files, folder, options.engine, memory))
    OnFailure(engine.close()) {
      val context = new StoreContext(setup, codecs, coordinator, files, engine, EndedRuns.forget(key, _))
      OpenStores.addOne()
      EndedRuns.note(key, context)
      context
    }
  }

  private def sparkConf: SparkConf = Option(SparkEnv.get).fold(new SparkConf)(_.conf)
}
