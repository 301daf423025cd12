package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import org.apache.spark.{TaskContext, TaskContextImpl}
import org.apache.spark.sql.execution.streaming.state.StateStore

/** Spark 4.0 asks for an aggregation's store to read, and then for the one to write to, as if they had nothing to do with each other. */
class ReadsOfTasksSuite extends ProviderTest {
  import TestRows._

  test("a task's store to write to goes on with what its read store has read, and ends apart from it") {
    withProvider() { provider =>
      commit(provider, 0, ("a", 1) -> 1)
      for (version <- 1L to 3L) inTask {
        val reading = provider.getReadStore(version, None)
        assert(get(reading, "a", 1).contains(version.toInt))
        val writing = provider.getStore(version)
        put(writing, "a", 1, version.toInt + 1)
        assert(get(reading, "a", 1).contains(version.toInt + 1))
        reading.abort()
        assert(writing.commit() == version + 1)
        assert(cacheMisses(writing) == 0, s"reads of version $version that the cache did not answer")
      }
      assert(rowsOf(provider.getStore(4)) == Set(("a", 1) -> 4))
    }
  }

  test("a store to write to of another version, of another task or after the read store's end begins by itself") {
    withProvider() { provider =>
      commit(provider, 0, ("a", 1) -> 1)
      commit(provider, 1, ("a", 1) -> 2)
      inTask {
        val reading = provider.getReadStore(1, None)
        val writing = provider.getStore(2)
        put(writing, "a", 1, 3)
        assert(get(reading, "a", 1).contains(1))
        writing.abort()
        reading.abort()
        val again = provider.getStore(1)
        put(again, "a", 1, 4)
        again.abort()
      }
      val reading = inTask(provider.getReadStore(2, None))
      val writing = provider.getStore(2)
      assert(rowsOf(writing) == Set(("a", 1) -> 2))
      reading.abort()
      writing.abort()
    }
  }

  private def cacheMisses(store: StateStore): Long =
    store.metrics.customMetrics.collectFirst {
      case (metric, value) if metric.name == "rockstateReadCacheMisses" => value
    }.get

  private def inTask[A](body: => A): A = {
    val context = TaskContext.empty()
    TaskContext.setTaskContext(context)
    try body
    finally {
      context.asInstanceOf[TaskContextImpl].markTaskCompleted(None)
      TaskContext.unset()
    }
  }
}
