package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question, Workload}
import io.rockstate.benchmarks.Workload.WarmUp
import io.rockstate.benchmarks.lab._

/** What does an updated row cost when one executor has `stores` stores, each of 25,000 keys? Batches of 2,500 rows go to each store in
  * turn, and maintenance comes to each in turn.
  */
final class StoreGrowth(stores: Int) extends Question {
  override val name = s"stores_$stores"
  private val keys = 25000
  private val rows = 2500

  override def measure(lab: Lab): Measurement = {
    val all = (0 until stores).map { partition =>
      LoadedStore.into(lab.open(Layout.Plain, partition = partition), keys, rows)
    }
    val random = lab.random()
    // At least as many batches for few stores as for many, so that all are as warm.
    val rounds = math.max(2, lab.sizes.batches * lab.sizes.batchRows / rows / stores)
    var turn = -1
    val found = Workload.measure(all.map(_.store), WarmUp(stores * 2), rounds * stores) {
      Numbers.random(random, keys, rows)
    } { batch =>
      turn = (turn + 1) % stores
      all(turn).store.batch(all(turn).rows.getAndPut(_, batch))
    }
    KeyGrowth.perRow(found, Map("stores" -> stores, "keys_per_store" -> keys, "rows_per_batch" -> rows))
  }
}
