package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import scala.collection.mutable

import org.apache.spark.SparkException
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.errors.Misuse

/** Attempts at a version: the ids that commits get, and which attempt a store goes on from. */
class CheckpointIdsSuite extends ProviderTest {
  import TestRows._

  private val formatTwo: Settings = Map(SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key -> "2")

  private val key = dataToKeyRow("a", 1)
  private val value = dataToValueRow(1)

  test("with checkpoint format 2 commits have ids, and a store goes on from the one it was asked for") {
    withProvider(settings = formatTwo) { provider =>
      val first = provider.getStore(0, None)
      first.put(key, value)
      first.commit()
      val firstId = first.getStateStoreCheckpointInfo().stateStoreCkptId
      assert(first.getStateStoreCheckpointInfo() == StateStoreCheckpointInfo(3, 1, firstId, None))

      val retry = provider.getStore(0, None)
      retry.put(key, dataToValueRow(2))
      retry.commit()
      val retryId = retry.getStateStoreCheckpointInfo().stateStoreCkptId
      assert(firstId.isDefined && retryId.isDefined && firstId != retryId)

      assert(rowsOf(provider.getStore(1, firstId)) == Set(("a", 1) -> 1))
      val second = provider.getStore(1, retryId)
      assert(rowsOf(second) == Set(("a", 1) -> 2))
      second.commit()
      assert(second.getStateStoreCheckpointInfo().baseStateStoreCkptId == retryId)
    }
  }

  test("a session of checkpoint format 1 reads what one of format 2 wrote, by its id") {
    val id = newId()
    val checkpointId = withProvider(id, formatTwo) { writer =>
      val store = writer.getStore(0, None)
      store.put(key, value)
      store.commit()
      store.getStateStoreCheckpointInfo().stateStoreCkptId
    }
    withProvider(id) { reader =>
      assert(rowsOf(reader.getReadStore(1, checkpointId)) == Set(("a", 1) -> 1))
      val store = reader.getStore(1, checkpointId)
      assert(rowsOf(store) == Set(("a", 1) -> 1))
      assert(intercept[SparkException](store.commit()).getCause.isInstanceOf[Misuse])
      store.abort()
    }
  }

  Seq(1 -> Map.empty[String, String], 2 -> formatTwo).foreach { case (format, settings) =>
    test(
      s"a leftover attempt that begins late is refused and costs the next batch nothing, checkpoint format $format"
    ) {
      val id = newId()
      val ids = mutable.ArrayBuffer[Option[String]](None)
      def committed(provider: StoreProvider, version: Int): Unit = {
        val store = provider.getStore(version.toLong, ids(version))
        put(store, s"key$version", 1, version)
        store.commit()
        ids += store.getStateStoreCheckpointInfo().stateStoreCkptId
      }
      withProvider(id, settings) { provider =>
        (0 until 5).foreach(committed(provider, _))
        val leftover = provider.getStore(2, ids(2))
        assert(rowsOf(leftover).size == 2)
        put(leftover, "leftover", 1, 1)
        intercept[SparkException](leftover.commit())
        leftover.abort()
        val next = provider.getStore(5, ids(5))
        next.put(key, value)
        next.commit()
        ids += next.getStateStoreCheckpointInfo().stateStoreCkptId
        val recovery = next.metrics.customMetrics.collect {
          case (metric, n) if metric.name.startsWith("rockstateDeltasReplayed") => n
        }
        assert(recovery.sum == 0)
      }
      withProvider(id, settings) { fresh =>
        val expected = (0 until 5).map(n => (s"key$n", 1) -> n).toSet + (("a", 1) -> 1)
        assert(rowsOf(fresh.getStore(6, ids(6))) == expected)
      }
    }
  }

  test("with checkpoint format 1 commits have no ids") {
    withProvider() { provider =>
      commit(provider, 0, ("a", 1) -> 1)
      val store = provider.getStore(1)
      store.commit()
      assert(store.getStateStoreCheckpointInfo() == StateStoreCheckpointInfo(3, 2, None, None))
    }
  }

  test("an attempt that was never committed is not found, even if its version was committed without an id") {
    withProvider() { provider =>
      commit(provider, 0, ("a", 1) -> 1)
      val error = intercept[SparkException](provider.getStore(1, Some("an-id")))
      assert(error.getCondition == "CANNOT_LOAD_STATE_STORE.CANNOT_READ_STREAMING_STATE_FILE")
      assert(error.getMessage.contains("1_an-id"))
    }
  }

  test("a session of checkpoint format 1 may declare families on a version with an id, but not commit on it") {
    val id = newId()
    val committedId = withProvider(id, formatTwo, useColumnFamilies = true) { provider =>
      val store = provider.getStore(0)
      store.commit()
      store.getStateStoreCheckpointInfo().stateStoreCkptId
    }
    withProvider(id, useColumnFamilies = true) { provider =>
      val store = provider.getStore(1, committedId)
      store.createColFamilyIfAbsent("one", keySchema, valueSchema, NoPrefixKeyStateEncoderSpec(keySchema))
      val error = intercept[SparkException](store.commit())
      assert(error.getMessage.contains("checkpointFormatVersion to 2"))
      assert(filesOf(id).forall(!_.startsWith("2")))
      store.abort()
    }
  }

  test("checkpoint ids before commit are refused") {
    withProvider() { provider =>
      intercept[StateStoreOperationOutOfOrder](provider.getStore(0).getStateStoreCheckpointInfo())
    }
  }
}
