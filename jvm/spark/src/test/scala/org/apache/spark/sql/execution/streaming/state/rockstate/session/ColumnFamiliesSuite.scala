package org.apache.spark.sql.execution.streaming.state.rockstate.session

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.{ProviderTest, TestRows}

/** Column families with single values, as transformWithState uses them. */
class ColumnFamiliesSuite extends ProviderTest {
  import TestRows._

  private val spec = NoPrefixKeyStateEncoderSpec(keySchema)

  private def create(store: StateStore, name: String, isInternal: Boolean = false): Unit =
    store.createColFamilyIfAbsent(name, keySchema, valueSchema, spec, isInternal = isInternal)

  private def rowsIn(store: StateStore, family: String) = rowPairsToDataSet(store.iterator(family))

  test("families keep their rows apart, in a later version and after recovery too") {
    val id = newId()
    withProvider(id, useColumnFamilies = true) { provider =>
      val store = provider.getStore(0)
      create(store, "one")
      create(store, "two")
      put(store, "a", 1, 0)
      put(store, "a", 1, 1, "one")
      put(store, "a", 1, 2, "two")
      put(store, "b", 2, 2, "two")
      store.commit()
      assert(store.metrics.numKeys == 4)
    }
    withProvider(id, useColumnFamilies = true) { provider =>
      val store = provider.getStore(1)
      assert(store.allColumnFamilyNames == Set("default", "one", "two"))
      Seq("one", "two").foreach(create(store, _))
      assert(rowsOf(store) == Set(("a", 1) -> 0))
      assert(rowsIn(store, "one") == Set(("a", 1) -> 1))
      assert(rowsIn(store, "two") == Set(("a", 1) -> 2, ("b", 2) -> 2))
      store.abort()
    }
  }

  test("families may differ in key encoding") {
    withProvider(useColumnFamilies = true) { provider =>
      val store = provider.getStore(0)
      store.createColFamilyIfAbsent(
        "timers",
        keySchemaWithRangeScan,
        valueSchema,
        RangeKeyScanStateEncoderSpec(keySchemaWithRangeScan, Seq(0))
      )
      store.createColFamilyIfAbsent("words", keySchema, valueSchema, PrefixKeyScanStateEncoderSpec(keySchema, 1))
      Seq(9L, -1L, 3L).foreach(time => store.put(dataToKeyRowWithRangeScan(time, "x"), dataToValueRow(1), "timers"))
      put(store, "a", 1, 1, "words")
      put(store, "b", 1, 1, "words")
      assert(store.iterator("timers").map(_.key.getLong(0)).toSeq == Seq(-1L, 3L, 9L))
      assert(rowPairsToDataSet(store.prefixScan(dataToPrefixKeyRow("b"), "words")) == Set(("b", 1) -> 1))
      store.abort()
    }
  }

  test("a family that was declared once can be read by later stores of the provider without a declaration") {
    withProvider(useColumnFamilies = true) { provider =>
      val store = provider.getStore(0)
      create(store, "one")
      put(store, "a", 1, 1, "one")
      store.commit()
      assert(get(provider.getReadStore(1, None), "a", 1, "one").contains(1))
    }
  }

  test("a removed family is gone with its rows, and can be created again, empty") {
    withProvider(useColumnFamilies = true) { provider =>
      val store = provider.getStore(0)
      create(store, "one")
      put(store, "a", 1, 1, "one")
      store.commit()
      val next = provider.getStore(1)
      assert(next.removeColFamilyIfExists("one"))
      assert(!next.removeColFamilyIfExists("one"))
      intercept[StateStoreUnsupportedOperationOnMissingColumnFamily](get(next, "a", 1, "one"))
      create(next, "one")
      assert(rowsIn(next, "one").isEmpty)
      next.commit()
      assert(next.metrics.numKeys == 0)
    }
  }

  test("internal families do not count as keys") {
    withProvider(useColumnFamilies = true) { provider =>
      val store = provider.getStore(0)
      create(store, "$internal", isInternal = true)
      put(store, "a", 1, 1, "$internal")
      put(store, "a", 1, 1)
      store.commit()
      assert(store.metrics.numKeys == 1)
    }
  }

  test("an aborted transaction leaves no family behind") {
    withProvider(useColumnFamilies = true) { provider =>
      val store = provider.getStore(0)
      create(store, "one")
      store.abort()
      val retry = provider.getStore(0)
      assert(retry.allColumnFamilyNames == Set("default"))
      intercept[StateStoreUnsupportedOperationOnMissingColumnFamily](get(retry, "a", 1, "one"))
      retry.abort()
    }
  }

  test("names that Spark's RocksDB store refuses are refused alike") {
    withProvider(useColumnFamilies = true) { provider =>
      val store = provider.getStore(0)
      Seq("", " x", "default").foreach { name =>
        intercept[StateStoreCannotUseColumnFamilyWithInvalidName](create(store, name))
        intercept[StateStoreCannotUseColumnFamilyWithInvalidName](store.removeColFamilyIfExists(name))
      }
      intercept[StateStoreCannotCreateColumnFamilyWithReservedChars](create(store, "$x"))
      intercept[StateStoreCannotUseColumnFamilyWithInvalidName](get(store, "a", 1, " x"))
      intercept[StateStoreUnsupportedOperationOnMissingColumnFamily](get(store, "a", 1, "never"))
      store.abort()
    }
  }

  test("without column families every operation on another family is refused") {
    withProvider() { provider =>
      val store = provider.getStore(0)
      val operations = Seq[() => Any](
        () => create(store, "one"),
        () => store.removeColFamilyIfExists("one"),
        () => put(store, "a", 1, 1, "one"),
        () => get(store, "a", 1, "one"),
        () => store.remove(dataToKeyRow("a", 1), "one"),
        () => store.iterator("one")
      )
      operations.foreach(operation => intercept[StateStoreUnsupportedOperationException](operation()))
      store.abort()
    }
  }
}
