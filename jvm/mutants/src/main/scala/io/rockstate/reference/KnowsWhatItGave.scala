package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference.ReferenceStore.Opening

/** A mutant's store that knows the value that it has handed out last. */
class KnowsWhatItGave(provider: ReferenceStoreProvider, base: Version, before: Contents, opening: Opening)
    extends ReferenceStore(provider, base, before, opening) {
  private var last: Option[UnsafeRow] = None

  override protected def handOut(value: UnsafeRow): UnsafeRow = {
    val out = super.handOut(value)
    last = Some(out)
    out
  }

  /** Whether it is that very row. */
  protected def isGiven(value: UnsafeRow): Boolean = last.exists(_ eq value)
}
