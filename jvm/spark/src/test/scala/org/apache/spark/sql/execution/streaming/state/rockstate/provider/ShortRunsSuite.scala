package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import org.scalatest.concurrent.Eventually.{eventually, timeout}
import org.scalatest.time.{Seconds, Span}

import io.rockstate.testkit.ClosesHandles

/** Runs of a query that end before Spark's first maintenance, as scheduled ones with `availableNow`. */
class ShortRunsSuite extends ProviderTest with ClosesHandles {

  test("have a snapshot stored when a hundred deltas have piled up") {
    val id = newId()
    for (version <- 0L until 99L) withProvider(id)(commit(_, version, (s"$version", 1) -> 1))
    withProvider(id) { provider =>
      commit(provider, 99, ("last", 1) -> 1)
      eventually(timeout(Span(10, Seconds)))(assert(filesOf(id).contains("100.snapshot")))
      commit(provider, 100, ("more", 1) -> 1)
    }
    withProvider(id) { provider =>
      val reading = provider.getStore(101)
      assert(rowsOf(reading).size == 101)
      reading.abort()
      commit(provider, 101, ("again", 1) -> 1)
    }
    assert(filesOf(id).filter(_.endsWith(".snapshot")) == Set("100.snapshot"))
  }

  test("store none before that") {
    val id = newId()
    for (version <- 0L until 50L) withProvider(id)(commit(_, version, (s"$version", 1) -> 1))
    assert(!filesOf(id).exists(_.endsWith(".snapshot")))
  }
}
