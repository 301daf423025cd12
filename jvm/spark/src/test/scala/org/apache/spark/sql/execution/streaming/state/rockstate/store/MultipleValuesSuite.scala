package org.apache.spark.sql.execution.streaming.state.rockstate.store

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.{ProviderTest, StoreProvider, TestRows}

/** Column families in which a key has a list of values. */
class MultipleValuesSuite extends ProviderTest {
  import TestRows._

  private val lists = "lists"
  private val plainKeys = NoPrefixKeyStateEncoderSpec(keySchema)
  private val prefixKeys = PrefixKeyScanStateEncoderSpec(keySchema, 1)
  private val rangeKeys = RangeKeyScanStateEncoderSpec(keySchemaWithRangeScan, Seq(0))

  private def row(values: Int*): Array[UnsafeRow] = values.map(dataToValueRow).toArray

  private def values(store: ReadStateStore, key: UnsafeRow): Seq[Int] =
    store.valuesIterator(key, lists).map(valueRowToData).toSeq

  private def pairs(rows: Iterator[UnsafeRowPair]): Seq[((String, Int), Int)] = rows.map(rowPairToDataPair).toSeq

  /** A store of the provider's version, with the family declared as operators do in each task. */
  private def storeOf(
      provider: StateStoreProvider,
      version: Long,
      spec: KeyStateEncoderSpec = plainKeys,
      isMultiValued: Boolean = true
  ): StateStore = {
    val store = provider.getStore(version)
    store.createColFamilyIfAbsent(lists, spec.keySchema, valueSchema, spec, isMultiValued)
    store
  }

  Seq(false, true).foreach { checksums =>
    val settings = Map("spark.sql.streaming.stateStore.rowChecksum.enabled" -> checksums.toString)
    test(s"lists are put, appended to, replaced and removed, row checksums $checksums") {
      val id = newId()
      val (a, b, c) = (dataToKeyRow("a", 1), dataToKeyRow("b", 1), dataToKeyRow("c", 1))
      withProvider(id, settings, useColumnFamilies = true) { provider =>
        val store = storeOf(provider, 0)
        store.putList(a, row(1, 2), lists)
        store.merge(a, dataToValueRow(3), lists)
        store.merge(b, dataToValueRow(4), lists)
        store.mergeList(b, row(5, 6), lists)
        store.put(c, dataToValueRow(7), lists)
        assert(values(store, a) == Seq(1, 2, 3) && values(store, b) == Seq(4, 5, 6) && values(store, c) == Seq(7))
        assert(values(store, dataToKeyRow("nobody", 1)).isEmpty)
        store.commit()
        assert(store.metrics.numKeys == 3)
      }
      withProvider(id, settings, useColumnFamilies = true) { provider =>
        val store = storeOf(provider, 1)
        store.merge(a, dataToValueRow(8), lists)
        store.putList(b, row(9), lists)
        store.remove(c, lists)
        store.merge(c, dataToValueRow(10), lists)
        assert(values(store, a) == Seq(1, 2, 3, 8) && values(store, b) == Seq(9) && values(store, c) == Seq(10))
        assert(valueRowToData(store.get(a, lists)) == 1, "a get returns the first")
        store.commit()
        val all = pairs(storeOf(provider, 2).iteratorWithMultiValues(lists))
        assert(all == Seq(1, 2, 3, 8).map((("a", 1), _)) ++ Seq((("b", 1), 9), (("c", 1), 10)))
      }
    }
  }

  test("scans show one pair for each value, own writes included") {
    withProvider(useColumnFamilies = true) { provider =>
      val first = storeOf(provider, 0, prefixKeys)
      first.putList(dataToKeyRow("a", 1), row(1, 2), lists)
      first.putList(dataToKeyRow("a", 2), row(3), lists)
      first.putList(dataToKeyRow("b", 1), row(4), lists)
      first.commit()
      val store = storeOf(provider, 1, prefixKeys)
      store.merge(dataToKeyRow("a", 2), dataToValueRow(5), lists)
      store.merge(dataToKeyRow("a", 3), dataToValueRow(6), lists)
      assert(
        pairs(store.prefixScanWithMultiValues(dataToPrefixKeyRow("a"), lists)) ==
          Seq((("a", 1), 1), (("a", 1), 2), (("a", 2), 3), (("a", 2), 5), (("a", 3), 6))
      )
      assert(pairs(store.prefixScan(dataToPrefixKeyRow("a"), lists)).map(_._2) == Seq(1, 3, 6), "the first of each")
      store.abort()
    }
  }

