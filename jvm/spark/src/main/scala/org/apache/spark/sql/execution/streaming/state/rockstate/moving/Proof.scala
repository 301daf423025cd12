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
    (before.keySet ++ after.keySet).find(key => before.get(key) != after.get(key)).foreach { key =>
      val (was, is) = (before.getOrElse(key, RowTotals.none), after.getOrElse(key, RowTotals.none))
      throw new CorruptFile(
        s"Operator ${key.operator} has other rows in store ${key.store}, column family ${key.family}, than before: " +
          s"${is.rows} instead of ${was.rows}, digest ${is.digest} instead of ${was.digest}",
        s"$state Report this with both providers' names.",
        to,
        Some(goal.batch + 1)
      )
    }
    goal.source.stores.flatMap { case (plan, _) =>
      plan.families.map { family =>
        val rows = after.getOrElse(FamilyKey(plan.operator, plan.store, family.name), RowTotals.none)
        FamilyTotals(plan.operator, plan.operatorName, plan.store, family.name, rows.rows, rows.digest)
      }
    }
  }
}
