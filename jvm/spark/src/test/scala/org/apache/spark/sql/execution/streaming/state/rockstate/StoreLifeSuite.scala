package org.apache.spark.sql.execution.streaming.state.rockstate

import scala.collection.mutable

import org.apache.spark.{SparkException, TaskContext, TaskContextImpl}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.errors.Misuse

/** What a store may be asked when, and what ends it. */
class StoreLifeSuite extends ProviderTest {
  import StateStoreTestsHelper._

  private val formatTwo: Settings = Map(SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key -> "2")

  private val key = dataToKeyRow("a", 1)
  private val value = dataToValueRow(1)

  private val operations: Seq[(String, StateStore => Any)] = Seq(
    "get" -> (_.get(key)),
    "keyExists" -> (_.keyExists(key)),
    "multiGet" -> (_.multiGet(Array(key), StateStore.DEFAULT_COL_FAMILY_NAME)),
    "iterator" -> (_.iterator()),
    "put" -> (_.put(key, value)),
    "remove" -> (_.remove(key)),
    "commit" -> (_.commit())
  )

  operations.foreach { case (name, operation) =>
    test(s"$name after commit is refused") {
      withProvider() { provider =>
        val store = provider.getStore(0)
        store.commit()
        assert(intercept[StateStoreOperationOutOfOrder](operation(store)).getMessage.contains("after COMMITTED"))
      }
    }

    test(s"$name after abort is refused") {
      withProvider() { provider =>
        val store = provider.getStore(0)
        store.abort()
        assert(intercept[StateStoreOperationOutOfOrder](operation(store)).getMessage.contains("after ABORTED"))
      }
    }
  }

  test("an abort drops the writes and may be repeated") {
    withProvider() { provider =>
      val store = provider.getStore(0)
      store.put(key, value)
      store.abort()
      store.abort()
      assert(!store.hasCommitted)
      assert(rowsOf(provider.getStore(0)).isEmpty)
    }
  }

  test("an abort after commit is refused and the version stays") {
    withProvider() { provider =>
      val store = provider.getStore(0)
      store.put(key, value)
      store.commit()
      intercept[StateStoreOperationOutOfOrder](store.abort())
      assert(rowsOf(provider.getStore(1)) == Set(("a", 1) -> 1))
    }
  }

  test("metrics can be read before and after commit, and after abort") {
    withProvider() { provider =>
      val store = provider.getStore(0)
      store.put(key, value)
      store.metrics
      store.commit()
      assert(store.metrics.numKeys == 1)
      val other = provider.getStore(1)
      other.abort()
      assert(other.metrics.numKeys == 1)
    }
  }

  test("the end of its task aborts a store that was left open") {
    withProvider() { provider =>
      val store = inTask { _ =>
        val store = provider.getStore(0)
        store.put(key, value)
        store
      }
      intercept[StateStoreOperationOutOfOrder](store.put(key, value))
      assert(!store.hasCommitted)
    }
  }

  test("the end of its task releases a read store") {
    withProvider() { provider =>
      val store = inTask(_ => provider.getReadStore(0, None))
      assert(intercept[StateStoreOperationOutOfOrder](store.get(key)).getMessage.contains("RELEASED"))
    }
  }

  test("the end of its task leaves a committed store committed") {
    withProvider() { provider =>
      val store = inTask { _ =>
        val store = provider.getStore(0)
        store.commit()
        store
      }
      assert(store.hasCommitted)
    }
  }

  test("a released read store may be released and aborted again, but not read") {
    withProvider() { provider =>
      val store = provider.getReadStore(0, None)
      store.release()
      store.release()
      store.abort()
      intercept[StateStoreOperationOutOfOrder](store.iterator())
    }
  }

  test("a write store refuses to be released") {
    withProvider() { provider =>
      val store = provider.getStore(0)
      intercept[UnsupportedOperationException](store.release())
      store.abort()
    }
  }

  test("an upgraded read store sees the writes, and ending it does not end the write store") {
    withProvider() { provider =>
      val reading = provider.getReadStore(0, None)
      val writing = provider.upgradeReadStoreToWriteStore(reading, 0, None, false)
      writing.put(key, value)
      assert(get(reading, "a", 1).contains(1))
      reading.release()
      reading.abort()
      assert(writing.commit() == 1)
      assert(rowsOf(provider.getStore(1)) == Set(("a", 1) -> 1))
    }
  }

  test("the end of the task commits nothing of an upgraded store and ends both") {
    withProvider() { provider =>
      val (reading, writing) = inTask { _ =>
        val reading = provider.getReadStore(0, None)
        val writing = provider.upgradeReadStoreToWriteStore(reading, 0, None, false)
        writing.put(key, value)
        (reading, writing)
      }
      assert(!writing.hasCommitted)
      intercept[StateStoreOperationOutOfOrder](reading.get(key))
      intercept[StateStoreOperationOutOfOrder](writing.get(key))
    }
  }

  test("a read store of another provider instance is upgraded to a transaction of its own") {
    val id = newId()
    withProvider(id) { first =>
      commit(first, 0, ("a", 1) -> 1)
      val reading = first.getReadStore(1, None)
      withProvider(id) { second =>
        val writing = second.upgradeReadStoreToWriteStore(reading, 1, None, false)
        put(writing, "a", 1, get(reading, "a", 1).get + 1)
        assert(writing.commit() == 2)
        assert(rowsOf(second.getStore(2)) == Set(("a", 1) -> 2))
      }
      assert(get(reading, "a", 1).contains(1))
      reading.release()
    }
  }

  test("a read store of another provider class, a released one and one of another version are upgraded too") {
    withProvider() { provider =>
      commit(provider, 0, ("a", 1) -> 1)
      val foreign = new WrappedReadStateStore(provider.getStore(1))
      val released = provider.getReadStore(1, None)
      released.release()
      val older = provider.getReadStore(0, None)
      Seq(foreign, released, older).foreach { reading =>
        val writing = provider.upgradeReadStoreToWriteStore(reading, 1, None, false)
        assert(rowsOf(writing) == Set(("a", 1) -> 1))
        writing.abort()
      }
    }
  }

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
      def committed(provider: RockStateStoreProvider, version: Int): Unit = {
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

  private def inTask[A](body: TaskContext => A): A = {
    val context = TaskContext.empty()
    TaskContext.setTaskContext(context)
    try body(context)
    finally {
      context.asInstanceOf[TaskContextImpl].markTaskCompleted(None)
      TaskContext.unset()
    }
  }
}