  test("a range scan shows one pair for each value") {
    withProvider(encoderSpec = rangeKeys, useColumnFamilies = true) { provider =>
      def key(time: Long): UnsafeRow = dataToKeyRowWithRangeScan(time, "x")
      val store = storeOf(provider, 0, rangeKeys)
      Seq(5L, -1L, 300L).foreach(time => store.putList(key(time), row(time.toInt, 0), lists))
      val found = store.rangeScanWithMultiValues(Some(key(-1)), Some(key(300)), lists)
      assert(
        found.map(pair => (pair.key.getLong(0), valueRowToData(pair.value))).toSeq == Seq(
          (-1, -1),
          (-1, 0),
          (5, 5),
          (5, 0)
        )
      )
      store.abort()
    }
  }

  test("returned rows stay valid, and written rows may be reused") {
    withProvider(useColumnFamilies = true) { provider =>
      val store = storeOf(provider, 0)
      val key = dataToKeyRow("a", 1)
      val reused = dataToValueRow(1).copy()
      store.merge(key, reused, lists)
      reused.setInt(0, 2)
      store.merge(key, reused, lists)
      val kept = store.valuesIterator(key, lists).toSeq
      store.remove(key, lists)
      assert(kept.map(valueRowToData) == Seq(1, 2))
      store.abort()
    }
  }

  test("an empty list is a key without values") {
    withProvider(useColumnFamilies = true) { provider =>
      val store = storeOf(provider, 0)
      store.putList(dataToKeyRow("a", 1), row(), lists)
      store.putList(dataToKeyRow("b", 1), row(1), lists)
      assert(store.keyExists(dataToKeyRow("a", 1), lists) && values(store, dataToKeyRow("a", 1)).isEmpty)
      assert(store.get(dataToKeyRow("a", 1), lists) == null)
      assert(pairs(store.iteratorWithMultiValues(lists)) == Seq((("b", 1), 1)))
      store.abort()
    }
  }

  test("a store without column families can have lists too") {
    val provider = new StoreProvider
    provider.init(
      newId(),
      keySchema,
      valueSchema,
      plainKeys,
      useColumnFamilies = false,
      StateStoreConf.empty,
      new org.apache.hadoop.conf.Configuration,
      useMultipleValuesPerKey = true
    )
    closing(provider) { provider =>
      val store = provider.getStore(0)
      store.merge(dataToKeyRow("a", 1), dataToValueRow(1))
      store.merge(dataToKeyRow("a", 1), dataToValueRow(2))
      assert(store.valuesIterator(dataToKeyRow("a", 1)).map(valueRowToData).toSeq == Seq(1, 2))
      store.abort()
    }
  }

  test("list operations on a family with single values are refused, as are nulls") {
    withProvider(useColumnFamilies = true) { provider =>
      val store = storeOf(provider, 0, isMultiValued = false)
      val key = dataToKeyRow("a", 1)
      Seq[StateStore => Any](
        _.merge(key, dataToValueRow(1), lists),
        _.mergeList(key, row(1), lists),
        _.putList(key, row(1), lists),
        _.valuesIterator(key, lists),
        _.iteratorWithMultiValues(lists)
      ).foreach(operation => intercept[IllegalStateException](operation(store)))
      store.abort()
    }
    withProvider(useColumnFamilies = true) { provider =>
      val store = storeOf(provider, 0)
      intercept[IllegalStateException](store.merge(null, dataToValueRow(1), lists))
      intercept[IllegalArgumentException](store.merge(dataToKeyRow("a", 1), null, lists))
      intercept[IllegalArgumentException](store.putList(dataToKeyRow("a", 1), null, lists))
      intercept[IllegalArgumentException](store.mergeList(dataToKeyRow("a", 1), Array(null), lists))
      assert(pairs(store.iteratorWithMultiValues(lists)).isEmpty)
      store.abort()
    }
  }
}
