package org.apache.spark.sql.execution.streaming.state.rockstate.rows

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.{ProviderTest, TestRows}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, LongType}

/** Rows in, rows out: what stays valid, what is copied, what a scan sees. */
class RowsSuite extends ProviderTest {
  import TestRows._

  private val encodings = Seq(
    "plain" -> NoPrefixKeyStateEncoderSpec(keySchema),
    "prefix" -> PrefixKeyScanStateEncoderSpec(keySchema, 1)
  )

  // A Spark without row checksums does not know the conf.
  private val modes: Seq[(String, Settings)] = Seq(
    "without row checksums" -> Map.empty,
    "with row checksums" -> Map("spark.sql.streaming.stateStore.rowChecksum.enabled" -> "true")
  )

  for ((encoding, spec) <- encodings; (mode, settings) <- modes) {
    test(s"rows of an iterator stay valid after next, and after its store has ended ($encoding keys, $mode)") {
      withProvider(encoderSpec = spec, settings = settings) { provider =>
        val expected = (1 to 50).map(i => ((s"key $i", i), i)).toSet
        commit(provider, 0, expected.toSeq: _*)
        val store = provider.getStore(1)
        val pairs = store.iterator().toList
        store.abort()
        assert(pairs.map(pair => rowPairToDataPair(pair)).toSet == expected)
      }
    }

    test(s"a value read stays valid after other reads and writes ($encoding keys, $mode)") {
      withProvider(encoderSpec = spec, settings = settings) { provider =>
        commit(provider, 0, ("a", 1) -> 1, ("b", 2) -> 2)
        val store = provider.getStore(1)
        val first = store.get(dataToKeyRow("a", 1))
        put(store, "a", 1, 10)
        val second = store.get(dataToKeyRow("b", 2))
        val own = store.get(dataToKeyRow("a", 1))
        put(store, "a", 1, 20)
        assert(Seq(first, second, own).map(valueRowToData) == Seq(1, 2, 10))
        store.abort()
      }
    }

    test(s"what is put is copied: the caller may reuse its rows ($encoding keys, $mode)") {
      withProvider(encoderSpec = spec, settings = settings) { provider =>
        val store = provider.getStore(0)
        val (key, value) = (dataToKeyRow("a", 1), dataToValueRow(1))
        store.put(key, value)
        key.setInt(1, 2)
        value.setInt(0, 2)
        store.put(key, value)
        assert(rowsOf(store) == Set(("a", 1) -> 1, ("a", 2) -> 2))
        store.commit()
        assert(rowsOf(provider.getStore(1)) == Set(("a", 1) -> 1, ("a", 2) -> 2))
      }
    }
  }

  test("an iterator shows what was there when it was made, and nothing later") {
    withProvider() { provider =>
      commit(provider, 0, ("a", 1) -> 1, ("b", 2) -> 2)
      val store = provider.getStore(1)
      val before = store.iterator()
      put(store, "b", 2, 20)
      put(store, "c", 3, 30)
      val between = store.iterator()
      store.remove(dataToKeyRow("a", 1))
      put(store, "d", 4, 40)
      val after = store.iterator()
      assert(rowPairsToDataSet(before) == Set(("a", 1) -> 1, ("b", 2) -> 2))
      assert(rowPairsToDataSet(between) == Set(("a", 1) -> 1, ("b", 2) -> 20, ("c", 3) -> 30))
      assert(rowPairsToDataSet(after) == Set(("b", 2) -> 20, ("c", 3) -> 30, ("d", 4) -> 40))
      store.abort()
    }
  }

  test("an iterator that outlives its store says so instead of ending early") {
    withProvider() { provider =>
      commit(provider, 0, (1 to 10).map(i => ((s"k$i", i), i)): _*)
      val store = provider.getStore(1)
      val rows = store.iterator()
      rows.next()
      store.commit()
      intercept[RuntimeException](rows.size)
    }
  }

