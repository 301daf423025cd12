package io.rockstate.reference

import io.rockstate.reference.Contents.Rows

/** A mutant whose snapshots have other rows than their versions. */
abstract class ChangesSnapshots(change: Rows => Rows) extends WithSnapshots {
  override protected def inSnapshot(contents: Contents): Contents = contents.withRows((_, rows) => change(rows))
}
