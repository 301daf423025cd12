package org.apache.spark.sql.execution.streaming.state.rockstate

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.internal.SQLConf

/** What stores report, and what maintenance does for them. */
class StoreMetricsSuite extends ProviderTest {
  import StateStoreTestsHelper._

  private def custom(store: StateStore, name: String): Long =
    store.metrics.customMetrics.collectFirst { case (metric, value) if metric.name == name => value }.get

  private def lastUploaded(store: StateStore): Long = store.metrics.instanceMetrics.values.head

  test("an instance that was never initialized names its metrics, each once") {
    val names = (new RockStateStoreProvider).supportedCustomMetrics.map(_.name)
    assert(names.distinct == names && names.nonEmpty)
    assert((new RockStateStoreProvider).supportedInstanceMetrics.map(_.metricPrefix) == Seq("SnapshotLastUploaded"))
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
      val store = provider.getStore(0, None, forceSnapshotOnCommit = true)
      put(store, "a", 1, 1)
      store.commit()
      assert(custom(store, "forceSnapshotCount") == 1)
      assert(!filesOf(id).contains("1.snapshot"))
      provider.doMaintenance()
      assert(lastUploaded(store) == 1)
      assert(filesOf(id).contains("1.snapshot"))
    }
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
