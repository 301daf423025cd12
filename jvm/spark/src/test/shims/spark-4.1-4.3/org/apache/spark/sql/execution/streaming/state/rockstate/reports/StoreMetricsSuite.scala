package org.apache.spark.sql.execution.streaming.state.rockstate.reports

import org.scalatest.concurrent.Eventually.{eventually, timeout}
import org.scalatest.time.{Seconds, Span}

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.{ProviderTest, StoreProvider, TestRows}
import org.apache.spark.sql.internal.SQLConf

/** What stores report, and what maintenance does for them. */
class StoreMetricsSuite extends ProviderTest {
  import TestRows._

  private def custom(store: StateStore, name: String): Long =
    store.metrics.customMetrics.collectFirst { case (metric, value) if metric.name == name => value }.get

  private def lastUploaded(store: StateStore): Long = store.metrics.instanceMetrics.values.head

  test("an instance that was never initialized names its metrics, each once") {
    val names = (new StoreProvider).supportedCustomMetrics.map(_.name)
    assert(names.distinct == names && names.nonEmpty)
    assert((new StoreProvider).supportedInstanceMetrics.map(_.metricPrefix) == Seq("SnapshotLastUploaded"))
  }

  test("docs/metrics.md has every metric") {
    def unit(metric: StateStoreCustomMetric): String = metric match {
      case _: StateStoreCustomTimingMetric => "ms"
      case _: StateStoreCustomSizeMetric => "bytes"
      case _ => "number"
    }
    val table = (new StoreProvider).supportedCustomMetrics.map { metric =>
      s"| `${metric.name}` | ${unit(metric)} | ${metric.desc.stripPrefix("Rockstate: ")} |"
    }
    val root = Iterator
      .iterate(new java.io.File("").getAbsoluteFile)(_.getParentFile)
      .find(new java.io.File(_, "docs").isDirectory)
    val page = java.nio.file.Files.readString(root.get.toPath.resolve("docs/metrics.md"))
    assert(page.contains(table.mkString("\n")), s"The table of docs/metrics.md should be:\n${table.mkString("\n")}")
  }

  test("every metric reported is declared, and every one declared is reported") {
    withProvider() { provider =>
      commit(provider, 0, ("a", 1) -> 1)
      val store = provider.getStore(1)
      store.commit()
      assert(store.metrics.customMetrics.keySet == provider.supportedCustomMetrics.toSet)
      val instance = provider.supportedInstanceMetrics.map(_.withNewId(3, StateStoreId.DEFAULT_STORE_NAME)).toSet
      assert(store.metrics.instanceMetrics.keySet == instance)
    }
  }

  test("the number of keys is exact, whatever was written over, removed, or removed without being there") {
    val id = newId()
    withProvider(id) { provider =>
      commit(provider, 0, ("a", 1) -> 1, ("b", 2) -> 2, ("c", 3) -> 3)
      val store = provider.getStore(1)
      put(store, "a", 1, 10)
      put(store, "d", 4, 4)
      store.remove(dataToKeyRow("b", 2))
      store.remove(dataToKeyRow("b", 2))
      store.remove(dataToKeyRow("never", 0))
      put(store, "e", 5, 5)
      store.remove(dataToKeyRow("e", 5))
      store.commit()
      assert(store.metrics.numKeys == 3)
    }
    withProvider(id) { provider =>
      val store = provider.getStore(2)
      store.commit()
      assert(store.metrics.numKeys == 3 && rowsOf(provider.getStore(3)).size == 3)
    }
  }

  test("operations, bytes and memory are counted") {
    withProvider() { provider =>
      commit(provider, 0, ("a", 1) -> 1)
      val store = provider.getStore(1)
      get(store, "a", 1)
      get(store, "b", 1)
      put(store, "b", 1, 1)
      store.remove(dataToKeyRow("a", 1))
      store.iterator().size
      store.commit()
      assert(
        Seq("rockstateGetCount", "rockstatePutCount", "rockstateRemoveCount", "rockstateScanCount").map(
          custom(store, _)
        ) == Seq(2, 1, 1, 1)
      )
      assert(custom(store, "rockstateDeltaBytesWritten") > 0)
      assert(store.metrics.memoryUsedBytes > 0)
    }
  }

  test("a store that had to be recovered says how many deltas it replayed, one at hand none") {
    val id = newId()
    withProvider(id) { provider =>
      (0L until 4L).foreach(version => commit(provider, version, ("a", 1) -> version.toInt))
      val atHand = provider.getStore(4)
      atHand.abort()
      assert(custom(atHand, "rockstateDeltasReplayed") == 0)
    }
    withProvider(id) { provider =>
      val recovered = provider.getStore(4)
      recovered.abort()
      assert(custom(recovered, "rockstateDeltasReplayed") == 4)
      assert(custom(recovered, "rockstateRecoveryBytesRead") > 0)
    }
  }

