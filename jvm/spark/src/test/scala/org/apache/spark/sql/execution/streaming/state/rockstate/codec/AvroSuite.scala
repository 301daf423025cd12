package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import java.util.UUID

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.avro.SchemaConverters
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.{ProviderTest, StoreProvider, TestRows}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.StreamExecution
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** Rows encoded as Avro, and schemas that change between versions. */
class AvroSuite extends ProviderTest {
  import TestRows._

  /** Spark's schemas by name, part and id. */
  private def schemas(entries: (String, Boolean, Short, StructType)*): StateSchemaProvider =
    new InMemoryStateSchemaProvider(StateSchemaMetadata(entries.map { case (family, isKey, id, schema) =>
      StateSchemaMetadataKey(family, id, isKey) ->
        StateSchemaMetadataValue(schema, SchemaConverters.toAvroTypeWithDefaults(schema))
    }.toMap))

  private def withAvro[A](
      id: StateStoreId,
      spec: KeyStateEncoderSpec,
      provider: StateSchemaProvider,
      checksums: Boolean = false
  )(body: StateStoreProvider => A): A = {
    val conf = new SQLConf
    conf.setConf(SQLConf.STREAMING_STATE_STORE_ENCODING_FORMAT, "avro")
    conf.setConfString("spark.sql.streaming.stateStore.rowChecksum.enabled", checksums.toString)
    val hadoopConf = new Configuration
    hadoopConf.set(StreamExecution.RUN_ID_KEY, UUID.randomUUID().toString)
    val opened = new StoreProvider
    opened.init(
      id,
      spec.keySchema,
      valueSchema,
      spec,
      useColumnFamilies = true,
      new StateStoreConf(conf),
      hadoopConf,
      useMultipleValuesPerKey = false,
      Some(provider)
    )
    closing[StateStoreProvider, A](opened)(body)
  }

  private def declared(
      store: StateStore,
      spec: KeyStateEncoderSpec,
      values: StructType,
      lists: Boolean = false
  ): StateStore = {
    store.createColFamilyIfAbsent("rows", spec.keySchema, values, spec, useMultipleValuesPerKey = lists)
    store
  }

  protected def specs: Seq[(String, KeyStateEncoderSpec, Seq[UnsafeRow])] = Seq(
    ("plain", NoPrefixKeyStateEncoderSpec(keySchema), Seq(dataToKeyRow("a", 1), dataToKeyRow("b", -1))),
    ("prefix", PrefixKeyScanStateEncoderSpec(keySchema, 1), Seq(dataToKeyRow("a", 1), dataToKeyRow("a", 2))),
    (
      "range",
      RangeKeyScanStateEncoderSpec(keySchemaWithRangeScan, Seq(0)),
      Seq(dataToKeyRowWithRangeScan(-5, "x"), dataToKeyRowWithRangeScan(5, "y"))
    )
  )

  specs.foreach((rowsSurvive _).tupled)

  test("two attempts at once do not mix their rows") {
    val spec = NoPrefixKeyStateEncoderSpec(keySchema)
    val known = schemas(("rows", true, 0, spec.keySchema), ("rows", false, 0, valueSchema))
    val rows = 2000
    withAvro(newId(), spec, known) { provider =>
      val Seq(writes, reads) = Seq.fill(2)(declared(provider.getStore(0), spec, valueSchema)): @unchecked
      val (long, value) = (dataToKeyRow("long" * 100, 0), dataToValueRow(1))
      @volatile var goesOn = true
      val other = new Thread(() => while (goesOn) reads.put(long, value, "rows"))
      other.start()
      try (1 to rows).foreach(i => writes.put(dataToKeyRow("a", i), dataToValueRow(i), "rows"))
      finally {
        goesOn = false
        other.join()
      }
      val found = writes.iterator("rows").map(pair => (keyRowToData(pair.key), valueRowToData(pair.value))).toMap
      assert(found == (1 to rows).map(i => ("a", i) -> i).toMap)
      Seq(writes, reads).foreach(_.abort())
    }
  }

  private def rowsSurvive(name: String, spec: KeyStateEncoderSpec, keys: Seq[UnsafeRow]): Unit =
    test(s"rows survive a restart and come in order, $name keys") {
      val known = schemas(("rows", true, 0, spec.keySchema), ("rows", false, 0, valueSchema))
      val id = newId()
      withAvro(id, spec, known) { provider =>
        val store = declared(provider.getStore(0), spec, valueSchema)
        keys.zipWithIndex.reverse.foreach { case (key, i) => store.put(key, dataToValueRow(i), "rows") }
        assert(store.get(keys.head, "rows") == dataToValueRow(0))
        store.commit()
      }
      withAvro(id, spec, known) { provider =>
        val store = declared(provider.getStore(1), spec, valueSchema)
        assert(store.iterator("rows").map(pair => (pair.key, valueRowToData(pair.value))).toSeq == keys.zipWithIndex)
        store.remove(keys.last, "rows")
        assert(store.get(keys.last, "rows") == null && store.keyExists(keys.head, "rows"))
        store.abort()
      }
    }

  Seq(false, true).foreach { checksums =>
    test(s"lists of values, row checksums $checksums") {
      val spec = NoPrefixKeyStateEncoderSpec(keySchema)
      val known = schemas(("rows", true, 0, keySchema), ("rows", false, 0, valueSchema))
      withAvro(newId(), spec, known, checksums) { provider =>
        val store = declared(provider.getStore(0), spec, valueSchema, lists = true)
        val key = dataToKeyRow("a", 1)
        store.putList(key, Array(1, 2).map(dataToValueRow), "rows")
        store.merge(key, dataToValueRow(3), "rows")
        store.commit()
        val next = declared(provider.getStore(1), spec, valueSchema, lists = true)
        assert(next.valuesIterator(key, "rows").map(valueRowToData).toSeq == Seq(1, 2, 3))
        next.abort()
      }
    }
  }

  test("a value written with an earlier schema is read with the present one") {
    val spec = NoPrefixKeyStateEncoderSpec(keySchema)
    val wider = StructType(Seq(StructField("value", IntegerType), StructField("note", StringType)))
    val (before, id) = (schemas(("rows", true, 0, keySchema), ("rows", false, 0, valueSchema)), newId())
    withAvro(id, spec, before) { provider =>
      val store = declared(provider.getStore(0), spec, valueSchema)
      store.put(dataToKeyRow("old", 1), dataToValueRow(7), "rows")
      store.commit()
    }
    val after = schemas(("rows", true, 0, keySchema), ("rows", false, 0, valueSchema), ("rows", false, 1, wider))
    withAvro(id, spec, after) { provider =>
      val store = declared(provider.getStore(1), spec, wider)
      val row = UnsafeProjection.create(wider)(InternalRow(8, UTF8String.fromString("new")))
      store.put(dataToKeyRow("new", 1), row, "rows")
      store.commit()
      val next = declared(provider.getStore(2), spec, wider)
      val old = next.get(dataToKeyRow("old", 1), "rows")
      assert(old.getInt(0) == 7 && old.isNullAt(1))
      assert(next.get(dataToKeyRow("new", 1), "rows").getString(1) == "new")
      next.abort()
    }
  }
}
