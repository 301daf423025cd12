package io.rockstate.reference

import java.nio.file.Files
import java.util.UUID

import org.apache.commons.io.FileUtils
import org.apache.hadoop.conf.Configuration
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.types.UTF8String

/** Providers by class name on folders of their own, and rows: keys (time, name), values (text, number). */
abstract class ProviderTest extends AnyFunSuite with BeforeAndAfterAll {
  protected val keySchema: StructType = StructType.fromDDL("t bigint, k string")
  protected val valueSchema: StructType = StructType.fromDDL("v string, n bigint")
  protected val plain: KeyStateEncoderSpec = NoPrefixKeyStateEncoderSpec(keySchema)
  protected val ranged: KeyStateEncoderSpec = RangeKeyScanStateEncoderSpec(keySchema, Seq(0))

  private lazy val projections = Seq(keySchema, valueSchema, StructType(keySchema.take(1))).map { schema =>
    schema -> UnsafeProjection.create(schema)
  }.toMap

  protected def row(schema: StructType, columns: Any*): UnsafeRow = projections(schema)(
    InternalRow.fromSeq(columns.map { case text: String => UTF8String.fromString(text); case other => other })
  ).copy()

  protected def key(t: Any, k: String = "k"): UnsafeRow = row(keySchema, t, k)

  protected def value(text: String): UnsafeRow = row(valueSchema, text, text.length.toLong)

  private lazy val folders = Files.createTempDirectory("reference")

  override protected def afterAll(): Unit = {
    FileUtils.deleteQuietly(folders.toFile)
    super.afterAll()
  }

  protected def newFolder(): String = Files.createTempDirectory(folders, "store").toUri.toString

  /** A provider that has never seen the folder's store.
    *
    * @param settings without `spark.sql.streaming.`
    */
  protected def open(
      folder: String,
      providerClass: String = classOf[ReferenceStoreProvider].getName,
      spec: KeyStateEncoderSpec = plain,
      multiple: Boolean = false,
      settings: Map[String, String] = Map.empty
  ): StateStoreProvider = {
    val conf = new SQLConf
    settings.foreach { case (name, set) => conf.setConfString(s"spark.sql.streaming.$name", set) }
    conf.setConfString("spark.sql.streaming.stateStore.providerClass", providerClass)
    StateStoreProvider.createAndInit(
      StateStoreProviderId(StateStoreId(folder, 0, 0), UUID.randomUUID()),
      spec.keySchema,
      valueSchema,
      spec,
      useColumnFamilies = true,
      new StateStoreConf(conf),
      new Configuration,
      multiple,
      None
    )
  }

  /** Writes one version and returns the next base. */
  protected def write(provider: StateStoreProvider, base: Version)(body: StateStore => Unit): Version = {
    val store = provider.getStore(base.number, base.id)
    body(store)
    val number = store.commit()
    Version(number, store.getStateStoreCheckpointInfo().stateStoreCkptId)
  }

  protected def rowsAt(provider: StateStoreProvider, version: Version): Map[(Any, String), String] = {
    val store = provider.getReadStore(version.number, version.id)
    try pairs(store.iterator()).toMap
    finally store.release()
  }

  protected def pairs(rows: Iterator[UnsafeRowPair]): Seq[((Any, String), String)] = rows.map { pair =>
    val time = if (pair.key.isNullAt(0)) null else pair.key.getLong(0)
    (time, pair.key.getString(1)) -> pair.value.getString(0)
  }.toSeq
}
