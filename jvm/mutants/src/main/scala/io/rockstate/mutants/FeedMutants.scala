package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.RecordType

import io.rockstate.reference._

/** The change feed does not tell what was removed. */
class ChangeFeedLosesDeletes extends ReferenceStoreProvider {
  override protected def recordsOf(change: KeyChange): Iterator[(RecordType.Value, UnsafeRow)] =
    super.recordsOf(change).filter(_._1 != RecordType.DELETE_RECORD)
}

/** A replay gives its snapshot, whatever version it was to end with. */
class ReplayIgnoresEndVersion extends ReferenceStoreProvider {
  override protected def replay(snapshot: Version, end: Version): Contents = super.replay(snapshot, snapshot)
}
