package io.rockstate.testkit

import scala.util.Random

/** What a query does to a store, batch by batch. */
final case class QueryPlan(batches: Vector[PlannedBatch])

/** @param abandoned what an attempt writes that is aborted before the batch runs; None if there is none
  * @param attempts  what the attempts at the batch write, one after the other until one commits; all that follow do as the last
  * @param snapshot  whether the maintenance after it is asked for a snapshot
  * @param maintains whether there is a maintenance after it
  * @param moves     whether the store then goes to another machine
  */
final case class PlannedBatch(
    abandoned: Option[List[Operation]],
    attempts: Vector[List[Operation]],
    snapshot: Boolean,
    maintains: Boolean,
    moves: Boolean
) {
  def attempt(n: Int): List[Operation] = attempts(math.min(n, attempts.size - 1))
}

object QueryPlan {

  /** Batches of anything: some given up before they commit, some that write something else when they are tried again, one of more than a
    * chunk, so that its delta grows while it runs.
    */
  def random(seed: Long, batches: Int): QueryPlan = {
    val random = new Random(seed)
    def some(most: Int) = List.fill(random.nextInt(most + 1))(Operation.random(random))
    QueryPlan((1 to batches).toVector.map { i =>
      val first =
        some(12) ++ (if (i == 2) List(LargePut) else if (i == 4) List(Operation.Remove(LargePut.name)) else Nil)
      PlannedBatch(
        abandoned = Option.when(random.nextInt(4) == 0)(some(6)),
        attempts = if (random.nextInt(3) == 0) Vector(first, some(12)) else Vector(first),
        snapshot = i % 3 == 0,
        maintains = random.nextInt(4) > 0 || i % 3 == 0,
        moves = i == batches / 2
      )
    })
  }

  /** Batches that write a little and are each followed by a maintenance. */
  def calm(batches: Int): QueryPlan = QueryPlan((1 to batches).toVector.map { i =>
    PlannedBatch(None, Vector(List(Operation.Put("calm", s"$i"))), snapshot = true, maintains = true, moves = false)
  })

  private val LargePut = Operation.Put("large", "x" * (300 << 10))
}
