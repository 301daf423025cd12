package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{StateStoreIterator, UnsafeRowPair}

import io.rockstate.reference._

/** A get changes the row that a get in another store of the JVM has answered last. */
class StoresShareTheRowOfGet
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def get(key: UnsafeRow, family: String): UnsafeRow = {
        val found = super.get(key, family)
        if (found != null) StoresShareTheRowOfGet.give(provider, found)
        found
      }
    })

private object StoresShareTheRowOfGet {
  private var last: Option[(ReferenceStoreProvider, UnsafeRow)] = None

  private def give(provider: ReferenceStoreProvider, row: UnsafeRow): Unit = synchronized {
    last.filter { case (other, shared) => (other ne provider) && shared.numFields == row.numFields }.foreach {
      case (_, shared) => Rows.point(shared, row.copy())
    }
    last = Some(provider -> row)
  }
}

/** A scan's next pair changes the one that a scan in another store of the JVM has given last. */
class StoresShareThePairOfAScan
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iterator(family: String): StateStoreIterator[UnsafeRowPair] =
        Pairs.changed(super.iterator(family))(_.map(StoresShareThePairOfAScan.handOut(provider, _)))
    })

private object StoresShareThePairOfAScan {
  private var last: Option[(ReferenceStoreProvider, UnsafeRowPair)] = None

  private def handOut(provider: ReferenceStoreProvider, pair: UnsafeRowPair): UnsafeRowPair = synchronized {
    last.filter { case (other, shared) => (other ne provider) && shared.key.numFields == pair.key.numFields }.foreach {
      case (_, shared) =>
        Rows.point(shared.key, pair.key.copy())
        Rows.point(shared.value, pair.value.copy())
    }
    last = Some(provider -> pair)
    pair
  }
}
