package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference.ChangesSnapshots.Rows

/** A mutant whose snapshots have other rows than their versions. */
abstract class ChangesSnapshots(change: Rows => Rows) extends ReferenceStoreProvider {
  override protected def snapshotOf(version: Version): Contents =
    Contents(super.snapshotOf(version).families.map { case (name, family) =>
      name -> family.copy(rows = change(family.rows))
    })
}

object ChangesSnapshots {

  /** Those of a family. */
  type Rows = Map[UnsafeRow, Vector[UnsafeRow]]
}