  test("maintenance uploads a snapshot when enough deltas have piled up, and later stores report its version") {
    val id = newId()
    withProvider(id, Map(SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT.key -> "1")) { provider =>
      commit(provider, 0, ("a", 1) -> 1)
      assert(lastUploaded(provider.getStore(1)) == -1)
      commit(provider, 1, (1 to 1000).map(i => ((s"$i", i), i)): _*)
      provider.doMaintenance()
      val store = provider.getStore(2)
      store.abort()
      assert(lastUploaded(store) == 2)
      assert(filesOf(id).contains("2.snapshot"))
    }
  }

  test("a snapshot that Spark forces on commit is counted, and taken by the next maintenance") {
    val id = newId()
    withProvider(id) { provider =>
      provider.doMaintenance()
      val store = provider.getStore(0, None, forceSnapshotOnCommit = true, loadEmpty = false)
      put(store, "a", 1, 1)
      store.commit()
      assert(custom(store, "forceSnapshotCount") == 1)
      assert(!filesOf(id).contains("1.snapshot"))
      provider.doMaintenance()
      assert(lastUploaded(store) == 1)
      assert(filesOf(id).contains("1.snapshot"))
    }
  }

  test("before the first maintenance it is stored without one: the run may end earlier") {
    val id = newId()
    withProvider(id) { provider =>
      for (version <- 0L to 2L) {
        val store = provider.getStore(version, None, forceSnapshotOnCommit = version == 1, loadEmpty = false)
        put(store, "a", version.toInt, 1)
        store.commit()
      }
      eventually(timeout(Span(10, Seconds)))(assert(filesOf(id).exists(Set("2.snapshot", "3.snapshot"))))
    }
    withProvider(id)(provider => assert(rowsOf(provider.getReadStore(3)).size == 3))
  }

  test("stores that share native memory report it once between them") {
    withProvider() { one =>
      withProvider() { other =>
        commit(one, 0, ("a", 1) -> 1)
        val alone = OpenStores.count
        commit(other, 0, ("a", 1) -> 1)
        assert(alone >= 2 && OpenStores.count == alone)
      }
    }
  }

  test("what happens beside batches is reported by the next one, once") {
    withProvider(settings = Map(SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT.key -> "1")) { provider =>
      commit(provider, 0, (1 to 1000).map(i => ((s"$i", i), i)): _*)
      provider.doMaintenance()
      provider.getStore(1).abort()
      provider.getStore(1).abort()
      val store = provider.getStore(1)
      put(store, "a", 1, 1)
      store.commit()
      (1 to 2).foreach { _ =>
        assert(custom(store, "rockstateAborts") == 2)
        assert(custom(store, "rockstateSnapshotsUploaded") == 1)
        assert(custom(store, "rockstateSnapshotFilesWritten") == 2)
        assert(custom(store, "rockstateSnapshotBytesWritten") > 1000)
        assert(custom(store, "rockstateDeltasSinceSnapshot") == 1)
      }
      val next = provider.getStore(2)
      next.commit()
      assert(custom(next, "rockstateAborts") == 0 && custom(next, "rockstateSnapshotsUploaded") == 0)
    }
  }

  test("rows of internal families and appended values are counted apart") {
    withProvider(useColumnFamilies = true) { provider =>
      val store = provider.getStore(0)
      val spec = NoPrefixKeyStateEncoderSpec(keySchema)
      store.createColFamilyIfAbsent("$index", keySchema, valueSchema, spec, isInternal = true)
      store.createColFamilyIfAbsent("lists", keySchema, valueSchema, spec, useMultipleValuesPerKey = true)
      store.put(dataToKeyRow("a", 1), dataToValueRow(1), "$index")
      store.put(dataToKeyRow("b", 1), dataToValueRow(1), "$index")
      store.merge(dataToKeyRow("a", 1), dataToValueRow(1), "lists")
      store.merge(dataToKeyRow("a", 1), dataToValueRow(2), "lists")
      store.commit()
      assert(store.metrics.numKeys == 1 && custom(store, "rockstateInternalRows") == 2)
      assert(custom(store, "rockstateMergeCount") == 2)
    }
  }

  test("reads that go to the database show in the block cache's figures") {
    val id = newId()
    withProvider(id, Map(SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT.key -> "1")) { provider =>
      commit(provider, 0, (1 to 1000).map(i => ((s"$i", i), i)): _*)
      provider.doMaintenance()
    }
    withProvider(id) { provider =>
      val store = provider.getStore(1)
      (1 to 1000).foreach(i => get(store, s"$i", i))
      store.abort()
      assert(custom(store, "rockstateBlockCacheHits") + custom(store, "rockstateBlockCacheMisses") >= 1000)
    }
  }

  test("maintenance that fails is counted, and the store goes on") {
    val id = newId()
    withProvider(id, Map(SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT.key -> "1")) { provider =>
      commit(provider, 0, (1 to 1000).map(i => ((s"$i", i), i)): _*)
      val tables = new java.io.File(id.storeCheckpointLocation().toUri.getPath, "sst")
      java.nio.file.Files.write(tables.toPath, Array[Byte](1))
      provider.doMaintenance()
      assert(commit(provider, 1, ("a", 1) -> 1) == 2)
      val store = provider.getStore(2)
      store.abort()
      assert(custom(store, "rockstateMaintenanceFailures") == 1)
    }
  }
}
