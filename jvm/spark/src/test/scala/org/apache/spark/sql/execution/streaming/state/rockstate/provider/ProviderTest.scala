package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import java.io.File
import java.util.UUID

import org.apache.hadoop.conf.Configuration
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderConf
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.StreamExecution
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.Utils

/** Providers over a folder of their own, with Spark's test rows of a (string, int) key and an int value. Each stands for another executor: it finds
  * nothing on the local disk, unless its settings say so.
  */
abstract class ProviderTest extends AnyFunSuite {
  import TestRows._

  type Settings = Map[String, String]

  protected def newId(): StateStoreId = StateStoreId(Utils.createTempDir().toString, operatorId = 0, partitionId = 3)

  protected def newHadoopConf(): Configuration = new Configuration

  protected def initialized[P <: StateStoreProvider](
      provider: P,
      id: StateStoreId = newId(),
      settings: Settings = Map.empty,
      encoderSpec: KeyStateEncoderSpec = NoPrefixKeyStateEncoderSpec(keySchema),
      useColumnFamilies: Boolean = false
  ): P = {
    val conf = new SQLConf
    (Map(ProviderConf.warmRestartDisk.key -> "0") ++ settings).foreach { case (key, value) =>
      conf.setConfString(key, value)
    }
    val hadoopConf = newHadoopConf()
    hadoopConf.set(StreamExecution.RUN_ID_KEY, UUID.randomUUID().toString)
    provider.init(
      id,
      encoderSpec.keySchema,
      valueSchema,
      encoderSpec,
      useColumnFamilies,
      new StateStoreConf(conf),
      hadoopConf
    )
    provider
  }

  /** Runs `body` with a Rockstate provider on the folder of `id`. */
  protected def withProvider[A](
      id: StateStoreId = newId(),
      settings: Settings = Map.empty,
      encoderSpec: KeyStateEncoderSpec = NoPrefixKeyStateEncoderSpec(keySchema),
      useColumnFamilies: Boolean = false
  )(body: StoreProvider => A): A =
    closing(initialized(new StoreProvider, id, settings, encoderSpec, useColumnFamilies))(body)

  protected def closing[P <: StateStoreProvider, A](provider: P)(body: P => A): A =
    try body(provider)
    finally provider.close()

  /** Commits one more version with these rows and returns it. */
  protected def commit(provider: StateStoreProvider, version: Long, rows: ((String, Int), Int)*): Long = {
    val store = provider.getStore(version)
    rows.foreach { case ((a, b), value) => put(store, a, b, value) }
    store.commit()
  }

  protected def rowsOf(store: ReadStateStore): Set[((String, Int), Int)] = rowPairsToDataSet(store.iterator())

  protected def filesOf(id: StateStoreId): Set[String] =
    Option(new File(id.storeCheckpointLocation().toUri.getPath).list()).toSet.flatten.filterNot(_.startsWith("."))
}
