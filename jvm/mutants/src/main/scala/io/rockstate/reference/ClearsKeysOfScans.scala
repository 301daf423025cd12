package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.Opening

/** A store whose gets clear the key of the pair that an open scan has given last, if `isCleared` of the scan's family and the get's. */
class ClearsKeysOfScans(isCleared: (String, String) => Boolean)(
    provider: ReferenceStoreProvider,
    base: Version,
    before: Contents,
    opening: Opening
) extends ReferenceStore(provider, base, before, opening) {
  private var last: Option[(String, UnsafeRow)] = None

  override def iterator(family: String): Pairs =
    Pairs.changed(super.iterator(family))(_.map { pair => last = Some(family -> pair.key); pair })

  override def get(key: UnsafeRow, family: String): UnsafeRow = {
    val found = super.get(key, family)
    last.foreach { case (scanned, shown) => if (isCleared(scanned, family)) Rows.clear(shown) }
    found
  }
}
