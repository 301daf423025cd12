package io.rockstate.reference

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference.ReferenceStore.Opening

/** A mutant's store that knows which rows gets have answered. */
class RemembersGotten(provider: ReferenceStoreProvider, base: Version, before: Contents, opening: Opening)
    extends ReferenceStore(provider, base, before, opening) {
  private val handedOut = mutable.Map.empty[UnsafeRow, UnsafeRow]

  override def get(key: UnsafeRow, family: String): UnsafeRow = {
    val found = super.get(key, family)
    if (found != null) handedOut(key.copy()) = found
    found
  }

  /** The row that the last get of the key has answered. */
  protected def gotten(key: UnsafeRow): Option[UnsafeRow] = handedOut.get(key)
}
