package io.rockstate.testkit

import org.scalatest.Assertions

import io.rockstate.errors.StateStoreException
import io.rockstate.versions.StateVersion

/** A query on one store, with the model beside it: what the store answers must be what the model does, call by call, and each version must have
  * the model's rows and counts. The query knows only of commits that returned, as Spark does.
  *
  * @param afterBatch told the number of batches that were committed
  */
final class QueryRun(checkpointIds: Boolean, afterBatch: Int => Unit = _ => ()) extends Assertions {
  private val model = new ModelStore(checkpointIds)
  private var path = Vector(
    StateVersion.Empty -> StateVersion.Empty
  ) // the store's and the model's name of each version
  private var tries = 0 // at the batch that runs

  /** The versions that were committed, oldest first. */
  def committed: Vector[StateVersion] = path.tail.map(_._1)

  /** Runs the batches that are not committed yet; each may fail so many times, and is tried again as Spark does. */
  def complete(engine: EngineUnderTest, plan: QueryPlan, failures: Int = 0): Unit = while (hasMore(plan))
    try step(engine, plan)
    catch {
      case e @ (_: StateStoreException | _: InterruptedException) =>
        tries += 1
        if (tries > failures) fail(s"batch ${path.size} was tried $tries times", e)
    }

  /** The same until something fails, and then no more. */
  def untilFailure(engine: EngineUnderTest, plan: QueryPlan): Unit =
    try while (hasMore(plan)) step(engine, plan)
    catch { case _: StateStoreException => tries += 1 }

  /** Compares the newest versions, as many as there are, with the model's. */
  def verifyLast(engine: EngineUnderTest, versions: Int): Unit =
    path.takeRight(versions).foreach { case (ours, models) =>
      val (found, expected) = (engine.begin(ours), model.begin(models))
      try
        assert(
          Rows.content(found) == Rows.content(expected) && Rows.counts(found) == Rows.counts(expected),
          s"at version $ours"
        )
      finally found.abort()
    }

  /** Whoever asks for an earlier version from now on goes back to it. */
  def reopen(): Unit = model.restart()

  private def hasMore(plan: QueryPlan): Boolean = path.size <= plan.batches.size

  private def step(engine: EngineUnderTest, plan: QueryPlan): Unit = {
    val done = path.size - 1
    val batch = plan.batches(done)
    if (tries == 0) batch.abandoned.foreach(attempt(engine, _, commits = false))
    attempt(engine, batch.attempt(tries), commits = true)
    tries = 0
    afterBatch(done + 1)
    if (batch.maintains) maintain(engine, batch.snapshot)
    if (batch.moves) {
      engine.restart()
      reopen()
    }
  }

  /** Spark logs what goes wrong in a maintenance, and lets the query go on. */
  private def maintain(engine: EngineUnderTest, snapshot: Boolean): Unit =
    try {
      if (snapshot) engine.requestSnapshot()
      engine.maintain()
    } catch { case _: StateStoreException | _: InterruptedException => }

  private def attempt(engine: EngineUnderTest, operations: List[Operation], commits: Boolean): Unit = {
    val ours = engine.begin(path.last._1)
    try {
      val models = model.begin(path.last._2)
      assert(
        Rows.content(ours) == Rows.content(models) && Rows.counts(ours) == Rows.counts(models),
        s"at ${path.last._1}"
      )
      operations.foreach(o => assert(o.perform(ours) == o.perform(models), s"$o on ${path.last._1}"))
      if (commits) {
        path :+= ours.commit() -> models.commit()
        assert(Rows.counts(ours) == Rows.counts(models), s"after the commit of ${path.last._1}")
      }
    } finally if (!ours.hasCommitted) ours.abort()
  }

}