  test("a closed iterator is empty, and closing it again is fine") {
    withProvider() { provider =>
      commit(provider, 0, ("a", 1) -> 1, ("b", 2) -> 2)
      val store = provider.getStore(1)
      val rows = store.iterator()
      assert(rows.hasNext)
      rows.close()
      rows.close()
      assert(!rows.hasNext)
      intercept[NoSuchElementException](rows.next())
      store.abort()
    }
  }

  test("a prefix scan finds the rows of its prefix only, committed and pending") {
    withProvider(encoderSpec = PrefixKeyScanStateEncoderSpec(keySchema, 1)) { provider =>
      val committed = for (word <- Seq("", "a", "aa", "b"); i <- 1 to 3) yield ((word, i), i)
      commit(provider, 0, committed: _*)
      val store = provider.getStore(1)
      put(store, "a", 4, 4)
      store.remove(dataToKeyRow("a", 1))
      def scan(word: String) = rowPairsToDataSet(store.prefixScan(dataToPrefixKeyRow(word)))
      assert(scan("a") == Set(("a", 2) -> 2, ("a", 3) -> 3, ("a", 4) -> 4))
      assert(scan("") == Set(("", 1) -> 1, ("", 2) -> 2, ("", 3) -> 3))
      assert(scan("c").isEmpty)
      store.abort()
    }
  }

  test("a prefix scan without a prefix key is refused") {
    withProvider() { provider =>
      intercept[IllegalArgumentException](provider.getStore(0).prefixScan(dataToPrefixKeyRow("a")))
    }
  }

  test("range-encoded keys iterate in the order of their values, and can be scanned and deleted by range") {
    withProvider(encoderSpec = RangeKeyScanStateEncoderSpec(keySchemaWithRangeScan, Seq(0))) { provider =>
      val times = Seq(-900L, -1L, 0L, 1L, 255L, 256L, 70000L, Long.MaxValue)
      val store = provider.getStore(0)
      def key(time: Long): UnsafeRow = dataToKeyRowWithRangeScan(time, "x")
      times.reverse.foreach(time => store.put(key(time), dataToValueRow(1)))
      store.commit()
      val next = provider.getStore(1)
      def timesOf(rows: Iterator[UnsafeRowPair]) = rows.map(pair => pair.key.getLong(0)).toSeq
      assert(timesOf(next.iterator()) == times)
      assert(timesOf(next.rangeScan(Some(key(0)), Some(key(256)))) == Seq(0L, 1L, 255L))
      assert(timesOf(next.rangeScan(None, Some(key(0)))) == Seq(-900L, -1L))
      assert(timesOf(next.rangeScan(Some(key(70000)), None)) == Seq(70000L, Long.MaxValue))
      assert(timesOf(next.rangeScan(Some(key(5)), Some(key(1)))).isEmpty)
      assert(timesOf(next.prefixScan(dataToPrefixKeyRowWithRangeScan(255))) == Seq(255L))
      next.deleteRange(key(-1), key(256))
      assert(timesOf(next.iterator()) == Seq(-900L, 256L, 70000L, Long.MaxValue))
      next.commit()
      assert(next.metrics.numKeys == 4)
    }
  }

  test("rows of another layout are refused if they come from a checkpoint, not if the provider was given them") {
    val id = newId()
    val key = dataToKeyRow("a", 1)
    val long = UnsafeProjection.create(Array[DataType](LongType))(InternalRow(-1L))
    withProvider(id) { writer =>
      val first = writer.getStore(0)
      first.put(key, long)
      assert(first.get(key).getLong(0) == -1)
      first.commit()
      assert(writer.getStore(1).get(key).getLong(0) == -1)
    }
    withProvider(id)(reader => intercept[StateStoreValueRowFormatValidationFailure](reader.getStore(1).get(key)))
    val unchecked = Map(SQLConf.STATE_STORE_FORMAT_VALIDATION_ENABLED.key -> "false")
    withProvider(id, unchecked)(reader => assert(reader.getStore(1).get(key).getLong(0) == -1))
  }
}
