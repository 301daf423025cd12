package org.apache.spark.sql.execution.streaming.state.rockstate.store

import java.io.File
import java.util.UUID

import scala.util.Random

import org.apache.hadoop.conf.Configuration
import org.scalatest.BeforeAndAfter

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.StreamExecution
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types.StructType

/** Spark's own contract for state store providers, run against ours: nothing is skipped but `StoreSuiteExceptions`. */
class RockstateStoreSuite
    extends StateStoreSuiteBase[io.rockstate.RockStateStoreProvider]
    with SharedSparkSession
    with BeforeAndAfter {
  import StateStoreTestsHelper._

  type Provider = io.rockstate.RockStateStoreProvider

  before {
    StateStore.stop()
    require(!StateStore.isMaintenanceRunning)
    spark.streams.stateStoreCoordinator // initialize the lazy coordinator
  }

  after {
    StateStore.stop()
    require(!StateStore.isMaintenanceRunning)
  }

  override def tags: Map[String, Set[String]] = super.tags ++
    testNames
      .filter(name => StoreSuiteExceptions.reasons.keys.exists(name.startsWith(_)))
      .map(_ -> Set("org.scalatest.Ignore"))

  override protected def testQuietly(name: String)(f: => Unit): Unit = test(name)(quietly(f))

  private def quietly[A](f: => A): A = org.apache.spark.sql.catalyst.util.quietly(f)

  private def randomId(): StateStoreId = StateStoreId(newDir(), Random.nextInt(), 0)

  private lazy val noPrefix = NoPrefixKeyStateEncoderSpec(keySchema)

  override def newStoreProvider(): Provider = initialized(randomId())

  override def newStoreProvider(storeId: StateStoreId): Provider = initialized(storeId)

  override def newStoreProvider(storeId: StateStoreId, useColumnFamilies: Boolean): Provider =
    initialized(storeId, useColumnFamilies = useColumnFamilies)

  override def newStoreProvider(storeId: StateStoreId, conf: Configuration): Provider =
    initialized(storeId, hadoopConf = conf)

  override def newStoreProvider(minDeltasForSnapshot: Int, numOfVersToRetainInMemory: Int): Provider =
    initialized(randomId(), sqlConf = getDefaultSQLConf(minDeltasForSnapshot, numOfVersToRetainInMemory))

  override def newStoreProvider(
      keySchema: StructType,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      useColumnFamilies: Boolean
  ): Provider = initialized(randomId(), keySchema, keyStateEncoderSpec, useColumnFamilies)

  override def newStoreProvider(useColumnFamilies: Boolean): Provider =
    initialized(randomId(), useColumnFamilies = useColumnFamilies)

  def newStoreProviderWithClonedConf(storeId: StateStoreId): Provider =
    initialized(storeId, sqlConf = SQLConf.get.clone())

  def newStoreProviderNoInit(): Provider = new Provider

  override def getDefaultSQLConf(minDeltasForSnapshot: Int, numOfVersToRetainInMemory: Int): SQLConf = {
    val conf = SQLConf.get.clone()
    conf.setConf(SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT, minDeltasForSnapshot)
    conf.setConf(SQLConf.MAX_BATCHES_TO_RETAIN_IN_MEMORY, numOfVersToRetainInMemory)
    conf
  }

  override def getLatestData(storeProvider: Provider, useColumnFamilies: Boolean): Set[((String, Int), Int)] =
    getData(storeProvider, latestVersion(storeProvider.stateStoreId), useColumnFamilies)

  override def getData(provider: Provider, version: Int, useColumnFamilies: Boolean): Set[((String, Int), Int)] =
    tryWithProviderResource(newStoreProvider(provider.stateStoreId, useColumnFamilies)) { reloaded =>
      val store = reloaded.getStore(version)
      try store.iterator().map(rowPairToDataPair).toSet
      finally if (!store.hasCommitted) store.abort()
    }

  private def latestVersion(id: StateStoreId): Int = {
    val names = Option(new File(id.storeCheckpointLocation().toUri.getPath).list()).toSeq.flatten
    (0 +: names.filter(_.endsWith(".delta")).map(_.takeWhile(_.isDigit)).filter(_.nonEmpty).map(_.toInt)).max
  }

  private def initialized(
      storeId: StateStoreId,
      keySchema: StructType = keySchema,
      encoderSpec: KeyStateEncoderSpec = noPrefix,
      useColumnFamilies: Boolean = false,
      hadoopConf: Configuration = new Configuration,
      sqlConf: SQLConf = SQLConf.get
  ): Provider = {
    val provider = new Provider
    hadoopConf.set(StreamExecution.RUN_ID_KEY, UUID.randomUUID().toString)
    provider.init(
      storeId,
      keySchema,
      valueSchema,
      encoderSpec,
      useColumnFamilies,
      new StateStoreConf(sqlConf),
      hadoopConf
    )
    provider
  }
}
