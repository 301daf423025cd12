package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import io.rockstate.errors.CorruptFile

/** That the rows which were written are those that were read.
  *
  * @param to    the checkpoint that was written to
  * @param state of things if they are not
  */
private[rockstate] final class Proof(goal: MoveGoal, to: String, state: String) {

  /** The totals of both, which must be the same. */
  def totals(before: Map[FamilyKey, RowTotals], after: Map[FamilyKey, RowTotals]): Vector[FamilyTotals] = {
    val (was, is) = (before.withDefaultValue(RowTotals.none), after.withDefaultValue(RowTotals.none))
    (was.keySet ++ is.keySet).find(key => was(key) != is(key)).foreach { key =>
      throw new CorruptFile(
        s"Operator ${key.operator} has other rows in store ${key.store}, column family ${key.family}, than before: " +
          s"${is(key).rows} instead of ${was(key).rows}, digest ${is(key).digest} instead of ${was(key).digest}",
        s"$state Report this with both providers' names.",
        to,
        Some(goal.batch + 1)
      )
    }
    goal.source.stores.flatMap { case (plan, _) =>
      for {
        family <- plan.families
        rows = is(FamilyKey(plan.operator, plan.store, family.name))
        if !family.isFormer || rows.rows > 0
      } yield FamilyTotals(plan.operator, plan.operatorName, plan.store, family.name, rows.rows, rows.digest)
    }
  }
}
