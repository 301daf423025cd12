package org.apache.spark.sql.execution.streaming.state.rockstate.session

import org.apache.spark.{TaskContext, TaskContextImpl}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.{ProviderTest, TestRows}

/** What a store may be asked when, and what ends it. */
class StoreLifeSuite extends ProviderTest {
  import TestRows._

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

  test("multiGet gives what there was when it was called, by the keys that it was given then") {
    withProvider() { provider =>
      val store = provider.getStore(0)
      put(store, "a", 1, 1)
      put(store, "b", 2, 2)
      val keys = Array(dataToKeyRow("a", 1), dataToKeyRow("c", 3), dataToKeyRow("b", 2))
      val found = store.multiGet(keys, StateStore.DEFAULT_COL_FAMILY_NAME)
      keys(2).pointTo(keys(0).getBytes, keys(0).getSizeInBytes)
      put(store, "a", 1, 7)
      assert(found.map(row => Option(row).map(valueRowToData)).toSeq == Seq(Some(1), None, Some(2)))
      store.abort()
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
